import type { Review } from '../../src/background/views/approval-views.ts'
import type { MessageType } from '../../src/bitcoin/messages/message.ts'
import type { Screen } from '../driver/screen.ts'
import { FRIEND, SHOP } from './fixtures/activity.ts'
import { approvalShot, german, small } from './fixtures/approval-shot.ts'
import { inscriptionOf, moveOf, transferOf } from './fixtures/assets/assets.ts'
import { CHOICES } from './fixtures/choose-account.ts'
import { LOOKALIKE, OTHERS, PAYMENT, PAYROLL, reviewOf } from './fixtures/payments.ts'
import { failing, PAIRED, type Shot, TAPROOT, value } from './shot.ts'

const approval: typeof approvalShot = (name, ...rest) => approvalShot(`approvals-${name}`, ...rest)

const LOGIN = `market.example wants you to sign in with your Bitcoin account:
${TAPROOT.address}

I accept the terms of service.

URI: https://market.example
Version: 1
Nonce: 32891756
Issued At: 2026-11-21T09:30:00Z`

const TERMS = Array.from(
  { length: 60 },
  (_, n) =>
    `${n + 1}. The member agrees to what is said in section ${n + 1} of the terms of market.example.`,
).join('\n')

const ODD = 'Pay 5\u200b00 to Alice\u202e ecilA\u202c \u00a0and\u2060 Bob\u0007.\nTwo\u3164lines.'

const signing = (...messages: [message: string, type?: MessageType][]): Review => ({
  kind: 'sign-messages',
  messages: messages.map(([message, type = 'bip322-simple']) => ({ message, type })),
})

const SIGN_TWO = signing([LOGIN], ['I am the owner of this address.'])

const SIGN_MIXED = signing(
  ['hello'],
  [ODD, 'ecdsa'],
  ['', 'bip322'],
  ['hello'],
  ['Pay\u200b me', 'ecdsa'],
)

const SIGN_MANY = signing(
  ...Array.from({ length: 24 }, (_, n): [string] => [
    `market.example: list ${['Runestone', 'Quantum Cats', 'Bitcoin Puppets'][n % 3]} #${1_204 + 37 * n} for ${(n + 3) * 21_000} sats, nonce ${32_891_756 + n}`,
  ]),
)

/** The same account as it is on the other network. */
const SWITCH_TO_SIGNET: Review = {
  kind: 'switch-network',
  network: 'signet',
  account: {
    ...TAPROOT,
    address: 'tb1p8wpt9v4frpf3tkn0srd97pksgsxc5hs52lafxwru9kgeephvs7rqlqt9zj',
  },
}

const SWITCH_TO_MAINNET: Review = { ...SWITCH_TO_SIGNET, network: 'mainnet', account: TAPROOT }

/** What Babylon's vaults ask for: 72 bytes of what is committed to. */
const SECRET: Review = {
  kind: 'derive-context-hash',
  appName: 'babylon-btc-vault',
  context:
    '00000020a60869f0dbcf1dc659c9cecbaf8050135ea9e8cdc487053f1dc6880949dc684c00000020'.padEnd(
      144,
      '5f9cda4e2d2e3d1483616d9911eafa6a85e71b4ac11b6d42abcad036d08b2dbe',
    ),
  isNameInHost: true,
}
const VAULT_SITE = { origin: 'https://btc-vault.babylonlabs.example' }

const SECRET_LONG: Review = {
  ...SECRET,
  appName: 'a-name-of-sixty-four-characters-which-is-as-long-as-there-may-be',
  context: 'c0ffee'.repeat(341).padEnd(2048, '0'),
  isNameInHost: false,
}

const ofKey = (network: 'mainnet' | 'signet') => ({
  ...VAULT_SITE,
  network,
  account: { ...TAPROOT, source: 'key' as const, phraseId: null, name: 'Imported' },
})

async function openContext({ page }: Screen) {
  await page.waitForSelector('main details summary')
  await page.click('main details summary')
  await page.$eval('main details', element => element.scrollIntoView())
}

const PUSH = {
  kind: 'push-tx',
  txid: 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16',
  netCost: '1021410',
  fee: '1410',
  feeRate: 10,
  recentFeeRate: 6.2,
  vsize: 141,
  inputs: PAYMENT.inputs,
  outputs: PAYMENT.outputs,
  assets: [],
  runestone: null,
  warnings: [],
} satisfies Review

const isPreparing = async (screen: Screen) =>
  void (await screen.page.waitForSelector('[data-testid="preparing"]'))

const PREPARING = approval('preparing', { kind: 'preparing' }, {}, isPreparing)

/** What was being worked out has asked nothing in the end. The background has the window closed, and here it stays. */
const FAILED: Shot = {
  ...PREPARING,
  name: 'approvals-preparing-failed',
  async act(screen) {
    await isPreparing(screen)
    const missing = { reason: 'INSUFFICIENT_FUNDS', needed: '1020400', available: '54600' } as const
    const answers = {
      ...PREPARING.answers,
      getApproval: value(null),
      closeApprovals: value(false),
      getEndedRequest: value({ code: -32000, message: 'Not enough bitcoin.', data: missing }),
    }
    await screen.evaluate(next => {
      const { answerWith } = window as typeof window & { answerWith(...given: unknown[]): void }
      answerWith(next, location.hash)
    }, answers)
    await screen.waitForText('54,600')
  },
}

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

function scrollTo(selector: string) {
  return async ({ page }: Screen): Promise<void> => {
    await page.waitForSelector(selector)
    await page.$eval(selector, element => element.scrollIntoView({ block: 'nearest' }))
  }
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

/** Twelve to five, some of whom get more than one. */
const MANY = transferOf(
  Array.from({ length: 12 }, (_, n) => ({
    asset: inscriptionOf(n + 1),
    address: [FRIEND, SHOP, ...OTHERS][n % 5] ?? SHOP,
    ...(n % 5 === 0 ? { name: 'Alice' } : {}),
  })),
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

/** Two small coins and more for a purchase at a market. */
const PREPARE = reviewOf(
  {
    inputs: [30_000],
    recipients: Array.from({ length: 3 }, () => ({ address: TAPROOT.address, sats: 546 })),
    fee: 1_600,
  },
  { purpose: 'prepare' },
)

const LIKE = {
  origin: 'https://market-airdrop.example',
  unfamiliar: { looksLike: 'market.example' },
}

const SIGN_IN =
  'vault.example wants you to sign in with your Bitcoin account:\nbc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4\n\nNonce: 32891756\nExpiration Time: 2026-01-01T00:00:00Z'

export const shots: Shot[] = [
  approval('connect', { kind: 'connect' }),
  approval('connect-paired', { kind: 'connect' }, { account: PAIRED }),
  approval('connect-queue', { kind: 'connect' }, { position: 2, total: 5 }),
  approval('connect-new', { kind: 'connect' }, { unfamiliar: { looksLike: null } }),
  approval('connect-like', { kind: 'connect' }, LIKE),
  german(approval('connect-like', { kind: 'connect' }, LIKE)),
  approval('connect-declined', { kind: 'connect' }, { wasDeclined: true }),
  approval(
    'connect-odd-site',
    { kind: 'connect' },
    { origin: 'http://xn--mrket-hra.example:8080', network: 'signet' },
  ),
  ...CHOICES,
  approval('network-test', SWITCH_TO_SIGNET),
  approval('network-real', SWITCH_TO_MAINNET, { network: 'signet' }),
  german(approval('network-real', SWITCH_TO_MAINNET, { network: 'signet' })),
  approval('sign', { kind: 'sign-message', message: 'hello', type: 'bip322-simple' }),
  approval('sign-long', { kind: 'sign-message', message: LOGIN, type: 'ecdsa' }),
  approval('sign-in-other', { kind: 'sign-message', message: SIGN_IN, type: 'bip322-simple' }),
  german(approval('sign-in-other', { kind: 'sign-message', message: SIGN_IN, type: 'ecdsa' })),
  approval(
    'sign-in-match',
    { kind: 'sign-message', message: SIGN_IN, type: 'bip322-simple' },
    { origin: 'https://vault.example' },
  ),
  approval('sign-unseen', { kind: 'sign-message', message: ODD, type: 'bip322' }),
  approval('sign-empty', { kind: 'sign-message', message: '', type: 'ecdsa' }),
  approval('secret', SECRET, VAULT_SITE),
  approval('secret-short', { ...SECRET, context: 'deadbeef' }, VAULT_SITE),
  approval('secret-other-name', { ...SECRET, isNameInHost: false }),
  approval('secret-long', SECRET_LONG, {
    origin: 'https://a-long-name-of-a-site-that-goes-on.and-on.example:8443',
  }),
  approval('secret-long-open', SECRET_LONG, {}, openContext),
  approval('secret-key', SECRET, ofKey('signet')),
  ...[
    approval('secret', SECRET, VAULT_SITE),
    approval('secret-other-name', { ...SECRET, isNameInHost: false }),
    approval('secret-key', SECRET, ofKey('mainnet')),
  ].map(german),
  ...[approval('secret', SECRET, VAULT_SITE), approval('secret-long', SECRET_LONG)].map(small),
  approval('sign-two', SIGN_TWO),
  approval('sign-many', SIGN_MANY),
  approval('sign-many-end', SIGN_MANY, {}, scrollTo('main dl')),
  approval('sign-one-long', signing(['hello'], [TERMS], ['Done.'])),
  approval('sign-one-long-whole', signing(['hello'], [TERMS], ['Done.']), {}, async screen => {
    await screen.page.waitForSelector('main [aria-expanded="false"]')
    await screen.page.click('main [aria-expanded="false"]')
    await scrollTo('main [aria-expanded="true"]')(screen)
  }),
  approval('sign-mixed', SIGN_MIXED),
  approval('sign-mixed-end', SIGN_MIXED, {}, scrollTo('main dl')),
  ...[approval('sign-two', SIGN_TWO), approval('sign-many', SIGN_MANY)].map(small),
  ...[
    approval('sign-two', SIGN_TWO),
    approval('sign-mixed', SIGN_MIXED),
    approval('sign-mixed-end', SIGN_MIXED, {}, scrollTo('main dl')),
  ].map(german),
  approval('payment', PAYMENT),
  approval('payment-payroll', PAYROLL),
  approval('payment-asset', SPENT_ASSET),
  approval('transfer', ONE),
  approval('transfer-companions', COMPANIONS),
  approval('transfer-several', SEVERAL),
  approval('transfer-many', MANY, {}, async ({ page }) => {
    await page.waitForSelector('.recipients__recipients')
    await page.$eval('.recipients__recipients', element => element.scrollIntoView())
  }),
  approval('transfer-hundred', HUNDRED),
  approval('transfer-hundred-open', HUNDRED, {}, async ({ page }) => {
    await page.waitForSelector('.asset-moves__moves summary')
    await page.click('.asset-moves__moves summary')
    await page.$eval('.asset-moves__moves summary', element => element.scrollIntoView())
  }),
  approval('transfer-hundred-flow', HUNDRED, {}, async ({ page }) => {
    await page.waitForSelector('main figure')
    await page.$eval('main figure', element => element.scrollIntoView())
  }),
  approval('prepare', PREPARE),
  german(approval('prepare', PREPARE)),
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
          { kind: 'high-fee', percent: 60, fastest: 12.5, recent: 6.2 },
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
  PREPARING,
  german(PREPARING),
  approval('preparing-declined', { kind: 'preparing' }, { wasDeclined: true }, isPreparing),
  FAILED,
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
  approval(
    'unlock-declined',
    { kind: 'unlock', method: 'connect' },
    { account: null, wasDeclined: true },
  ),
  approval('unlock-secret', { kind: 'unlock', method: 'deriveContextHash' }, { account: null }),
  approval('unlock-sign-many', { kind: 'unlock', method: 'signMessages' }, { account: null }),
  {
    ...approval(
      'gone',
      { kind: 'connect' },
      {},
      async screen => void (await screen.waitForText('The request is gone')),
    ),
    // The background has the window closed, and here it stays to be looked at.
    answers: {
      getApproval: value(null),
      getEndedRequest: value(null),
      touch: value(null),
      closeApprovals: value(false),
    },
  },
]
