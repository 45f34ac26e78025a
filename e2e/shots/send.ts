import type { NameProblem, PaymentReview } from '../../src/background/views/payment-views.ts'
import type { Screen } from '../driver/screen.ts'
import { FRIEND, SHOP } from './fixtures/activity.ts'
import { OPEN, planOf, pressReview, pressSend, SENT, TXID } from './fixtures/payment-form.ts'
import { AGAIN, LOOKALIKE, OTHERS, PAYMENT, PAYROLL, reviewOf } from './fixtures/payments.ts'
import { qrPicture } from './fixtures/qr-picture.ts'
import {
  type Answers,
  failing,
  SETTINGS,
  type Shot,
  silent,
  stateWith,
  TAPROOT,
  value,
} from './shot.ts'

const PRICED: Answers = {
  getState: value(stateWith({ settings: { ...SETTINGS, currency: 'EUR' } })),
  getOverview: value({
    balance: { confirmed: '125701546', unconfirmed: '0' },
    problem: null,
    activity: [],
    more: false,
    price: { currency: 'EUR', perBitcoin: 92_140 },
  }),
}

function send(name: string, changes: Partial<Shot> & { with?: Answers } = {}): Shot {
  const { with: answers, ...rest } = changes
  return { name: `send-${name}`, path: '/send', answers: { ...OPEN, ...answers }, ...rest }
}

const LINK = `/send/${encodeURIComponent(`bitcoin:${SHOP}?amount=0.0102&label=Bakery`)}`

/** The review of a plan, reached from a filled form. */
function review(
  name: string,
  plan: PaymentReview,
  changes: Partial<Shot> & { with?: Answers } = {},
) {
  return send(`review-${name}`, {
    path: LINK,
    act: pressReview,
    ...changes,
    with: { planPayment: value(planOf(plan)), ...changes.with },
  })
}

async function scrollDown(screen: Screen): Promise<void> {
  await screen.evaluate(() => {
    const content = document.querySelector('main')
    content?.scrollTo(0, content.scrollHeight)
  })
}

async function reviewAndScroll(
  screen: Screen,
  review = 'Review',
  awaited = 'proven',
): Promise<void> {
  await screen.click('button', review)
  await screen.waitForText(awaited)
  await screen.evaluate(() => {
    document.querySelector('[role=status], [class*=notice]')?.scrollIntoView({ block: 'center' })
  })
}

async function typeAddress(screen: Screen, address: string): Promise<void> {
  await screen.fill('textbox', 'To', address)
  await screen.page.keyboard.press('Tab')
}

/** The address of the first vector of BIP-352. */
const SILENT =
  'sp1qqgste7k9hx0qftg6qmwlkqtwuy6cycyavzmzj85c6qdfhjdpdjtdgqjuexzk6murw56suy3e0rd2cgqvycxttddwsvgxe2usfpxumr70xc9pkqwv'
const TO_FRIEND = reviewOf({
  inputs: [3_000_000],
  recipients: [{ address: FRIEND, sats: 1_020_000 }],
  fee: 1_410,
})

const NAME = 'alice@example.com'

const NAMED: Answers = { lookUpName: value({ name: NAME, address: SHOP }) }

const unnamed = (nameProblem: NameProblem): Answers => ({
  lookUpName: failing(-32602, NAME, { name: NAME, nameProblem }),
})

async function typeName(screen: Screen, field = 'To'): Promise<void> {
  await screen.fill('textbox', field, `₿${NAME}`)
  await screen.page.keyboard.press('Tab')
}

const GERMAN: Answers = {
  getState: value(stateWith({ settings: { ...SETTINGS, language: 'de' } })),
}

export const shots: Shot[] = [
  send('empty'),
  send('german', { path: LINK, with: GERMAN }),
  send('german-errors', { with: GERMAN, act: screen => screen.click('button', 'Prüfen') }),
  send('german-review', {
    path: LINK,
    with: { ...GERMAN, planPayment: value(planOf(PAYROLL)) },
    act: screen => screen.click('button', 'Prüfen'),
  }),
  send('loading', { with: { getCoins: silent, getFeeRates: silent } }),
  send('filled', { path: LINK }),
  send('filled-priced', { path: LINK, with: PRICED }),
  send('tab', { path: LINK, surface: 'tab' }),
  send('more', {
    path: LINK,
    act: async screen => {
      await screen.fill('textbox', 'Public note', 'Invoice 2041, thank you')
      await scrollDown(screen)
    },
  }),
  send('several', {
    path: LINK,
    act: async screen => {
      await screen.click('button', 'Add a recipient')
      await screen.fill('textbox', 'To, recipient 2', FRIEND)
      await screen.fill('textbox', 'Amount, recipient 2', '0.5')
      await screen.page.keyboard.press('Tab')
    },
  }),
  send('max', { path: LINK, act: screen => screen.click('button', 'Max') }),
  send('sats', { path: LINK, act: screen => screen.click('button', 'Unit: BTC*') }),
  send('custom-fee', {
    path: LINK,
    act: async screen => {
      await screen.click('radio', 'Custom*')
      await screen.fill('textbox', 'Fee rate*', '0.4')
      await scrollDown(screen)
    },
  }),
  send('known', { act: screen => screen.click('button', 'Choose a recipient') }),
  send('known-nobody', {
    with: {
      getContacts: value([]),
      getActivity: value({ entries: [], more: false, problem: null }),
      getState: value(stateWith({ accounts: [TAPROOT] })),
    },
    act: screen => screen.click('button', 'Choose a recipient'),
  }),
  send('coins', {
    path: `${LINK}`,
    act: async screen => {
      await screen.click('button', 'Choose')
      await screen.click('checkbox', '1.2 BTC*')
    },
  }),
  send('coins-held', {
    path: `${LINK}`,
    act: async screen => {
      await screen.click('button', 'Choose')
      await screen.evaluate(() => document.querySelector('.coin-picker__held')?.scrollIntoView())
    },
  }),
  send('picture', { path: '/send/picture', surface: 'tab' }),
  send('picture-no-code', {
    path: '/send/picture',
    surface: 'tab',
    act: screen => choosePicture(screen, null),
  }),
  send('picture-read', {
    path: '/send/picture',
    surface: 'tab',
    act: screen => choosePicture(screen, `BITCOIN:${SHOP.toUpperCase()}?amount=0.0021`),
  }),
  send('error-empty', { act: pressReview }),
  send('error-network', {
    act: screen => typeAddress(screen, 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'),
  }),
  send('error-address', { act: screen => typeAddress(screen, `${SHOP.slice(0, -1)}5`) }),
  send('error-link', { path: `/send/${encodeURIComponent(`bitcoin:${SHOP}?req-pop=1`)}` }),
  send('error-dust', {
    path: `/send/${SHOP}`,
    act: async screen => {
      await screen.fill('textbox', 'Amount', '0.000001')
      await screen.page.keyboard.press('Tab')
    },
  }),
  send('error-too-much', {
    path: `/send/${SHOP}`,
    act: async screen => {
      await screen.fill('textbox', 'Amount', '3')
      await screen.page.keyboard.press('Tab')
    },
  }),
  send('error-comma', {
    path: `/send/${SHOP}`,
    act: async screen => {
      await screen.fill('textbox', 'Amount', '0,01')
      await screen.page.keyboard.press('Tab')
    },
  }),
  send('error-memo', {
    path: LINK,
    act: async screen => {
      await screen.fill('textbox', 'Public note', 'A very long note that does not fit. '.repeat(4))
      await scrollDown(screen)
    },
  }),
  send('error-held', {
    path: LINK,
    with: {
      planPayment: failing(-32000, 'Coins are held', {
        reason: 'COINS_HELD',
        heldInscribed: '100010546',
        heldUnknown: '7060000',
        unknownWhy: 'behind',
      }),
    },
    act: pressReview,
  }),
  send('error-server', {
    path: LINK,
    with: {
      getCoins: failing(-32000, 'mempool.space: HTTP 503', { reason: 'BACKEND_UNAVAILABLE' }),
      getFeeRates: failing(-32000, 'mempool.space: HTTP 503', { reason: 'BACKEND_UNAVAILABLE' }),
    },
  }),
  send('name', { with: NAMED, act: typeName }),
  send('name-german', { with: { ...GERMAN, ...NAMED }, act: screen => typeName(screen, 'An') }),
  send('name-unsigned', { with: unnamed('unsigned'), act: typeName }),
  send('name-no-server', { with: unnamed('no-server'), act: typeName }),
  send('name-asking', { with: { lookUpName: silent }, act: typeName }),
  review('name', {
    ...PAYMENT,
    recipients: PAYMENT.recipients.map(one => ({ ...one, name: 'Alice', paymentName: NAME })),
    warnings: [{ kind: 'name-moved', paymentName: NAME, before: OTHERS[1] }],
  }),
  review('again', AGAIN),
  send('silent', { act: screen => typeAddress(screen, SILENT) }),
  review('silent', {
    ...TO_FRIEND,
    recipients: TO_FRIEND.recipients.map(one => ({ ...one, address: SILENT, output: FRIEND })),
  }),
  send('planning', { path: LINK, with: { planPayment: silent }, act: pressReview }),
  send('watched', {
    with: {
      getState: value(
        stateWith({
          accounts: [
            {
              ...TAPROOT,
              name: 'Cold storage',
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
  review('plain', PAYMENT),
  review(
    'named',
    reviewOf(
      {
        inputs: [3_000_000],
        recipients: [{ address: FRIEND, sats: 1_020_000, name: 'Alice' }],
        fee: 1_410,
      },
      { warnings: [] },
    ),
  ),
  review('coins-proven', PAYMENT, {
    with: { getCoinProofs: value([{ is: 'proven', confirmations: 14, blocks: 14.2 }]) },
    act: reviewAndScroll,
  }),
  ...(['merkle-proof', 'no-answer'] as const).map(fault =>
    review(`coins-${fault}`, PAYMENT, {
      with: { getCoinProofs: value([{ is: 'unproven', fault }]) },
      act: reviewAndScroll,
    }),
  ),
  review('coins-german', PAYMENT, {
    with: { ...GERMAN, getCoinProofs: value([{ is: 'unproven', fault: 'merkle-proof' }]) },
    act: screen => reviewAndScroll(screen, 'Prüfen', 'Nicht nachgewiesen'),
  }),
  review('payroll', PAYROLL),
  review(
    'inputs',
    reviewOf({
      inputs: Array.from({ length: 26 }, (_, i) => 40_000 + 9_000 * i),
      recipients: [{ address: SHOP, sats: 2_400_000 }],
      fee: 12_320,
    }),
  ),
  review(
    'memo',
    reviewOf(
      { inputs: [3_000_000], recipients: [{ address: SHOP, sats: 1_020_000 }], fee: 1_410 },
      {
        memo: 'Invoice 2041: two loaves and a \u202ecake, delivered on Monday. Thank you! 🥐',
        warnings: [],
      },
    ),
  ),
  review(
    'own',
    reviewOf(
      {
        inputs: [3_000_000],
        recipients: [{ address: TAPROOT.address, sats: 1_020_000 }],
        fee: 1_410,
      },
      { warnings: [{ kind: 'own-address' }] },
    ),
  ),
  review(
    'max',
    reviewOf(
      {
        inputs: [120_000_000, 4_200_000],
        recipients: [{ address: SHOP, sats: 124_198_700 }],
        fee: 1_300,
      },
      { balanceAfter: '0', warnings: [] },
    ),
  ),
  review(
    'high-fee',
    reviewOf(
      { inputs: [3_000_000], recipients: [{ address: SHOP, sats: 102_000 }], fee: 61_410 },
      {
        warnings: [
          { kind: 'high-fee', percent: 60, fastest: 12.5, recent: 6.2 },
          { kind: 'spends-unconfirmed', inputs: [0] },
        ],
      },
    ),
  ),
  review(
    'looks-like',
    reviewOf(
      { inputs: [3_000_000], recipients: [{ address: LOOKALIKE, sats: 1_020_000 }], fee: 1_410 },
      {
        warnings: [
          { kind: 'looks-like', to: LOOKALIKE, known: SHOP, name: 'The bakery on the corner' },
          { kind: 'low-fee', minimum: 12 },
        ],
      },
    ),
  ),
  review(
    'from-dust',
    reviewOf(
      { inputs: [3_000_000], recipients: [{ address: OTHERS[0], sats: 1_020_000 }], fee: 1_410 },
      {
        warnings: [
          { kind: 'from-dust', to: OTHERS[0] },
          { kind: 'unchecked-coins', inputs: [0], why: 'behind' },
        ],
      },
    ),
  ),
  review('details', PAYMENT, {
    act: async screen => {
      await pressReview(screen)
      await screen.evaluate(() =>
        document.querySelector('main > details:last-of-type')?.setAttribute('open', ''),
      )
      await scrollDown(screen)
    },
  }),
  review('sending', PAYMENT, { with: { confirmPayment: silent }, act: pressSend }),
  review('refused', PAYMENT, {
    with: {
      confirmPayment: failing(-32000, 'min relay fee not met', {
        reason: 'BROADCAST_REJECTED',
        node: 'min relay fee not met',
      }),
    },
    act: pressSend,
  }),
  review('sent', PAYMENT, { with: SENT, act: pressSend }),
  review('unknown', PAYMENT, {
    with: { confirmPayment: value({ txid: TXID, outcome: 'unknown' }) },
    act: pressSend,
  }),
]

/** Hands a picture file to the dialog: with the code of a text, or with none. */
async function choosePicture(screen: Screen, text: string | null): Promise<void> {
  const input = await screen.page.waitForSelector('input[type="file"]')
  await (input as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(
    qrPicture(text),
  )
  await screen.waitForText(text === null ? 'No QR code' : 'The bakery')
}
