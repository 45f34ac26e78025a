import type { CoinView } from '../../src/background/views/payment-views.ts'
import type { Screen } from '../driver/screen.ts'
import { entryOf, receivedDetailsOf } from './fixtures/activity.ts'
import { CONTENT, inscriptionOf } from './fixtures/assets/assets.ts'
import { MERGING } from './fixtures/merging.ts'
import { COINS, coinOf } from './fixtures/payments.ts'
import { SERVERS } from './fixtures/servers.ts'
import {
  type Answers,
  atWidths,
  GERMAN,
  HIDDEN,
  SETTINGS,
  type Shot,
  SILENT_SERVER,
  silent,
  stateWith,
  value,
} from './shot.ts'

const OPEN: Answers = {
  getState: value(stateWith()),
  touch: value(null),
  getInscriptionContent: CONTENT,
  getServers: value(SERVERS),
}

function coins(name: string, answers: Answers, changes: Partial<Shot> = {}): Shot {
  return { name: `coins-${name}`, path: '/coins', answers: { ...OPEN, ...answers }, ...changes }
}

async function toEnd(screen: Screen): Promise<void> {
  await screen.evaluate(() => {
    const content = document.querySelector('main')
    content?.scrollTo(0, content.scrollHeight)
  })
}

async function allow(screen: Screen, amount: string): Promise<void> {
  await screen.click('radio', 'Held back')
  await screen.page.$eval(`[aria-label="Allow spending: ${amount}"]`, button =>
    button.scrollIntoView({ block: 'center' }),
  )
  // Rows get their real height as they come into sight.
  await screen.evaluate(() => new Promise(resolve => setTimeout(resolve, 200)))
  await screen.click('button', `Allow spending: ${amount}`)
}

/** In the narrowest window. */
async function narrow({ page }: Screen): Promise<void> {
  await page.setViewport({ width: 320, height: 600, deviceScaleFactor: 2 })
}

const RARE_COINS = [
  coinOf('1', 120_000_000, { label: 'Salary' }),
  coinOf('2', 60_000, {
    held: 'rare',
    rareSats: [
      ['10080000000000', 'rare', 'nuyvaqdhnof', 2_016],
      ['5000000000', 'uncommon', 'nvtcsezkbth', 1],
    ].map(([sat, rarity, name, height]) => ({
      ...{ sat: String(sat), offset: '0', rarity: rarity as 'rare' },
      ...{ name: String(name), height: Number(height) },
    })),
  }),
  coinOf('3', 546, { held: 'inscribed', assets: [inscriptionOf(6)] }),
]

const ALL = { getCoins: value(COINS) }

const DUST: Answers = {
  getCoins: value([coinOf('1', 120_000_000), coinOf('2', 900, { held: 'dust' })]),
}

/** The details of a coin, beside the list where the window is wide. */
function beside(
  name: string,
  coin: CoinView | undefined,
  answers: Answers,
  changes: Partial<Shot> = {},
): Shot {
  const [txid = ''] = coin?.outpoint.split(':') ?? []
  return coins(
    `beside-${name}`,
    {
      getActivityDetails: value(receivedDetailsOf(entryOf(txid.charAt(0), 90, { txid }))),
      getConfirmationProof: value({ is: 'proven', confirmations: 3, blocks: 3.1 }),
      ...answers,
    },
    { path: `/coins/${coin?.outpoint}`, surface: 'tab', size: TAB, ...changes },
  )
}

const TAB = { width: 1280, height: 800 }
const IN_TAB = { surface: 'tab', size: TAB } as const
const IN_POPUP = { surface: 'popup', size: { width: 360, height: 600 } } as const
const [SALARY, , , , WAITING, LOCKED, TWO, , , , BEHIND] = COINS

const VERY_MANY: Answers = {
  getCoins: {
    given: () =>
      Array.from({ length: 10_000 }, (_, at) => ({
        outpoint: `${String(at).padStart(64, 'a')}:${at}`,
        sats: String(2_000_000_000 - at * 1000),
        height: 900_000,
        held: null,
        assets: [],
        unchecked: null,
        choice: null,
        rareSats: [],
        mergeable: true,
        label: at % 7 === 0 ? 'A note that is longer than the line that it stands in' : '',
      })),
  },
}

export const shots: Shot[] = [
  coins('all', ALL),
  coins('held', ALL, { act: screen => screen.click('radio', 'Held back') }),
  coins('held-end', ALL, {
    act: async screen => {
      await screen.click('radio', 'Held back')
      await toEnd(screen)
    },
  }),
  coins('allowed', {
    getCoins: value([
      coinOf('1', 120_000_000),
      coinOf('2', 546, { choice: 'unlocked', assets: [inscriptionOf(1)] }),
      coinOf('3', 20_000, { choice: 'unlocked', unchecked: 'unanswered' }),
    ]),
  }),
  coins('index-down', {
    getCoins: value(
      COINS.slice(0, 6).map(coin =>
        coin.held === null ? { ...coin, held: 'unknown', unchecked: 'unanswered' } : coin,
      ),
    ),
  }),
  coins('dust', DUST),
  coins('dust-german', {
    ...DUST,
    getState: value(stateWith({ settings: { ...SETTINGS, language: 'de' } })),
  }),
  coins('unlock', ALL, { act: screen => allow(screen, '10,000 sats') }),
  coins('unlock-rune', ALL, { act: screen => allow(screen, '1,000 sats') }),
  coins('unlock-unknown', ALL, { act: screen => allow(screen, '0.07 BTC') }),
  coins('unlock-contradicted', ALL, { act: screen => allow(screen, '60,000 sats') }),
  coins('forget', ALL, {
    act: async screen => {
      await screen.click('radio', 'Held back')
      await toEnd(screen)
      await screen.click('button', 'Did an index lie to you?')
    },
  }),
  coins('simple', { getCoins: value(COINS.slice(0, 3)) }),
  ...atWidths(coins('all', ALL)),
  coins('hidden', { ...ALL, ...HIDDEN }),
  coins('german', {
    ...ALL,
    getState: value(stateWith({ settings: { ...SETTINGS, language: 'de' } })),
  }),
  coins('empty', { getCoins: value([]) }),
  coins('loading', { getCoins: silent }),
  coins('error', { getCoins: SILENT_SERVER }),
  coins('very-full', VERY_MANY),
  coins('very-full-1280', VERY_MANY, IN_TAB),
  coins('hidden-1280', { ...ALL, ...HIDDEN }, IN_TAB),
  coins('empty-1280', { getCoins: value([]) }, IN_TAB),
  coins('loading-1280', { getCoins: silent }, IN_TAB),
  coins('error-1280', { getCoins: SILENT_SERVER }, IN_TAB),
  ...atWidths(beside('inscribed', TWO, ALL)),
  beside('free', SALARY, ALL),
  beside('locked', LOCKED, ALL),
  beside('unconfirmed', WAITING, ALL),
  beside('behind', BEHIND, { ...ALL, getActivityDetails: SILENT_SERVER }),
  beside('rare', RARE_COINS[1], { getCoins: value(RARE_COINS) }),
  beside('hidden', TWO, { ...ALL, ...HIDDEN }),
  beside('unlock', TWO, ALL, {
    act: screen => screen.click('button', 'Allow spending: 10,000 sats'),
  }),
  beside('gone', coinOf('d', 1000), ALL),
  beside('loading', TWO, { getCoins: silent, getActivityDetails: silent }),
  beside('popup', TWO, ALL, IN_POPUP),
  beside('popup-error', TWO, { getCoins: SILENT_SERVER }, IN_POPUP),
  coins('rare', { getCoins: value(RARE_COINS) }),
  coins('rare-narrow', { getCoins: value(RARE_COINS) }, { surface: 'panel', act: narrow }),
  coins('dust-narrow', DUST, { surface: 'panel', act: narrow }),
  coins('rare-german', { getCoins: value(RARE_COINS), ...GERMAN }),
  coins(
    'rare-unlock',
    { getCoins: value(RARE_COINS) },
    {
      act: screen => screen.click('button', 'Allow spending: 60,000 sats'),
    },
  ),
  ...MERGING,
]
