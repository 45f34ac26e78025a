import type { AddressType } from '../address.ts'
import { fromHex } from '../bytes.ts'
import { publicKeyOf } from '../secp256k1.ts'
import type { Utxo } from '../utxo.ts'
import { fundingTransaction, spendOf } from './spending.ts'

/** Scripts of others, one of each kind that can be paid. */
export const RECIPIENT_SCRIPTS = [
  `0014${'11'.repeat(20)}`,
  `0020${'22'.repeat(32)}`,
  `5120${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}`,
  `a914${'33'.repeat(20)}87`,
  `76a914${'44'.repeat(20)}88ac`,
].map(fromHex)

/** Confirmed coins of a key in transactions of their own, as a wallet would fetch them; `from` makes their txids others. */
export function fund(key: Uint8Array, type: AddressType, amounts: readonly bigint[], from = 0) {
  const { script } = spendOf(type, publicKeyOf(key))
  const previous = new Map<string, Uint8Array>()
  const utxos = amounts.map((amount, i): Utxo => {
    const decoy = { script: fromHex('51'), amount: 7n }
    const outputs = i % 2 === 0 ? [{ script, amount }] : [decoy, { script, amount }]
    const { raw, txid } = fundingTransaction(outputs, from + i + 1)
    previous.set(txid, raw)
    return { txid, vout: i % 2, amount, scriptPubKey: script, height: 100 }
  })
  return { utxos, previous }
}

/** Sats of all of them. */
export function sumOf(coins: readonly { amount: bigint }[]): bigint {
  return coins.reduce((total, { amount }) => total + amount, 0n)
}
