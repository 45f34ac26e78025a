import type {
  RuneMintItemState,
  RuneMintReview,
  RuneMintView,
} from '../../src/background/views/mint-views.ts'
import type { Screen } from '../driver/screen.ts'
import { approvalShot, german, small } from './fixtures/approval-shot.ts'
import { detailOf, GOODS, LONGEST, NO_RUNES, RUNES, runeOf } from './fixtures/assets/runes.ts'
import { OPEN as FORM, pressReview } from './fixtures/payment-form.ts'
import { scrollDown } from './fixtures/scroll-down.ts'
import {
  type Answers,
  failing,
  GERMAN,
  type Shot,
  SILENT_SERVER,
  silent,
  stateWith,
  TAPROOT,
  value,
} from './shot.ts'

const TERMS = { amount: '1000', cap: '21000000', start: 840_000, end: 1_050_000 }
const OPEN_FACTS = {
  ...{ id: '1:0', premine: '0', burned: '0', divisibility: 0, mints: '20999995' },
  ...{ supply: '20999995000', isMintable: true, terms: TERMS },
}

const REVIEW: RuneMintReview = {
  kind: 'rune-mint',
  rune: { id: '1:0', name: GOODS.name, symbol: '⧉', proof: 'verified' },
  ...{ count: 5, each: '1000', total: '5000', remaining: '420000' },
  end: { height: 1_050_000, blocks: 12_345 },
  ...{ fee: '4318', postage: '546', perRune: '0.8636' },
  ...{ feeRate: 5.01, recentFeeRate: 4.2 },
  transactions: [210, 167, 167, 167, 124].map(vsize => ({ fee: String(vsize * 5), vsize })),
  inputs: [
    { outpoint: `${'a'.repeat(64)}:1`, address: TAPROOT.address, sats: '120000', own: true },
  ],
  balanceAfter: '1112952',
  warnings: [],
}

const STATES: RuneMintItemState[] = ['minted', 'minted', 'pending', 'waiting', 'waiting']

function mintOf(
  states: readonly RuneMintItemState[],
  changes: Partial<RuneMintView> = {},
): RuneMintView {
  return {
    id: '1',
    rune: { id: '1:0', name: GOODS.name, symbol: '⧉' },
    ...{ at: 1_763_000_000_000, each: '1000', minted: '2000', fee: '4318', feeRate: 5 },
    ...{ state: 'minting', stopped: null, problem: null },
    mints: states.map((state, at) => ({
      txid: String(at).repeat(64),
      fee: at === 0 ? '1050' : '835',
      state,
      explorerUrl: null,
    })),
    can: { resume: false, stop: states.includes('waiting') },
    ...changes,
  }
}

const STUCK = mintOf(STATES, {
  state: 'stuck',
  problem: { kind: 'refused', detail: 'sendrawtransaction RPC error -26: mempool min fee not met' },
  can: { resume: true, stop: true },
})
const STOPPED = mintOf(['minted', 'minted', 'minted', 'dropped', 'dropped'], {
  ...{ state: 'stopped', stopped: 'cap', minted: '3000', fee: '2720' },
})
const LATE = mintOf(['minted', 'empty', 'pending', 'pending', 'dropped'], {
  ...{ state: 'waiting', stopped: 'cap', minted: '1000' },
})
const DONE = mintOf(Array(5).fill('minted'), { state: 'done', minted: '5000' })

const OPEN: Answers = {
  ...FORM,
  getRunes: value(RUNES),
  getRuneMints: value([]),
  getRune: value(detailOf(null, OPEN_FACTS)),
  planRuneMint: value({ planId: '1', digest: '1', review: REVIEW }),
}

type Changes = Partial<Shot> & { with?: Answers }

function shotOf(name: string, path: string, { with: answers, ...rest }: Changes = {}): Shot {
  return { name: `rune-mints-${name}`, path, answers: { ...OPEN, ...answers }, ...rest }
}

const RUNE = `/runes/rune/${encodeURIComponent(GOODS.name)}`
const form = (name: string, changes?: Changes) => shotOf(`form${name}`, `${RUNE}/mint`, changes)
const list = (name: string, changes?: Changes) => shotOf(`list-${name}`, '/runes', changes)
const progress = (name: string, mint: RuneMintView, changes: Changes = {}) =>
  shotOf(name, '/runes/mints/1', {
    ...changes,
    with: { ...changes.with, getRuneMint: value(mint) },
  })

const typeCount = (count: string) => (screen: Screen) =>
  screen.fill('textbox', 'How many mints', count)

async function openReview(screen: Screen): Promise<void> {
  await pressReview(screen)
  await screen.page.waitForSelector('[data-testid="approve"]')
}

const reviewed = (changes: Partial<RuneMintReview>): Answers => ({
  planRuneMint: value({ planId: '1', digest: '2', review: { ...REVIEW, ...changes } }),
})

export const shots: Shot[] = [
  list('open', { with: { getRuneMints: value([mintOf(STATES), STUCK]) } }),
  list('find', { with: { getRunes: value(NO_RUNES) }, act: scrollDown }),
  list('find-wrong', {
    with: { getRunes: value(NO_RUNES) },
    act: async screen => {
      await screen.fill('textbox', 'Find a rune', 'gold 1')
      await screen.click('button', 'Look up')
      await scrollDown(screen)
    },
  }),
  shotOf('rune', RUNE),
  shotOf('rune-held', RUNE, { with: { getRune: value(detailOf(GOODS, OPEN_FACTS)) } }),

  form(''),
  form('-german', { with: GERMAN }),
  form('-filled', { act: typeCount('5') }),
  form('-wrong', {
    act: async screen => {
      await typeCount('0')(screen)
      await pressReview(screen)
    },
  }),
  form('-too-many', {
    act: async screen => {
      await typeCount('24')(screen)
      await pressReview(screen)
    },
    with: { getRune: value(detailOf(null, { ...OPEN_FACTS, mints: '20999997' })) },
  }),
  form('-refused', {
    with: {
      planRuneMint: failing(-32000, 'Not enough funds.', {
        ...{ reason: 'INSUFFICIENT_FUNDS', needed: '5000', available: '900' },
      }),
    },
    act: pressReview,
  }),
  form('-loading', { with: { getRune: silent } }),
  form('-error', { with: { getRune: SILENT_SERVER } }),
  form('-watched', {
    with: {
      getState: value(
        stateWith({
          accounts: [
            {
              ...TAPROOT,
              source: 'watch',
              publicKey: null,
              descriptor: null,
              ordinals: null,
              derivationPath: null,
            },
          ],
        }),
      ),
    },
  }),
  form('-review', { act: openReview }),
  form('-review-down', {
    act: async screen => {
      await openReview(screen)
      await scrollDown(screen)
    },
  }),
  form('-review-german', {
    with: GERMAN,
    act: async screen => {
      await screen.click('button', 'Prüfen')
      await screen.page.waitForSelector('[data-testid="approve"]')
    },
  }),
  form('-review-tab', { surface: 'tab', act: openReview }),
  form('-review-warned', {
    with: reviewed({
      ...{ rune: { ...REVIEW.rune, proof: 'server' }, end: { height: 900_001, blocks: 1 } },
      ...{ count: 1, total: '1000', fee: '250000', perRune: '250' },
      warnings: [{ kind: 'high-fee', percent: null, fastest: 6, recent: 4.2 }],
    }),
    act: openReview,
  }),
  form('-review-longest', {
    with: reviewed({
      rune: { ...REVIEW.rune, name: LONGEST.name },
      ...{ each: LONGEST.amount, total: LONGEST.amount, perRune: '0.00000001', count: 24 },
    }),
    act: openReview,
  }),

  progress('minting', mintOf(STATES)),
  progress('minting-german', mintOf(STATES), { with: GERMAN }),
  progress('waiting', mintOf(Array(5).fill('pending'), { state: 'waiting', minted: '0' })),
  progress('stuck', STUCK),
  progress(
    'behind',
    mintOf(STATES, {
      problem: { kind: 'behind', detail: 'The index is at block 899999, and the chain at 900000.' },
    }),
  ),
  progress('stopped', STOPPED),
  progress('stopped-german', STOPPED, { with: GERMAN }),
  progress('stopped-down', STOPPED, { act: scrollDown }),
  progress('late', LATE),
  progress('done', DONE),
  progress('done-down', DONE, { act: scrollDown }),
  progress('longest', {
    ...DONE,
    ...{ each: LONGEST.amount, minted: LONGEST.amount },
    rune: { ...DONE.rune, name: runeOf(LONGEST.name, '1').name },
  }),
  shotOf('loading', '/runes/mints/1', { with: { getRuneMint: silent } }),
  shotOf('error', '/runes/mints/1', { with: { getRuneMint: SILENT_SERVER } }),

  approvalShot('rune-mints-approval', REVIEW),
  german(approvalShot('rune-mints-approval', REVIEW)),
  small(approvalShot('rune-mints-approval', REVIEW)),
]
