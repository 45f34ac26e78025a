import type { AddressType } from '../../bitcoin/address.ts'
import { toUtf8 } from '../../bitcoin/bytes.ts'
import type { DerivationLine, Place } from '../../bitcoin/derivation.ts'
import type { DescriptorPlace } from '../../bitcoin/descriptors/descriptor-output.ts'
import type { KeySpace } from '../../bitcoin/network.ts'

/** BIP-39's phrase; `passphrase` is empty when there is none. */
export type Phrase = { mnemonic: string; passphrase: string }

/**
 * Script and 33-byte public key of the account's first address, both hex; the key is null where only the address is known. An
 * account of many addresses has the descriptor of all of them, with a branch for receiving and one for change.
 */
export type Side = {
  scriptPubKey: string
  publicKey: string | null
  descriptor?: string
  ordinals?: OrdinalsSide
}

/** The same of the Taproot address that an account has beside its own, for what is more than its sats. */
export type OrdinalsSide = { scriptPubKey: string; publicKey: string }

/** The place of that address among the account's: behind the branches that a descriptor has. */
export const ORDINALS_PLACE: DescriptorPlace = { branch: 2, index: 0 }

export function isOrdinalsPlace({ branch }: DescriptorPlace): boolean {
  return branch === ORDINALS_PLACE.branch
}

/**
 * One account of the wallet. The id is opaque and random. `sides` is what can be seen of it on mainnet and on the test
 * networks, sealed with it so that an unlock need not derive it; an imported key or watched address has one of the two.
 */
export type VaultAccount = {
  id: string
  name: string
  hidden: boolean
  sides: { [space in KeySpace]?: Side }
} & AccountSource

export type AccountSource =
  | ({ source: 'seed' } & Place)
  /** `privateKey` is 32 bytes in hex. */
  | { source: 'key'; addressType: AddressType; privateKey: string }
  | DeviceSource
  | MultisigSource
  | { source: 'watch' }

/** The key is on a device: its descriptor, and what that says of the first address, which is the account's. */
export type DeviceSource = {
  source: 'device'
  addressType: AddressType
  descriptor: string
  /** Of the device's master key, 8 hex digits, and the path from there. */
  fingerprint: string
  derivationPath: string
  /** 32 bytes in hex, where the wallet has no phrase: what keys of inscribings follow from. */
  inscribingSecret?: string
  /** The Taproot key of the same device and account number, where it is known: sides with `ordinals` have its first address. */
  ordinals?: DeviceOrdinals
}

/**
 * Descriptor of a Taproot key, and the path of its first address from the device's master key. The secret is that of an account of
 * its own, which it was before it was put together with this one.
 */
export type DeviceOrdinals = Pick<
  DeviceSource,
  'descriptor' | 'derivationPath' | 'inscribingSecret'
>

/** Several keys elsewhere, of which some must sign: a descriptor (BIP-383, BIP-387), whose first address is the account's. */
export type MultisigSource = { source: 'multisig'; descriptor: string }

/**
 * What the vault seals; a wallet made of a private key has no phrase. `recordKey` (hex) is of the tags of `authentic-records.ts`;
 * a vault that was not unlocked since there are tags has none.
 */
export type VaultSecret = {
  version: 2
  phrase: Phrase | null
  accounts: VaultAccount[]
  recordKey?: string
}

export const RECORD_KEY_BYTES = 32

/** What vaults sealed before accounts could be anything but the first address of an account of the phrase. */
export type FirstSecret = Phrase & {
  version: 1
  accounts: { id: string; name: string; addressType: AddressType; index: number }[]
}

export const ADDRESS_TYPES: readonly AddressType[] = ['p2tr', 'p2wpkh', 'p2sh-p2wpkh', 'p2pkh']

const LINES: readonly unknown[] = ['accounts', 'receive', 'change'] satisfies DerivationLine[]

/** The ciphertext shall not tell how long the phrase, the passphrase or the names are. */
const PADDED_TO = 2048

/** JSON of the secret, padded with spaces to a multiple of 2,048 bytes. The caller wipes it. */
export function encodeSecret(secret: VaultSecret): Uint8Array {
  const json = toUtf8(JSON.stringify(parseSecret(secret)))
  const padded = new Uint8Array(Math.ceil(json.length / PADDED_TO) * PADDED_TO).fill(0x20)
  padded.set(json)
  json.fill(0)
  return padded
}

/** Reverses {@link encodeSecret}, and reads what the first version sealed; throws on anything else. */
export function decodeSecret(bytes: Uint8Array): VaultSecret | FirstSecret {
  const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  return isObject(value) && value.version === 1 ? parseFirstSecret(value) : parseSecret(value)
}

/** Whether two secrets are sealed as the same bytes. */
export function isSameSecret(a: VaultSecret, b: VaultSecret): boolean {
  return JSON.stringify(parseSecret(a)) === JSON.stringify(parseSecret(b))
}

export function isAddressType(value: unknown): value is AddressType {
  return ADDRESS_TYPES.some(type => type === value)
}

/** Whether a value is a place of the phrase, with an index that BIP-32 can harden. */
export function isPlace(value: unknown): value is Place {
  if (!isObject(value)) return false
  const { addressType, line, index } = value
  return (
    isAddressType(addressType) &&
    LINES.includes(line) &&
    Number.isInteger(index) &&
    Number(index) >= 0 &&
    Number(index) < 2 ** 31
  )
}

function parseSecret(value: unknown): VaultSecret {
  if (!isObject(value) || value.version !== 2)
    throw new Error('vault: unknown version of the secret')
  const phrase = value.phrase === null ? null : parsePhrase(value.phrase)
  const accounts = parseList(value.accounts, parseAccount)
  if (!phrase && accounts.some(({ source }) => source === 'seed'))
    throw new Error('vault: the secret has no phrase')
  const { recordKey } = value
  if (recordKey === undefined) return { version: 2, phrase, accounts }
  if (!isHexOf(recordKey, RECORD_KEY_BYTES, RECORD_KEY_BYTES))
    throw new Error('vault: malformed key of the records')
  return { version: 2, phrase, accounts, recordKey }
}

function parseFirstSecret(value: { [key: string]: unknown }): FirstSecret {
  const accounts = parseList(value.accounts, account => {
    const { id, name, addressType, index } = Object(account)
    const place = { addressType, line: 'accounts', index }
    if (typeof id !== 'string' || typeof name !== 'string' || !isPlace(place)) throw malformed()
    return { id, name, addressType: place.addressType, index: place.index }
  })
  return { version: 1, ...parsePhrase(value), accounts }
}

function parsePhrase(value: unknown): Phrase {
  const { mnemonic, passphrase } = Object(value)
  if (typeof mnemonic !== 'string' || mnemonic === '' || typeof passphrase !== 'string')
    throw new Error('vault: the secret has no phrase')
  return { mnemonic, passphrase }
}

function parseList<T>(value: unknown, parse: (entry: unknown) => T): T[] {
  if (!Array.isArray(value)) throw new Error('vault: the secret has no accounts')
  return value.map(parse)
}

/** Throws on what is no account as vaults seal them. */
export function parseAccount(value: unknown): VaultAccount {
  const { id, name, hidden, sides, ...rest } = Object(value)
  if (typeof id !== 'string' || typeof name !== 'string' || typeof hidden !== 'boolean')
    throw malformed()
  const source = parseSource(rest)
  const parsed = parseSides(sides, source)
  return { id, name, hidden, sides: parsed, ...source }
}

function parseSource(value: { [key: string]: unknown }): AccountSource {
  const { source, addressType, line, index, privateKey } = value
  const { descriptor, fingerprint, derivationPath, inscribingSecret } = value
  const place = { addressType, line, index }
  if (source === 'seed' && isPlace(place)) return { source, ...place }
  if (source === 'key' && isAddressType(addressType) && isHexOf(privateKey, 32, 32))
    return { source, addressType, privateKey }
  if (source === 'watch') return { source }
  if (source === 'multisig' && typeof descriptor === 'string') return { source, descriptor }
  const isPlaced = isHexOf(fingerprint, 4, 4) && typeof derivationPath === 'string'
  if (
    source === 'device' &&
    isAddressType(addressType) &&
    isPlaced &&
    typeof descriptor === 'string'
  ) {
    return {
      ...{ source, addressType, descriptor, fingerprint, derivationPath },
      ...parseInscribingSecret(inscribingSecret),
      ...(value.ordinals !== undefined && { ordinals: parseDeviceOrdinals(value.ordinals) }),
    }
  }
  throw malformed()
}

function parseDeviceOrdinals(value: unknown): DeviceOrdinals {
  const { descriptor, derivationPath, inscribingSecret } = Object(value)
  if (typeof descriptor !== 'string' || typeof derivationPath !== 'string') throw malformed()
  return { descriptor, derivationPath, ...parseInscribingSecret(inscribingSecret) }
}

function parseInscribingSecret(value: unknown): Pick<DeviceSource, 'inscribingSecret'> {
  if (value === undefined) return {}
  if (!isHexOf(value, 32, 32)) throw malformed()
  return { inscribingSecret: value }
}

function parseSides(value: unknown, source: AccountSource): VaultAccount['sides'] {
  const { mainnet, test, ...others } = Object(value)
  const sides = {
    ...(mainnet !== undefined && { mainnet: parseSide(mainnet, source) }),
    ...(test !== undefined && { test: parseSide(test, source) }),
  }
  const isSeed = source.source === 'seed'
  if (Object.keys(sides).length !== (isSeed ? 2 : 1) || Object.keys(others).length > 0)
    throw malformed()
  if (isSeed && !sides.mainnet?.ordinals !== !sides.test?.ordinals) throw malformed()
  return sides
}

function parseSide(value: unknown, account: AccountSource): Side {
  const { scriptPubKey, publicKey, descriptor, ordinals } = Object(value)
  const { source } = account
  if (!isHexOf(scriptPubKey, 22, 42)) throw malformed()
  if (source === 'watch') {
    if (publicKey === null && ordinals === undefined) return { scriptPubKey, publicKey }
    throw malformed()
  }
  if (source === 'multisig') {
    if (publicKey === null && typeof descriptor === 'string' && ordinals === undefined)
      return { scriptPubKey, publicKey, descriptor }
    throw malformed()
  }
  if (!isHexOf(publicKey, 33, 33)) throw malformed()
  if (descriptor !== undefined && (source === 'key' || typeof descriptor !== 'string'))
    throw malformed()
  const side = { scriptPubKey, publicKey, ...(descriptor !== undefined && { descriptor }) }
  if (ordinals === undefined) return side
  const isKnown = source === 'seed' || (source === 'device' && account.ordinals !== undefined)
  if (!isKnown || !canHaveOrdinals(account.addressType)) throw malformed()
  return { ...side, ordinals: parseOrdinals(ordinals) }
}

function parseOrdinals(value: unknown): OrdinalsSide {
  const { scriptPubKey, publicKey } = Object(value)
  if (!isHexOf(scriptPubKey, 34, 34) || !isHexOf(publicKey, 33, 33)) throw malformed()
  return { scriptPubKey, publicKey }
}

/** Whether accounts of this type may have a Taproot address beside their own. */
export function canHaveOrdinals(addressType: AddressType): boolean {
  return addressType === 'p2wpkh' || addressType === 'p2sh-p2wpkh'
}

function malformed(): Error {
  return new Error('vault: malformed account')
}

/** Lower-case hex of so many bytes. */
function isHexOf(value: unknown, minBytes: number, maxBytes: number): value is string {
  return (
    typeof value === 'string' &&
    value.length >= 2 * minBytes &&
    value.length <= 2 * maxBytes &&
    /^(?:[0-9a-f]{2})*$/.test(value)
  )
}

function isObject(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null
}
