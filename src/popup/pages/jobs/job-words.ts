import type { DeliveryState } from '../../../background/views/delivery-views.ts'
import type { JobItemState, JobView } from '../../../background/views/inscribe-views.ts'
import { countWords, currentLanguage, type WordKey, words } from '../../platform/words.ts'
import { nameTokens } from '../../review/inscribing/brc20-words.ts'
import { nameContentKind } from '../../ui/pictures/inscription-picture.tsx'
import { shortenAddress } from '../../ui/text/address-text.tsx'
import type { AmountWriter } from '../../ui/text/hidden-amounts.tsx'
import { isZero } from '../../ui/text/token-amount.ts'

type JobItem = JobView['items'][number]

/** How many of its inscriptions, and of their delivery, the network has, in a block or not. */
export function countSent({ items, delivery }: JobView): number {
  const steps = [...items, ...(delivery ? [delivery] : [])]
  return steps.filter(({ state }) => state === 'pending' || state === 'confirmed').length
}

/** How many transactions follow its payment: one an inscription, and the delivery. */
export function countSteps({ items, delivery }: JobView): number {
  return items.length + (delivery ? 1 : 0)
}

/**
 * What it is, by the person's own note or else by what is in it: "Image", "3 inscriptions"; `digits` gives what stands for an
 * amount of tokens.
 */
export function nameJob(
  { label, items, etching, delivery }: JobView,
  digits: AmountWriter['digits'],
): string {
  const [first] = items
  if (label !== '') return label
  if (etching) return etching.name
  if (delivery) {
    const tokens = nameTokens(digits(delivery.amount), delivery.tick)
    return words('jobDeliveryName', { tokens, to: shortenAddress(delivery.to) })
  }
  return items.length === 1 && first
    ? nameContentKind(first.kind)
    : countWords('jobCount', items.length)
}

/** How deep the payment of an etching is: "3 of 6 blocks". */
export function describeBlocks({
  confirmations,
  needed,
}: Pick<NonNullable<JobView['etching']>, 'confirmations' | 'needed'>): string {
  return words('jobMaturing', { count: confirmations, total: needed })
}

/** How many of how many the network has: "2 of 5 sent". */
export function describeSent(job: JobView): string {
  return words('jobSent', {
    sent: countSent(job).toLocaleString(currentLanguage()),
    count: countSteps(job).toLocaleString(currentLanguage()),
  })
}

/** How it stands, in few words: "Needs you", "2 of 5 sent". */
export function nameState(job: JobView): string {
  const { etching, delivery } = job
  if (etching && (job.state === 'maturing' || job.state === 'revealing'))
    return describeBlocks(etching)
  if (job.state === 'done' && etching) return words(etching.takenBy ? 'jobNotEtched' : 'jobEtched')
  if (job.state === 'done' && delivery)
    return words(delivery.state === 'kept' ? 'jobKept' : 'jobDelivered')
  return job.state === 'revealing' ? describeSent(job) : words(STATES[job.state].name)
}

/** What that means, what comes next, and whether the person has to do anything. */
export function explainState({ state, items, etching, delivery }: JobView): string {
  if (state === 'done' && delivery)
    return words(delivery.state === 'kept' ? 'jobKeptNote' : 'jobDeliveredNote')
  if (state === 'done' && etching)
    return words(isZero(etching.premine) ? 'jobEtchedBareNote' : 'jobEtchedNote')
  return state === 'done' ? countWords('jobDoneNote', items.length) : words(STATES[state].note)
}

const STATES: { [state in JobView['state']]: { name: WordKey; note: WordKey } } = {
  sending: { name: 'jobSending', note: 'jobSendingNote' },
  revealing: { name: 'jobSent', note: 'jobRevealingNote' },
  maturing: { name: 'jobMaturing', note: 'jobMaturingNote' },
  waiting: { name: 'jobWaiting', note: 'jobWaitingNote' },
  stuck: { name: 'jobStuck', note: 'jobStuckNote' },
  done: { name: 'jobDone', note: 'jobDoneNote_other' },
  refunding: { name: 'jobRefunding', note: 'jobRefundingNote' },
  refunded: { name: 'jobRefunded', note: 'jobRefundedNote' },
  ended: { name: 'jobEnded', note: 'jobEndedNote' },
}

/** The result of trying again, from the job as it is afterwards. */
export function describeResumed({ state, problem }: JobView): string {
  if (problem === null || state === 'waiting') return words('jobResumed')
  const isStuck = problem.kind !== 'unanswered' && problem.kind !== 'reorganised'
  return words(isStuck ? PROBLEMS[problem.kind].title : 'jobNotResumed')
}

/** Whether the network has its payment. */
export function isPaid({ state, can }: JobView): boolean {
  return state !== 'sending' && state !== 'ended' && !can.discard
}

/** How one of its inscriptions stands. */
export function nameItemState({ state, etching }: JobView, item: JobItem): string {
  if (etching && item.state === 'confirmed')
    return words(etching.takenBy ? 'jobItemNoRune' : 'jobItemEtched')
  return words(state === 'ended' ? 'activityNeverSent' : ITEM_STATES[item.state])
}

const ITEM_STATES: { [state in JobItemState]: WordKey } = {
  waiting: 'jobItemWaiting',
  pending: 'jobItemPending',
  confirmed: 'jobItemConfirmed',
  refused: 'jobItemRefused',
  refunded: 'jobItemRefunded',
}

/** How a delivery stands. */
export const DELIVERY_STATES: { [state in DeliveryState]: WordKey } = {
  waiting: 'jobDeliveryWaiting',
  pending: 'jobDeliveryPending',
  confirmed: 'jobDeliveryConfirmed',
  refused: 'jobDeliveryRefused',
  kept: 'jobDeliveryKept',
}

type Problem = NonNullable<JobView['problem']>

/** What stands in the way, and what to do about it. */
export function describeProblem(
  { state }: Pick<JobView, 'state'>,
  { kind }: Problem,
): { title: WordKey; note: WordKey } {
  // A block has the own etching, and there is nothing to take back.
  if (kind === 'name-taken' && state === 'done')
    return { title: 'jobProblemTaken', note: 'jobProblemTakenLate' }
  return PROBLEMS[kind]
}

const PROBLEMS: { [kind in Problem['kind']]: { title: WordKey; note: WordKey } } = {
  refused: { title: 'jobProblemRefused', note: 'jobProblemRefusedNote' },
  unanswered: { title: 'jobProblemUnanswered', note: 'jobProblemUnansweredNote' },
  'commit-gone': { title: 'jobProblemGone', note: 'jobProblemGoneNote' },
  'name-taken': { title: 'jobProblemTaken', note: 'jobProblemTakenNote' },
  reorganised: { title: 'jobProblemReorganised', note: 'jobProblemReorganisedNote' },
}
