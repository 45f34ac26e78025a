// silent-payments: sending to silent payment addresses (BIP-352). It promises that a receiver who scans the finished
// transaction finds each output, or throws. It chooses no coins, signs nothing, and keeps no private key.

import { bech32m } from 'bech32'
import { InvalidAddressError } from '../address.ts'
import type { Network } from '../network.ts'
import { isPointCompressed } from '../secp256k1.ts'

/** What a receiver publishes: 33-byte public keys to be found by, and to be paid. `address` is in its one canonical spelling. */
export type SilentPaymentAddress = {
  address: string
  version: number
  scanKey: Uint8Array
  spendKey: Uint8Array
}

/** BIP-352: later versions may be longer than the 116 or 117 characters of version 0. */
const MAX_LENGTH = 1023
const KEY_SIZE = 33
/** Reserved for a change that is not backwards compatible. */
const INCOMPATIBLE_VERSION = 31

/** Whether a text calls itself a silent payment address, of any network; {@link parseSilentPaymentAddress} says whether it is one. */
export function isSilentPaymentAddress(text: string): boolean {
  return /^t?sp1[a-z0-9]*$/.test(text) || /^T?SP1[A-Z0-9]*$/.test(text)
}

/**
 * Reads a silent payment address strictly. Of versions 1 to 30, which may say more, the keys are read as of version 0. Throws
 * {@link InvalidAddressError}.
 */
export function parseSilentPaymentAddress(text: string, network: Network): SilentPaymentAddress {
  const decoded = isSilentPaymentAddress(text) ? bech32m.decodeUnsafe(text, MAX_LENGTH) : undefined
  const [version] = decoded?.words ?? []
  if (!decoded || version === undefined) throw malformed('This is not a silent payment address')
  const isMainnet = decoded.prefix === 'sp'
  if (isMainnet !== (network === 'mainnet'))
    throw new InvalidAddressError(
      'wrong-network',
      `The address belongs to ${isMainnet ? 'Bitcoin mainnet' : 'a Bitcoin test network'}`,
    )
  if (version === INCOMPATIBLE_VERSION)
    throw new InvalidAddressError(
      'unknown-version',
      `The silent payment address is of version ${version}, which cannot be paid yet`,
    )
  const data = readData(decoded.words.slice(1))
  const isWhole =
    version === 0 ? data?.length === 2 * KEY_SIZE : (data?.length ?? 0) >= 2 * KEY_SIZE
  if (!data || !isWhole) throw malformed('The silent payment address is incomplete or too long')
  const scanKey = data.slice(0, KEY_SIZE)
  const spendKey = data.slice(KEY_SIZE, 2 * KEY_SIZE)
  if (!isPointCompressed(scanKey) || !isPointCompressed(spendKey))
    throw malformed('The silent payment address holds no valid keys: nobody could spend from it')
  return { address: text.toLowerCase(), version, scanKey, spendKey }
}

function readData(words: number[]): Uint8Array | null {
  const bytes = bech32m.fromWordsUnsafe(words)
  return bytes ? Uint8Array.from(bytes) : null
}

function malformed(message: string): InvalidAddressError {
  return new InvalidAddressError('malformed', message)
}
