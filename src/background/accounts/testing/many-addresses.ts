import * as ecc from '@bitcoinerlab/secp256k1'
import { BIP32Factory } from 'bip32'
import { mnemonicToSeedSync } from 'bip39'
import * as networks from 'bitcoinjs-lib/src/networks'
import type { AddressType } from '../../../bitcoin/address.ts'
import { encodeAddress } from '../../testing/device-wallet.ts'
import {
  draft,
  inputsOf,
  outputsOf,
  RECIPIENT,
  readBroadcast,
} from '../../testing/funded-wallet.ts'
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

const KNOWN = 80
const placesOf = new Map<AddressType, Map<string, string>>()

/** Where the account has what a transaction pays, as `branch/index`, by the same libraries; null for what it does not have. */
export function listPlacesPaid(
  world: World,
  txid: string,
  type: AddressType = 'p2wpkh',
): (string | null)[] {
  const places = placesOf.get(type) ?? new Map<string, string>()
  placesOf.set(type, places)
  if (places.size === 0)
    for (const branch of [0, 1] as const)
      for (let index = 0; index < KNOWN; index++)
        places.set(addressAt(type, branch, index), `${branch}/${index}`)
  return outputsOf(readBroadcast(world, txid)).map(
    ({ address }) => places.get(address ?? '') ?? null,
  )
}

/** The addresses for change among them. */
export function listChangePaid(world: World, txid: string, type?: AddressType): string[] {
  return listPlacesPaid(world, txid, type).filter(
    place => place !== null && place[0] === '1',
  ) as string[]
}

/**
 * The addresses for change that two transactions of the chain pay, but for those where the second one spends what the first paid: that
 * is passed on, as from each mint of a rune to the next.
 */
export function listChangePaidTwice(world: World, type?: AddressType): string[] {
  const payments = world.chain
    .list()
    .flatMap(({ txid }) =>
      listPlacesPaid(world, txid, type).flatMap((place, vout) =>
        place?.startsWith('1/') ? [{ txid, place, outpoint: `${txid}:${vout}` }] : [],
      ),
    )
  const spends = (txid: string, outpoint: string) =>
    inputsOf(readBroadcast(world, txid)).includes(outpoint)
  return payments.flatMap((one, at) =>
    payments
      .slice(at + 1)
      .filter(({ place }) => place === one.place)
      .slice(0, 1)
      .flatMap(next =>
        spends(next.txid, one.outpoint) || spends(one.txid, next.outpoint) ? [] : one.place,
      ),
  )
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
