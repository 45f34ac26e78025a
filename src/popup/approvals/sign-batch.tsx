import type { ReactNode } from 'react'
import type { Warning } from '../../background/ui-methods/payment-views.ts'
import type { PsbtView, SignPsbtReview } from '../../background/ui-methods/psbt-views.ts'
import { nameSats, nameValue } from '../ui/btc-digits.ts'
import { Notice } from '../ui/notice.tsx'
import { countWords, richWords, type WordKey, words } from '../words.ts'
import { ApprovalFrame, type ApprovalScreenProps } from './approval-frame.tsx'
import { BatchItem } from './batch-item.tsx'
import { useConsents } from './consents.tsx'
import { describeWorst, listConsents, type Subject } from './list-consents.ts'
import { NetFact, PsbtBody } from './psbt-body.tsx'
import { canGetWorse } from './psbt-effect.ts'
import { describePsbt } from './psbt-words.tsx'
import { AmountFact, Fact } from './transaction-facts.tsx'
import { Cautions } from './warnings.tsx'

type SignBatchProps = ApprovalScreenProps & { review: SignPsbtReview }

/** A site asks for signatures of several transactions at once: all of them or none. */
export function SignBatchApproval({ view, review, onDecide }: SignBatchProps) {
  const { items, total, conflicts } = review
  const { boxes, blocked } = useConsents(...items.map(subjectOf))
  const waiting = items.filter(({ after }) => after === 'needs-others').length
  const worst = BigInt(total.worst)
  return (
    <ApprovalFrame
      view={view}
      onDecide={onDecide}
      verb={words('batchSignVerb', { count: items.length })}
      effect={describeBatch(review)}
      consent={boxes}
      blocked={blocked}
    >
      {conflicts.length > 0 ? (
        <Notice tone="caution" title={words('batchConflict')}>
          {words('batchConflictNote', { pairs: namePairs(conflicts) })}
        </Notice>
      ) : null}
      {items.some(canGetWorse) ? (
        <Notice
          tone="danger"
          title={describeWorst(worst, {
            pays: 'psbtWorstPay',
            gets: 'psbtWorstGet',
            nothing: 'psbtWorstNothing',
          })}
        >
          {words('warningOpenNote')}
        </Notice>
      ) : null}
      <dl className="facts">
        {conflicts.length > 0 ? (
          <AmountFact
            name={words(worst > 0n ? 'batchWorstGet' : 'batchWorstPay')}
            sats={worst < 0n ? -worst : worst}
            strong
          />
        ) : (
          <NetFact sats={BigInt(total.net)} />
        )}
        <Fact name={words('batchFees')}>
          {items.some(hasNoFee) || total.fee === null
            ? words('batchFeesUnknown')
            : nameSats(BigInt(total.fee))}
        </Fact>
        <Fact name={words('psbtAfter')}>
          {waiting === 0 ? words('batchAfterComplete') : countWords('batchAfterOthers', waiting)}
          <span className="sub">
            {words(waiting === 0 ? 'psbtAfterCompleteNote' : 'batchAfterOthersNote')}
          </span>
        </Fact>
      </dl>
      <Cautions warnings={items.some(isUnchecked) ? [UNCHECKED] : []} fee={null} />
      <h2>{countWords('batchTransactions', items.length)}</h2>
      <ul className="batch">
        {items.map((item, index) => (
          <BatchItem
            // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place
            key={index}
            index={index}
            effect={describePsbt(item)}
            notes={describeNotes(item)}
            danger={listConsents([subjectOf(item)]).length > 0}
          >
            <PsbtBody view={withoutUnchecked(item)} />
          </BatchItem>
        ))}
      </ul>
    </ApprovalFrame>
  )
}

/** Said once, for all of them. */
const UNCHECKED: Warning = { kind: 'unchecked-coins' }

function isUnchecked({ warnings }: PsbtView): boolean {
  return warnings.some(({ kind }) => kind === UNCHECKED.kind)
}

function withoutUnchecked(item: PsbtView): PsbtView {
  return { ...item, warnings: item.warnings.filter(({ kind }) => kind !== UNCHECKED.kind) }
}

function subjectOf({ warnings, fee }: PsbtView): Subject {
  return { warnings, fee: fee === null ? null : BigInt(fee.sats) }
}

function describeBatch({ items, total, conflicts }: SignPsbtReview): ReactNode {
  const count = items.length
  if (items.some(({ warnings }) => warnings.some(({ kind }) => kind === 'blank-signature')))
    return words('batchSignBlank', { count })
  if (conflicts.length > 0) return words('batchSignConflict', { count })
  const net = BigInt(total.net)
  const key: WordKey = net === 0n ? 'batchSignNothing' : net < 0n ? 'batchSignPay' : 'batchSignGet'
  const effect = richWords(key, {
    count,
    amount: <span className="short-address">{nameValue(net)}</span>,
  })
  return canGetWorse(total) ? richWords('psbtUnless', { effect }) : effect
}

function namePairs(conflicts: SignPsbtReview['conflicts']): string {
  return conflicts
    .map(([first, second]) =>
      words('batchPair', {
        first: words('psbtPlace', { index: first + 1 }),
        second: words('psbtPlace', { index: second + 1 }),
      }),
    )
    .join(', ')
}

/** None is known, or others have to add what is missing and with it a fee. */
function hasNoFee({ fee }: PsbtView): boolean {
  return fee === null || BigInt(fee.sats) < 0n
}

function describeNotes(item: PsbtView): string[] {
  const { fee, after } = item
  return [
    hasNoFee(item) || fee === null
      ? words('batchFeeUnknown')
      : words('batchFee', { fee: nameSats(BigInt(fee.sats)) }),
    ...(after === 'needs-others' ? [words('batchNeedsOthers')] : []),
  ]
}
