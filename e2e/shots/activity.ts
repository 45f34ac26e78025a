import type { ActivityDetails } from '../../src/background/ui-methods/activity-views.ts'
import type { BumpOptions } from '../../src/background/ui-methods/payment-views.ts'
import {
  detailsOf,
  ENTRIES,
  entryOf,
  PENDING,
  problemOf,
  receivedDetailsOf,
} from './fixtures/activity.ts'
import { type Answers, failing, SETTINGS, type Shot, silent, stateWith, value } from './shot.ts'

const OPEN: Answers = { getState: value(stateWith()), touch: value(null) }

const BUMPS: BumpOptions = {
  'speed-up': { leastFeeRate: 8.1, why: null },
  child: { leastFeeRate: 8.1, why: null },
  cancel: { leastFeeRate: null, why: 'HAS_CHILDREN' },
}

function details(name: string, shown: ActivityDetails, changes: Partial<Shot> = {}): Shot {
  return {
    name: `activity-${name}`,
    path: `/activity/${shown.entry.txid}`,
    answers: { ...OPEN, getActivityDetails: value(shown), getBumpOptions: value(BUMPS) },
    ...changes,
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

/** Scrolls the screen's content to its end. */
async function scrollDown(screen: Parameters<NonNullable<Shot['act']>>[0]): Promise<void> {
  await screen.waitForText('BTC')
  await screen.evaluate(() => {
    const content = document.querySelector('.content')
    content?.scrollTo(0, content.scrollHeight)
  })
}

export const shots: Shot[] = [
  list('list', ALL),
  list('list-end', ALL, { act: scrollDown }),
  list('tab', ALL, { surface: 'tab' }),
  list('german', {
    ...ALL,
    getState: value(stateWith({ settings: { ...SETTINGS, language: 'de' } })),
  }),
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
  details('pending-end', detailsOf(PENDING), { act: scrollDown }),
  details('confirmed', detailsOf(entryOf('c', 130, { counterpartyName: 'Alice' }))),
  details('confirmed-tab', detailsOf(entryOf('c', 130, { label: 'Bike' })), { surface: 'tab' }),
  details(
    'received',
    receivedDetailsOf(entryOf('d', 40, { kind: 'received', net: '120000000', fee: '2000' })),
  ),
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
      getActivityDetails: failing(-32000, 'No usable answer.', { reason: 'BACKEND_UNAVAILABLE' }),
    },
  },
  details('german-details', detailsOf(PENDING), {
    answers: {
      touch: value(null),
      getState: value(stateWith({ settings: { ...SETTINGS, language: 'de' } })),
      getActivityDetails: value(detailsOf(PENDING)),
      getBumpOptions: value(BUMPS),
    },
  }),
]
