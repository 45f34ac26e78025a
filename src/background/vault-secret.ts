import type { AddressType } from '../bitcoin/address.ts'
import { toUtf8 } from '../bitcoin/bytes.ts'

/** One account of the wallet: which key, and how its address is made. The id is opaque and random. */
export type VaultAccount = { id: string; name: string; addressType: AddressType; index: number }

/** What the vault seals; `passphrase` is BIP-39's, empty when there is none. */
export type VaultSecret = {
  version: 1
  mnemonic: string
  passphrase: string
  accounts: VaultAccount[]
}

const ADDRESS_TYPES: readonly unknown[] = [
  'p2tr',
  'p2wpkh',
  'p2sh-p2wpkh',
  'p2pkh',
] satisfies AddressType[]

/** The ciphertext shall not tell how long the phrase, the passphrase or the names are. */
const PADDED_TO = 1024

/** JSON of the secret, padded with spaces to a multiple of 1,024 bytes. The caller wipes it. */
export function encodeSecret(secret: VaultSecret): Uint8Array {
  const json = toUtf8(JSON.stringify(parseSecret(secret)))
  const padded = new Uint8Array(Math.ceil(json.length / PADDED_TO) * PADDED_TO).fill(0x20)
  padded.set(json)
  json.fill(0)
  return padded
}

/** Reverses {@link encodeSecret}; throws on anything else. */
export function decodeSecret(bytes: Uint8Array): VaultSecret {
  return parseSecret(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
}

/** Whether two secrets are sealed as the same bytes. */
export function isSameSecret(a: VaultSecret, b: VaultSecret): boolean {
  return JSON.stringify(parseSecret(a)) === JSON.stringify(parseSecret(b))
}

function parseSecret(value: unknown): VaultSecret {
  if (!isObject(value) || value.version !== 1)
    throw new Error('vault: unknown version of the secret')
  const { mnemonic, passphrase, accounts } = value
  if (typeof mnemonic !== 'string' || mnemonic === '' || typeof passphrase !== 'string')
    throw new Error('vault: the secret has no phrase')
  if (!Array.isArray(accounts)) throw new Error('vault: the secret has no accounts')
  return { version: 1, mnemonic, passphrase, accounts: accounts.map(parseAccount) }
}

function parseAccount(value: unknown): VaultAccount {
  if (!isObject(value)) throw new Error('vault: malformed account')
  const { id, name, addressType, index } = value
  const sound =
    typeof id === 'string' &&
    typeof name === 'string' &&
    isAddressType(addressType) &&
    typeof index === 'number' &&
    Number.isInteger(index) &&
    index >= 0 &&
    index < 2 ** 31
  if (!sound) throw new Error('vault: malformed account')
  return { id, name, addressType, index }
}

function isAddressType(value: unknown): value is AddressType {
  return ADDRESS_TYPES.includes(value)
}

function isObject(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null
}
