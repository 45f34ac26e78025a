import type {
  ActivityEntry,
  ActivityKind,
  ActivityStatus,
} from '../../../background/views/activity-views.ts'
import { type WordKey, words } from '../../platform/words.ts'
import { shortenAddress } from '../../ui/text/address-text.tsx'
import { formatShortBtc } from '../../ui/text/btc-digits.ts'
import { sayName } from '../../ui/text/names.ts'
import { describeOrigin } from '../../ui/text/site-origin.ts'

type Words = { name: WordKey; note: WordKey }

const STATUSES: { [status in ActivityStatus]: Words } = {
  unsent: { name: 'activityUnsent', note: 'transactionUnsent' },
  sending: { name: 'activitySending', note: 'transactionSending' },
  pending: { name: 'activityPending', note: 'transactionPending' },
  confirmed: { name: 'activityConfirmed', note: 'transactionConfirmed' },
  reorganised: { name: 'activityReorganised', note: 'transactionReorganised' },
  replaced: { name: 'activityReplaced', note: 'transactionReplaced' },
  failed: { name: 'activityFailed', note: 'transactionFailed' },
}

const UNSENT_MINT: Words = { name: 'activityUnsent', note: 'transactionMintUnsent' }

const NEVER_SENT: Words = { name: 'activityNeverSent', note: 'transactionNeverSent' }

const KIND_WORDS: { [kind in ActivityKind]: WordKey } = {
  sent: 'activitySent',
  received: 'activityReceived',
  moved: 'activityMoved',
  pushed: 'activityPushed',
  prepared: 'activityPrepared',
  commit: 'activityCommit',
  reveal: 'activityReveal',
  etching: 'activityEtching',
  refund: 'activityRefund',
  delivery: 'activityDelivery',
  mint: 'activityMint',
  burn: 'activityBurn',
  'speed-up': 'activitySpedUp',
  child: 'activityChild',
  cancel: 'activityCancelled',
}

/** Whether it waits for a block. */
export function isWaiting({ status }: ActivityEntry): boolean {
  return status === 'sending' || status === 'pending' || status === 'reorganised'
}

/** Whether it is part of an inscribing job, which can only be changed as a whole. */
export function isInscribing({ kind }: ActivityEntry): boolean {
  return ['commit', 'reveal', 'etching', 'refund', 'delivery'].includes(kind)
}

/** Whether it is one of the mints of an approval, which can only be changed together. */
export function isMint({ kind }: ActivityEntry): boolean {
  return kind === 'mint'
}

/** Whether it was given up before it was ever sent; nobody refused it. */
export function isNeverSent(entry: ActivityEntry): boolean {
  return (
    entry.status === 'failed' && (entry.kind === 'prepared' || isInscribing(entry) || isMint(entry))
  )
}

/** Whether it was sent, so that an explorer may know it. */
export function isPublic(entry: ActivityEntry): boolean {
  return entry.status !== 'unsent' && !isNeverSent(entry)
}

/** How it stands, in a word or two. */
export function nameStatus(entry: ActivityEntry): string {
  return words(statusWordsOf(entry).name)
}

/** What that means, and whether the person has to do anything. */
export function explainStatus(entry: ActivityEntry): string {
  return words(statusWordsOf(entry).note)
}

function statusWordsOf(entry: ActivityEntry): Words {
  if (isMint(entry) && entry.status === 'unsent') return UNSENT_MINT
  return isNeverSent(entry) ? NEVER_SENT : STATUSES[entry.status]
}

/** Whether it can no longer confirm. */
export function isVoid({ status }: ActivityEntry): boolean {
  return status === 'replaced' || status === 'failed'
}

/** What it was, without whom it was with: "Sent", "Received". */
export function nameKind({ kind }: ActivityEntry): string {
  return words(KIND_WORDS[kind])
}

/** What it was, in the few words of a list: "To Alice", "Received", "Broadcast for app.example". */
export function nameEntry(entry: ActivityEntry): string {
  const who = nameCounterparty(entry)
  if ((entry.kind === 'sent' || entry.kind === 'speed-up') && who) {
    return words(entry.kind === 'sent' ? 'activitySentTo' : 'activitySpedUpTo', { who })
  }
  if (entry.kind === 'pushed' && entry.origin) {
    return words('activityPushedFor', { site: describeOrigin(entry.origin).host })
  }
  return nameKind(entry)
}

/** The other side by its name, else by start and end of its address; null when there is none. */
export function nameCounterparty(entry: ActivityEntry): string | null {
  if (entry.counterpartyName !== null) return sayName(entry.counterpartyName)
  return entry.counterparty === null ? null : shortenAddress(entry.counterparty)
}

/** "+0.0102", "−0.5": the effect on the account in BTC. */
export function formatEffect(net: bigint): string {
  return `${net > 0n ? '+' : ''}${formatShortBtc(net)}`
}
