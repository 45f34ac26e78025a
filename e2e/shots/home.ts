import type { WatchedAccountView } from '../../src/background/views/account-views.ts'
import type { UnsharedPayments } from '../../src/background/views/activity-views.ts'
import type { ApprovalView } from '../../src/background/views/approval-views.ts'
import type { Screen } from '../driver/screen.ts'
import { ENTRIES, FRIEND, problemOf } from './fixtures/activity.ts'
import { ATOMICALS, NONE, WITH_ATOMICALS } from './fixtures/assets/atomicals.ts'
import { INSCRIPTIONS, pageOf } from './fixtures/assets/inscriptions.ts'
import { DONE, REVEALING, STUCK, WAITING } from './fixtures/jobs.ts'
import { PAYMENT } from './fixtures/payments.ts'
import { EMPTY, home, serverState } from './home/answers.ts'
import { firstUseShots } from './home/first-use.ts'
import {
  type Answers,
  atWidths,
  failing,
  GERMAN,
  SEGWIT,
  SETTINGS,
  type Shot,
  SILENT_SERVER,
  silent,
  stateWith,
  TAPROOT,
  value,
} from './shot.ts'

const WATCHED: WatchedAccountView = {
  id: 'a1b2c3d4e5f60718293a4b5c6d7e8f90',
  name: 'Cold storage',
  source: 'watch',
  addressType: 'p2tr',
  address: FRIEND,
  publicKey: null,
  descriptor: null,
  ordinals: null,
  derivationPath: null,
  hidden: false,
}

/** A server tells of Atomicals, and the account has some. */
const WITH_SOME: Answers = {
  getServers: value(WITH_ATOMICALS),
  getAtomicals: value({ ...ATOMICALS, nfts: ATOMICALS.nfts.slice(0, 2) }),
}

/** Sent some minutes ago; only the first server has it. */
const UNSHARED: UnsharedPayments = {
  payments: [
    {
      txid: 'd'.repeat(64),
      rawTx: '02',
      knows: ['mempool.space'],
      lacks: ['blockstream.info'],
    },
  ],
  askAgainInMs: 240_000,
}

/** The panel beside a site, with what a site of its window asks. */
function panel(
  name: string,
  { asks = null, ...changes }: Partial<Shot> & { asks?: ApprovalView | null } = {},
): Shot {
  const answers: Answers = {
    ...home({}),
    getApproval: value(asks),
    getTabSite: value({ origin: 'https://market.example', isConnected: true }),
    ...changes.answers,
  }
  return { ...changes, name: `panel-${name}`, surface: 'panel', answers }
}

const ASKED: ApprovalView = {
  ...{ key: '1', digest: '1', origin: 'https://market.example', position: 1, total: 2 },
  ...{ network: 'mainnet', account: TAPROOT, wasDeclined: false },
  review: { kind: 'sign-message', message: 'hello', type: 'bip322-simple' },
}

const PAYS: ApprovalView = { ...ASKED, review: PAYMENT }

const [NARROW, WIDE] = [
  { width: 320, height: 700 },
  { width: 480, height: 1000 },
]

const LONG_NAME = 'Household, rent and everything that comes once a month'

const LOW_FEES: Answers = {
  getFeeRates: value({ fastest: 2.1, halfHour: 1.4, hour: 1, minimum: 1 }),
}

export const shots: Shot[] = [
  {
    name: 'home-low-fees',
    answers: { ...home({}, { settings: { ...SETTINGS, feeAlert: 2.5 } }), ...LOW_FEES },
  },
  {
    name: 'home-low-fees-german',
    answers: {
      ...home({}, { settings: { ...SETTINGS, language: 'de', feeAlert: 2.5 } }),
      ...LOW_FEES,
    },
  },
  {
    name: 'home-empty',
    answers: { ...home(EMPTY), getInscriptions: value(pageOf([])) },
  },
  {
    name: 'home-loading',
    answers: {
      getState: value(stateWith()),
      touch: value(null),
      getOverview: silent,
      getInscriptions: silent,
    },
  },
  { name: 'home-filled', answers: home({}) },
  {
    name: 'home-runes',
    answers: {
      ...home({}),
      getInscriptions: value(pageOf(INSCRIPTIONS.slice(1, 4), { total: 1_204, runes: 12 })),
    },
  },
  {
    name: 'home-no-account',
    answers: home({}, { accounts: [], accountId: null, network: 'signet', hasPhrase: false }),
  },
  {
    name: 'home-arriving',
    answers: home(
      {
        balance: { confirmed: '1020400', unconfirmed: '250000' },
        activity: ENTRIES.slice(0, 5),
        price: { currency: 'EUR', perBitcoin: 91_250 },
      },
      { pendingApprovals: 2, settings: { ...SETTINGS, currency: 'EUR' } },
    ),
  },
  ...[SETTINGS, { ...SETTINGS, language: 'de' as const }].map(settings => ({
    name: settings.language === 'de' ? 'home-hidden-german' : 'home-hidden',
    answers: home(
      {
        balance: { confirmed: '1020400', unconfirmed: '250000' },
        price: { currency: 'EUR', perBitcoin: 91_250 },
      },
      { settings: { ...settings, currency: 'EUR', hideAmounts: true } },
    ),
  })),
  {
    name: 'home-very-full',
    answers: home(
      {
        balance: { confirmed: '2099999997690000', unconfirmed: '-1500000000' },
        price: { currency: 'USD', perBitcoin: 104_321.5 },
        activity: ENTRIES.slice(0, 5).map(entry => ({
          ...entry,
          net: '-2099999997690000',
          label: 'A note that says far more than there is room for in a line',
        })),
      },
      { accounts: [{ ...TAPROOT, name: LONG_NAME }, SEGWIT], network: 'testnet4' },
    ),
  },
  {
    name: 'home-offline',
    answers: home({
      balance: null,
      problem: problemOf('unreachable', 'GET /address/bc1p…: no answer within 10 s'),
    }),
  },
  {
    name: 'home-rate-limited',
    answers: home({ problem: problemOf('rate-limited', 'HTTP 429 Too Many Requests') }),
  },
  {
    name: 'home-wrong-network',
    answers: home({
      balance: null,
      activity: [],
      more: false,
      problem: problemOf('wrong-network', 'Its first block is that of testnet4.'),
    }),
  },
  {
    name: 'home-behind',
    answers: { ...home({}), getServerStates: value([serverState('behind')]) },
  },
  {
    name: 'home-chain-refused',
    answers: { ...home({}), getChainState: value({ is: 'refused', fault: 'no-work' }) },
  },
  {
    name: 'home-chain-german',
    answers: {
      ...home({}),
      ...GERMAN,
      getChainState: value({ is: 'refused', fault: 'unlinked' }),
    },
  },
  {
    name: 'home-chain-behind',
    answers: { ...home({}), getChainState: value({ is: 'behind', blocks: 12 }) },
  },
  {
    name: 'home-unproven',
    answers: {
      ...home({}),
      getUnprovenPayments: value([{ txid: 'd'.repeat(64), fault: 'merkle-proof' }]),
    },
  },
  {
    name: 'home-unproven-silent',
    answers: {
      ...home({}),
      getUnprovenPayments: value([{ txid: 'd'.repeat(64), fault: 'no-answer' }]),
    },
  },
  {
    name: 'home-chain-disagree',
    answers: {
      ...home({}),
      getChainState: value({ is: 'disagree', blocks: 3, second: 'blockstream.info' }),
    },
  },
  {
    name: 'home-chain-forked',
    answers: { ...home({}), ...GERMAN, getChainState: value({ is: 'forked', blocks: 3 }) },
  },
  {
    name: 'home-unshared',
    answers: { ...home({}), getUnsharedPayments: value(UNSHARED) },
  },
  {
    name: 'home-chain-unanswered',
    answers: { ...home({}), getChainState: value({ is: 'unanswered' }) },
  },
  {
    name: 'home-error',
    answers: {
      getState: value(stateWith()),
      touch: value(null),
      getOverview: failing(-32603, 'Internal error'),
    },
  },
  {
    name: 'home-watched',
    answers: home({}, { accounts: [TAPROOT, WATCHED], accountId: WATCHED.id }),
  },
  {
    name: 'home-german',
    answers: home(
      { price: { currency: 'EUR', perBitcoin: 91_250 } },
      { settings: { ...SETTINGS, language: 'de' }, pendingApprovals: 1 },
    ),
  },
  { name: 'home-inscribing', answers: { ...home({}), getJobs: value([REVEALING, DONE]) } },
  {
    name: 'home-inscribing-stuck',
    answers: { ...home({}), getJobs: value([WAITING, STUCK, DONE]) },
  },
  { name: 'home-regtest', answers: home({}, { network: 'regtest' }) },
  {
    name: 'home-unchecked',
    answers: {
      ...home({}),
      getInscriptions: value(
        pageOf(INSCRIPTIONS.slice(0, 2), { unchecked: { count: 3, why: 'behind' } }),
      ),
    },
  },
  { name: 'home-atomicals', answers: { ...home({}), ...WITH_SOME } },
  {
    name: 'home-atomicals-german',
    answers: {
      ...home({}, { settings: { ...SETTINGS, language: 'de' } }),
      ...WITH_SOME,
    },
  },
  {
    name: 'home-atomicals-unchecked',
    answers: {
      ...home({}),
      ...WITH_SOME,
      getAtomicals: value({ ...NONE, unchecked: { count: 2, why: 'behind' } }),
    },
  },
  {
    name: 'home-atomicals-none',
    answers: { ...home({}), ...WITH_SOME, getAtomicals: value(NONE) },
  },
  {
    name: 'home-atomicals-unknown',
    answers: { ...home({}), ...WITH_SOME, getAtomicals: SILENT_SERVER },
  },
  ...atWidths({ name: 'home', answers: { ...home({}), ...WITH_SOME } }),
  {
    name: 'home-outdated',
    answers: { getState: failing(-32603, 'Internal error', { storedBy: '0.3.0' }) },
  },
  {
    name: 'home-no-answer',
    answers: {
      getState: failing(4900, 'Satchel did not answer. Close this window and try again.'),
    },
  },
  {
    name: 'home-accounts',
    answers: home({}, { accounts: [TAPROOT, SEGWIT, WATCHED] }),
    act: async screen => {
      await screen.find('region', 'Balance')
      await screen.page.keyboard.down('Alt')
      await screen.page.keyboard.press('KeyA')
      await screen.page.keyboard.up('Alt')
      await screen.find('dialog')
    },
  },
  ...firstUseShots,
  panel('home'),
  panel('home-narrow', { size: NARROW }),
  panel('home-wide', { size: WIDE }),
  panel('home-german', { answers: GERMAN, size: NARROW }),
  panel('not-connected', {
    size: NARROW,
    answers: {
      getTabSite: value({
        origin: 'https://a-market-with-a-very-long-name.example',
        isConnected: false,
      }),
    },
  }),
  panel('no-site', { answers: { getTabSite: value({ origin: null, isConnected: false }) } }),
  panel('locked', { answers: { getState: value(stateWith({ vault: 'locked' })) } }),
  panel('asks', { asks: ASKED, act: untilArmed }),
  panel('asks-payment', { asks: PAYS, act: untilArmed }),
  panel('asks-narrow', { asks: PAYS, size: NARROW, act: untilArmed }),
  panel('asks-unfocused', { asks: PAYS, size: NARROW, act: withFocusInPage }),
  panel('asks-wide', { asks: PAYS, size: WIDE, act: untilArmed }),
  panel('asks-locked', {
    asks: { ...ASKED, review: { kind: 'unlock', method: 'signMessage' } },
    answers: { getState: value(stateWith({ vault: 'locked' })) },
  }),
]

/** As it is while the page beside it has the focus, and the hint has come up. */
async function withFocusInPage({ page }: Screen): Promise<void> {
  await page.waitForSelector('[data-testid="approve"]')
  await page.evaluate(() => {
    document.hasFocus = () => false
    dispatchEvent(new FocusEvent('blur'))
  })
  await page.waitForSelector('[data-testid="approve"]:disabled')
  await new Promise(resolve => setTimeout(resolve, 1000))
}

async function untilArmed(screen: Screen): Promise<void> {
  await screen.page.waitForSelector('[data-testid="approve"]:enabled')
}
