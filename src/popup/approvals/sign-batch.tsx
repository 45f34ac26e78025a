import type { PsbtView, SignPsbtReview } from '../../background/views/psbt-views.ts'
import { countWords, words } from '../platform/words.ts'
import { useConsents } from '../review/consents.tsx'
import { describeWorst, type Subject } from '../review/list-consents.ts'
import { AmountFact, Fact } from '../review/transaction-facts.tsx'
import { Dangers } from '../review/warnings.tsx'
import { Notice } from '../ui/notice.tsx'
import { nameSats, nameTwice } from '../ui/text/btc-digits.ts'
import { ApprovalFrame, type ApprovalScreenProps } from './approval-frame.tsx'
import { BatchItem, openAtFirst } from './batch-item.tsx'
import {
  describeBatch,
  describeHold,
  isMixed,
  isReused,
  listOneSided,
  worstOf,
} from './batch-words.tsx'
import { NetFact, PsbtBody } from './psbt-body.tsx'
import { canGetWorse } from './psbt-effect.ts'
import { describePsbt } from './psbt-words.tsx'

type SignBatchProps = ApprovalScreenProps & { review: SignPsbtReview }

/** A site asks for signatures of several transactions at once: all of them or none. */
export function SignBatchApproval({ view, review, onDecide }: SignBatchProps) {
  const { items, total, conflicts, warnings } = review
  const subjects = items.map(subjectOf)
  const { boxes, blocked } = useConsents(subjects, warnings)
  const opened = openAtFirst(subjects)
  const waiting = items.filter(({ after }) => after === 'needs-others').length
  const worst = worstOf(review)
  const alone = listOneSided(review)
  return (
    <ApprovalFrame
      view={view}
      onDecide={onDecide}
      verb={words('batchSignVerb', { count: items.length })}
      effect={describeBatch(review)}
      consent={boxes}
      blocked={blocked}
    >
      <Dangers
        warnings={warnings.filter(({ kind }) => kind !== 'open-signature')}
        fee={null}
        assets={alone.flatMap(({ assets }) => assets)}
      />
      {isReused(review) || items.some(canGetWorse) ? (
        <Notice
          tone="danger"
          title={describeWorst(worst, {
            pays: 'psbtWorstPay',
            gets: 'psbtWorstGet',
            nothing: 'psbtWorstNothing',
          })}
        >
          {words(isReused(review) ? 'batchReuseNote' : 'warningOpenNote')}
        </Notice>
      ) : null}
      {conflicts.length > 0 ? (
        <Notice tone="caution" title={words('batchConflict')}>
          {words('batchConflictNote', { pairs: namePairs(conflicts) })}
        </Notice>
      ) : null}
      {isMixed(items) && conflicts.length === 0 && alone.length === 0 ? (
        <Notice tone="caution" title={words('batchApart', { amount: nameTwice(worst) })}>
          {words('batchApartNote')}
        </Notice>
      ) : null}
      <dl className="facts">
        {conflicts.length > 0 || alone.length > 0 ? (
          <WorstFact worst={worst} />
        ) : (
          <NetFact sats={BigInt(total.net)} note={describeHold(review)} />
        )}
        <Fact name={words('batchFees')}>
          {total.fee === null ? words('batchFeesUnknown') : nameSats(BigInt(total.fee))}
        </Fact>
        <Fact name={words('psbtAfter')}>
          {waiting === 0 ? words('batchAfterComplete') : countWords('batchAfterOthers', waiting)}
          <span className="sub">
            {words(waiting === 0 ? 'psbtAfterCompleteNote' : 'batchAfterOthersNote')}
          </span>
        </Fact>
      </dl>
      <h2>{countWords('batchTransactions', items.length)}</h2>
      <ul className="batch">
        {items.map((item, index) => (
          <BatchItem
            // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place
            key={index}
            index={index}
            effect={describePsbt(item)}
            notes={describeNotes(item, alone.includes(item))}
            subject={subjectOf(item)}
            isOpen={opened.has(index)}
          >
            <PsbtBody view={item} />
          </BatchItem>
        ))}
      </ul>
    </ApprovalFrame>
  )
}

function subjectOf({ warnings, fee, assets }: PsbtView): Subject {
  return { warnings, fee: fee === null ? null : BigInt(fee.sats), assets }
}

function WorstFact({ worst }: { worst: bigint }) {
  if (worst === 0n) return <Fact name={words('batchWorstGet')}>{words('psbtNone')}</Fact>
  return (
    <AmountFact
      name={words(worst > 0n ? 'batchWorstGet' : 'batchWorstPay')}
      sats={worst < 0n ? -worst : worst}
      strong
    />
  )
}

/** As many as are read. */
const MOST_PAIRS = 6

function namePairs(conflicts: SignPsbtReview['conflicts']): string {
  const rest = conflicts.length - MOST_PAIRS
  const list = conflicts
    .slice(0, MOST_PAIRS)
    .map(([first, second]) =>
      words('batchPair', {
        first: words('psbtPlace', { index: first + 1 }),
        second: words('psbtPlace', { index: second + 1 }),
      }),
    )
    .join(', ')
  return rest > 0 ? words('psbtListMore', { list, count: rest }) : list
}

function describeNotes({ fee, after }: PsbtView, isAlone: boolean): string[] {
  return [
    ...(isAlone ? [words('batchAlone')] : []),
    fee === null
      ? words('batchFeeUnknown')
      : words('batchFee', { fee: nameSats(BigInt(fee.sats)) }),
    ...(after === 'needs-others' ? [words('batchNeedsOthers')] : []),
  ]
}
