import type { ReactNode } from 'react'
import type { PsbtView } from '../../../background/views/psbt-views.ts'
import { joinFacts } from '../../platform/join-facts.ts'
import { countWords, currentLanguage, words } from '../../platform/words.ts'
import { FlowPicture } from '../../ui/pictures/flow-picture.tsx'
import factsStyles from '../../ui/styles/facts.module.css'
import { formatFeeRate, formatShare, nameSats, nameValue } from '../../ui/text/btc-digits.ts'
import { sayName } from '../../ui/text/names.ts'
import { formatMoment } from '../../ui/text/time-text.ts'
import { QuietMoves, TellingMoves } from '../asset-moves.tsx'
import { RunestoneNews } from '../runes/runestone.tsx'
import { AmountFact, Fact, nameRecent } from '../transaction-facts.tsx'
import { Cautions, Dangers } from '../warnings.tsx'
import { canGetWorse, chooseEffect, missingSats } from './psbt-effect.ts'
import { flowOf } from './psbt-flow.ts'
import { PsbtParts } from './psbt-parts.tsx'
import { hasManyRecipients, PsbtRecipients } from './psbt-recipients.tsx'

/** Below it a locktime is a block's height, from it on seconds since 1970. */
const FIRST_TIME = 500_000_000

type PsbtBodyProps = {
  view: PsbtView
  /** The wallet sends it once it is signed. */
  isSent?: boolean
  /** What is said of the coins of this one alone. */
  children?: ReactNode
}

/** All that a person should see of one PSBT before it is signed: dangers and the worst case, who is paid, picture, cost, what follows, details. */
export function PsbtBody({ view, isSent = false, children }: PsbtBodyProps) {
  const { warnings, locktime, assets } = view
  const fee = view.fee === null ? null : BigInt(view.fee.sats)
  const after = chooseAfter(view, isSent)
  const isMany = hasManyRecipients(view)
  const signed = view.inputs.filter(({ state }) => state === 'to-sign').length
  return (
    <>
      <TellingMoves moves={assets} names={namesOf(view)} />
      <RunestoneNews runestone={view.runestone} outputs={view.outputs} />
      <Dangers warnings={warnings} fee={fee} />
      {isMany ? null : <PsbtRecipients view={view} />}
      <FlowPicture flow={flowOf(view)} />
      <Cautions warnings={warnings} fee={fee} assets={assets} />
      {children}
      <QuietMoves moves={assets} names={namesOf(view)} />
      <dl className={factsStyles.facts}>
        <Nets view={view} />
        <PsbtFee view={view} />
        {signed === view.inputs.length ? null : (
          <Fact name={words('psbtSigns')}>
            {signed === 0
              ? words('psbtSignsNothing')
              : countWords('psbtSignsOf', view.inputs.length, { signed })}
          </Fact>
        )}
        {locktime === null ? null : (
          <Fact name={words('psbtNotBefore')}>{nameLocktime(locktime)}</Fact>
        )}
        <Fact name={words('psbtAfter')}>
          {words(after)}
          <span className={factsStyles.sub}>{words(AFTER_NOTES[after])}</span>
        </Fact>
      </dl>
      {isMany ? <PsbtRecipients view={view} /> : null}
      <PsbtParts view={view} />
    </>
  )
}

/** What can be done with it once it is signed. */
function chooseAfter({ after, locktime }: PsbtView, isSent: boolean): keyof typeof AFTER_NOTES {
  if (isSent) return 'psbtAfterSent'
  if (after === 'needs-others') return 'psbtAfterOthers'
  return locktime === null ? 'psbtAfterComplete' : 'psbtAfterCompleteLater'
}

const AFTER_NOTES = {
  psbtAfterSent: 'psbtAfterSentNote',
  psbtAfterOthers: 'psbtAfterOthersNote',
  psbtAfterComplete: 'psbtAfterCompleteNote',
  psbtAfterCompleteLater: 'psbtAfterCompleteNote',
} as const

/** The address book's names, and those of own accounts where several take part. */
function namesOf({ outputs, nets }: PsbtView): ReadonlyMap<string, string | null> {
  return new Map(
    outputs.flatMap(({ address, name, accountName }) => {
      const given = nets.length < 2 ? name : (accountName ?? name)
      return address === null ? [] : [[address, given && sayName(given)]]
    }),
  )
}

/** A block has to be higher than a locktime that is a height. */
function nameLocktime(locktime: number): string {
  if (locktime >= FIRST_TIME) return formatMoment(locktime * 1000)
  const height = (locktime + 1).toLocaleString(currentLanguage())
  return words('psbtNotBeforeBlock', { height })
}

/** What all own accounts gain or pay together, and each of them where there are several. */
function Nets({ view }: { view: PsbtView }) {
  return (
    <>
      <Exchange view={view} />
      <NetFact sats={BigInt(view.net.sats)} note={describeHold(view)} />
      {view.nets.length < 2
        ? null
        : view.nets.map(({ accountId, accountName, sats }) => {
            const net = BigInt(sats)
            return (
              <AmountFact
                key={accountId}
                name={words(net > 0n ? 'psbtAccountGets' : 'psbtAccountPays', {
                  account: sayName(accountName),
                })}
                sats={net < 0n ? -net : net}
              />
            )
          })}
    </>
  )
}

/** What is given and what is taken for it, where coins count for more than their sats. */
function Exchange({ view }: { view: PsbtView }) {
  const effect = chooseEffect(view)
  // Where it is known what the coins carry, their sats are not what counts.
  if (view.assets.length > 0) return null
  if ((effect.kind !== 'pay' && effect.kind !== 'get') || effect.coins === null) return null
  const [main, other] =
    effect.kind === 'pay'
      ? (['psbtYouPay', 'psbtYouReceive'] as const)
      : (['psbtYouReceive', 'psbtYouGive'] as const)
  return (
    <>
      <Fact name={words(main)}>{nameValue(effect.sats)}</Fact>
      <Fact name={words(other)}>{nameSats(effect.coins.sats)}</Fact>
    </>
  )
}

/** How far the sum holds; null where nobody can change it. */
function describeHold(view: PsbtView): string | null {
  const { sats, certainty } = view.net
  if (certainty === 'certain') return null
  if (certainty === 'claimed') return words('psbtFeeClaimed')
  if (canGetWorse(view)) return words('psbtNetOpen')
  return words(BigInt(sats) > 0n ? 'psbtNetLeast' : 'psbtNetMost')
}

/** "You pay in all", "You receive in all": the sign is a word. The note says how far it holds. */
export function NetFact({ sats, note }: { sats: bigint; note: string | null }) {
  const name = words(sats > 0n ? 'psbtGetInAll' : 'reviewPay')
  const hold = note === null ? null : <span className={factsStyles.sub}>{note}</span>
  return sats === 0n ? (
    <Fact name={name}>
      {words('psbtNone')}
      {hold}
    </Fact>
  ) : (
    <AmountFact name={name} sats={sats < 0n ? -sats : sats} strong>
      {hold}
    </AmountFact>
  )
}

function PsbtFee({ view }: { view: PsbtView }) {
  const { fee, leastFee, outputs } = view
  const missing = missingSats(view)
  if (missing > 0n) {
    return (
      <Fact name={words('psbtMissing')}>
        {nameSats(missing)}
        <span className={factsStyles.sub}>{words('psbtMissingNote')}</span>
      </Fact>
    )
  }
  if (fee === null) {
    return (
      <Fact name={words('reviewFee')} help="fee-rate">
        {leastFee === null
          ? words('reviewFeeUnknown')
          : words('psbtFeeLeast', { amount: nameSats(BigInt(leastFee)) })}
        <span className={factsStyles.sub}>{words('reviewFeeUnknownNote')}</span>
      </Fact>
    )
  }
  const sats = BigInt(fee.sats)
  const moved = outputs.reduce((sum, output) => sum + BigInt(output.sats), 0n)
  const rate = words(view.vsizeExact ? 'reviewRate' : 'psbtFeeSize', {
    rate: formatFeeRate(fee.feeRate),
  })
  return (
    <Fact name={words('reviewFee')} help="fee-rate">
      {nameSats(sats)}
      <span className={factsStyles.sub}>
        {joinFacts([
          moved > 0n ? formatShare(sats, moved) : null,
          rate,
          nameRecent(view.recentFeeRate),
        ])}
      </span>
      {fee.certainty === 'certain' ? null : (
        <span className={factsStyles.sub}>
          {words(fee.certainty === 'claimed' ? 'psbtFeeClaimed' : 'psbtFeeOpen')}
        </span>
      )}
    </Fact>
  )
}
