import type {
  ActivityDetails,
  UnsharedPayments,
} from '../../src/background/views/activity-views.ts'
import type { BumpOptions } from '../../src/background/views/payment-views.ts'
import {
  detailsOf,
  ENTRIES,
  entryOf,
  PENDING,
  problemOf,
  receivedDetailsOf,
} from './fixtures/activity.ts'
import { JOBS } from './fixtures/jobs.ts'
import { scrollDown } from './fixtures/scroll-down.ts'
import {
  type Answers,
  atWidths,
  failing,
  GERMAN,
  HIDDEN,
  type Shot,
  SILENT_SERVER,
  silent,
  stateWith,
  value,
} from './shot.ts'

const OPEN: Answers = { getState: value(stateWith()), touch: value(null) }

const BUMPS: BumpOptions = {
  'speed-up': { leastFeeRate: 8.1, why: null },
  child: { leastFeeRate: 8.1, why: null },
  cancel: { leastFeeRate: null, why: 'HAS_CHILDREN' },
}

type Changes = Partial<Shot> & { with?: Answers }

function details(
  name: string,
  shown: ActivityDetails,
  { with: answers, ...rest }: Changes = {},
): Shot {
  return {
    name: `activity-${name}`,
    path: `/activity/${shown.entry.txid}`,
    answers: {
      ...OPEN,
      getActivityDetails: value(shown),
      getBumpOptions: value(BUMPS),
      getJobs: value(JOBS),
      getUnsharedPayments: value({ payments: [], askAgainInMs: null }),
      getConfirmationProof: value({ is: 'proven', confirmations: 3, blocks: 3.1 }),
      ...answers,
    },
    ...rest,
  }
}

function list(name: string, answers: Answers, changes: Partial<Shot> = {}): Shot {
  return {
    name: `activity-${name}`,
    path: '/activity',
    answers: { ...OPEN, ...answers },
    ...changes,
  }
}

const ALL = { getActivity: value({ entries: ENTRIES, more: false, problem: null }) }

/** Kept back for a site that goes on later, and what becomes of it when it never does. */
const UNSENT = entryOf('7', 30, {
  kind: 'prepared',
  status: 'unsent',
  net: '-1200',
  fee: '1200',
  counterparty: null,
  origin: 'https://market.example',
  height: null,
})
/** One of the mints of an approval, which waits until more of its rune are left. */
const MINT = entryOf('9', 20, {
  kind: 'mint',
  status: 'unsent',
  net: '-835',
  fee: '835',
  counterparty: null,
  height: null,
})
const MINTS: Answers = {
  getRuneMints: value([
    {
      ...{ id: '1', rune: { id: '1:0', name: 'UNCOMMON•GOODS', symbol: '⧉' }, at: 0 },
      ...{ each: '1', minted: '0', fee: '835', feeRate: 5, state: 'minting', stopped: null },
      ...{ problem: null, can: { resume: false, stop: true } },
      mints: [{ txid: MINT.txid, fee: '835', state: 'waiting', explorerUrl: null }],
    },
  ]),
}

const NEVER_SENT = { ...UNSENT, status: 'failed' as const }

/** Minutes after it was sent: one server has it, or none. */
const UNSHARED: UnsharedPayments = {
  payments: [
    { txid: PENDING.txid, rawTx: '02', knows: ['mempool.space'], lacks: ['blockstream.info'] },
  ],
  askAgainInMs: 240_000,
}
const LOST: UnsharedPayments = {
  payments: [{ txid: PENDING.txid, rawTx: '02', knows: [], lacks: ['mempool.space'] }],
  askAgainInMs: 240_000,
}

/** What can be said of the block of a transaction. */
const PROOFS: [string, NonNullable<Answers['getConfirmationProof']>][] = [
  ['old', value({ is: 'old', confirmations: 30_211, blocks: 8.4 })],
  ['easy', value({ is: 'old', confirmations: 640_000, blocks: 0.001 })],
  ['test-network', value({ is: 'proven', confirmations: 3, blocks: null })],
  ['checking', silent],
  ['unanswered', value({ is: 'unproven', fault: 'no-answer' })],
  ['error', failing(-32603, 'Internal error')],
  ['none', value({ is: 'unproven', fault: 'merkle-proof' })],
  ['no-block', value({ is: 'unproven', fault: 'no-block' })],
]

export const shots: Shot[] = [
  list('list', ALL),
  list('list-end', ALL, { act: scrollDown }),
  ...atWidths(list('list', ALL)),
  ...atWidths(list('hidden', { ...ALL, ...HIDDEN })).slice(1, 2),
  list('german', { ...ALL, ...GERMAN }),
  details(
    'about',
    detailsOf(
      entryOf('6', 60 * 24, {
        kind: 'pushed',
        origin: 'https://swap.example',
        counterparty: null,
        net: '-1021410',
        fee: '1410',
        about: { kind: 'brc-20', inscription: `${'6f'.repeat(32)}i0` },
      }),
    ),
  ),
  list('empty', { getActivity: value({ entries: [], more: false, problem: null }) }),
  list('loading', { getActivity: silent }),
  list('offline', {
    getActivity: value({
      entries: ENTRIES.slice(0, 1),
      more: false,
      problem: problemOf('unreachable', 'GET /address/bc1p…/txs: no answer within 10 s'),
    }),
  }),
  list('error', { getActivity: failing(-32603, 'Internal error') }),
  list(
    'very-full',
    {
      getActivity: {
        given: ({ offset, limit }) => ({
          entries: Array.from({ length: limit }, (_, at) => ({
            txid: String(offset + at).padStart(64, '0'),
            network: 'mainnet' as const,
            accountId: 'account',
            kind: at % 3 === 0 ? ('received' as const) : ('sent' as const),
            status: 'confirmed' as const,
            net: String((at % 3 === 0 ? 1 : -1) * (offset + at + 1) * 10_411),
            counterparty: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
            counterpartyName: null,
            fee: '1410',
            origin: null,
            label: '',
            at: Date.now() - (offset + at) * 7_200_000,
            height: 921_000 - offset - at,
            replacedBy: null,
            about: null,
          })),
          more: offset + limit < 5000,
          problem: null,
        }),
      },
    },
    { act: scrollDown },
  ),
  details('pending', detailsOf(PENDING)),
  details('unshared', detailsOf(PENDING), { with: { getUnsharedPayments: value(UNSHARED) } }),
  details('unshared-nowhere', detailsOf(PENDING), {
    with: { ...GERMAN, getUnsharedPayments: value(LOST) },
  }),
  details('pending-end', detailsOf(PENDING), { act: scrollDown }),
  details('confirmed', detailsOf(entryOf('c', 130, { counterpartyName: 'Alice' }))),
  ...atWidths(details('beside', detailsOf(ENTRIES[2] ?? PENDING), { with: ALL })),
  details(
    'received',
    receivedDetailsOf(entryOf('d', 40, { kind: 'received', net: '120000000', fee: '2000' })),
  ),
  ...PROOFS.map(([name, answer]) =>
    details(`proof-${name}`, detailsOf(entryOf('c', 130)), {
      with: { getConfirmationProof: answer },
    }),
  ),
  list('hidden', { ...ALL, ...HIDDEN }),
  details('details-hidden', detailsOf(PENDING), { with: HIDDEN }),
  details('proof-german', detailsOf(entryOf('c', 130)), {
    with: { ...GERMAN, getConfirmationProof: value({ is: 'unproven', fault: 'merkle-proof' }) },
  }),
  details(
    'replaced',
    detailsOf(entryOf('e', 60, { status: 'replaced', replacedBy: 'f'.repeat(64) })),
  ),
  details('failed', detailsOf(entryOf('4', 60, { status: 'failed', height: null }))),
  details('reorganised', detailsOf(entryOf('5', 60, { status: 'reorganised', height: null }))),
  {
    name: 'activity-details-loading',
    path: `/activity/${PENDING.txid}`,
    answers: { ...OPEN, getActivityDetails: silent },
  },
  {
    name: 'activity-details-error',
    path: `/activity/${PENDING.txid}`,
    answers: {
      ...OPEN,
      getActivityDetails: SILENT_SERVER,
    },
  },
  details('german-details', detailsOf(PENDING), { with: GERMAN }),
  ...(['commit', 'reveal', 'refund'] as const).map(kind =>
    details(
      kind,
      detailsOf(entryOf('2', 30, { kind, net: '-9458', fee: '8912', counterparty: null })),
    ),
  ),
  details(
    'commit-failed',
    detailsOf(
      entryOf('2', 30, { kind: 'commit', status: 'failed', counterparty: null, height: null }),
    ),
  ),
  details('unsent', detailsOf(UNSENT)),
  details('unsent-german', detailsOf(UNSENT), { with: GERMAN }),
  details('mint-unsent', detailsOf(MINT), { with: MINTS }),
  details('mint-unsent-german', detailsOf(MINT), { with: { ...MINTS, ...GERMAN } }),
  details('mint-pending', detailsOf({ ...MINT, status: 'pending' }), { with: MINTS }),
  details('never-sent', detailsOf(NEVER_SENT)),
  details('never-sent-german', detailsOf(NEVER_SENT), { with: GERMAN }),
  list('void', {
    getActivity: value({
      entries: [UNSENT, { ...NEVER_SENT, txid: '8'.repeat(64) }, ...ENTRIES.slice(4, 6)],
      more: false,
      problem: null,
    }),
  }),
]
