import type { Review } from '../../src/background/ui-methods/approval-views.ts'
import type { Brc20Operation } from '../../src/ordinals/brc20-operation.ts'
import type { Screen } from '../driver/screen.ts'
import { FRIEND, SHOP } from './fixtures/activity.ts'
import { approvalShot } from './fixtures/approval-shot.ts'
import { inscriptionOf, moveOf, transferOf } from './fixtures/assets.ts'
import {
  imageItem,
  inscribeReviewOf,
  textItem,
  tokenItem,
  undrawnItem,
} from './fixtures/inscribe-reviews.ts'
import { LOOKALIKE, OTHERS, PAYMENT, PAYROLL, reviewOf } from './fixtures/payments.ts'
import { failing, SETTINGS, type Shot, stateWith, TAPROOT, value } from './shot.ts'

const approval: typeof approvalShot = (name, ...rest) => approvalShot(`approvals-${name}`, ...rest)

const LOGIN = `market.example wants you to sign in with your Bitcoin account:
${TAPROOT.address}

I accept the terms of service.

URI: https://market.example
Version: 1
Nonce: 32891756
Issued At: 2026-11-21T09:30:00Z`

const ODD = 'Pay 5\u200b00 to Alice\u202e ecilA\u202c \u00a0and\u2060 Bob\u0007.\nTwo\u3164lines.'

const PUSH = {
  kind: 'push-tx',
  txid: 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16',
  netCost: '1021410',
  fee: '1410',
  feeRate: 10,
  vsize: 141,
  inputs: PAYMENT.inputs,
  outputs: PAYMENT.outputs,
  assets: [],
  warnings: [],
} satisfies Review

/** A coin that carries something is spent because the person unlocked it. */
const SPENT_ASSET = { ...PAYMENT, assets: [moveOf(inscriptionOf(1), { address: SHOP })] }

const HUNDRED = transferOf(
  Array.from({ length: 100 }, (_, n) => ({ asset: inscriptionOf(n + 1), address: FRIEND })),
  { warnings: [{ kind: 'unproven-inscriptions', ids: [inscriptionId(3), inscriptionId(9)] }] },
)

/** Two parties in one transaction: who pays what is seen in the picture only. */
const SWAP: Review = {
  ...PUSH,
  netCost: '-480000',
  inputs: [
    ...PAYMENT.inputs,
    { outpoint: `${'ab'.repeat(32)}:1`, address: FRIEND, sats: '520000', own: false },
  ],
  outputs: [
    { address: TAPROOT.address, script: '5120', sats: '3480000', own: true },
    { address: FRIEND, script: '5120', sats: '38590', own: false },
  ],
}

function inscriptionId(n: number): string {
  const asset = inscriptionOf(n)
  return asset.kind === 'inscription' ? asset.id : ''
}

const ONE = transferOf([{ asset: inscriptionOf(1), address: FRIEND }])

/** A second one sits deeper in the same coin of a whole bitcoin, a third stays on what comes back. */
const COMPANIONS = transferOf(
  [{ asset: inscriptionOf(2), address: FRIEND, sats: 20_000, name: 'Alice' }],
  {
    assets: [
      moveOf(inscriptionOf(2)),
      moveOf(inscriptionOf(3), { offset: '12000' }),
      moveOf(inscriptionOf(6), { to: 'own', output: 1, offset: '77', address: TAPROOT.address }),
    ],
    warnings: [
      { kind: 'large-postage', sats: '20000' },
      { kind: 'unproven-inscriptions', ids: [inscriptionId(2)] },
    ],
  },
)

const SEVERAL = transferOf(
  [FRIEND, SHOP, OTHERS[0]].map((address, n) => ({ asset: inscriptionOf(n + 4), address })),
)

const SPLIT: Review = {
  ...transferOf(
    Array.from({ length: 3 }, (_, n) => ({
      asset: inscriptionOf(n + 1),
      address: TAPROOT.address,
    })),
  ),
  purpose: 'split',
  recipients: [],
  asked: 3,
  assets: Array.from({ length: 3 }, (_, n) =>
    moveOf(inscriptionOf(n + 1), { to: 'own', output: n, address: TAPROOT.address }),
  ),
}

const TRANSFER: Brc20Operation = { op: 'transfer', tick: 'ordi', amt: '250' }
const MINT: Brc20Operation = { op: 'mint', tick: 'pepe', amt: '1000' }
const MINTED = { available: '2000', transferable: '50' }

const INSCRIBE_TRANSFER = inscribeReviewOf([
  tokenItem(TRANSFER, { after: { available: '750', transferable: '300' } }),
])

const OVERDRAWN = inscribeReviewOf([
  tokenItem({ ...TRANSFER, amt: '5000' }, { obstacles: ['insufficient'] }),
])

const WITH_PARENT = inscribeReviewOf([imageItem()], { parent: inscriptionId(2) })

const DELEGATE = textItem('', {
  kind: 'none',
  contentType: null,
  delegate: inscriptionId(1),
  contentLength: 0,
})

async function toEnd({ page }: Screen): Promise<void> {
  await page.waitForSelector('.content > .more')
  await page.$eval('.content > .more', element => element.scrollIntoView({ block: 'end' }))
}

const MIXED = inscribeReviewOf([
  imageItem(),
  textItem('gm\n\nOn a sat, for ever.'),
  undrawnItem('html', 'text/html'),
  undrawnItem('audio', 'audio/mpeg'),
  DELEGATE,
])

/** Two small coins and more for a purchase at a market. */
const PREPARE = reviewOf(
  {
    inputs: [30_000],
    recipients: Array.from({ length: 3 }, () => ({ address: TAPROOT.address, sats: 546 })),
    fee: 1_600,
  },
  { purpose: 'prepare' },
)

const AMOUNT = {
  kind: 'brc20-amount',
  tick: 'ordi',
  available: '1000.5',
  transferable: '50',
  decimals: 18,
  proposed: null,
  problem: null,
} satisfies Review

const INSCRIBING: Shot[] = [
  approval('inscribe-text', inscribeReviewOf([textItem('hello')])),
  approval('inscribe-image', WITH_PARENT),
  approval('inscribe-mixed', MIXED),
  approval(
    'inscribe-full',
    inscribeReviewOf(
      Array.from({ length: 24 }, (_, n) => textItem(`Page ${n + 1} of a book`)),
      {
        warnings: [{ kind: 'high-fee', percent: null, fastest: 1 }],
      },
    ),
  ),
  ...[
    approval('inscribe-mixed-flow', MIXED, {}, toEnd),
    approval('inscribe-image-flow', WITH_PARENT, {}, toEnd),
  ],
  approval('inscribe-delegate', inscribeReviewOf([DELEGATE])),
  approval(
    'inscribe-long-text',
    inscribeReviewOf([textItem('Satoshi wrote on a sat.\n'.repeat(60))]),
  ),
  approval('inscribe-undrawn', inscribeReviewOf([undrawnItem('html', 'text/html')])),
  approval('inscribe-transfer', INSCRIBE_TRANSFER),
  approval('inscribe-overdrawn', OVERDRAWN),
  approval(
    'inscribe-mints',
    inscribeReviewOf(
      Array.from({ length: 24 }, () => tokenItem(MINT, { after: MINTED, checked: true })),
    ),
  ),
  approval(
    'inscribe-mints-some',
    inscribeReviewOf(
      Array.from({ length: 5 }, (_, n) =>
        tokenItem(MINT, {
          after: MINTED,
          obstacles: n > 2 ? ['minted-out'] : [],
          gets: n === 2 ? '400' : null,
        }),
      ),
    ),
  ),
  approval(
    'inscribe-deploy',
    inscribeReviewOf([
      tokenItem(
        { op: 'deploy', tick: 'satch', max: '21000000', lim: '1000', dec: '8', selfMint: true },
        { before: null, after: null },
      ),
    ]),
  ),
  approval(
    'inscribe-unchecked',
    inscribeReviewOf([tokenItem(TRANSFER, { checked: false, before: null, after: null })]),
  ),
  approval('amount', AMOUNT),
  approval('amount-proposed', { ...AMOUNT, proposed: '250' }),
  approval('amount-too-much', { ...AMOUNT, proposed: '1000.6' }),
  approval('amount-unknown', {
    ...AMOUNT,
    tick: 'o\u200bdi',
    available: null,
    transferable: null,
    decimals: null,
    problem: {
      kind: 'unreachable',
      host: 'open-api.unisat.io',
      detail: 'no answer within 10 s',
      retryInMs: null,
    },
  }),
  {
    ...approval('amount-refused', { ...AMOUNT, proposed: '250' }, {}, screen =>
      screen.clickTestId('approve'),
    ),
    answers: {
      ...approval('', { ...AMOUNT, proposed: '250' }).answers,
      decide: failing(-32602, 'amt: expected at most 200 ordi'),
    },
  },
  {
    ...approval('amount-filled-in', { ...AMOUNT, proposed: '250' }, {}, async screen => {
      await screen.clickTestId('approve')
      await screen.waitForText('Thank you')
    }),
    answers: { ...approval('', { ...AMOUNT, proposed: '250' }).answers, decide: value(null) },
  },
  approval('prepare', PREPARE),
]

/** In a small window, as some screens leave no more. */
function small(shot: Shot): Shot {
  return {
    ...shot,
    name: `${shot.name}-small`,
    act: async screen => {
      await screen.page.setViewport({ width: 360, height: 600, deviceScaleFactor: 2 })
      await shot.act?.(screen)
    },
  }
}

function german(shot: Shot): Shot {
  const state = value(stateWith({ settings: { ...SETTINGS, language: 'de' } }))
  return { ...shot, name: `${shot.name}-german`, answers: { ...shot.answers, getState: state } }
}

export const shots: Shot[] = [
  approval('connect', { kind: 'connect' }),
  approval('connect-queue', { kind: 'connect' }, { position: 2, total: 5 }),
  approval(
    'connect-odd-site',
    { kind: 'connect' },
    { origin: 'http://xn--mrket-hra.example:8080', network: 'signet' },
  ),
  approval('sign', { kind: 'sign-message', message: 'hello', type: 'bip322-simple' }),
  approval('sign-long', { kind: 'sign-message', message: LOGIN, type: 'ecdsa' }),
  approval('sign-unseen', { kind: 'sign-message', message: ODD, type: 'bip322' }),
  approval('sign-empty', { kind: 'sign-message', message: '', type: 'ecdsa' }),
  approval('payment', PAYMENT),
  approval('payment-payroll', PAYROLL),
  approval('payment-asset', SPENT_ASSET),
  approval('transfer', ONE),
  approval('transfer-companions', COMPANIONS),
  approval('transfer-several', SEVERAL),
  approval('transfer-hundred', HUNDRED),
  approval('transfer-hundred-open', HUNDRED, {}, async ({ page }) => {
    await page.waitForSelector('.asset-moves summary')
    await page.click('.asset-moves summary')
    await page.$eval('.asset-moves summary', element => element.scrollIntoView())
  }),
  approval('transfer-hundred-flow', HUNDRED, {}, async ({ page }) => {
    await page.waitForSelector('.flow')
    await page.$eval('.flow', element => element.scrollIntoView())
  }),
  ...INSCRIBING,
  ...[
    approval('inscribe-mixed', MIXED),
    approval('inscribe-transfer', INSCRIBE_TRANSFER),
    approval('inscribe-overdrawn', OVERDRAWN),
    approval('amount', AMOUNT),
  ].map(small),
  ...[
    approval('inscribe-text', inscribeReviewOf([textItem('hello')])),
    approval('inscribe-mixed', MIXED),
    approval('inscribe-overdrawn', OVERDRAWN),
    approval('amount', AMOUNT),
    approval('prepare', PREPARE),
  ].map(german),
  approval('split', SPLIT),
  ...[approval('transfer', ONE), approval('transfer-companions', COMPANIONS)].map(small),
  ...[
    approval('transfer', ONE),
    approval('transfer-companions', COMPANIONS),
    approval('payment-asset', SPENT_ASSET),
  ].map(german),
  approval(
    'payment-danger',
    reviewOf(
      { inputs: [3_000_000], recipients: [{ address: LOOKALIKE, sats: 102_000 }], fee: 61_410 },
      {
        memo: 'Invoice 2041',
        warnings: [
          { kind: 'unchecked-coins', inputs: [0], why: 'unanswered' },
          { kind: 'high-fee', percent: 60, fastest: 12.5 },
          { kind: 'looks-like', to: LOOKALIKE, known: SHOP, name: null },
        ],
      },
    ),
  ),
  approval('payment-approving', PAYMENT, {}, screen => screen.clickTestId('approve')),
  {
    ...approval('payment-failed', PAYMENT, {}, screen => screen.clickTestId('approve')),
    answers: {
      ...approval('', PAYMENT).answers,
      decide: failing(4900, 'No answer'),
    },
  },
  approval('push', PUSH),
  approval('push-swap', SWAP),
  approval('push-unknown', {
    ...PUSH,
    netCost: '0',
    fee: null,
    feeRate: null,
    inputs: PUSH.inputs.map(input => ({ ...input, sats: null, own: false, address: null })),
  }),
  approval('unlock-inscribe', { kind: 'unlock', method: 'inscribe' }, { account: null }),
  approval('unlock', { kind: 'unlock', method: 'signMessage' }, { account: null }),
  {
    ...approval(
      'gone',
      { kind: 'connect' },
      {},
      async screen => void (await screen.waitForText('No longer')),
    ),
    answers: { getApproval: value(null), touch: value(null) },
  },
]
