import type {
  DeviceAccountView,
  DevicePairScan,
  MultisigAccountView,
} from '../../src/background/views/account-views.ts'
import type { CosigningView } from '../../src/background/views/cosigning-views.ts'
import type { DeviceTask, SignOnDeviceReview } from '../../src/background/views/device-views.ts'
import type { LoadedPsbtReview, LoadedPsbtView } from '../../src/background/views/psbt-views.ts'
import bip174 from '../../src/bitcoin/testing/vectors/bip174.json' with { type: 'json' }
import { signing } from '../../src/popup/testing/psbt-building.ts'
import type { Screen } from '../driver/screen.ts'
import { FRIEND, SHOP } from './fixtures/activity.ts'
import { approvalShot } from './fixtures/approval-shot.ts'
import { inscribePlanOf, inscribeReviewOf, textItem } from './fixtures/assets/inscribe-reviews.ts'
import { detailOf, drawContent, INSCRIPTIONS } from './fixtures/assets/inscriptions.ts'
import { OPEN, planOf, pressReview } from './fixtures/payment-form.ts'
import { OTHERS, PAYMENT } from './fixtures/payments.ts'
import { PAY } from './fixtures/psbts.ts'
import { type Answers, failing, SEGWIT, type Shot, silent, stateWith, value } from './shot.ts'

const COLD: DeviceAccountView = {
  ...SEGWIT,
  id: 'c0c1c2c3c4c5c6c7c8c9cacbcccdcecf',
  name: 'Cold storage',
  source: 'device',
  descriptor: null,
  ordinals: null,
  derivationPath: "m/84'/0'/0'/0/0",
  fingerprint: 'd34db33f',
  ordinalsDescriptor: null,
}

/** A PSBT of BIP-174's, in hex. */
const PSBT = Buffer.from(
  bip174.psbts.find(({ verdict }) => verdict === 'valid')?.psbt ?? '',
  'base64',
).toString('hex')

const task = (...pays: [address: string, sats: string][]): DeviceTask => ({
  psbt: PSBT,
  inputs: [{ index: 0, sighash: 1, publicKey: COLD.publicKey, addressType: COLD.addressType }],
  pays: pays.map(([address, sats]) => ({ address, script: '', sats })),
  fee: '1410',
})

const ONE: SignOnDeviceReview = {
  ...{ kind: 'sign-on-device', fingerprint: 'd34db33f' },
  tasks: [task([SHOP, '1020000'])],
}

const THREE: SignOnDeviceReview = {
  ...ONE,
  tasks: [task([SHOP, '1020000']), task([FRIEND, '50000'], [SHOP, '7']), task()],
}

const INSCRIBING = inscribeReviewOf([textItem('gm')])

/** A text in the place of a payment. */
const MESSAGE: SignOnDeviceReview = {
  ...ONE,
  tasks: [{ ...task(), fee: '0', message: 'market.example wants you to sign in.\nNonce: 7f3a' }],
}

const open = (answers: Answers = {}): Answers => ({
  ...OPEN,
  getState: value(stateWith({ accounts: [COLD, SEGWIT], accountId: COLD.id })),
  getDeviceTask: value({ task: ONE, review: PAYMENT }),
  planPayment: value(planOf(PAYMENT)),
  getPsbtTask: value({ task: ONE }),
  getInscribeTask: value({ task: THREE, review: INSCRIBING }),
  ...answers,
})

async function giveBack(screen: Screen, text: string): Promise<void> {
  await screen.fill('textbox', 'Paste a PSBT, a descriptor or a key', text)
  await screen.click('button', 'Read this text')
}

async function goToDevice(screen: Screen): Promise<void> {
  await pressReview(screen)
  await screen.clickTestId('approve')
  await screen.find('heading', 'Sign on your device')
}

/** The way to the device and back, in a payment of our own. */
function pay(name: string, act: (screen: Screen) => Promise<void>, answers: Answers = {}): Shot {
  const path = `/send/${encodeURIComponent(`bitcoin:${SHOP}?amount=0.0102`)}`
  return { name: `device-pay-${name}`, path, answers: open(answers), act }
}

/** BIP-84's account of the mainnet, with an origin. */
const XPUB =
  '[73c5da0a/84h/0h/0h]xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V'
/** BIP-86's of the same phrase. */
const TAPROOT =
  'tr([73c5da0a/86h/0h/0h]xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ/<0;1>/*)'
const BARE =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'

async function readKeys(screen: Screen, text: string): Promise<void> {
  await screen.fill('textbox', 'Paste a PSBT, a descriptor or a key', text)
  await screen.click('button', 'Read this text')
}

function connect(name: string, text: string | null, more: Partial<Shot> = {}): Shot {
  return {
    name: `device-connect-${name}`,
    path: '/accounts/device',
    answers: { ...OPEN, getState: value(stateWith()) },
    ...(text !== null && { act: screen => readKeys(screen, text) }),
    ...more,
  }
}

/** A SegWit and a Taproot key in one file, of which these were used, with one of the choices made. */
const pair = (name: string, scan: DevicePairScan, choice: string, more: Partial<Shot> = {}): Shot =>
  connect(`pair-${name}`, null, {
    answers: { ...OPEN, getState: value(stateWith()), scanDevicePair: value(scan) },
    act: async screen => {
      await readKeys(screen, `wpkh(${XPUB}/<0;1>/*)\n${TAPROOT}`)
      await screen.click('radio', choice)
    },
    ...more,
  })

/** The account that comes of it. */
const BOTH: DeviceAccountView = {
  ...COLD,
  ordinalsDescriptor: TAPROOT,
  ordinals: {
    address: 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
    publicKey: COLD.publicKey,
    derivationPath: "m/86'/0'/0'/0/0",
  },
}

const AWAY = '/device/1.2'

/** Three signers, of which two must sign: keys of BIP-48's path below seeds of 32 equal bytes. */
const COSIGNERS = [
  '[4ba43603/48h/0h/0h/2h]xpub6DknhdAsmeDQc7uaCcTBvPM5HJ2sN2gaBmNiJJtpczK3hMQWdKeodaBUSgi9qJrMKqPLqPuNFa7egPzCn8oJ7uU1zzhgAeHvzgYpxqchsQS',
  '[8dfc9b34/48h/0h/0h/2h]xpub6FAQRNJPfe8DZextv3BwkyE9GovxWr6NPx5DFosrY4WDdAeu96gcry37PJrV9agkn2pRsLieS487vaom77nSinfuerwfz926ZaNwkjUbhdt',
  '[56c4fac3/48h/0h/0h/2h]xpub6Ewx2N9hNSArJyF35CUGhaZLuZxQPNmJzWVwmpoV9U7Xu5wqka93nd3zEzokew9MzkNV4u6TCVDkHHR6QHQuYEFaasKzWkrkncXHMXGNdZP',
] as const
const SHARED_KEYS = COSIGNERS.map(key => `${key}/<0;1>/*`).join()
const PATH = "m/48'/0'/0'/2'"

const FAMILY: MultisigAccountView = {
  id: 'd0d1d2d3d4d5d6d7d8d9dadbdcdddedf',
  name: 'Family vault',
  source: 'multisig',
  ...{ addressType: null, publicKey: null, ordinals: null, derivationPath: null, hidden: false },
  spendType: 'p2wsh 2 of 3',
  address: OTHERS[0],
  scriptPubKey: '',
  descriptor: `wsh(sortedmulti(2,${SHARED_KEYS}))`,
  signers: COSIGNERS.map(key => ({ fingerprint: key.slice(1, 9), path: PATH })),
}

const cosigning = (isOwn: boolean, ...signed: number[]): CosigningView => ({
  ...{ planId: '1', digest: '2', review: PAYMENT, psbt: PSBT, required: 2 },
  signed: signed.length,
  signers: FAMILY.signers.map((signer, at) => ({
    ...signer,
    hasSigned: signed.includes(at),
    isOwn: isOwn && at === 0,
  })),
})

const share = (answers: Answers = {}): Answers =>
  open({
    getState: value(stateWith({ accounts: [FAMILY, COLD, SEGWIT], accountId: FAMILY.id })),
    getCosigning: value(cosigning(false)),
    listCosignings: value([
      {
        ...{ planId: '1', digest: '2', at: 1_700_000_000_000, sats: '1020000', label: '' },
        ...{ required: 2, signed: 1 },
      },
      {
        ...{ planId: '3', digest: '4', at: 1_700_000_000_000, sats: '50000', label: 'Roof repair' },
        ...{ required: 2, signed: 2 },
      },
    ]),
    ...answers,
  })

const COSIGN = '/cosign/1.2'

function cosign(name: string, signed: number[], more: Partial<Shot> = {}): Shot {
  const answers = share({ getCosigning: value(cosigning(name.startsWith('own'), ...signed)) })
  return { name: `device-cosign-${name}`, path: COSIGN, answers, ...more }
}

const LOADED: LoadedPsbtView = {
  ...{ id: '1', psbt: PSBT, version: 0, unsignedTxid: '9c3e'.repeat(16), inputs: 1, outputs: 2 },
  ...{ final: 0, signed: false },
}

/** A PSBT that another signer began; the first of the signers is this wallet where it is ours. */
function psbtOfSeveral(
  name: string,
  signers: CosigningView,
  changes: Partial<LoadedPsbtReview>,
  act?: Shot['act'],
): Shot {
  const review: LoadedPsbtReview = {
    ...{ id: '1', digest: '2', review: signing(PAY), toSign: 0, given: 0, ready: false },
    ...{ cosigners: signers, ...changes },
  }
  const answers = share({ getLoadedPsbt: value(LOADED), reviewPsbt: value(review) })
  return { name: `device-several-psbt-${name}`, path: '/psbt', answers, ...(act && { act }) }
}

const [INSCRIPTION] = INSCRIPTIONS

export const shots: Shot[] = [
  connect('start', null),
  connect('start-tab', null, { surface: 'tab' }),
  connect('choose', XPUB),
  connect('choose-tab', XPUB, { surface: 'tab' }),
  connect('without-fingerprint', BARE),
  connect(
    'words',
    'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
  ),
  connect('nonsense', 'hello'),
  connect('other-network', XPUB, {
    answers: { ...OPEN, getState: value(stateWith({ network: 'signet' })) },
  }),
  connect('several', `wsh(sortedmulti(2,${SHARED_KEYS}))`),
  connect('several-tab', `wsh(sortedmulti(2,${SHARED_KEYS}))`, { surface: 'tab' }),
  { name: 'device-several-account', path: `/accounts/of/${FAMILY.id}`, answers: share() },
  { name: 'device-several-list', path: '/accounts', answers: share() },
  { name: 'device-several-cannot', path: '/inscribe', answers: share() },
  {
    name: 'device-several-home',
    answers: share({
      getOverview: value({
        balance: { confirmed: '125701546', unconfirmed: '0' },
        ...{ problem: null, activity: [], more: false, price: null },
      }),
    }),
  },
  pay('several-review', pressReview, share()),
  psbtOfSeveral('review', cosigning(true, 1), { toSign: 1 }),
  psbtOfSeveral('steps', cosigning(true, 1), { toSign: 1 }, screen =>
    screen.click('button', 'Cancel'),
  ),
  psbtOfSeveral('ready', cosigning(true, 0, 1), { given: 1, ready: true }),
  psbtOfSeveral('given', cosigning(true, 0), { given: 1 }),
  psbtOfSeveral('others', cosigning(false, 1), {}),
  {
    name: 'device-several-inscription',
    path: `/inscriptions/${INSCRIPTION?.id}`,
    answers: share({
      getInscription: value(detailOf(INSCRIPTION)),
      getInscriptionContent: { given: drawContent },
    }),
  },
  {
    name: 'device-cosign-too-many',
    path: COSIGN,
    answers: share({
      getCosigning: failing(-32000, 'Too many', {
        ...{ reason: 'TOO_MANY_PAYMENTS', most: 50, planId: '7', sats: '1020000', label: 'Rent' },
        ...{ account: 'Family vault', network: 'mainnet' },
      }),
    }),
  },
  cosign('start', []),
  cosign('one', [1]),
  cosign('ready', [1, 2]),
  cosign('own', [1]),
  cosign('own-tab', [], { surface: 'tab' }),
  cosign('tab', [0], { surface: 'tab' }),
  cosign('nothing-new', [1], {
    answers: share({
      getCosigning: value(cosigning(false, 1)),
      addCosignature: failing(-32602, 'input[0]: psbt: it has no signature', {
        ...{ problem: 'NOTHING_NEW', where: 'psbt', item: 0 },
      }),
    }),
    act: screen => giveBack(screen, PSBT),
  }),
  cosign('discard', [1], { act: screen => screen.click('button', 'Discard payment') }),
  {
    name: 'device-cosign-gone',
    path: COSIGN,
    answers: share({
      getCosigning: failing(-32000, 'This payment is not known any more.', {
        reason: 'PLAN_OUTDATED',
      }),
    }),
  },
  { name: 'device-account', path: `/accounts/of/${COLD.id}`, answers: open() },
  {
    ...{ name: 'device-account-pair', path: `/accounts/of/${BOTH.id}` },
    answers: open({ getState: value(stateWith({ accounts: [BOTH], accountId: BOTH.id })) }),
  },
  pair('used', { payment: true, ordinals: true, others: 0 }, 'Native SegWit'),
  pair('chosen', { payment: true, ordinals: true, others: 0 }, 'Native SegWit + Taproot'),
  pair('others', { payment: true, ordinals: true, others: 3 }, 'Native SegWit + Taproot', {
    surface: 'tab',
  }),
  {
    name: 'device-home',
    answers: open({
      getOverview: value({
        balance: { confirmed: '125701546', unconfirmed: '0' },
        problem: null,
        activity: [],
        more: false,
        price: null,
      }),
    }),
  },
  pay('review', pressReview),
  pay('start', goToDevice),
  pay('back', async screen => {
    await goToDevice(screen)
    await giveBack(screen, PSBT)
  }),
  pay('nonsense', async screen => {
    await goToDevice(screen)
    await giveBack(screen, 'hello')
  }),
  pay(
    'other',
    async screen => {
      await goToDevice(screen)
      await giveBack(screen, PSBT)
      await screen.clickTestId('approve')
    },
    {
      confirmPayment: failing(-32602, 'input[0]: output 0: expected', {
        ...{ problem: 'OTHER_TRANSACTION', where: 'output 0', item: 0 },
      }),
    },
  ),
  { name: 'device-pay-loading', path: AWAY, answers: open({ getDeviceTask: silent }) },
  {
    name: 'device-pay-gone',
    path: AWAY,
    answers: open({
      getDeviceTask: failing(-32000, 'This payment is not known any more.', {
        reason: 'PLAN_OUTDATED',
      }),
    }),
  },
  { name: 'device-pay-tab', path: AWAY, surface: 'tab', answers: open() },
  { name: 'device-inscribe', path: '/device/1.2.inscribe', answers: open() },
  { name: 'device-inscribe-tab', path: '/device/1.2.inscribe', surface: 'tab', answers: open() },
  {
    name: 'device-inscribe-loading',
    path: '/device/1.2.inscribe',
    answers: open({ getInscribeTask: silent }),
  },
  {
    name: 'device-inscribe-other',
    path: '/device/1.2.inscribe',
    answers: open({
      getInscribeTask: value({ task: ONE, review: INSCRIBING }),
      confirmInscribe: failing(-32602, 'input[0]: output 0: expected', {
        ...{ problem: 'OTHER_TRANSACTION', where: 'output 0', item: 0 },
      }),
    }),
    act: async screen => {
      await giveBack(screen, PSBT)
      await screen.clickTestId('approve')
    },
  },
  {
    name: 'device-inscribe-review',
    path: '/inscribe',
    answers: open({ planInscribe: value(inscribePlanOf(INSCRIBING)) }),
    act: async screen => {
      await screen.click('button', 'Text*')
      await screen.fill('textbox', 'Text', 'gm')
      await pressReview(screen)
    },
  },
  { name: 'device-psbt', path: '/device/1.2.psbt', answers: open() },
  {
    name: 'device-psbt-other',
    path: '/device/1.2.psbt',
    answers: open({
      signPsbt: failing(-32602, 'input[0]: output 0: expected', {
        ...{ problem: 'OTHER_TRANSACTION', where: 'output 0', item: 0 },
      }),
    }),
    act: async screen => {
      await giveBack(screen, PSBT)
      await screen.clickTestId('approve')
    },
  },
  approvalShot('device-approval', ONE, { account: COLD }),
  approvalShot('device-approval-message', MESSAGE, { account: COLD }),
  approvalShot('device-approval-three', THREE, { account: COLD }),
]
