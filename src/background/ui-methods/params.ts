import type { AddressType } from '../../bitcoin/address.ts'
import type { Place } from '../../bitcoin/derivation.ts'
import { isNetwork, type Network } from '../../bitcoin/network.ts'
import { formatOutpoint, parseOutpoint } from '../../bitcoin/outpoint.ts'
import { splitWords } from '../../bitcoin/phrase-words.ts'
import { listPhraseKinds } from '../../bitcoin/phrases/phrase.ts'
import { PHRASE_KINDS, type PhraseKind } from '../../bitcoin/phrases/phrase-kind.ts'
import { parseAtomicalId } from '../../ordinals/atomical-id.ts'
import { countTickerBytes, foldTicker } from '../../ordinals/brc20/brc20-operation.ts'
import { parseInscriptionId } from '../../ordinals/inscription-id.ts'
import { parseRuneName } from '../../ordinals/runes/rune-name.ts'
import { invalidParams } from '../../provider/errors.ts'
import { parseFeeRateParam } from '../../provider/params.ts'
import { isAddressType, isPhraseKind, isPlace } from '../keys/vault-secret.ts'
import { COMMON_PASSWORDS } from '../primitives/common-passwords.ts'

/**
 * Parsers of single parameters that our own pages send. The types of a message are a promise of the sender only, so each
 * value is checked; each parser throws -32602 with the name of the field. No error quotes a secret.
 */

const MIN_PASSWORD_LENGTH = 8
const MIN_DIFFERENT_CHARACTERS = 3
const MAX_PAGE_LIMIT = 200

/** Any text. The value is not quoted, so that this serves for secrets. */
export function parseText(field: string, value: unknown): string {
  if (typeof value !== 'string') throw invalidParams(field, typeof value, 'a text')
  return value
}

/** The browser's id of a window. */
export function parseWindowId(field: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw invalidParams(field, value, 'the id of a browser window')
  return value
}

/**
 * A password to be set: what whoever has this computer would try first is refused. The screens that set one refuse more,
 * by a dictionary that is too large for the worker.
 */
export function parseNewPassword(field: string, value: unknown): string {
  const characters = typeof value === 'string' ? [...value] : []
  if (typeof value !== 'string' || characters.length < MIN_PASSWORD_LENGTH)
    throw invalidParams(field, null, `at least ${MIN_PASSWORD_LENGTH} characters`)
  if (new Set(characters).size < MIN_DIFFERENT_CHARACTERS)
    throw invalidParams(field, null, `at least ${MIN_DIFFERENT_CHARACTERS} different characters`)
  if (COMMON_PASSWORDS.has(value.toLowerCase()))
    throw invalidParams(field, null, 'a password that is not one of the commonest')
  return value
}

/** A phrase that is valid for its kind, normalised, and its passphrase; neither is quoted. */
export function parsePhrase(value: {
  mnemonic: unknown
  passphrase: unknown
  phraseKind?: unknown
}): { phraseKind: PhraseKind; mnemonic: string; passphrase: string } {
  const { phraseKind = 'bip39' } = value
  if (!isPhraseKind(phraseKind))
    throw invalidParams('phraseKind', phraseKind, PHRASE_KINDS.join(', '))
  const text = parseText('mnemonic', value.mnemonic)
  if (!listPhraseKinds(text).includes(phraseKind)) {
    const expected = phraseKind === 'bip39' ? 'recovery phrase' : 'seed of Electrum of this kind'
    throw invalidParams('mnemonic', null, `a valid ${expected}`)
  }
  const passphrase = parseText('passphrase', value.passphrase)
  return { phraseKind, mnemonic: splitWords(text).join(' '), passphrase }
}

/** The wallet's own name of a network. */
export function parseNetworkName(value: unknown): Network {
  if (!isNetwork(value)) throw invalidParams('network', value, 'a network')
  return value
}

export function parseAddressType(value: unknown): AddressType {
  if (!isAddressType(value)) throw invalidParams('addressType', value, 'a type of address')
  return value
}

/** A place in the recovery phrase; other members are dropped. */
export function parsePlace(value: unknown): Place {
  if (!isPlace(value)) throw invalidParams('place', value, 'address type, line and index')
  const { addressType, line, index } = value
  return { addressType, line, index }
}

/** A transaction id: 64 hexadecimal digits in lower case. */
export function parseTxid(value: unknown, field = 'txid'): string {
  if (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)) return value
  throw invalidParams(field, value, 'a transaction id')
}

/** A list of them; the error names the one that is none by its place, from 0. */
export function parseTxids(field: string, values: unknown): string[] {
  if (!Array.isArray(values)) throw invalidParams(field, values, 'a list of transaction ids')
  return values.map((value, at) => parseTxid(value, `${field}[${at}]`))
}

/** `txid:vout`. */
export function parseOutpointParam(field: string, value: unknown): string {
  try {
    return formatOutpoint(parseOutpoint(String(value)))
  } catch (cause) {
    throw Object.assign(invalidParams(field, value, 'txid:vout'), { cause })
  }
}

/** The name of a rune, with its spacers. */
export function parseRuneParam(field: string, value: unknown): string {
  if (typeof value === 'string' && parseRuneName(value) !== null) return value
  throw invalidParams(field, value, 'the name of a rune, such as UNCOMMON•GOODS')
}

export function parseInscriptionIdParam(value: unknown): string {
  if (typeof value === 'string' && parseInscriptionId(value)) return value
  throw invalidParams('id', value, 'an inscription id')
}

export function parseAtomicalIdParam(value: unknown): string {
  if (typeof value === 'string' && parseAtomicalId(value)) return value
  throw invalidParams('id', value, 'the id of an Atomical')
}

/** A BRC-20 ticker, in lower case as indexers know it. */
export function parseTicker(value: unknown): string {
  const bytes = typeof value === 'string' && value.length <= 6 ? countTickerBytes(value) : 0
  if (typeof value === 'string' && bytes >= 4 && bytes <= 6 && !value.includes('\0'))
    return foldTicker(value)
  throw invalidParams('tick', value, 'four to six bytes of UTF-8')
}

/** A fee rate in sat/vB that must be given. */
export function parseGivenFeeRate(value: unknown): number {
  const feeRate = parseFeeRateParam('feeRate', value)
  if (feeRate === null) throw invalidParams('feeRate', value, 'sat/vB')
  return feeRate
}

/** A part of a list: at most 200 entries from `offset` on. */
export function parsePage({ offset, limit }: { offset: unknown; limit: unknown }): {
  offset: number
  limit: number
} {
  if (typeof offset !== 'number' || !Number.isSafeInteger(offset) || offset < 0)
    throw invalidParams('offset', offset, 'a whole number from 0')
  if (
    typeof limit !== 'number' ||
    !Number.isSafeInteger(limit) ||
    limit < 1 ||
    limit > MAX_PAGE_LIMIT
  )
    throw invalidParams('limit', limit, `a whole number from 1 to ${MAX_PAGE_LIMIT}`)
  return { offset, limit }
}
