import type { DeviceAccountView } from '../../src/background/views/account-views.ts'
import type { LoadedPsbtReview, LoadedPsbtView } from '../../src/background/views/psbt-views.ts'
import {
  otherInput,
  otherOutput,
  ownInput,
  ownOutput,
  psbtOf,
  signing,
} from '../../src/popup/testing/psbt-building.ts'
import type { Screen } from '../driver/screen.ts'
import { LISTING, PAY, SENDING } from './fixtures/psbts.ts'
import {
  type Answers,
  atWidths,
  failing,
  GERMAN,
  SEGWIT,
  type Shot,
  SILENT_SERVER,
  silent,
  stateWith,
  value,
} from './shot.ts'

const ID = '5a'.repeat(16)
const DIGEST = 'd1'.repeat(32)

const LOADED: LoadedPsbtView = {
  id: ID,
  psbt: `70736274ff${'a7'.repeat(300)}`,
  version: 0,
  unsignedTxid: '9c3e'.repeat(16),
  inputs: 2,
  outputs: 2,
  final: 0,
  signed: false,
}

const SIGNED = { ...LOADED, signed: true }

/** One input of ours, which is signed, and one of others. */
const SHARED_COST = psbtOf(
  [ownInput(600_000, { state: 'signed' }), otherInput(500_000)],
  [otherOutput(1_000_000), ownOutput(99_000)],
  { after: 'needs-others' },
)
const FOREIGN = psbtOf([otherInput(500_000)], [otherOutput(499_000)], { after: 'needs-others' })

function reviewed(
  items: Parameters<typeof signing>,
  changes: Partial<LoadedPsbtReview> = {},
): { value: LoadedPsbtReview } {
  return value({
    ...{ id: ID, digest: DIGEST, review: signing(...items), toSign: 0, given: 0, ready: false },
    cosigners: null,
    ...changes,
  })
}

const WAITING: Answers = { reviewPsbt: reviewed([PAY], { toSign: 1 }) }
const READY: Answers = {
  getLoadedPsbt: value(SIGNED),
  reviewPsbt: reviewed([PAY], { given: 1, ready: true }),
}

function shot(name: string, answers: Answers = {}, act?: Shot['act']): Shot {
  return {
    name: name === '' ? 'psbt-file' : `psbt-file-${name}`,
    path: '/psbt',
    answers: { getState: value(stateWith()), getLoadedPsbt: value(LOADED), ...answers },
    ...(act && { act }),
  }
}

/** With nothing loaded yet. */
const empty = (name: string, answers: Answers = {}, act?: Shot['act']) =>
  shot(name, { getLoadedPsbt: value(null), ...answers }, act)

const COLD: DeviceAccountView = {
  ...{ ...SEGWIT, id: 'c0c1c2c3c4c5c6c7c8c9cacbcccdcecf', name: 'Cold storage' },
  ...{ source: 'device', descriptor: null, derivationPath: "m/84'/0'/0'/0/0" },
  ...{ fingerprint: 'd34db33f', ordinalsDescriptor: null },
}

const PUSHED = SENDING.items[0]
const [WATCHED] = [
  {
    ...{ id: '0a'.repeat(16), name: 'Vault', source: 'watch' as const, addressType: null },
    ...{ address: 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3' },
    ...{ publicKey: null, descriptor: null, ordinals: null, derivationPath: null, hidden: false },
  },
]

async function open(screen: Screen, text: string): Promise<void> {
  await screen.fill('textbox', 'PSBT as text*', text)
  await screen.click('button', 'Open')
}

const PUSHING: Answers = {
  ...READY,
  reviewPsbtPush: PUSHED
    ? value({ id: ID, digest: DIGEST, review: PUSHED })
    : failing(-32603, 'Nothing'),
}

async function approvePush(screen: Screen): Promise<void> {
  await screen.click('button', 'Broadcast')
  await screen.find('heading', 'You*')
  await screen.clickTestId('approve')
}

export const shots: Shot[] = [
  empty(''),
  empty('german', GERMAN),
  empty('none', {}, async screen => {
    await open(screen, 'hello')
    await screen.waitForText('There is no PSBT in this')
  }),
  empty(
    'malformed',
    {
      loadPsbt: failing(-32602, 'psbt: PSBT input 0: PSBT_IN_WITNESS_UTXO: expected no more bytes'),
    },
    async screen => {
      await open(screen, '70736274ff00')
      await screen.waitForText('PSBT input 0')
    },
  ),
  empty(
    'too-large',
    { loadPsbt: failing(-32000, 'Too large', { reason: 'TOO_LARGE' }) },
    async screen => {
      await open(screen, '70736274ff00')
      await screen.find('alert')
    },
  ),
  shot('loading', { reviewPsbt: silent }),
  shot('review', WAITING),
  ...atWidths(shot('review', WAITING)),
  shot('review-german', { ...WAITING, ...GERMAN }),
  shot('review-open', { reviewPsbt: reviewed([LISTING], { toSign: 1 }) }),
  shot('review-device', {
    ...WAITING,
    getState: value(stateWith({ accounts: [COLD], accountId: COLD.id })),
  }),
  shot(
    'outdated',
    { ...WAITING, signPsbt: failing(-32000, 'Outdated', { reason: 'PLAN_OUTDATED' }) },
    async screen => {
      await screen.clickTestId('approve')
      await screen.waitForText('Nothing was signed')
    },
  ),
  shot('to-sign', WAITING, async screen => {
    await screen.click('button', 'Cancel')
    await screen.waitForText('It waits for your signature')
  }),
  shot('signed', {
    getLoadedPsbt: value(SIGNED),
    reviewPsbt: reviewed([SHARED_COST], { given: 1 }),
  }),
  shot(
    'closing',
    { getLoadedPsbt: value(SIGNED), reviewPsbt: reviewed([SHARED_COST], { given: 1 }) },
    async screen => {
      await screen.click('button', 'Close')
      await screen.find('dialog')
    },
  ),
  shot('signed-german', {
    ...GERMAN,
    getLoadedPsbt: value(SIGNED),
    reviewPsbt: reviewed([SHARED_COST], { given: 1 }),
  }),
  shot('ready', READY),
  shot('complete', {
    getLoadedPsbt: value({ ...SIGNED, final: 2 }),
    reviewPsbt: reviewed([PAY], { given: 1, ready: true }),
  }),
  shot('nothing', { reviewPsbt: reviewed([FOREIGN]) }),
  shot('watched', {
    getState: value(stateWith({ accounts: WATCHED ? [WATCHED] : [], accountId: '0a'.repeat(16) })),
    reviewPsbt: reviewed([FOREIGN]),
  }),
  shot('offline', { reviewPsbt: SILENT_SERVER }),
  shot('code', READY, async screen => {
    await screen.click('button', 'Show as a QR code')
    await screen.find('img', 'QR code of the PSBT*')
  }),
  shot(
    'code-large',
    { ...READY, getLoadedPsbt: value({ ...SIGNED, psbt: `70736274ff${'a7'.repeat(3_000)}` }) },
    async screen => {
      await screen.click('button', 'Show as a QR code')
      await screen.find('img', 'QR code of the PSBT*')
    },
  ),
  shot(
    'combine',
    { getLoadedPsbt: value(SIGNED), reviewPsbt: reviewed([SHARED_COST], { given: 1 }) },
    async screen => {
      await screen.click('button', 'Combine with another PSBT*')
      await screen.find('button', 'Combine')
    },
  ),
  shot(
    'not-final',
    {
      ...READY,
      finalizePsbt: failing(-32602, 'psbt: input 1 is not complete: it has no signature.'),
    },
    async screen => {
      await screen.click('button', 'Finalize*')
      await screen.waitForText('input 1 is not complete')
    },
  ),
  shot('push', PUSHING, async screen => {
    await screen.click('button', 'Broadcast')
    await screen.find('heading', 'You*')
  }),
  shot(
    'pushed',
    { ...PUSHING, pushPsbt: value({ txid: 'f4'.repeat(32), outcome: 'sent' }) },
    async screen => {
      await approvePush(screen)
      await screen.find('heading', 'Sent*')
    },
  ),
  shot(
    'push-unknown',
    { ...PUSHING, pushPsbt: value({ txid: 'f4'.repeat(32), outcome: 'unknown' }) },
    async screen => {
      await approvePush(screen)
      await screen.find('button', 'See it')
    },
  ),
]
