// messages: signs and verifies texts with the key of an address, by BIP-322 and by the older ECDSA form. It
// promises never to sign what is valid as a transaction: a message's to_sign spends an output that cannot exist.
// It verifies strictly: every byte of a signature has one permitted value.

import type { AddressType } from '../address.ts'
import { InvalidAddressError, type ParsedAddress, parseAddress } from '../address.ts'
import { fromBase64, toUtf8 } from '../bytes.ts'
import type { Network } from '../network.ts'
import { signFull, signSimple, verifyFull, verifySimple } from './message-bip322.ts'
import { ECDSA_MESSAGE_SIZE, signEcdsaMessage, verifyEcdsaMessage } from './message-ecdsa.ts'
import type { MessageVerdict } from './message-input.ts'

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

/** Checks a signature of any {@link MessageType} strictly: every byte of it has one permitted value or fails. */
export function verifyMessage(proof: MessageProof): MessageVerdict {
  const decoded = decodeProof(proof)
  if (typeof decoded === 'string') return decoded
  const { prefix, message, signature, address } = decoded
  if (prefix === 'pof') return 'inconclusive'
  if (prefix === 'ful') return verifyFull(message, signature, address)
  if (prefix === 'smp')
    return address.type === 'p2sh' || address.type === 'p2pkh'
      ? 'invalid'
      : verifySimple(message, signature, address)
  if (isEcdsaMessage(signature))
    return verifyEcdsaMessage(message, signature, address) ? 'valid' : 'invalid'
  return verifySimple(message, signature, address)
}

/** The same for signatures of the type `bip322-simple` alone, which have no prefix. */
export function verifySimpleMessage(proof: MessageProof): MessageVerdict {
  const decoded = decodeProof(proof)
  if (typeof decoded === 'string') return decoded
  const { prefix, message, signature, address } = decoded
  if (prefix !== null || isEcdsaMessage(signature)) return 'invalid'
  return verifySimple(message, signature, address)
}

/** The verdict where it cannot be decoded. */
function decodeProof({ message, signature, address, network }: MessageProof) {
  const parsed = readAddress(address, network)
  if (typeof parsed === 'string') return parsed
  const prefix = PREFIXES.find(known => signature.startsWith(known)) ?? null
  try {
    return {
      ...{ prefix, address: parsed, message: toUtf8(message) },
      signature: fromBase64(signature.slice(prefix?.length ?? 0)),
    }
  } catch {
    return 'invalid'
  }
}

function isEcdsaMessage(signature: Uint8Array): boolean {
  return signature.length === ECDSA_MESSAGE_SIZE && (signature[0] ?? 0) >= 27
}

function readAddress(text: string, network: Network): ParsedAddress | MessageVerdict {
  try {
    return parseAddress(text, network)
  } catch (error) {
    const unknown = error instanceof InvalidAddressError && error.problem === 'unknown-version'
    return unknown ? 'inconclusive' : 'invalid'
  }
}
