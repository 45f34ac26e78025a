import type { ActivityEntry, Overview } from '../../../src/background/views/activity-views.ts'
import type { WalletState } from '../../../src/background/views/ui-methods.ts'
import type { Screen } from '../../driver/screen.ts'
import { entryOf, FRIEND } from '../fixtures/activity.ts'
import { pageOf } from '../fixtures/assets/inscriptions.ts'
import { type Answers, SETTINGS, type Shot, stateWith, TAPROOT, value } from '../shot.ts'
import { EMPTY, home } from './answers.ts'

const NEW = { newsUpTo: '0.1.0', awaitsFirstPayment: true }
const UPDATED = { newsUpTo: '0.0.9', awaitsFirstPayment: false }
const GERMAN = { ...SETTINGS, language: 'de' as const }
const NARROW = { width: 320, height: 700 }

/** The start screen of a wallet that was just made. */
function fresh(state: Partial<WalletState> = {}, overview: Partial<Overview> = EMPTY): Answers {
  return {
    ...home(overview, { oneTimeNotices: NEW, ...state }),
    getInscriptions: value(pageOf([])),
  }
}

/** And with its first payment. */
function paid(changes: Partial<ActivityEntry>, state: Partial<WalletState> = {}): Answers {
  const entry = entryOf('b', 1, {
    ...{ kind: 'received', net: '250000', counterparty: FRIEND, fee: null },
    ...changes,
  })
  const isIn = entry.status === 'confirmed'
  const [confirmed, unconfirmed] = isIn ? ['250000', '0'] : ['0', '250000']
  return fresh(state, { balance: { confirmed, unconfirmed }, activity: [entry], more: false })
}

/** Its code is fetched when the start screen has drawn. */
async function showAddress(screen: Screen): Promise<void> {
  await screen.find('button', 'Copy address')
}

const PENDING = { status: 'pending', height: null } as const

/** From a new wallet to its first payment, and after an update. */
export const firstUseShots: Shot[] = [
  { name: 'first-use-empty', answers: fresh(), act: showAddress },
  { name: 'first-use-empty-tab', surface: 'tab', answers: fresh(), act: showAddress },
  {
    name: 'first-use-empty-german',
    surface: 'panel',
    size: NARROW,
    answers: panelled(fresh({ settings: GERMAN })),
  },
  { name: 'first-use-test-network', answers: fresh({ network: 'testnet4' }) },
  {
    name: 'first-use-many-addresses',
    answers: {
      ...fresh({ accounts: [{ ...TAPROOT, descriptor: 'tr(xpub)' }] }),
      getReceiveAddress: value({ address: FRIEND, index: 0, hasNext: true }),
    },
  },
  { name: 'first-use-payment', answers: paid(PENDING) },
  { name: 'first-use-payment-confirmed', surface: 'tab', answers: paid({}) },
  {
    name: 'first-use-payment-german',
    surface: 'panel',
    size: NARROW,
    answers: panelled(paid(PENDING, { settings: GERMAN })),
  },
  {
    name: 'first-use-payment-hidden',
    answers: paid({}, { settings: { ...SETTINGS, hideAmounts: true }, network: 'regtest' }),
  },
  { name: 'news-line', answers: home({}, { oneTimeNotices: UPDATED }) },
  {
    name: 'news-line-german',
    surface: 'panel',
    size: NARROW,
    answers: panelled(home({}, { oneTimeNotices: UPDATED, settings: GERMAN })),
  },
  { name: 'news', path: '/news', answers: news({}) },
  { name: 'news-tab', surface: 'tab', path: '/news', answers: news({}) },
  {
    name: 'news-german',
    surface: 'panel',
    size: NARROW,
    path: '/news',
    answers: panelled(news({ settings: GERMAN })),
  },
]

function news(state: Partial<WalletState>): Answers {
  return { getState: value(stateWith(state)), touch: value(null) }
}

function panelled(answers: Answers): Answers {
  return {
    ...answers,
    getApproval: value(null),
    getTabSite: value({ origin: null, isConnected: false }),
  }
}
