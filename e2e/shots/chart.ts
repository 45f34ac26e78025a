import type { ChartPoint, PriceChart } from '../../src/background/views/price-chart-views.ts'
import { problemOf } from './fixtures/activity.ts'
import { type Answers, failing, SETTINGS, type Shot, silent, stateWith, value } from './shot.ts'

const NOW = Date.UTC(2026, 10, 27, 12)
const HOUR = 3_600_000

type Held = (share: number) => string | null

/** A price that rises in waves, and what is held at each point; `share` goes from 0 to 1. */
function line(stepHours: number, steps: number, held: Held): ChartPoint[] {
  return Array.from({ length: steps + 1 }, (_, index) => {
    const share = index / steps
    const wave = Math.sin(share * 9) * 0.06 + Math.sin(share * 31) * 0.015
    return {
      at: NOW - (steps - index) * stepHours * HOUR,
      perBitcoin: Math.round(82_000 * (1 + share * 0.11 + wave) * 100) / 100,
      sats: held(share),
    }
  })
}

const paid: Held = share => (share < 0.3 ? '120020400' : share < 0.7 ? '151020400' : '131020400')

function lines(held: Held, more: object = {}): PriceChart {
  return {
    is: 'lines',
    currency: 'EUR',
    lines: {
      ...{ day: line(1, 24, held), week: line(2, 84, held) },
      ...{ month: line(8, 90, held), year: line(120, 73, held) },
    },
    problem: null,
    ...more,
  }
}

function chart(answer: PriceChart, settings: Partial<typeof SETTINGS> = {}): Answers {
  return {
    getState: value(stateWith({ settings: { ...SETTINGS, currency: 'EUR', ...settings } })),
    touch: value(null),
    getPriceChart: value(answer),
  }
}

const path = '/chart'
const GERMAN = { language: 'de' } as const

export const shots: Shot[] = [
  { name: 'chart-month', path, answers: chart(lines(paid)) },
  { name: 'chart-month-german', path, answers: chart(lines(paid), GERMAN) },
  {
    name: 'chart-read',
    path,
    answers: chart(lines(paid)),
    async act(screen) {
      const slider = await screen.find('slider', 'Worth of the balance*')
      await slider.focus()
      for (const key of ['PageDown', 'PageDown', 'ArrowLeft'] as const)
        await screen.page.keyboard.press(key)
    },
  },
  {
    name: 'chart-bitcoin-year',
    path,
    answers: chart(lines(paid)),
    async act(screen) {
      await screen.click('radio', '1 bitcoin')
      await screen.click('radio', 'Year')
    },
  },
  {
    name: 'chart-table',
    path,
    answers: chart(lines(paid)),
    async act(screen) {
      await screen.click('radio', 'Day')
      await screen.page.click('summary')
    },
  },
  { name: 'chart-hidden', path, answers: chart(lines(paid), { hideAmounts: true }) },
  {
    name: 'chart-hidden-german',
    path,
    answers: chart(lines(paid), { hideAmounts: true, ...GERMAN }),
  },
  {
    name: 'chart-late',
    path,
    answers: chart(lines(share => (share < 0.45 ? null : '131020400'))),
  },
  {
    name: 'chart-very-full',
    path,
    answers: chart(
      lines(() => '2099999997690000', { currency: 'JPY' }),
      GERMAN,
    ),
  },
  { name: 'chart-nothing', path, answers: chart(lines(() => '0')) },
  { name: 'chart-too-little', path, answers: chart(lines(share => (share < 1 ? null : '5000'))) },
  {
    name: 'chart-no-balance',
    path,
    answers: chart(
      lines(() => null, { problem: problemOf('unreachable', 'GET /address: HTTP 502') }),
    ),
  },
  { name: 'chart-loading', path, answers: { ...chart(lines(paid)), getPriceChart: silent } },
  {
    name: 'chart-offline',
    path,
    answers: {
      ...chart(lines(paid)),
      getPriceChart: failing(-32000, 'mempool.space: could not be reached', {
        reason: 'BACKEND_UNAVAILABLE',
        ...problemOf('unreachable', 'could not be reached'),
      }),
    },
  },
  { name: 'chart-off', path, answers: chart({ is: 'off' }, { currency: null }) },
  { name: 'chart-off-german', path, answers: chart({ is: 'off' }, { currency: null, ...GERMAN }) },
  { name: 'chart-no-value', path, answers: chart({ is: 'no-value' }) },
  {
    name: 'chart-no-history',
    path,
    answers: chart({ is: 'no-history', host: 'esplora.example' }),
  },
]
