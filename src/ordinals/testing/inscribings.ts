import fc from 'fast-check'
import type { AddressType } from '../../bitcoin/address.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { fund } from '../../bitcoin/testing/funding.ts'
import { privateKeys } from '../../bitcoin/testing/keys.ts'
import { ADDRESS_TYPES } from '../../bitcoin/testing/spending.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import type { EnvelopeContent } from '../inscriptions/envelope-script.ts'
import { buildInscribing, type Inscribing } from '../inscriptions/inscribing.ts'
import type { AccountKeys } from '../inscriptions/reveal.ts'
import { noise } from './noise.ts'

/** Of whom, what, and on what terms; the coins suffice. */
export const situations = fc.record({
  key: privateKeys,
  addressType: fc.constantFrom(...ADDRESS_TYPES),
  amounts: fc.array(fc.bigInt({ min: 100_000n, max: 900_000n }), { minLength: 3, maxLength: 6 }),
  items: fc.array(
    fc
      .tuple(fc.constantFrom('text/plain', 'image/png'), fc.nat({ max: 1200 }), fc.nat())
      .map(([contentType, size, seed]) => ({ contentType, body: noise(size, seed) })),
    { minLength: 1, maxLength: 4 },
  ),
  postage: fc.constantFrom(546n, 10_000n),
  hasParent: fc.boolean(),
  feeRate: fc.integer({ min: 100, max: 20_000 }).map(milli => milli / 1000),
  seed: fc.string(),
})

export type Situation = typeof situations extends fc.Arbitrary<infer T> ? T : never

/** An account of one address. */
export function accountOf(privateKey: Uint8Array, addressType: AddressType): AccountKeys {
  const own = { publicKey: publicKeyOf(privateKey), addressType }
  return { own, keys: [{ privateKey, addressType }] }
}

/** An account with coins, and what is laid out for it; the parent is of another transaction, which its signature needs not. */
export function layOut(situation: Situation) {
  const { key, addressType, amounts, hasParent, ...rest } = situation
  const account = accountOf(key, addressType)
  const { own } = account
  const { utxos, previous } = fund(key, addressType, amounts)
  const [coin] = fund(key, addressType, [1_234n], 5_000).utxos
  const parent = hasParent && coin ? { id: `${coin.txid}i0`, coin } : null
  const inscribing = buildInscribing({ ...rest, parent, utxos, own })
  return { inscribing, own, account, utxos, previous, parent }
}

export const TEXTS: EnvelopeContent[] = ['hello', 'world'].map(text => ({
  contentType: 'text/plain;charset=utf-8',
  body: new TextEncoder().encode(text),
}))

/** The inputs of a transaction with what they hold, taken from the transactions that made them and from coins. */
export function spentBy(
  rawTx: Uint8Array,
  made: readonly Uint8Array[],
  coins: readonly { txid: string; vout: number; amount: bigint }[],
) {
  const parents = made.map(parseTransaction)
  return parseTransaction(rawTx).inputs.map(({ txid, vout }) => {
    const output =
      parents.find(parent => parent.txid === txid)?.outputs[vout] ??
      coins.find(coin => coin.txid === txid && coin.vout === vout)
    if (!output) throw new Error(`nobody made ${txid}:${vout}`)
    return { txid, vout, amount: output.amount }
  })
}

/** Inputs less outputs, in sats. */
export function feeOf(inputs: readonly { amount: bigint }[], rawTx: Uint8Array): bigint {
  const sum = (coins: readonly { amount: bigint }[]) => coins.reduce((n, c) => n + c.amount, 0n)
  return sum(inputs) - sum(parseTransaction(rawTx).outputs)
}

/** The leaves' scripts, to tell whether two are of the same contents and key. */
export function leavesOf({ reveals }: Inscribing): Uint8Array[] {
  return reveals.map(({ leaf }) => leaf)
}
