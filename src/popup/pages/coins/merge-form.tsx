import { useState } from 'react'
import type { CoinView } from '../../../background/views/payment-views.ts'
import { FeeField } from '../../forms/fee-field.tsx'
import { type FeeForm, parseFeeRateText, parseRateText } from '../../forms/fee-form.ts'
import { type SendFacts, sumCoins } from '../../forms/use-send-facts.ts'
import { goBack } from '../../platform/route.ts'
import { countWords, words } from '../../platform/words.ts'
import { Fold } from '../../review/fold.tsx'
import { Fact } from '../../review/transaction-facts.tsx'
import { Button } from '../../ui/button.tsx'
import { shortenOutpoint } from '../../ui/copied-text.tsx'
import { Check } from '../../ui/fields/choice.tsx'
import { TextField } from '../../ui/fields/field.tsx'
import { Segments } from '../../ui/fields/segments.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'
import { Notice } from '../../ui/notice.tsx'
import factsStyles from '../../ui/styles/facts.module.css'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { formatFeeRate, nameSats } from '../../ui/text/btc-digits.ts'
import { HiddenAmount, useAmounts } from '../../ui/text/hidden-amounts.tsx'
import {
  listOffered,
  type MergeTerms,
  mostMerged,
  SHARES,
  type Share,
  sumMerge,
} from './merge-sums.ts'

/** How many coins are drawn at first, and how many more at each press. */
const STEP = 100

/** What the person chose: `left` are outpoints that stay as they are, `later` the fee rate (sat/vB) that is expected, as typed. */
export type Merge = FeeForm & { later: string; share: Share; left: readonly string[] }

type MergeFormProps = {
  form: Merge
  facts: SendFacts
  terms: MergeTerms
  planning: { busy: boolean; failure: string | null }
  onChange: (next: Partial<Merge>) => void
  onSubmit: (coins: string[], feeRate: number) => void
}

/** Which coins become one, what that costs now, and what it saves if fees are what the person expects. */
export function MergeForm({ form, facts, terms, planning, onChange, onSubmit }: MergeFormProps) {
  const [tried, setTried] = useState(false)
  const { coins, rates } = facts
  const rate = parseFeeRateText(form, rates.answer)
  const laterRate = parseRateText(form.later)
  const offered =
    coins.answer === null || rate === null || laterRate === null
      ? null
      : listOffered(coins.answer, terms, { rate, laterRate, share: form.share })
  const ticked = offered?.filter(({ outpoint }) => !form.left.includes(outpoint)) ?? []
  const merged = ticked.slice(0, mostMerged(terms))
  const more = ticked.length - merged.length
  const sums =
    rate !== null && laterRate !== null && merged.length > 1
      ? sumMerge(terms, merged.length, { rate, laterRate })
      : null
  return (
    <FormScreen
      title={words('mergeTitle')}
      lead={words('mergeLead')}
      action={words(planning.busy ? 'sendPlanning' : 'sendReview')}
      busy={planning.busy}
      disabled={merged.length < 2}
      failure={planning.failure ?? coins.problem}
      onBack={goBack}
      onSubmit={() => {
        setTried(true)
        if (rate !== null && sums)
          onSubmit(
            merged.map(({ outpoint }) => outpoint),
            rate,
          )
      }}
    >
      <FeeField
        form={form}
        facts={facts}
        tried={tried || form.customRate !== ''}
        fee={sums?.fee ?? null}
        onChange={onChange}
      />
      <TextField
        label={words('mergeLater')}
        inputMode="decimal"
        value={form.later}
        note={words('mergeLaterNote')}
        error={laterRate === null ? words('sendRateInvalid') : null}
        onChange={event => onChange({ later: event.currentTarget.value })}
      />
      <section className={layoutStyles.stack}>
        <h2>{words('mergeWhich')}</h2>
        <Segments
          label={words('mergeWhich')}
          value={form.share}
          options={SHARES.map(value => ({
            value,
            name: value === 'all' ? words('mergeAll') : words('mergeOver', { percent: value }),
          }))}
          onChoose={share => onChange({ share })}
        />
        <p className={textStyles.note}>
          {words(form.share === 'all' ? 'mergeAllNote' : 'mergeOverNote')}
        </p>
        {offered === null ? null : offered.length < 2 ? (
          <p className={textStyles.muted}>{words('mergeNone')}</p>
        ) : (
          <Ticks
            offered={offered}
            ticked={ticked}
            left={form.left}
            onLeave={left => onChange({ left })}
          />
        )}
      </section>
      {sums ? (
        <>
          <dl className={factsStyles.facts}>
            <Fact name={words('coinsTitle')}>{countWords('mergeOne', merged.length)}</Fact>
            <Fact name={words('mergeNow')}>{nameSats(sums.fee)}</Fact>
            <Fact name={words('mergeSpared', { rate: formatFeeRate(laterRate ?? 0) })}>
              {nameSats(sums.later)}
            </Fact>
            <Fact name={words(sums.saved < 0n ? 'mergeLoss' : 'mergeSaved')}>
              <b>{nameSats(sums.saved < 0n ? -sums.saved : sums.saved)}</b>
            </Fact>
            <Fact name={words('mergeBreakEven')}>
              {words('mergeBreakEvenRate', { rate: formatFeeRate(sums.breakEven) })}
            </Fact>
          </dl>
          <p className={textStyles.note}>
            {countWords('mergeFormula', merged.length - 1, {
              rate: formatFeeRate(laterRate ?? 0),
            })}
          </p>
        </>
      ) : null}
      {more > 0 ? <Notice tone="info">{countWords('mergeMore', more)}</Notice> : null}
      <Notice tone="caution" title={words('mergePrivacyTitle')}>
        {words('mergePrivacy')}
      </Notice>
    </FormScreen>
  )
}

type TicksProps = {
  offered: CoinView[]
  ticked: CoinView[]
  left: readonly string[]
  onLeave: (left: string[]) => void
}

/** The coins one by one, to leave some out. */
function Ticks({ offered, ticked, left, onLeave }: TicksProps) {
  const [room, setRoom] = useState(STEP)
  const amounts = useAmounts()
  const count = countWords('coinsCount', ticked.length)
  return (
    <Fold summary={amounts.isHidden ? count : `${count} · ${amounts.coin(sumCoins(ticked))}`}>
      {offered.slice(0, room).map(({ outpoint, sats, label }) => (
        <Check
          key={outpoint}
          checked={!left.includes(outpoint)}
          onCheck={on =>
            onLeave(on ? left.filter(other => other !== outpoint) : [...left, outpoint])
          }
        >
          {amounts.isHidden ? <HiddenAmount /> : amounts.coin(BigInt(sats))}{' '}
          <span className={textStyles.note} title={outpoint}>
            {label || shortenOutpoint(outpoint)}
          </span>
        </Check>
      ))}
      {offered.length > room ? (
        <Button variant="quiet" onClick={() => setRoom(room + STEP)}>
          {words('sendCoinsMore')}
        </Button>
      ) : null}
    </Fold>
  )
}
