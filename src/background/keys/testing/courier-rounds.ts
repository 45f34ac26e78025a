// What goes to a device in one round: payments, PSBTs of sites and of the person, and commits, each up to the point where the answer of the
// device is awaited, and what the wallet lets out when it takes one.

import { Transaction } from '@scure/btc-signer'
import { fromHex, toHex } from '../../../bitcoin/bytes.ts'
import { PERMISSIVE } from '../../../bitcoin/testing/signature-oracle.ts'
import { ADDRESS_TYPES, spendOf } from '../../../bitcoin/testing/spending.ts'
import { credit, sendDraft } from '../../inscribing/testing/delivery-world.ts'
import { readShown } from '../../inscribing/testing/device-answers.ts'
import { etchingDraft } from '../../inscribing/testing/etching-world.ts'
import { textDraft } from '../../inscribing/testing/job-world.ts'
import { startOnDevice, startPairedOnDevice } from '../../testing/device-wallet.ts'
import { draft, RECIPIENT, REGTEST } from '../../testing/funded-wallet.ts'
import { fund, nextApproval } from '../../testing/test-wallet.ts'
import type { SignOnDeviceReview } from '../../views/device-views.ts'

type Started = Omit<Awaited<ReturnType<typeof startOnDevice>>, 'page'>
type AddressType = Started['account']['addressType']
type Page = Awaited<ReturnType<typeof startOnDevice>>['page']
type PaymentType = Extract<AddressType, 'p2wpkh' | 'p2sh-p2wpkh'>

/** A round whose answer is awaited. */
export type Round = Pick<Started, 'world' | 'worker' | 'device' | 'account'> & {
  task: SignOnDeviceReview
  /** Hands an answer in. Rejects where it is refused; resolves the transactions that the wallet let out, task by task. */
  give: (returned: string) => Promise<Uint8Array[]>
  /** What is broadcast besides, in its order among all: places of the tasks’ own transactions. */
  places: readonly number[]
}

export type Scenario = { name: string; start: () => Promise<Round> }

const COINS = [50_000n, 40_000n]
const PAYMENT_TYPES: readonly PaymentType[] = ['p2wpkh', 'p2sh-p2wpkh']

async function startPayment(type: AddressType): Promise<Round> {
  const started = await startOnDevice(type, ...COINS)
  const { worker } = started
  const recipients = [{ to: RECIPIENT, sats: '60000' }]
  const { planId, digest } = await worker.ui('planPayment', draft({ recipients }))
  const { task } = await worker.ui('getDeviceTask', { planId, digest })
  return {
    ...{ ...started, task, places: [0] },
    async give(returned) {
      await worker.ui('confirmPayment', { planId, digest, returned })
      return listBroadcast(started)
    },
  }
}

/** A fee bump of a payment that the device has signed before. */
async function startBump(type: AddressType): Promise<Round> {
  const first = await startPayment(type)
  const { worker, device, task: paid } = first
  await first.give(device.signAll(paid))
  const { txid } = (await worker.ui('getActivity', { offset: 0, limit: 1 })).entries[0] ?? {}
  if (!txid) throw new Error('nothing was sent')
  const asked = { txid, kind: 'speed-up' as const, feeRate: 20 }
  const { planId, digest } = await worker.ui('planBump', asked)
  const { task } = await worker.ui('getDeviceTask', { planId, digest })
  first.world.chain.broadcasts.length = 0
  return {
    ...{ ...first, task, places: [0] },
    async give(returned) {
      await worker.ui('confirmPayment', { planId, digest, returned })
      return listBroadcast(first)
    },
  }
}

async function startBrought(type: AddressType): Promise<Round> {
  const started = await startOnDevice(type, ...COINS)
  const { worker } = started
  const { id } = await worker.ui('loadPsbt', { psbt: buildPsbt(started) })
  const { digest } = await worker.ui('reviewPsbt', { id })
  const { task } = await worker.ui('getPsbtTask', { id, digest })
  return {
    ...{ ...started, task, places: [0] },
    async give(returned) {
      await worker.ui('signPsbt', { id, digest, returned })
      await worker.ui('finalizePsbt', { id })
      const push = await worker.ui('reviewPsbtPush', { id })
      await worker.ui('pushPsbt', { id, digest: push.digest })
      return listBroadcast(started)
    },
  }
}

async function startSite(type: AddressType, listing: boolean): Promise<Round> {
  const started = await startOnDevice(type, ...(listing ? COINS.slice(0, 1) : COINS))
  const { address } = started.account
  const sighash = listing ? 0x83 : undefined
  const toSignInputs = [{ index: 0, address, sighashTypes: [0x83] }]
  const options = listing ? { toSignInputs } : ({ broadcast: true } as const)
  return askAsSite(started, buildPsbt(started, sighash), options)
}

async function askAsSite(
  started: Started & { page: Page },
  psbt: string,
  options: { toSignInputs: object[] } | { broadcast: true },
): Promise<Round> {
  const { worker, page } = started
  const answer = page.call('signPsbt', psbt, options)
  const { key, digest } = await nextApproval(worker, 'sign-psbt')
  await worker.ui('decide', { key, digest, decision: 'approve' })
  const asked = await nextApproval(worker, 'sign-on-device')
  return {
    ...{ ...started, task: readShown(asked.review), places: [0] },
    async give(input) {
      const { key, digest } = asked
      await worker.ui('decide', { key, digest, decision: 'approve', input })
      const response = await answer
      if (!('result' in response)) throw new Error(JSON.stringify(response))
      if ('broadcast' in options) return listBroadcast(started)
      return [Transaction.fromPSBT(fromHex(String(response.result)), PERMISSIVE).extract()]
    },
  }
}

/** Of an account of two keys: an inscription on Taproot goes away, and SegWit pays for it. */
async function startTransfer(type: PaymentType): Promise<Round> {
  const started = await startPairedOnDevice(type, ...COINS)
  const { world, worker, holding } = started
  const id = world.assets.inscribe(`${fund(world, holding, 546n)}:0`, { body: 'one' })
  const order = { ids: [id], to: RECIPIENT, feeRate: 2, label: '' }
  const { planId, digest } = await worker.ui('planTransfer', order)
  const { task } = await worker.ui('getDeviceTask', { planId, digest })
  return {
    ...{ ...started, task, places: [0] },
    async give(returned) {
      await worker.ui('confirmPayment', { planId, digest, returned })
      return listBroadcast(started)
    },
  }
}

/** Of such an account: a PSBT of a site that spends from both. */
async function startMixedSite(type: PaymentType): Promise<Round> {
  const started = await startPairedOnDevice(type, ...COINS.slice(0, 1))
  const { world, device, account, holding, txids } = started
  const psbt = new Transaction()
  const publicKey = toHex(device.publicKeyAt('p2tr', 0, 0))
  const taproot = { addressType: 'p2tr', publicKey } as const
  addCoin(psbt, world, taproot, fund(world, holding, 20_000n), 20_000n)
  addCoin(psbt, world, account, txids[0] ?? '', COINS[0] ?? 0n)
  psbt.addOutputAddress(RECIPIENT, 45_000n, REGTEST)
  psbt.addOutputAddress(account.address, 22_000n, REGTEST)
  return askAsSite(started, toHex(psbt.toPSBT(0)), { broadcast: true })
}

async function startInscribing(
  type: AddressType,
  what: 'texts' | 'rune' | 'tokens',
): Promise<Round> {
  const started = await startOnDevice(type, ...COINS)
  const { worker } = started
  if (what === 'tokens') credit(started)
  const { planId, digest } = await {
    texts: () => worker.ui('planInscribe', textDraft(['one', 'two'])),
    rune: () => worker.ui('planRuneEtching', etchingDraft()),
    tokens: () => worker.ui('planBrc20Send', sendDraft()),
  }[what]()
  const { task } = await worker.ui('getInscribeTask', { planId, digest })
  if (!task) throw new Error('nothing for the device')
  return {
    ...{ ...started, task, places: what === 'tokens' ? [0, 2] : [0] },
    async give(returned) {
      await worker.ui('confirmInscribe', { planId, digest, returned })
      return listBroadcast(started)
    },
  }
}

/** What the chain took, in this order. */
function listBroadcast({ world: { chain } }: Pick<Started, 'world'>): Uint8Array[] {
  return chain.broadcasts.map(txid => chain.get(txid) ?? new Uint8Array())
}

/** A PSBT as a marketplace or another wallet makes it, of all coins, each of which is proven. */
function buildPsbt({ world, account, txids }: Started, sighash?: number): string {
  const psbt = new Transaction()
  for (const [at, txid] of txids.entries())
    addCoin(psbt, world, account, txid, COINS[at] ?? 0n, sighash)
  psbt.addOutputAddress(RECIPIENT, 45_000n, REGTEST)
  if (txids.length > 1) psbt.addOutputAddress(account.address, 42_000n, REGTEST)
  return toHex(psbt.toPSBT(0))
}

function addCoin(
  psbt: Transaction,
  { chain }: Started['world'],
  { addressType, publicKey: hex }: Pick<Started['account'], 'addressType' | 'publicKey'>,
  txid: string,
  amount: bigint,
  sighash?: number,
): void {
  const publicKey = fromHex(hex)
  const { script, ...spend } = spendOf(addressType, publicKey)
  psbt.addInput({
    ...{ txid: fromHex(txid), index: 0 },
    nonWitnessUtxo: chain.get(txid) ?? new Uint8Array(),
    ...(addressType !== 'p2pkh' && { witnessUtxo: { script, amount } }),
    ...('redeemScript' in spend && { redeemScript: spend.redeemScript }),
    ...(addressType === 'p2tr' && { tapInternalKey: publicKey.slice(1) }),
    ...(sighash !== undefined && { sighashType: sighash }),
  })
}

/** A PSBT that the device has signed for something else, of a coin of the same account. */
export function signSomethingElse({ world, account, device }: Round): Uint8Array {
  const txid = fund(world, account.address, 31_000n)
  const publicKey = fromHex(account.publicKey)
  const { script, ...spend } = spendOf(account.addressType, publicKey)
  const psbt = new Transaction()
  const origin = {
    fingerprint: Number.parseInt(device.fingerprint, 16),
    path: device.pathOf(account.addressType, 0, 0),
  }
  psbt.addInput({
    ...{ txid: fromHex(txid), index: 0 },
    nonWitnessUtxo: world.chain.get(txid) ?? new Uint8Array(),
    ...(account.addressType !== 'p2pkh' && { witnessUtxo: { script, amount: 31_000n } }),
    ...('redeemScript' in spend && { redeemScript: spend.redeemScript }),
    ...(account.addressType === 'p2tr'
      ? {
          tapInternalKey: publicKey.slice(1),
          tapBip32Derivation: [[publicKey.slice(1), { hashes: [], der: origin }]],
        }
      : { bip32Derivation: [[publicKey, origin]] }),
  })
  psbt.addOutputAddress(RECIPIENT, 30_000n, REGTEST)
  return device.sign(toHex(psbt.toPSBT(0))).toPSBT(0)
}

const ofTypes = (
  name: string,
  types: readonly AddressType[],
  start: (type: AddressType) => Promise<Round>,
): Scenario[] => types.map(type => ({ name: `${name}, ${type}`, start: () => start(type) }))

export const SCENARIOS: readonly Scenario[] = [
  ...ofTypes('a payment', ADDRESS_TYPES, startPayment),
  ...ofTypes('a fee bump', ['p2wpkh', 'p2tr'], startBump),
  ...ofTypes('a PSBT of the person', ADDRESS_TYPES, startBrought),
  ...ofTypes('a PSBT of a site', ADDRESS_TYPES, type => startSite(type, false)),
  ...ofTypes('a listing of a site', ['p2wpkh', 'p2tr'], type => startSite(type, true)),
  ...ofTypes('a commit', ADDRESS_TYPES, type => startInscribing(type, 'texts')),
  ...ofTypes('a commit of a rune', ['p2wpkh', 'p2tr'], type => startInscribing(type, 'rune')),
  ...ofTypes('a commit and a delivery', ['p2wpkh', 'p2tr'], type =>
    startInscribing(type, 'tokens'),
  ),
  ...PAYMENT_TYPES.flatMap((type): Scenario[] => [
    { name: `an inscription of an account of two keys, ${type}`, start: () => startTransfer(type) },
    { name: `a PSBT of a site with both keys, ${type}`, start: () => startMixedSite(type) },
  ]),
]
