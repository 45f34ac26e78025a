import { hash256 } from 'bitcoinjs-lib/src/crypto'
import { concatBytes, fromHex, toHex } from '../bytes.ts'

/** A public key of a code. Fingerprints are 8 hex digits; numbers of a path are hardened from 2^31 on. */
export type CodeKey = {
  /** 33 bytes. */
  publicKey: Uint8Array
  /** 32 bytes; null for a key from which none is derived. */
  chainCode: Uint8Array | null
  /** Where the key comes from; the fingerprint is the master key's, null where the code does not say. */
  origin: { fingerprint: string | null; path: readonly number[]; depth: number } | null
  parentFingerprint: string | null
  /** What is derived, as a descriptor has it after a key, such as `/<0;1>/*`; empty where the code does not say. */
  children: string
  space: 'mainnet' | 'test'
  name: string | null
}

const HARDENED = 2 ** 31
/** Version bytes of BIP-32, of public keys. */
const VERSIONS = { mainnet: '0488b21e', test: '043587cf' }
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** A key expression of BIP-380: origin in brackets, xpub (or the key itself, where none is derived), and children. */
export function formatKeyExpression(key: CodeKey): string {
  const { origin } = key
  const steps = (origin?.path ?? []).map(step =>
    step >= HARDENED ? `/${step - HARDENED}'` : `/${step}`,
  )
  // Without the master key's fingerprint there is nothing that a path could belong to.
  const brackets = origin?.fingerprint ? `[${origin.fingerprint}${steps.join('')}]` : ''
  return (
    brackets +
    (key.chainCode ? formatXpub(key, key.chainCode) : toHex(key.publicKey)) +
    key.children
  )
}

/** BIP-32's serialisation. What a code leaves out, which no derivation below needs, is zero. */
function formatXpub(key: CodeKey, chainCode: Uint8Array): string {
  const { origin, parentFingerprint } = key
  const depth = origin?.depth ?? 0
  const last = origin && origin.path.length === depth ? origin.path.at(-1) : undefined
  const parent =
    depth === 0 ? null : (parentFingerprint ?? (depth === 1 ? origin?.fingerprint : null))
  const head = new DataView(new ArrayBuffer(9))
  head.setUint8(0, depth)
  head.setUint32(1, Number.parseInt(parent ?? '0', 16))
  head.setUint32(5, last ?? 0)
  const payload = concatBytes(
    fromHex(VERSIONS[key.space]),
    new Uint8Array(head.buffer),
    chainCode,
    key.publicKey,
  )
  return encodeBase58(concatBytes(payload, hash256(payload).subarray(0, 4)))
}

/** Bytes that do not begin with zero. */
function encodeBase58(bytes: Uint8Array): string {
  let text = ''
  for (let rest = BigInt(`0x${toHex(bytes)}`); rest > 0n; rest /= 58n)
    text = BASE58[Number(rest % 58n)] + text
  return text
}
