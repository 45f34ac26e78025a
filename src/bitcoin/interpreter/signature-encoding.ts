import { assertScript } from './script-error.ts'
import type { ScriptRules } from './script-rules.ts'

const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The numbers of an ECDSA signature. */
export type EcdsaSignature = { r: bigint; s: bigint; hashType: number }

/** Reads a strict DER signature (BIP-66) with its sighash byte; null for any other bytes. */
export function parseEcdsaSignature(bytes: Uint8Array): EcdsaSignature | null {
  if (bytes.length < 9 || bytes.length > 73) return null
  if (bytes[0] !== 0x30 || bytes[1] !== bytes.length - 3) return null
  const sizeR = bytes[3] ?? 0
  const sizeS = bytes[5 + sizeR] ?? 0
  if (sizeR + sizeS + 7 !== bytes.length) return null
  const r = readInteger(bytes.subarray(2, 4 + sizeR))
  const s = readInteger(bytes.subarray(4 + sizeR, 6 + sizeR + sizeS))
  return r === null || s === null ? null : { r, s, hashType: bytes.at(-1) ?? 0 }
}

/** A positive DER integer in its shortest form. */
function readInteger(bytes: Uint8Array): bigint | null {
  const [tag, size, first = 0, second = 0] = bytes
  if (tag !== 2 || !size || first >= 0x80) return null
  if (size > 1 && first === 0 && second < 0x80) return null
  return bytes.subarray(2).reduce((value, byte) => value * 256n + BigInt(byte), 0n)
}

/** Throws a ScriptError for a signature that is not empty and is not encoded as the rules ask. */
export function assertSignatureEncoding(bytes: Uint8Array, rules: ScriptRules): void {
  if (bytes.length === 0) return
  const signature = parseEcdsaSignature(bytes)
  assertScript(signature !== null, 'SIG_DER')
  if (rules.has('LOW_S')) assertScript(signature.s <= HALF_ORDER, 'SIG_HIGH_S')
  const base = signature.hashType & 0x7f
  if (rules.has('STRICTENC')) assertScript(base >= 1 && base <= 3, 'SIG_HASHTYPE')
  if (rules.has('SIGHASH_ALL')) assertScript(signature.hashType === 1, 'SIGHASH_NOT_ALL')
}

/** Throws a ScriptError for a public key that is not of the form that the rules ask. */
export function assertPublicKeyEncoding(
  key: Uint8Array,
  rules: ScriptRules,
  isWitness: boolean,
): void {
  const [first] = key
  const isCompressed = key.length === 33 && (first === 2 || first === 3)
  const isUncompressed = key.length === 65 && first === 4
  if (rules.has('STRICTENC')) assertScript(isCompressed || isUncompressed, 'PUBKEYTYPE')
  if (rules.has('WITNESS_PUBKEYTYPE') && isWitness) assertScript(isCompressed, 'WITNESS_PUBKEYTYPE')
}

/** r and s in 32 bytes each, of the two possible s the low one, which is right where the other is; null where one is not below the order. */
export function toCompact({ r, s }: EcdsaSignature): Uint8Array | null {
  if (r === 0n || s === 0n || r >= ORDER || s >= ORDER) return null
  const low = s > HALF_ORDER ? ORDER - s : s
  return Uint8Array.from([...toBytes(r), ...toBytes(low)])
}

function toBytes(value: bigint): Uint8Array {
  const bytes = new Uint8Array(32)
  for (let i = 31, rest = value; i >= 0; i--, rest >>= 8n) bytes[i] = Number(rest & 0xffn)
  return bytes
}
