import { sha256 } from '@noble/hashes/sha2.js'
import { p2pkh, p2sh, p2tr, p2wpkh, RawTx } from '@scure/btc-signer'
import type { AddressType } from '../address.ts'
import { toHex } from '../bytes.ts'

export const ADDRESS_TYPES = ['p2tr', 'p2wpkh', 'p2sh-p2wpkh', 'p2pkh'] as const

/** What an independent library needs to spend an output of a key; `script` is its scriptPubKey. */
export function spendOf(type: AddressType, publicKey: Uint8Array) {
  if (type === 'p2tr') return p2tr(publicKey.slice(1))
  if (type === 'p2pkh') return p2pkh(publicKey)
  return type === 'p2wpkh' ? p2wpkh(publicKey) : p2sh(p2wpkh(publicKey))
}

/** A transaction with these outputs that spends an invented one; raw and with its txid, by an independent library. */
export function fundingTransaction(
  outputs: readonly { script: Uint8Array; amount: bigint }[],
  seed: number,
): { raw: Uint8Array; txid: string } {
  const raw = RawTx.encode({
    version: 2,
    segwitFlag: false,
    inputs: [
      {
        txid: Uint8Array.from({ length: 32 }, (_, i) => (seed >> (8 * (i % 4))) & 0xff),
        index: 0,
        finalScriptSig: new Uint8Array(),
        sequence: 0,
      },
    ],
    outputs: [...outputs],
    witnesses: undefined,
    lockTime: 0,
  })
  return { raw, txid: toHex(sha256(sha256(raw)).reverse()) }
}
