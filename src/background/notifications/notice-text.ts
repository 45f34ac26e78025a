import { formatBtc } from '../../bitcoin/amount.ts'
import type { Network } from '../../bitcoin/network.ts'
import type { NotificationChoices } from '../views/settings-views.ts'
import type { JobEvent } from './job-events.ts'
import type { NoticeWords } from './notice-words.ts'
import type { PaymentEvent } from './payment-events.ts'
import type { Notice } from './system-notifications.ts'

/** An account on a network. */
export type Subject = { network: Network; accountId: string }

/** What happened to an account. */
export type AccountEvents = { subject: Subject; events: readonly PaymentEvent[] }

export type Events = { payments: AccountEvents | null; jobs: readonly JobEvent[] }

type Kind = keyof Pick<NotificationChoices, 'received' | 'confirmed' | 'replaced' | 'jobs'>

/** An event in words, and the page that it leads to. */
type Told = { kind: Kind; subject: Subject; path: string; key: string; title: string; note: string }

const KINDS: { [is in PaymentEvent['is']]: Kind } = {
  received: 'received',
  confirmed: 'confirmed',
  replaced: 'replaced',
  gone: 'replaced',
  refused: 'replaced',
}

const MANY: { [kind in Kind]: { stem: string; path: string } } = {
  received: { stem: 'noticeReceivedMany', path: '/activity' },
  confirmed: { stem: 'noticeConfirmedMany', path: '/activity' },
  replaced: { stem: 'noticeReplacedMany', path: '/activity' },
  jobs: { stem: 'noticeJobsMany', path: '/inscribe/jobs' },
}

/** Coins of these are worth nothing. */
const TEST_NETWORKS: { [network in Network]?: string } = {
  testnet4: 'Testnet4',
  signet: 'Signet',
  regtest: 'Regtest',
}

/**
 * The notifications of what happened: one for each event, or, of several of a kind, one for all. Nothing in them is of a site, a server
 * or a sender but, with `withAmounts`, an amount.
 */
export function writeNotices(
  { payments, jobs }: Events,
  choices: NotificationChoices,
  { say, count }: NoticeWords,
  withAmounts: boolean,
): Notice[] {
  const paid = payments?.events.map(event => tellPayment(payments.subject, event)) ?? []
  const told = [...paid, ...jobs.map(tellJob)]
  return (Object.keys(MANY) as Kind[]).flatMap(kind => {
    const [first, ...others] = told.filter(one => one.kind === kind)
    if (!first || !choices[kind]) return []
    const prefix = nameTestNetwork(first.subject.network)
    if (others.length === 0) {
      return [{ id: nameNotice(first), title: prefix + first.title, message: first.note }]
    }
    const { stem, path } = MANY[kind]
    const title = prefix + count(stem, others.length + 1)
    return [{ id: nameNotice({ ...first, path }), title, message: say('noticeManyNote') }]
  })

  function tellPayment(subject: Subject, event: PaymentEvent): Told {
    const { is, txid, net } = event
    // One that both boxes are about is told of where either is ticked.
    const isBoth = is === 'received' && event.inBlock && !choices.received
    const amount = withAmounts && net !== null ? `${formatAmount(BigInt(net))} BTC. ` : ''
    return {
      kind: isBoth ? 'confirmed' : KINDS[is],
      subject,
      path: is === 'gone' ? '/activity' : `/activity/${txid}`,
      key: `${is}.${txid}`,
      title: say(TITLES[is]),
      note: amount + say(noteOf(event)),
    }
  }

  function tellJob({ is, what, id, network, accountId }: JobEvent): Told {
    const { done, stuck } = JOB_TITLES[what]
    const isEnd = is === 'refunded' || is === 'ended'
    return {
      kind: 'jobs',
      subject: { network, accountId },
      path: what === 'minting' ? `/runes/mints/${id}` : `/inscribe/jobs/${id}`,
      key: `${is}.${id}`,
      title: say(is === 'done' ? done : is === 'stuck' ? stuck : 'noticeJobEnded'),
      note: say(isEnd ? JOB_ENDS[is] : is === 'done' ? 'noticeJobDoneNote' : 'noticeJobStuckNote'),
    }
  }
}

/** That fees are under the limit that the person set, in sat/vB. */
export function writeFeeNotice(
  subject: Subject,
  { at, limit }: { at: number; limit: number },
  { say }: NoticeWords,
): Notice {
  return {
    id: nameNotice({ subject, path: '/coins/merge', key: `fees.${at}` }),
    title: nameTestNetwork(subject.network) + say('noticeFees'),
    message: say('noticeFeesNote').replace('{limit}', `${limit} sat/vB`),
  }
}

const TITLES: { [is in PaymentEvent['is']]: string } = {
  received: 'noticeReceived',
  confirmed: 'noticeConfirmed',
  replaced: 'noticeReplaced',
  gone: 'noticeGone',
  refused: 'noticeRefused',
}

const JOB_TITLES: { [what in JobEvent['what']]: { done: string; stuck: string } } = {
  inscribing: { done: 'noticeInscribingDone', stuck: 'noticeInscribingStuck' },
  etching: { done: 'noticeEtchingDone', stuck: 'noticeEtchingStuck' },
  minting: { done: 'noticeMintingDone', stuck: 'noticeMintingStuck' },
}

const JOB_ENDS = { refunded: 'noticeJobRefundedNote', ended: 'noticeJobEndedNote' }

function noteOf({ is, isIncoming, inBlock }: PaymentEvent): string {
  switch (is) {
    case 'received':
      return inBlock ? 'noticeReceivedInBlock' : 'noticeReceivedWaiting'
    case 'confirmed':
      return isIncoming ? 'noticeConfirmedIn' : 'noticeConfirmedOut'
    case 'replaced':
      return isIncoming ? 'noticeReplacedIn' : 'noticeReplacedOut'
    case 'gone':
      return 'noticeGoneNote'
    case 'refused':
      return 'noticeRefusedNote'
  }
}

function nameTestNetwork(network: Network): string {
  const name = TEST_NETWORKS[network]
  return name === undefined ? '' : `${name}: `
}

/** Without zeros at the end, with the sign of what comes. */
function formatAmount(sats: bigint): string {
  const size = formatBtc(sats < 0n ? -sats : sats).replace(/\.?0+$/, '')
  return sats < 0n ? `−${size}` : `+${size}`
}

/** The same for the same event, in every worker. */
function nameNotice({ subject, path, key }: Pick<Told, 'subject' | 'path' | 'key'>): string {
  return [subject.network, subject.accountId, path, key].join(' ')
}

/** Whose notification it is, and the page that it leads to; null for an id that is none of ours. */
export function parseNoticeId(id: string): (Subject & { path: string }) | null {
  const [network, accountId, path] = id.split(' ')
  if (network === undefined || accountId === undefined || path === undefined) return null
  return PATH.test(path) ? { network: network as Network, accountId, path } : null
}

const PATH = /^\/(activity|coins|inscribe\/jobs|runes\/mints)(\/[\w-]+)?$/
