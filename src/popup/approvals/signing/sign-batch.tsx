import type { PsbtView, SignPsbtReview } from '../../../background/views/psbt-views.ts'
import { HelpButton } from '../../help/help-button.tsx'
import { joinList } from '../../platform/join-words.ts'
import { countWords, richWords, words } from '../../platform/words.ts'
import { CoinProofs } from '../../review/coins/coin-proofs.tsx'
import { useConsents } from '../../review/consents.tsx'
import { describeWorst, type Subject } from '../../review/list-consents.ts'
import { NetFact, PsbtBody } from '../../review/psbt/psbt-body.tsx'
import { canGetWorse } from '../../review/psbt/psbt-effect.ts'
import { describePsbt } from '../../review/psbt/psbt-words.tsx'
import { AmountFact, Fact } from '../../review/transaction-facts.tsx'
import { Dangers } from '../../review/warnings.tsx'
import { Notice } from '../../ui/notice.tsx'
import factsStyles from '../../ui/styles/facts.module.css'
import { nameSats, nameTwice } from '../../ui/text/btc-digits.ts'
import { ApprovalFrame, type ApprovalScreenProps } from '../approval-frame.tsx'
import batchItemStyles from './batch-item.module.css'
import { BatchItem, openAtFirst } from './batch-item.tsx'
import {
  describeBatch,
  describeHold,
  isMixed,
  isReused,
  listOneSided,
  worstOf,
} from './batch-words.tsx'

type SignBatchProps = ApprovalScreenProps & { review: SignPsbtReview }

/** A site asks for signatures of several transactions at once: all of them or none. */
export function SignBatchApproval({ view, review, onDecide }: SignBatchProps) {
  const { items, broadcast, total, conflicts, warnings } = review
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
      verb={words(broadcast ? 'batchSignSendVerb' : 'batchSignVerb', { count: items.length })}
      effect={
        broadcast
          ? richWords('batchSent', { effect: describeBatch(review) })
          : describeBatch(review)
      }
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
          {words(isReused(review) ? 'batchReuseNote' : 'warningOpenNote')}{' '}
          <HelpButton term="worst-case" />
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
      <dl className={factsStyles.facts}>
        {conflicts.length > 0 || alone.length > 0 ? (
          <WorstFact worst={worst} />
        ) : (
          <NetFact sats={BigInt(total.net)} note={describeHold(review)} />
        )}
        <Fact name={words('batchFees')}>
          {total.fee === null ? words('batchFeesUnknown') : nameSats(BigInt(total.fee))}
        </Fact>
        <Fact name={words('psbtAfter')}>
          <After waiting={waiting} isSent={broadcast} />
        </Fact>
      </dl>
      <CoinProofs transactions={items} />
      <h2>{countWords('batchTransactions', items.length)}</h2>
      <ul className={batchItemStyles.batch}>
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
            <PsbtBody view={item} isSent={broadcast} />
          </BatchItem>
        ))}
      </ul>
    </ApprovalFrame>
  )
}

/** What can be done with them once they are signed, where so many wait for others. */
function After({ waiting, isSent }: { waiting: number; isSent: boolean }) {
  const note = isSent
    ? 'psbtAfterSentNote'
    : waiting === 0
      ? 'psbtAfterCompleteNote'
      : 'batchAfterOthersNote'
  return (
    <>
      {waiting > 0
        ? countWords('batchAfterOthers', waiting)
        : words(isSent ? 'batchAfterSent' : 'batchAfterComplete')}
      <span className={factsStyles.sub}>{words(note)}</span>
    </>
  )
}

function subjectOf({ warnings, fee, assets }: PsbtView): Subject {
  return { warnings, fee: fee === null ? null : BigInt(fee.sats), assets }
}

function WorstFact({ worst }: { worst: bigint }) {
  if (worst === 0n)
    return (
      <Fact name={words('batchWorstGet')} help="worst-case">
        {words('psbtNone')}
      </Fact>
    )
  return (
    <AmountFact
      name={words(worst > 0n ? 'batchWorstGet' : 'batchWorstPay')}
      help="worst-case"
      sats={worst < 0n ? -worst : worst}
      strong
    />
  )
}

/** As many as are read. */
const MOST_PAIRS = 6

function namePairs(conflicts: SignPsbtReview['conflicts']): string {
  const rest = conflicts.length - MOST_PAIRS
  const pairs = conflicts.slice(0, MOST_PAIRS).map(([first, second]) =>
    words('batchPair', {
      first: words('psbtPlace', { index: first + 1 }),
      second: words('psbtPlace', { index: second + 1 }),
    }),
  )
  const list = joinList(pairs)
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
