import { BufferReader, BufferWriter } from 'bitcoinjs-lib/src/bufferutils'
import { sha256 } from 'bitcoinjs-lib/src/crypto'
import { Transaction } from 'bitcoinjs-lib/src/transaction'
import { type AddressType, type ParsedAddress, scriptPubKeyOf } from '../address.ts'
import { concatBytes, equalBytes, toBase64, toUtf8 } from '../bytes.ts'
import { publicKeyOf } from '../secp256k1.ts'
import { nestedScriptSig, signInputs } from '../signing/input-signature.ts'
import { decodeTransaction, type TransactionOutput } from '../transaction.ts'
import type { SignedMessage } from './message-scripts.ts'
import { parseProofOfFunds } from './proof-of-funds.ts'

const OP_RETURN = 0x6a

/** BIP-322 "simple" without prefix: base64 of the witness stack. */
export function signSimple(
  message: Uint8Array,
  privateKey: Uint8Array,
  addressType: AddressType,
  auxRand?: Uint8Array,
): string {
  const toSign = signToSign(message, privateKey, addressType, auxRand)
  return toBase64(encodeWitness(toSign.ins[0]?.witness ?? []))
}

/** BIP-322 "full" without prefix: base64 of the signed to_sign transaction. */
export function signFull(
  message: Uint8Array,
  privateKey: Uint8Array,
  addressType: AddressType,
): string {
  return toBase64(signToSign(message, privateKey, addressType).toBuffer())
}

/** What a witness stack signs; null for other bytes. */
export function readSimple(
  message: Uint8Array,
  signature: Uint8Array,
  address: ParsedAddress,
): SignedMessage | null {
  const witness = decodeWitness(signature)
  if (!witness) return null
  const toSpend = buildToSpend(message, address.scriptPubKey)
  const toSign = buildToSign(toSpend)
  toSign.setWitness(0, witness)
  // Without a prefix the format is the one before version 2 of BIP-322, which let P2SH-P2WPKH be signed like this too.
  const [, publicKey] = witness
  if (address.type === 'p2sh' && publicKey) toSign.setInputScript(0, nestedScriptSig(publicKey))
  return { format: 'simple', toSign, prevouts: [challengeOf(address)], coins: [] }
}

/** What a serialised to_sign transaction signs; the kind of fault of one that is none, or another. */
export function readFull(
  message: Uint8Array,
  signature: Uint8Array,
  address: ParsedAddress,
): SignedMessage | 'encoding' | 'transaction' | 'coins' {
  let toSign: Transaction
  try {
    toSign = decodeTransaction(signature)
  } catch {
    return 'encoding'
  }
  if (!isToSign(toSign, message, address)) return 'transaction'
  // What further inputs spend is said by a PSBT alone.
  if (toSign.ins.length > 1) return 'coins'
  return { format: 'full', toSign, prevouts: [challengeOf(address)], coins: [] }
}

/** The same for the finalized PSBT of a proof of funds. */
export function readProofOfFunds(
  message: Uint8Array,
  signature: Uint8Array,
  address: ParsedAddress,
): SignedMessage | 'encoding' | 'transaction' | 'coins' {
  const challenge = challengeOf(address)
  const proof = parseProofOfFunds(signature, challenge)
  if (!proof) return 'encoding'
  const { toSign, coins } = proof
  if (!isToSign(toSign, message, address)) return 'transaction'
  if (!coins) return 'coins'
  return { format: 'proof-of-funds', toSign, prevouts: [challenge, ...coins], coins }
}

/** What a signature's first input spends. */
function challengeOf({ scriptPubKey }: ParsedAddress): TransactionOutput {
  return { scriptPubKey, amount: 0n }
}

/** Whether a transaction spends the output of to_spend first, and has the one output of to_sign. */
function isToSign(toSign: Transaction, message: Uint8Array, address: ParsedAddress): boolean {
  const toSpend = buildToSpend(message, address.scriptPubKey)
  const [input] = toSign.ins
  const [output, ...otherOutputs] = toSign.outs
  if (!input || !output || otherOutputs.length > 0) return false
  if (!equalBytes(input.hash, toSpend.getHash(false)) || input.index !== 0) return false
  return output.value === 0n && equalBytes(output.script, Uint8Array.of(OP_RETURN))
}

/** BIP-340 tagged hash of the message. */
export function hashMessage(message: Uint8Array): Uint8Array {
  const tag = sha256(toUtf8('BIP0322-signed-message'))
  return sha256(concatBytes(tag, tag, message))
}

/** The virtual transaction whose one output the signature spends. */
export function buildToSpend(message: Uint8Array, scriptPubKey: Uint8Array): Transaction {
  const toSpend = new Transaction()
  toSpend.version = 0
  const commitment = concatBytes(Uint8Array.of(0, 32), hashMessage(message))
  toSpend.addInput(new Uint8Array(32), 0xffffffff, 0, commitment)
  toSpend.addOutput(scriptPubKey, 0n)
  return toSpend
}

/** The virtual transaction that is signed, not signed yet. */
export function buildToSign(toSpend: Transaction): Transaction {
  const toSign = new Transaction()
  toSign.version = 0
  toSign.addInput(toSpend.getHash(false), 0, 0)
  toSign.addOutput(Uint8Array.of(OP_RETURN), 0n)
  return toSign
}

function signToSign(
  message: Uint8Array,
  privateKey: Uint8Array,
  addressType: AddressType,
  auxRand?: Uint8Array,
): Transaction {
  const scriptPubKey = scriptPubKeyOf(publicKeyOf(privateKey), addressType)
  const transaction = buildToSign(buildToSpend(message, scriptPubKey))
  const prevouts = [{ scriptPubKey, amount: 0n }]
  signInputs({ transaction, prevouts, addressType, privateKey, auxRand })
  return transaction
}

/** A witness stack as a simple signature holds it. */
export function encodeWitness(witness: readonly Uint8Array[]): Uint8Array {
  // Each of our items is below 253 bytes, but a foreign stack need not be: 9 bytes hold any length.
  const writer = BufferWriter.withCapacity(
    witness.reduce((size, item) => size + 9 + item.length, 9),
  )
  writer.writeVector([...witness])
  return writer.buffer.slice(0, writer.offset)
}

/** Null unless the bytes are exactly one canonically encoded witness stack. */
function decodeWitness(bytes: Uint8Array): Uint8Array[] | null {
  try {
    const witness = new BufferReader(bytes).readVector()
    return equalBytes(encodeWitness(witness), bytes) ? witness : null
  } catch {
    return null
  }
}
