import * as ecc from '@bitcoinerlab/secp256k1'
import { BIP32Factory } from 'bip32'
import { mnemonicToSeedSync } from 'bip39'
import * as networks from 'bitcoinjs-lib/src/networks'
import type { AddressType } from '../../../bitcoin/address.ts'
import { encodeAddress } from '../../testing/device-wallet.ts'
import { draft, RECIPIENT } from '../../testing/funded-wallet.ts'
import {
  ABANDON_MNEMONIC,
  createWorld,
  startUnlocked,
  type Worker,
  type World,
} from '../../testing/test-wallet.ts'

export const MASTER = BIP32Factory(ecc).fromSeed(
  mnemonicToSeedSync(ABANDON_MNEMONIC),
  networks.regtest,
)
export const PURPOSES = { p2tr: 86, p2wpkh: 84, 'p2sh-p2wpkh': 49, p2pkh: 44 } as const

/** Addresses of the test phrase's first accounts, by the BIP-32 library and scure-btc-signer. */
export function addressAt(type: AddressType, branch: 0 | 1, index: number): string {
  const path = `m/${PURPOSES[type]}'/1'/0'/${branch}/${index}`
  return encodeAddress(type, MASTER.derivePath(path).publicKey)
}

export async function startWithMany(
  type: 'p2tr' | 'p2wpkh' = 'p2wpkh',
  world: World = createWorld(),
) {
  const worker = await startUnlocked(world)
  const { accounts } = await worker.ui('getState', null)
  const account = accounts.find(({ addressType }) => addressType === type)
  if (!account) throw new Error('No account')
  await worker.ui('selectAccount', { accountId: account.id })
  await worker.ui('setManyAddresses', { accountId: account.id, on: true })
  return { world, worker, account }
}

export async function pay(worker: Worker, sats: string, more: Parameters<typeof draft>[0] = {}) {
  const recipients = [{ to: RECIPIENT, sats }]
  const { planId, digest, review } = await worker.ui('planPayment', draft({ recipients, ...more }))
  const { txid } = await worker.ui('confirmPayment', { planId, digest })
  return { txid, review }
}

/** What has changed on the server is asked about again at once. */
export function wait(world: World): void {
  world.clock.now += 5_000
}

export const receiveAddress = (worker: Worker) => worker.ui('getReceiveAddress', { after: null })
export const nextReceiveAddress = async (worker: Worker) =>
  worker.ui('getReceiveAddress', { after: (await receiveAddress(worker)).index })
export const balance = async (worker: Worker) => (await worker.ui('getOverview', null)).balance
