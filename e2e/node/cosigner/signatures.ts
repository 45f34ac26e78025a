import { Transaction } from '@scure/btc-signer'
import { equalBytes, fromHex, toHex } from '../../../src/bitcoin/bytes.ts'
import { encodePushes } from '../../../src/bitcoin/script.ts'
import {
  hashIndependently,
  PERMISSIVE,
  verifyIndependently,
} from '../../../src/bitcoin/testing/signature-oracle.ts'
import { type Coin, encodeRaw } from './coins.ts'
import type { DraftItem } from './drafts.ts'

/** A signature of the wallet: for which input of which transaction it was made, and the digest that it signs. */
export type OwnSignature = {
  request: number
  item: number
  index: number
  coin: Coin
  sighash: number
  digest: string
  bytes: Uint8Array
}

/** A transaction whose inputs are known. */
export type Hashable = {
  inputs: readonly {
    coin: Pick<Coin, 'outpoint' | 'amount' | 'script'> | null
    sequence?: number
  }[]
  outputs: readonly { script: Uint8Array; amount: bigint }[]
}

/** For the independent library. */
export function toTransaction({ inputs, outputs }: Hashable): Transaction {
  const spends = inputs.map(({ coin, sequence }, at) => ({
    ...(coin?.outpoint ?? { txid: '00'.repeat(32), vout: at }),
    ...(sequence !== undefined && { sequence }),
  }))
  return Transaction.fromRaw(encodeRaw(spends, outputs), PERMISSIVE)
}

/** What a signature of this input signs, by an independent library; null where the sighash has no digest. */
export function digestOf(
  transaction: Transaction,
  prevouts: readonly { scriptPubKey: Uint8Array; amount: bigint }[],
  index: number,
  { signed }: Coin,
  sighash: number,
): string | null {
  if (!signed) return null
  if ((sighash & 3) === 3 && index >= transaction.outputsLength) return null
  return toHex(hashIndependently(transaction, prevouts, index, signed, sighash))
}

/** The wallet's new signatures in what came back; `known` are the bytes of earlier ones. Each is verified. */
export function readSignatures(
  hex: string,
  { inputs, outputs }: DraftItem,
  known: ReadonlySet<string>,
): Omit<OwnSignature, 'request' | 'item'>[] {
  const signed = Transaction.fromPSBT(fromHex(hex), PERMISSIVE)
  const transaction = toTransaction({ inputs, outputs })
  const believed = inputs.map(({ coin }) => ({
    scriptPubKey: coin?.claim.script ?? new Uint8Array(),
    amount: coin?.claim.amount ?? 0n,
  }))
  return inputs.flatMap(({ coin }, index) => {
    const bytes = coin?.signed ? findSignature(signed, index, coin) : null
    if (!coin?.signed || !bytes || known.has(toHex(bytes))) return []
    const isTaproot = coin.signed.scheme === 'taproot'
    const sighash = isTaproot ? (bytes[64] ?? 0) : (bytes.at(-1) ?? 0)
    const digest = digestOf(transaction, believed, index, coin, sighash)
    if (
      digest === null ||
      !verifyIndependently(transaction, believed, index, coin.signed, sighash, bytes)
    )
      throw new Error(`input ${index}: the wallet's signature is not for this transaction`)
    return { index, coin, sighash, digest, bytes }
  })
}

function findSignature(psbt: Transaction, index: number, { signed }: Coin): Uint8Array | null {
  const { tapKeySig, tapScriptSig = [], partialSig = [] } = psbt.getInput(index)
  if (!signed) return null
  if (signed.scheme !== 'taproot')
    return partialSig.find(([key]) => equalBytes(key, signed.publicKey))?.[1] ?? null
  if (!signed.leaf) return tapKeySig ?? null
  return tapScriptSig.find(([{ pubKey }]) => equalBytes(pubKey, signed.publicKey))?.[1] ?? null
}

/** The fields in which a PSBT carries this signature. */
export function fieldsOf({ coin: { signed }, bytes }: OwnSignature) {
  if (!signed || (signed.scheme === 'taproot' && signed.leaf)) return {}
  return signed.scheme === 'taproot'
    ? { tapKeySig: bytes }
    : { partialSig: [[signed.publicKey, bytes]] as [Uint8Array, Uint8Array][] }
}

/** The scriptSig of an input with this signature. */
export function scriptSigOf(coin: Coin, signature: OwnSignature | undefined): Uint8Array {
  const { signed } = coin
  if (coin.kind !== 'p2pkh' || !signed || !signature) return coin.scriptSig
  return encodePushes([signature.bytes, signed.publicKey])
}
