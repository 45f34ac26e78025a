import type { ReactNode } from 'react'
import type { AssetMoveView } from '../../background/ui-methods/asset-views.ts'
import type { Warning } from '../../background/ui-methods/payment-views.ts'
import type { PsbtView, SignPsbtReview } from '../../background/ui-methods/psbt-views.ts'
import { nameSats, nameTwice, nameValue } from '../ui/btc-digits.ts'
import { Notice } from '../ui/notice.tsx'
import { countWords, richWords, type WordKey, words } from '../words.ts'
import { ApprovalFrame, type ApprovalScreenProps } from './approval-frame.tsx'
import { outcomeOf } from './asset-outcomes.ts'
import { tellAssets } from './asset-words.tsx'
import { BatchItem, openAtFirst } from './batch-item.tsx'
import { useConsents } from './consents.tsx'
import { describeWorst, type Subject } from './list-consents.ts'
import { NetFact, PsbtBody } from './psbt-body.tsx'
import { canGetWorse } from './psbt-effect.ts'
import { describePsbt } from './psbt-words.tsx'
import { AmountFact, Fact } from './transaction-facts.tsx'

type SignBatchProps = ApprovalScreenProps & { review: SignPsbtReview }

/** A site asks for signatures of several transactions at once: all of them or none. */
export function SignBatchApproval({ view, review, onDecide }: SignBatchProps) {
  const { items, total, conflicts } = review
  const reuse = listReuse(review)
  const subjects = items.map(subjectOf)
  const { boxes, blocked } = useConsents(subjects, reuse)
  const opened = openAtFirst(subjects)
  const waiting = items.filter(({ after }) => after === 'needs-others').length
  const worst = BigInt(total.worst)
  return (
    <ApprovalFrame
      view={view}
      onDecide={onDecide}
      verb={words('batchSignVerb', { count: items.length })}
      effect={tellAssets(listTold(review), describeBatch(review))}
      consent={boxes}
      blocked={blocked}
    >
      {reuse.length > 0 || items.some(canGetWorse) ? (
        <Notice
          tone="danger"
          title={describeWorst(worst, {
            pays: 'psbtWorstPay',
            gets: 'psbtWorstGet',
            nothing: 'psbtWorstNothing',
          })}
        >
          {words(reuse.length > 0 ? 'batchReuseNote' : 'warningOpenNote')}
        </Notice>
      ) : null}
      {conflicts.length > 0 ? (
        <Notice tone="caution" title={words('batchConflict')}>
          {words('batchConflictNote', { pairs: namePairs(conflicts) })}
        </Notice>
      ) : null}
      {isMixed(items) && conflicts.length === 0 ? (
        <Notice tone="caution" title={words('batchApart', { amount: nameTwice(worst) })}>
          {words('batchApartNote')}
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
          <NetFact sats={BigInt(total.net)} note={null} />
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
            notes={describeNotes(item)}
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

/** What happens to inscriptions and runes in all; nobody can count on what an item brings that may not happen. */
function listTold({ items, conflicts }: SignPsbtReview): AssetMoveView[] {
  const doubtful = new Set(conflicts.flat())
  return items.flatMap(({ assets }, index) =>
    doubtful.has(index)
      ? assets.filter(move => !['comes', 'promised'].includes(outcomeOf(move)))
      : assets,
  )
}

function describeBatch(review: SignPsbtReview): ReactNode {
  const { items, total, conflicts } = review
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
  if (listReuse(review).length > 0 || items.some(canGetWorse))
    return richWords('psbtUnless', { effect })
  return isMixed(items) ? richWords('batchIfAll', { effect }) : effect
}

/** That signatures of several items can be used together, and then cost more than the items themselves can. */
function listReuse({ items, total }: SignPsbtReview): Warning[] {
  const worsts = items.map(({ worst }) => BigInt(worst))
  const alone = worsts.reduce((sum, worst) => (worst < 0n ? sum + worst : sum), 0n)
  return BigInt(total.worst) < alone
    ? [{ kind: 'open-signature', worst: total.worst, drawn: String(alone) }]
    : []
}

/** Some cost and some pay: the sum of all is not the most that they can cost. */
function isMixed(items: readonly PsbtView[]): boolean {
  const nets = items.map(({ net }) => BigInt(net.sats))
  return nets.some(net => net < 0n) && nets.some(net => net > 0n)
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

function describeNotes({ fee, after }: PsbtView): string[] {
  return [
    fee === null
      ? words('batchFeeUnknown')
      : words('batchFee', { fee: nameSats(BigInt(fee.sats)) }),
    ...(after === 'needs-others' ? [words('batchNeedsOthers')] : []),
  ]
}
