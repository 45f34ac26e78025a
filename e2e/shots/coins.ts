import type { Screen } from '../driver/screen.ts'
import { CONTENT, inscriptionOf } from './fixtures/assets.ts'
import { COINS, coinOf } from './fixtures/payments.ts'
import { SERVERS } from './fixtures/servers.ts'
import {
  type Answers,
  failing,
  HIDDEN,
  SETTINGS,
  type Shot,
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

const ALL = { getCoins: value(COINS) }

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
  coins('tab', ALL, { surface: 'tab' }),
  coins('hidden', { ...ALL, ...HIDDEN }),
  coins('german', {
    ...ALL,
    getState: value(stateWith({ settings: { ...SETTINGS, language: 'de' } })),
  }),
  coins('empty', { getCoins: value([]) }),
  coins('loading', { getCoins: silent }),
  coins('error', {
    getCoins: failing(-32000, 'No usable answer.', { reason: 'BACKEND_UNAVAILABLE' }),
  }),
  coins('very-full', {
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
          label: at % 7 === 0 ? 'A note that is longer than the line that it stands in' : '',
        })),
    },
  }),
]
