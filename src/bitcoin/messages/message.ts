// messages: signs and verifies texts with the key of an address, by BIP-322 and by the older ECDSA form. It
// promises never to sign what is valid as a transaction: a message's to_sign spends an output that cannot exist.
// It verifies strictly: every byte of a signature has one permitted value.

import type { AddressType } from '../address.ts'
import { InvalidAddressError, type ParsedAddress, parseAddress } from '../address.ts'
import { fromBase64, toUtf8 } from '../bytes.ts'
import type { Network } from '../network.ts'
import { finish } from '../steps.ts'
import { readFull, readProofOfFunds, readSimple, signFull, signSimple } from './message-bip322.ts'
import { ECDSA_MESSAGE_SIZE, signEcdsaMessage, verifyEcdsaMessage } from './message-ecdsa.ts'
import { type SignedMessage, verifyScripts } from './message-scripts.ts'
import type { InvalidReason, MessageFormat, MessageVerdict } from './message-verdict.ts'

export type MessageType = 'ecdsa' | 'bip322-simple' | 'bip322'

/** BIP-322: simple, full, proof of funds. */
const PREFIXES = ['smp', 'ful', 'pof'] as const

/** This kind of signature does not exist for this kind of address. */
export class MessageTypeError extends Error {
  override name = 'MessageTypeError'
}

/** Throws {@link MessageTypeError} for an address whose spending has no witness, which is what a simple signature is. */
export function assertHasSimple(
  addressType: AddressType,
): asserts addressType is Exclude<AddressType, 'p2pkh'> {
  if (addressType === 'p2pkh')
    throw new MessageTypeError('bip322-simple needs a segwit address; use ecdsa or bip322')
}

/**
 * Signs a text. `ecdsa`: "Bitcoin Signed Message", base64 of 65 bytes. `bip322-simple`: bare base64 of the witness stack.
 * `bip322`: BIP-322 version 2 with its prefix, `smp` for segwit addresses and `ful` for the others. Deterministic, but for
 * `auxRand` (32 bytes, P2TR only). Throws {@link MessageTypeError}, and a plain error for a text with lone surrogates.
 */
export function signMessage(params: {
  message: string
  type: MessageType
  privateKey: Uint8Array
  addressType: AddressType
  network: Network
  auxRand?: Uint8Array
}): string {
  const { type, privateKey, addressType, auxRand } = params
  const message = toUtf8(params.message)
  if (type === 'ecdsa') return signEcdsaMessage(message, privateKey)
  if (type === 'bip322-simple') {
    assertHasSimple(addressType)
    return signSimple(message, privateKey, addressType, auxRand)
  }
  // BIP-322: only native segwit addresses have a simple form; P2SH needs the script that only the full form carries.
  if (addressType === 'p2tr' || addressType === 'p2wpkh')
    return `smp${signSimple(message, privateKey, addressType, auxRand)}`
  return `ful${signFull(message, privateKey, addressType)}`
}

/** What a signature is said to prove: that who owns the address signed the message. */
export type MessageProof = { message: string; signature: string; address: string; network: Network }

/** {@link verifyMessageInSteps}, at once. */
export function verifyMessage(proof: MessageProof): MessageVerdict {
  return finish(verifyMessageInSteps(proof))
}

/**
 * Checks a signature of any {@link MessageFormat} strictly: every byte of it has one permitted value or fails. BIP-322's are evaluated as
 * nodes evaluate scripts, with bounded work.
 */
export function* verifyMessageInSteps(proof: MessageProof): Generator<void, MessageVerdict> {
  const decoded = decodeProof(proof)
  if ('state' in decoded) return decoded
  const { prefix, message, signature, address } = decoded
  if (prefix === 'pof')
    return yield* judge('proof-of-funds', readProofOfFunds(message, signature, address))
  if (prefix === 'ful') return yield* judge('full', readFull(message, signature, address))
  if (prefix === 'smp' && (address.type === 'p2sh' || address.type === 'p2pkh'))
    return invalid('form', 'simple')
  if (prefix === null && isEcdsaMessage(signature)) {
    if (!verifyEcdsaMessage(message, signature, address)) return invalid('signature', 'legacy')
    const lock = { time: 0, age: 0, version: 0 }
    return { state: 'valid', format: 'legacy', lock, coins: [] }
  }
  return yield* judge('simple', readSimple(message, signature, address) ?? 'encoding')
}

/** The same for signatures of the type `bip322-simple` alone, which have no prefix. */
export function verifySimpleMessage(proof: MessageProof): MessageVerdict {
  const decoded = decodeProof(proof)
  if ('state' in decoded) return decoded
  const { prefix, message, signature, address } = decoded
  if (prefix !== null || isEcdsaMessage(signature)) return invalid('form', null)
  return finish(judge('simple', readSimple(message, signature, address) ?? 'encoding'))
}

function* judge(
  format: MessageFormat,
  read: SignedMessage | 'encoding' | 'transaction' | 'coins',
): Generator<void, MessageVerdict> {
  return typeof read === 'string' ? invalid(read, format) : yield* verifyScripts(read)
}

function invalid(
  kind: Exclude<InvalidReason['kind'], 'script'>,
  format: MessageFormat | null,
): MessageVerdict {
  return { state: 'invalid', format, reason: { kind } }
}

/** The verdict where it cannot be decoded. */
function decodeProof({ message, signature, address, network }: MessageProof) {
  const prefix = PREFIXES.find(known => signature.startsWith(known)) ?? null
  const parsed = readAddress(address, network)
  if (parsed === 'malformed') return invalid('address', null)
  try {
    const decoded = {
      prefix,
      message: toUtf8(message),
      signature: fromBase64(signature.slice(prefix?.length ?? 0)),
    }
    return parsed === 'unknown-version' ? UNKNOWN_VERSION : { ...decoded, address: parsed }
  } catch {
    return invalid('encoding', null)
  }
}

const UNKNOWN_VERSION: MessageVerdict = {
  state: 'inconclusive',
  format: null,
  reason: { kind: 'address-version' },
}

function isEcdsaMessage(signature: Uint8Array): boolean {
  return signature.length === ECDSA_MESSAGE_SIZE && (signature[0] ?? 0) >= 27
}

function readAddress(
  text: string,
  network: Network,
): ParsedAddress | 'malformed' | 'unknown-version' {
  try {
    return parseAddress(text, network)
  } catch (error) {
    const isUnknown = error instanceof InvalidAddressError && error.problem === 'unknown-version'
    return isUnknown ? 'unknown-version' : 'malformed'
  }
}
