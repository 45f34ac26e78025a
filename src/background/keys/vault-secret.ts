import type { AddressType } from '../../bitcoin/address.ts'
import { toUtf8 } from '../../bitcoin/bytes.ts'
import type { Place } from '../../bitcoin/derivation.ts'
import type { DescriptorPlace } from '../../bitcoin/descriptors/descriptor-output.ts'
import { isPathTemplate } from '../../bitcoin/key-origin.ts'
import type { KeySpace } from '../../bitcoin/network.ts'
import { PHRASE_KINDS, type Phrase, type PhraseKind } from '../../bitcoin/phrases/phrase-kind.ts'

/** A phrase of the wallet, with its accounts a wallet of its own. The id has 16 random bytes in hex. */
export type NamedPhrase = { id: string; name: string } & Phrase

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
  | SeedSource
  /** `privateKey` is 32 bytes in hex. */
  | { source: 'key'; addressType: AddressType; privateKey: string }
  | DeviceSource
  | MultisigSource
  | { source: 'watch' }

/** At a place of the phrase of this id. */
export type SeedSource = { source: 'seed'; phrase: string } & Place

/** The key is on a device: its descriptor, and what that says of the first address, which is the account's. */
export type DeviceSource = {
  source: 'device'
  addressType: AddressType
  descriptor: string
  /** Of the device's master key, 8 hex digits, and the path from there. */
  fingerprint: string
  derivationPath: string
  /** Id of the phrase from which keys of inscribings follow. */
  phrase?: string
  /** 32 bytes in hex, where there is no such phrase: what they follow from. */
  inscribingSecret?: string
  /** The Taproot key of the same device and account number, where it is known: sides with `ordinals` have its first address. */
  ordinals?: DeviceOrdinals
}

/**
 * Descriptor of a Taproot key, and the path of its first address from the device's master key. Phrase and secret are those of an
 * account of its own, which it was before it was put together with this one.
 */
export type DeviceOrdinals = Pick<
  DeviceSource,
  'descriptor' | 'derivationPath' | 'phrase' | 'inscribingSecret'
>

/** Several keys elsewhere, of which some must sign: a descriptor (BIP-383, BIP-387), whose first address is the account's. */
export type MultisigSource = { source: 'multisig'; descriptor: string }

/**
 * What the vault seals; a wallet of private keys and devices alone has no phrases. `recordKey` (hex) is of the tags of
 * `authentic-records.ts`; a vault that was not unlocked since there are tags has none.
 */
export type VaultSecret = {
  version: 3
  phrases: NamedPhrase[]
  accounts: VaultAccount[]
  recordKey?: string
}

export const RECORD_KEY_BYTES = 32
/** Each costs an unlock nothing, but a list of more is nobody's. */
export const MOST_PHRASES = 50

/** What vaults have of a BIP-39 phrase. */
type Words = Pick<Phrase, 'mnemonic' | 'passphrase'>

/** What vaults sealed before there could be several phrases, unchecked. */
export type SecondSecret = { version: 2; [member: string]: unknown }

/** What vaults sealed before accounts could be anything but the first address of an account of the phrase. */
export type FirstSecret = Words & {
  version: 1
  accounts: { id: string; name: string; addressType: AddressType; index: number }[]
}

export const ADDRESS_TYPES: readonly AddressType[] = ['p2tr', 'p2wpkh', 'p2sh-p2wpkh', 'p2pkh']

const LINES: readonly unknown[] = ['accounts', 'receive', 'change'] satisfies Place['line'][]

/** The ciphertext shall not tell how long the phrase, the passphrase or the names are. */
const PADDED_TO = 2048

/** JSON of the secret, padded with spaces to a multiple of 2,048 bytes. The caller wipes it. */
export function encodeSecret(secret: VaultSecret): Uint8Array {
  const json = toUtf8(JSON.stringify(toSealed(parseSecret(secret))))
  const padded = new Uint8Array(Math.ceil(json.length / PADDED_TO) * PADDED_TO).fill(0x20)
  padded.set(json)
  json.fill(0)
  return padded
}

/**
 * BIP-39 phrases are sealed without their kind, as they were before there were others. With others the version is one that earlier
 * programs refuse, which would take all words for BIP-39's.
 */
function toSealed({ version: _, phrases, ...rest }: VaultSecret): object {
  const version = phrases.every(({ kind }) => kind === 'bip39') ? 3 : 4
  const sealed = phrases.map(({ kind, ...phrase }) =>
    kind === 'bip39' ? phrase : { ...phrase, kind },
  )
  return { version, phrases: sealed, ...rest }
}

/** Reverses {@link encodeSecret}, and reads what earlier versions sealed; throws on anything else. */
export function decodeSecret(bytes: Uint8Array): VaultSecret | SecondSecret | FirstSecret {
  const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  if (isObject(value) && value.version === 1) return parseFirstSecret(value)
  return isObject(value) && value.version === 2 ? { ...value, version: 2 } : parseSecret(value)
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
    (LINES.includes(line) || isPathTemplate(line)) &&
    Number.isInteger(index) &&
    Number(index) >= 0 &&
    Number(index) < 2 ** 31
  )
}

/** Throws on what is not as vaults are sealed today. */
export function parseSecret(value: unknown): VaultSecret {
  if (!isObject(value) || (value.version !== 3 && value.version !== 4))
    throw new Error('vault: unknown version of the secret')
  const phrases = parseList(value.phrases, 'phrases', parseNamedPhrase)
  const accounts = parseList(value.accounts, 'accounts', parseAccount)
  const ids = new Set(phrases.map(({ id }) => id))
  if (ids.size !== phrases.length || phrases.length > MOST_PHRASES)
    throw new Error('vault: malformed phrases')
  if (accounts.some(account => listPhraseIds(account).some(id => !ids.has(id))))
    throw new Error('vault: the secret has no phrase')
  const { recordKey } = value
  if (recordKey === undefined) return { version: 3, phrases, accounts }
  if (!isHexOf(recordKey, RECORD_KEY_BYTES, RECORD_KEY_BYTES))
    throw new Error('vault: malformed key of the records')
  return { version: 3, phrases, accounts, recordKey }
}

/** Of which phrases an account's keys and those of its inscribings are. */
export function listPhraseIds(account: AccountSource): string[] {
  if (account.source === 'seed') return [account.phrase]
  if (account.source !== 'device') return []
  return [account.phrase, account.ordinals?.phrase].filter(id => id !== undefined)
}

function parseFirstSecret(value: { [key: string]: unknown }): FirstSecret {
  const accounts = parseList(value.accounts, 'accounts', account => {
    const { id, name, addressType, index } = Object(account)
    const place = { addressType, line: 'accounts', index }
    if (typeof id !== 'string' || typeof name !== 'string' || !isPlace(place)) throw malformed()
    return { id, name, addressType: place.addressType, index: place.index }
  })
  return { version: 1, ...parseWords(value), accounts }
}

function parseWords(value: unknown): Words {
  const { mnemonic, passphrase } = Object(value)
  if (typeof mnemonic !== 'string' || mnemonic === '' || typeof passphrase !== 'string')
    throw new Error('vault: the secret has no phrase')
  return { mnemonic, passphrase }
}

function parseNamedPhrase(value: unknown): NamedPhrase {
  const { id, name, kind = 'bip39' } = Object(value)
  if (!isPhraseId(id) || typeof name !== 'string' || !isPhraseKind(kind))
    throw new Error('vault: malformed phrases')
  return { id, name, kind, ...parseWords(value) }
}

export function isPhraseKind(value: unknown): value is PhraseKind {
  return PHRASE_KINDS.some(kind => kind === value)
}

function isPhraseId(value: unknown): value is string {
  return isHexOf(value, 16, 16)
}

function parseList<T>(value: unknown, what: string, parse: (entry: unknown) => T): T[] {
  if (!Array.isArray(value)) throw new Error(`vault: the secret has no ${what}`)
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
  const { source, addressType, line, index, privateKey, phrase } = value
  const { descriptor, fingerprint, derivationPath } = value
  const place = { addressType, line, index }
  if (source === 'seed' && isPlace(place) && isPhraseId(phrase)) return { source, phrase, ...place }
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
      ...parseInscribing(value),
      ...(value.ordinals !== undefined && { ordinals: parseDeviceOrdinals(value.ordinals) }),
    }
  }
  throw malformed()
}

function parseDeviceOrdinals(value: unknown): DeviceOrdinals {
  const { descriptor, derivationPath, ...rest } = Object(value)
  if (typeof descriptor !== 'string' || typeof derivationPath !== 'string') throw malformed()
  return { descriptor, derivationPath, ...parseInscribing(rest) }
}

function parseInscribing({ phrase, inscribingSecret }: { [key: string]: unknown }) {
  const inscribing: Pick<DeviceSource, 'phrase' | 'inscribingSecret'> = {}
  if (phrase !== undefined) {
    if (!isPhraseId(phrase)) throw malformed()
    inscribing.phrase = phrase
  }
  if (inscribingSecret !== undefined) {
    if (!isHexOf(inscribingSecret, 32, 32)) throw malformed()
    inscribing.inscribingSecret = inscribingSecret
  }
  return inscribing
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
  if (!isKnown || !canHaveOrdinals(account)) throw malformed()
  return { ...side, ordinals: parseOrdinals(ordinals) }
}

function parseOrdinals(value: unknown): OrdinalsSide {
  const { scriptPubKey, publicKey } = Object(value)
  if (!isHexOf(scriptPubKey, 34, 34) || !isHexOf(publicKey, 33, 33)) throw malformed()
  return { scriptPubKey, publicKey }
}

/** Whether an account of this type may have a Taproot address beside its own: of the phrase, where BIP-86 has the same place. */
export function canHaveOrdinals(account: {
  addressType: AddressType
  line?: Place['line']
}): boolean {
  const { addressType, line } = account
  return (addressType === 'p2wpkh' || addressType === 'p2sh-p2wpkh') && !isPathTemplate(line)
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
