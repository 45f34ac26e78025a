import * as ecc from '@bitcoinerlab/secp256k1'
import { p2pkh, p2sh, p2tr, p2wpkh, TEST_NETWORK, Transaction } from '@scure/btc-signer'
import { BIP32Factory, type BIP32Interface } from 'bip32'
import * as networks from 'bitcoinjs-lib/src/networks'
import type { AddressType } from '../../bitcoin/address.ts'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { PERMISSIVE } from '../../bitcoin/testing/signature-oracle.ts'
import type { DeviceAccountView } from '../views/account-views.ts'
import type { SignOnDeviceReview } from '../views/device-views.ts'
import { SITE } from './funded-wallet.ts'
import {
  connectPage,
  createWorld,
  fund,
  nextApproval,
  startUnlocked,
  type Worker,
  type World,
} from './test-wallet.ts'

const SCRIPTS = {
  p2tr: { purpose: 86, write: (key: string) => `tr(${key})` },
  p2wpkh: { purpose: 84, write: (key: string) => `wpkh(${key})` },
  'p2sh-p2wpkh': { purpose: 49, write: (key: string) => `sh(wpkh(${key}))` },
  p2pkh: { purpose: 44, write: (key: string) => `pkh(${key})` },
} as const satisfies { [type in AddressType]: object }

/** A signer that is not this wallet: its keys by the BIP-32 library, its signatures by scure-btc-signer. */
export function createDevice(seed = new Uint8Array(32).fill(0x77)) {
  const master = BIP32Factory(ecc).fromSeed(seed, networks.regtest)
  const fingerprint = toHex(master.fingerprint)
  return {
    fingerprint,
    /** The descriptor of its first account. */
    describe(type: AddressType): string {
      const { purpose, write } = SCRIPTS[type]
      const xpub = master.derivePath(`m/${purpose}'/1'/0'`).neutered().toBase58()
      return write(`[${fingerprint}/${purpose}h/1h/0h]${xpub}/<0;1>/*`)
    },
    /** A public key at a path, with its origin, as descriptors have it. */
    keyAt(path: string): string {
      const xpub = master.derivePath(`m/${path}`).neutered().toBase58()
      return `[${fingerprint}/${path.replaceAll("'", 'h')}]${xpub}`
    },
    /** An address of its first account, as scure-btc-signer writes it. */
    addressAt(type: AddressType, branch: 0 | 1, index: number): string {
      return encodeAddress(type, this.publicKeyAt(type, branch, index))
    },
    /** 33 bytes, at a path below its master key. */
    publicKeyAtPath(path: string): Uint8Array {
      return master.derivePath(`m/${path}`).publicKey
    },
    /** The same of an address of its first account. */
    publicKeyAt(type: AddressType, branch: 0 | 1, index: number): Uint8Array {
      const { purpose } = SCRIPTS[type]
      return master.derivePath(`m/${purpose}'/1'/0'/${branch}/${index}`).publicKey
    },
    /** Child numbers from its master key. */
    pathOf(type: AddressType, branch: 0 | 1, index: number): number[] {
      return [SCRIPTS[type].purpose, 1, 0].map(step => step + 0x80000000).concat(branch, index)
    },
    /** Signs as a device does: with the keys that a PSBT says are its own, if they are. */
    sign(psbt: string): Transaction {
      const transaction = Transaction.fromPSBT(fromHex(psbt), PERMISSIVE)
      for (let at = 0; at < transaction.inputsLength; at++) {
        const { bip32Derivation, tapBip32Derivation, sighashType } = transaction.getInput(at)
        const origins = [
          ...(bip32Derivation ?? []).map(([key, origin]) => ({ key, origin })),
          ...(tapBip32Derivation ?? []).map(([key, { der }]) => ({ key, origin: der })),
        ]
        for (const { key, origin } of origins) {
          if (origin.fingerprint !== Number.parseInt(fingerprint, 16)) continue
          let node: BIP32Interface = master
          for (const step of origin.path) node = node.derive(step)
          const own = node.publicKey.slice(33 - key.length)
          if (toHex(own) !== toHex(key) || !node.privateKey) continue
          transaction.signIdx(node.privateKey, at, [sighashType ?? (key.length === 32 ? 0 : 1)])
        }
      }
      return transaction
    },
    /** What comes back for all tasks of a round, as our pages hand it in. */
    signAll({ tasks }: SignOnDeviceReview): string {
      return JSON.stringify(tasks.map(({ psbt }) => toHex(this.sign(psbt).toPSBT(0))))
    },
  }
}

/** As scure-btc-signer writes it, on regtest. */
export function encodeAddress(type: AddressType, publicKey: Uint8Array): string {
  const regtest = { ...TEST_NETWORK, bech32: 'bcrt' }
  const spends = {
    p2tr: () => p2tr(publicKey.slice(1), undefined, regtest),
    p2wpkh: () => p2wpkh(publicKey, regtest),
    'p2sh-p2wpkh': () => p2sh(p2wpkh(publicKey, regtest), regtest),
    p2pkh: () => p2pkh(publicKey, regtest),
  }
  const { address } = spends[type]()
  if (address === undefined) throw new Error(`no address of ${type}`)
  return address
}

export type Device = ReturnType<typeof createDevice>

/** Adds the account of a device and puts it in use. */
export async function addDevice(worker: Worker, device: Device, type: AddressType) {
  const descriptor = device.describe(type)
  const account = await worker.ui('addDevice', { descriptor, name: 'Cold' })
  await worker.ui('selectAccount', { accountId: account.id })
  return account as DeviceAccountView
}

/** Adds an account of a device with payments on SegWit and ordinals on Taproot and puts it in use. */
export async function addPairedDevice(
  worker: Worker,
  device: Device,
  type: 'p2wpkh' | 'p2sh-p2wpkh' = 'p2wpkh',
) {
  const [descriptor, ordinals] = [device.describe(type), device.describe('p2tr')]
  const account = await worker.ui('addDevice', { descriptor, ordinals, name: 'Cold' })
  await worker.ui('selectAccount', { accountId: account.id })
  return account as DeviceAccountView
}

/** A wallet whose account in use is such a one and has these coins for payments, and a page that is connected to it. */
export async function startPairedOnDevice(
  type: 'p2wpkh' | 'p2sh-p2wpkh' = 'p2wpkh',
  ...coins: bigint[]
) {
  const world: World = createWorld()
  const worker = await startUnlocked(world)
  const device = createDevice()
  const account = await addPairedDevice(worker, device, type)
  const txids = coins.map(sats => fund(world, account.address, sats))
  const holding = account.ordinals?.address ?? ''
  return { world, worker, device, account, holding, txids, page: await connectPage(worker, SITE) }
}

/** Approves what a site asks, and has it signed by the device; resolves what was shown of that. */
export async function approveOnDevice(
  worker: Worker,
  device: Pick<Device, 'signAll'>,
  kind: string,
): Promise<SignOnDeviceReview> {
  const asked = await nextApproval(worker, kind)
  await worker.ui('decide', { key: asked.key, digest: asked.digest, decision: 'approve' })
  const { key, digest, review } = await nextApproval(worker, 'sign-on-device')
  if (review.kind !== 'sign-on-device') throw new Error('another question')
  await worker.ui('decide', { key, digest, decision: 'approve', input: device.signAll(review) })
  return review
}

/** Has a payment that was planned signed by the device, and sends it. */
export async function payOnDevice(
  worker: Worker,
  device: Pick<Device, 'signAll'>,
  { planId, digest }: { planId: string; digest: string },
) {
  const { task } = await worker.ui('getDeviceTask', { planId, digest })
  const returned = device.signAll(task)
  return { ...(await worker.ui('confirmPayment', { planId, digest, returned })), task }
}

/** A wallet whose account in use is on a device and has these coins, and a page that is connected to it. */
export async function startOnDevice(type: AddressType, ...coins: bigint[]) {
  const world: World = createWorld()
  const worker = await startUnlocked(world)
  const device = createDevice()
  const account = await addDevice(worker, device, type)
  const txids = coins.map(sats => fund(world, account.address, sats))
  return { world, worker, device, account, txids, page: await connectPage(worker, SITE) }
}

/** Has a plan of an inscribing, or of a change of one, signed by the device, and confirms it. */
export async function inscribeOnDevice(
  worker: Worker,
  device: Pick<Device, 'signAll'>,
  { planId, digest }: { planId: string; digest: string },
): Promise<{ jobId: string; rounds: number }> {
  const { task } = await worker.ui('getInscribeTask', { planId, digest })
  const returned = task === null ? {} : { returned: device.signAll(task) }
  const { jobId } = await worker.ui('confirmInscribe', { planId, digest, ...returned })
  return { jobId, rounds: task?.tasks.length ?? 0 }
}
