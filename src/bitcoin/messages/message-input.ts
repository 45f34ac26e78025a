import { sha256 } from 'bitcoinjs-lib/src/crypto'
import type { Transaction } from 'bitcoinjs-lib/src/transaction'
import { type AddressType, type ParsedAddress, scriptPubKeyOf } from '../address.ts'
import { equalBytes } from '../bytes.ts'
import { isPointCompressed, verifyEcdsa, verifySchnorr } from '../secp256k1.ts'
import { nestedScriptSig } from '../signing/input-signature.ts'
import { createSighashes } from '../signing/sighash.ts'

const SIGHASH_ALL = 1

/** `inconclusive`: a script that this wallet does not evaluate, or a signature that is valid only from a time on. */
export type MessageVerdict = 'valid' | 'invalid' | 'inconclusive'

/** The parts of a BIP-322 to_sign transaction that satisfy the address. */
type Unlocking = { toSign: Transaction; scriptSig: Uint8Array; witness: Uint8Array[] }

/** Whether the first input of a BIP-322 to_sign transaction satisfies the address, by the rules that BIP-322 requires. */
export function verifyInput(toSign: Transaction, address: ParsedAddress): MessageVerdict {
  const [input] = toSign.ins
  if (!input) return 'invalid'
  const unlocking = { toSign, scriptSig: input.script, witness: input.witness }
  switch (address.type) {
    case 'p2wpkh':
      return verdictOf(
        input.script.length === 0 && verifyWitnessKeyHash(unlocking, 'p2wpkh', address),
      )
    case 'p2tr':
      return verifyTaproot(unlocking, address)
    case 'p2pkh':
      return verdictOf(input.witness.length === 0 && verifyKeyHash(unlocking, address))
    case 'p2sh':
      return verifyScriptHash(unlocking, address)
    case 'p2wsh':
      return verifyWitnessScriptHash(unlocking, address)
  }
}

function verifyTaproot(
  { toSign, scriptSig, witness }: Unlocking,
  { scriptPubKey }: ParsedAddress,
): MessageVerdict {
  const [signature, ...rest] = witness
  if (scriptSig.length > 0 || !signature) return 'invalid'
  // A script path or an annex.
  if (rest.length > 0) return 'inconclusive'
  // BIP-341 forbids writing DEFAULT out; BIP-322 allows it and ALL.
  const isDefault = signature.length === 64
  if (!isDefault && !(signature.length === 65 && signature[64] === SIGHASH_ALL)) return 'invalid'
  const sighashes = createSighashes(toSign, [{ scriptPubKey, amount: 0n }])
  const hash = sighashes.taproot(0, isDefault ? 0 : SIGHASH_ALL)
  return verdictOf(
    attempt(() => verifySchnorr(hash, scriptPubKey.slice(2), signature.slice(0, 64))),
  )
}

function verifyWitnessKeyHash(
  { toSign, witness }: Unlocking,
  type: AddressType,
  address: ParsedAddress,
): boolean {
  const [signature, publicKey, ...rest] = witness
  if (!signature || !publicKey || rest.length > 0) return false
  if (!isKeyOf(publicKey, type, address)) return false
  const keyHashScript = scriptPubKeyOf(publicKey, 'p2pkh')
  const hash = createSighashes(toSign, []).v0(0, keyHashScript, 0n, SIGHASH_ALL)
  return verifyEcdsa(hash, publicKey, signature)
}

function verifyKeyHash({ toSign, scriptSig }: Unlocking, address: ParsedAddress): boolean {
  // Two direct pushes: any other script of the same effect would be longer than minimal or push-only.
  const signatureSize = scriptSig[0] ?? 0
  const signature = scriptSig.slice(1, 1 + signatureSize)
  const publicKey = scriptSig.slice(2 + signatureSize)
  if (signatureSize > 73 || scriptSig[1 + signatureSize] !== 33) return false
  if (!isKeyOf(publicKey, 'p2pkh', address)) return false
  const hash = createSighashes(toSign, []).legacy(0, address.scriptPubKey, SIGHASH_ALL)
  return verifyEcdsa(hash, publicKey, signature)
}

/** P2SH-P2WPKH is evaluated; any other script is not. */
function verifyScriptHash(unlocking: Unlocking, address: ParsedAddress): MessageVerdict {
  const { scriptSig, witness } = unlocking
  const [pushed, version, size] = scriptSig
  if (scriptSig.length === 0) return 'invalid'
  if (scriptSig.length !== 23 || pushed !== 22 || version !== 0 || size !== 20)
    return 'inconclusive'
  const [, publicKey] = witness
  if (!publicKey || !equalBytes(nestedScriptSig(publicKey), scriptSig)) return 'invalid'
  return verdictOf(verifyWitnessKeyHash(unlocking, 'p2sh-p2wpkh', address))
}

function verifyWitnessScriptHash(
  { scriptSig, witness }: Unlocking,
  { scriptPubKey }: ParsedAddress,
): MessageVerdict {
  const script = witness.at(-1)
  if (scriptSig.length > 0 || !script) return 'invalid'
  return equalBytes(sha256(script), scriptPubKey.slice(2)) ? 'inconclusive' : 'invalid'
}

function isKeyOf(
  publicKey: Uint8Array,
  type: AddressType,
  { scriptPubKey }: ParsedAddress,
): boolean {
  return isPointCompressed(publicKey) && equalBytes(scriptPubKeyOf(publicKey, type), scriptPubKey)
}

function verdictOf(satisfied: boolean): MessageVerdict {
  return satisfied ? 'valid' : 'invalid'
}

/** The libraries throw on what is not a signature or a key at all. */
function attempt(check: () => boolean): boolean {
  try {
    return check()
  } catch {
    return false
  }
}
