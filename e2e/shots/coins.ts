import type { CoinView } from '../../src/background/ui-methods/payment-views.ts'
import { type Answers, failing, SETTINGS, type Shot, silent, stateWith, value } from './shot.ts'

const OPEN: Answers = { getState: value(stateWith()), touch: value(null) }

function coinOf(digit: string, sats: number, changes: Partial<CoinView> = {}): CoinView {
  return {
    outpoint: `${digit.repeat(64)}:0`,
    sats: String(sats),
    height: 921_000,
    held: null,
    choice: null,
    label: '',
    ...changes,
  }
}

const COINS: CoinView[] = [
  coinOf('1', 120_000_000),
  coinOf('2', 4_200_000, { label: 'From the market' }),
  coinOf('3', 9_000, { choice: 'unlocked' }),
  coinOf('4', 900_000, { held: 'reserved' }),
  coinOf('5', 250_000, { held: 'unconfirmed', height: null }),
  coinOf('6', 31_000, { held: 'locked', choice: 'locked' }),
  coinOf('7', 546, { held: 'postage' }),
  coinOf('8', 10_000, { held: 'postage', label: 'Gift' }),
]

function coins(name: string, answers: Answers, changes: Partial<Shot> = {}): Shot {
  return { name: `coins-${name}`, path: '/coins', answers: { ...OPEN, ...answers }, ...changes }
}

const ALL = { getCoins: value(COINS) }

export const shots: Shot[] = [
  coins('all', ALL),
  coins('held', ALL, { act: screen => screen.click('radio', 'Held back') }),
  coins('unlock', ALL, {
    act: async screen => {
      await screen.click('radio', 'Held back')
      await screen.click('button', 'Allow spending: 546*')
    },
  }),
  coins('simple', { getCoins: value(COINS.slice(0, 2)) }),
  coins('tab', ALL, { surface: 'tab' }),
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
          choice: null,
          label: at % 7 === 0 ? 'A note that is longer than the line that it stands in' : '',
        })),
    },
  }),
]
