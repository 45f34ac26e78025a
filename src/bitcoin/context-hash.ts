import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, toUtf8 } from './bytes.ts'
import type { Network } from './network.ts'

/**
 * Where the key material lies below the master key of a phrase. 73681862 is SHA-256("derive-context-hash") cut to 31 bits;
 * nothing is signed with this key.
 */
export const CONTEXT_HASH_PATH = "m/73681862'"

const SALT = toUtf8('derive-context-hash')
const LENGTH = 32

/** Testnet 3 and 4 have the same keys, and one name. */
const CANONICAL_NAMES: { [network in Network]: string } = {
  mainnet: 'bitcoin-mainnet',
  testnet4: 'bitcoin-testnet',
  signet: 'bitcoin-signet',
  regtest: 'bitcoin-regtest',
}

export type ContextHashParams = {
  /** 32 bytes: the private key at {@link CONTEXT_HASH_PATH}, or one that has no phrase. */
  keyMaterial: Uint8Array
  appName: string
  network: Network
  /** The 33 bytes of the key that the application is connected to. */
  publicKey: Uint8Array
  context: Uint8Array
}

/**
 * 32 secret bytes by HKDF-SHA-256 (RFC 5869), the same in every wallet of the same key material: `deriveContextHash` as
 * revision 2 of https://github.com/babylonlabs-io/babylon-toolkit/blob/main/docs/specs/derive-context-hash.md has it.
 */
export function deriveContextHash(params: ContextHashParams): Uint8Array {
  const { keyMaterial, appName, network, publicKey, context } = params
  if (keyMaterial.length !== 32)
    throw new Error(`keyMaterial: expected 32 bytes, got ${keyMaterial.length}`)
  if (publicKey.length !== 33)
    throw new Error(`publicKey: expected 33 bytes, got ${publicKey.length}`)
  const info = concatBytes(
    sha256(toUtf8(appName)),
    sha256(toUtf8(CANONICAL_NAMES[network])),
    publicKey,
    context,
  )
  return hkdf(sha256, keyMaterial, SALT, info, LENGTH)
}
