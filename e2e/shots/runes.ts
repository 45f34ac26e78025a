import type { PaymentReview } from '../../src/background/views/payment-views.ts'
import type { Screen } from '../driver/screen.ts'
import { FRIEND, SHOP } from './fixtures/activity.ts'
import { moveOf } from './fixtures/assets/assets.ts'
import { CAT, detailOf, GOODS, LONGEST, NO_RUNES, pileOf, RUNES } from './fixtures/assets/runes.ts'
import { OPEN as FORM, planOf, pressReview, pressSend, SENT } from './fixtures/payment-form.ts'
import { reviewOf } from './fixtures/payments.ts'
import { scrollDown } from './fixtures/scroll-down.ts'
import {
  type Answers,
  GERMAN,
  HIDDEN,
  type Shot,
  SILENT_SERVER,
  silent,
  stateWith,
  TAPROOT,
  value,
} from './shot.ts'

const OPEN: Answers = {
  ...FORM,
  getRunes: value(RUNES),
  getRuneMints: value([]),
  getRune: value(detailOf(CAT)),
}

const WATCHED: Answers = {
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
}

type Changes = Partial<Shot> & { with?: Answers }

function shotOf(name: string, path: string, { with: answers, ...rest }: Changes = {}): Shot {
  return { name: `runes-${name}`, path, answers: { ...OPEN, ...answers }, ...rest }
}

const list = (name: string, changes?: Changes) => shotOf(name, '/runes', changes)

const PAGE = `/runes/rune/${encodeURIComponent(CAT.name)}`
const rune = (name: string, changes?: Changes) => shotOf(`rune${name}`, PAGE, changes)
const send = (name: string, changes?: Changes) => shotOf(`send${name}`, `${PAGE}/send`, changes)

const TERMS = { amount: '1', cap: '340282366920938463463374607431768211455' }

async function typeOrder(screen: Screen, amount = '1000.5'): Promise<void> {
  await screen.fill('textbox', 'Amount', amount)
  await screen.fill('textbox', 'To', FRIEND)
}

async function typeTwo(screen: Screen): Promise<void> {
  await typeOrder(screen)
  await screen.click('button', 'Add a recipient')
  await screen.fill('textbox', 'Amount, recipient 2', '998000')
  await screen.fill('textbox', 'To, recipient 2', SHOP)
}

/** A part goes to one, a part to another, the rest comes back on a coin of its own, with another rune of the coin. */
const TWO: PaymentReview = reviewOf(
  {
    inputs: [546, 546, 20_000],
    recipients: [
      { address: FRIEND, sats: 546 },
      { address: SHOP, sats: 546 },
    ],
    fee: 1_640,
  },
  {
    purpose: 'transfer',
    assets: [
      moveOf(pileOf(CAT, '1000.5'), { address: FRIEND, offset: null }),
      moveOf(pileOf(CAT, '998000'), { address: SHOP, output: 1, offset: null }),
      moveOf(pileOf(CAT, '250000.00075'), {
        ...{ to: 'own', output: 2, offset: null, address: TAPROOT.address },
      }),
      moveOf(pileOf(GOODS, '21'), {
        ...{ to: 'own', output: 2, offset: null, address: TAPROOT.address },
      }),
    ],
    asked: 2,
    warnings: [{ kind: 'unproven-inscriptions', ids: [CAT.name] }],
  },
)

export const shots: Shot[] = [
  list('list'),
  list('list-german', { with: GERMAN }),
  list('list-tab', { surface: 'tab' }),
  list('list-hidden', { with: HIDDEN }),
  rune('-hidden', { with: HIDDEN }),
  list('list-longest', { with: { getRunes: value({ ...RUNES, total: 1, runes: [LONGEST] }) } }),
  list('empty', { with: { getRunes: value(NO_RUNES) } }),
  list('empty-german', { with: { ...GERMAN, getRunes: value(NO_RUNES) } }),
  list('empty-unchecked', {
    with: { getRunes: value({ ...NO_RUNES, unchecked: { count: 3, why: 'unanswered' } }) },
  }),
  list('unchecked', {
    with: { getRunes: value({ ...RUNES, unchecked: { count: 1, why: 'behind' } }) },
  }),
  list('loading', { with: { getRunes: silent } }),
  list('error', { with: { getRunes: SILENT_SERVER } }),

  rune(''),
  rune('-down', { act: scrollDown }),
  rune('-german', { with: GERMAN }),
  rune('-german-down', { with: GERMAN, act: scrollDown }),
  rune('-tab', { surface: 'tab' }),
  rune('-longest', { with: { getRune: value(detailOf(LONGEST)) } }),
  rune('-open', {
    with: {
      getRune: value(
        detailOf(GOODS, {
          ...{
            id: '1:0',
            premine: '0',
            burned: '0',
            divisibility: 0,
            mints: '19204',
            supply: '19204',
          },
          ...{ isMintable: true, terms: { ...TERMS, start: 840_000, end: 1_050_000 } },
        }),
      ),
    },
    act: scrollDown,
  }),
  rune('-closed', {
    with: { getRune: value(detailOf(GOODS, { terms: { ...TERMS, start: null, end: 900_000 } })) },
  }),
  rune('-not-held', { with: { getRune: value(detailOf(null)) } }),
  rune('-server', {
    with: { getRune: value(detailOf(CAT, { proof: 'server' })) },
    act: scrollDown,
  }),
  rune('-contradicted', { with: { getRune: value(detailOf(CAT, { proof: 'contradicted' })) } }),
  rune('-contradicted-german', {
    with: { ...GERMAN, getRune: value(detailOf(CAT, { proof: 'contradicted' })) },
  }),
  rune('-untold', { with: { getRune: value(detailOf(CAT, null)) } }),
  rune('-unknown', { with: { getRune: value(detailOf(null, null)) } }),
  rune('-watched', { with: WATCHED }),
  rune('-loading', { with: { getRune: silent } }),
  rune('-error', { with: { getRune: SILENT_SERVER } }),

  send(''),
  send('-german', { with: GERMAN }),
  send('-filled', { act: screen => typeOrder(screen) }),
  send('-two', { act: typeTwo }),
  send('-kinds', {
    act: async screen => {
      await typeTwo(screen)
      await screen.page.select('section:nth-of-type(2) select', GOODS.name)
      await screen.fill('textbox', 'Amount, recipient 2', '22')
    },
  }),
  send('-kinds-german', {
    with: GERMAN,
    act: async ({ page }) => {
      await page.waitForSelector('section button')
      await page.evaluate(() => {
        for (const button of document.querySelectorAll('button'))
          if (button.textContent === 'Weiterer Empfänger') button.click()
      })
      await page.waitForSelector('select')
    },
  }),
  send('-errors', { act: pressReview }),
  send('-too-much', {
    act: async screen => {
      await typeOrder(screen, '1000000.1')
      await pressReview(screen)
    },
  }),
  send('-too-precise', { act: screen => typeOrder(screen, '0.000001') }),
  send('-watched', { with: WATCHED }),
  send('-review', {
    with: { planRuneTransfer: value(planOf(TWO)) },
    act: async screen => {
      await typeTwo(screen)
      await pressReview(screen)
      await screen.page.waitForSelector('[data-testid="approve"]')
    },
  }),
  send('-review-down', {
    with: { planRuneTransfer: value(planOf(TWO)) },
    act: async screen => {
      await typeTwo(screen)
      await pressReview(screen)
      await screen.page.waitForSelector('[data-testid="approve"]')
      await scrollDown(screen)
    },
  }),
  send('-sent', {
    with: { ...SENT, planRuneTransfer: value(planOf(TWO)) },
    act: async screen => {
      await typeTwo(screen)
      await pressSend(screen)
    },
  }),
]
