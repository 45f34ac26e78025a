import type { AssetMoveView } from '../../../background/views/asset-views.ts'
import type { PsbtOutputView, PsbtView } from '../../../background/views/psbt-views.ts'
import { countWords, words } from '../../platform/words.ts'
import textStyles from '../../ui/styles/text.module.css'
import { nameTwice } from '../../ui/text/btc-digits.ts'
import { CoinAssetsNote, movesTo } from '../coins/coin-assets-note.tsx'
import { Fold } from '../fold.tsx'
import recipientsStyles from '../recipients.module.css'
import { FEW_RECIPIENTS, type Recipient, Recipients } from '../recipients.tsx'

/** As many as are read one by one; the others are a press away. */
const MOST = 6

/** Whether they are so many that the cost is better told before them. */
export function hasManyRecipients(view: PsbtView): boolean {
  return listRecipients(view).length > FEW_RECIPIENTS
}

/** Everybody else whom a PSBT pays, the whole address each; of many the largest amounts first. */
export function PsbtRecipients({ view }: { view: PsbtView }) {
  const recipients = listRecipients(view)
  const changeable = sumChangeable(view)
  if (recipients.length === 0 && changeable === 0n) return null
  const isFolded = recipients.length > MOST + 1
  const sorted = isFolded ? recipients.toSorted(byAmount) : recipients
  const shown = isFolded ? sorted.slice(0, MOST) : sorted
  const rest = sorted.slice(shown.length)
  return (
    <section className={recipientsStyles.whoIsPaid}>
      <h2>
        {isFolded ? words('psbtPayeesMany', { count: recipients.length }) : words('psbtPayees')}
      </h2>
      <Recipients recipients={shown} />
      {rest.length > 0 ? (
        <Fold summary={countWords('psbtPayeesMore', rest.length)}>
          <Recipients recipients={rest} />
        </Fold>
      ) : null}
      {changeable > 0n ? (
        <p className={textStyles.note}>
          {words('psbtPayeesOpen', { amount: nameTwice(changeable) })}
        </p>
      ) : null}
    </section>
  )
}

/** Who is paid for certain: nobody whom others can still exchange. */
export function listRecipients({ outputs, assets }: PsbtView): Recipient[] {
  return outputs.flatMap((output, index): Recipient[] => {
    if (!paysOthers(output) || output.open) return []
    const { address, script, sats, name, paidBefore } = output
    const carried = movesTo(assets, index).filter(isOwn)
    return [{ address, script, sats, name, paidBefore, note: <CoinAssetsNote moves={carried} /> }]
  })
}

function sumChangeable({ outputs }: PsbtView): bigint {
  return outputs.reduce(
    (sum, output) => (paysOthers(output) && output.open ? sum + BigInt(output.sats) : sum),
    0n,
  )
}

function paysOthers({ kind, sats }: PsbtOutputView): boolean {
  return (kind === 'foreign' || kind === 'unknown') && sats !== '0'
}

function byAmount(first: Recipient, second: Recipient): number {
  return Number(BigInt(second.sats) - BigInt(first.sats))
}

function isOwn({ own }: AssetMoveView): boolean {
  return own
}
