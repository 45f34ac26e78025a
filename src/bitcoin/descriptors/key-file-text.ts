// Key files in lines of text: descriptors and keys, one a line, and the multisig files that Coldcard began and BlueWallet, Jade,
// Keystone, Nunchuk and Sparrow write too.

import type { MultisigScript } from './descriptor.ts'
import { looksLikeExtendedKey } from './extended-key.ts'
import {
  buildMultisigAccount,
  type FileDescriptor,
  type FileKey,
  InvalidKeyFileError,
  type KeyCandidate,
  type KeyFile,
  type KeyFileFormat,
  listDescriptorAccounts,
  listKeyAccounts,
  listOnce,
  readFileKey,
  readName,
} from './key-candidates.ts'
import { expectFirstAddress, MULTISIG_FORMATS } from './key-file-json.ts'

const MOST_KEYS = 20
const MOST_LINES = 1_000

/** The accounts of a text that is not JSON; null where it has none of the known forms. */
export function readTextKeyFile(text: string): KeyFile | null {
  const lines = text.split(/\r\n|[\r\n]/).map(line => line.trim())
  if (lines.length > MOST_LINES)
    throw new InvalidKeyFileError('too-large', `expected at most ${MOST_LINES} lines`)
  if (lines.some(line => /^policy\s*:/i.test(line))) return readMultisigFile(lines)
  if (lines[0] === 'BSMS 1.0') return readBsms(lines)
  return readKeyLines(lines.filter(line => line !== '' && !line.startsWith('#')))
}

/** `Name: …`, `Policy: 2 of 3`, `Format: P2WSH`, `Derivation: m/48'/0'/0'/2'`, and `fingerprint: xpub…` for each key. */
function readMultisigFile(lines: readonly string[]): KeyFile {
  const said = new Map<string, string>()
  const keys: FileKey[] = []
  let path: string | null = null
  for (const line of lines) {
    const [, name = '', value = ''] =
      /^(?:#\s*(?=derivation\s*:))?(\w+)\s*:\s*(.+)$/i.exec(line) ?? []
    const field = name.toLowerCase()
    if (field === '') continue
    if (/^[0-9a-f]{8}$/.test(field) && looksLikeExtendedKey(value)) {
      keys.push(readFileKey(value, { fingerprint: field, path }))
      if (keys.length > MOST_KEYS)
        throw new InvalidKeyFileError('unsupported', `expected at most ${MOST_KEYS} keys`)
    } else if (field === 'derivation') path = value
    else if (field === 'seed')
      throw new InvalidKeyFileError('private', 'expected public keys, found a recovery phrase')
    else if (said.has(field)) throw new InvalidKeyFileError('malformed', 'expected each field once')
    else said.set(field, value)
  }
  const [, threshold, count] =
    /^(\d{1,2})\s*(?:of|\/)\s*(\d{1,2})$/i.exec(said.get('policy') ?? '') ?? []
  if (threshold === undefined)
    throw new InvalidKeyFileError('malformed', 'expected a policy such as 2 of 3')
  if (Number(count) !== keys.length)
    throw new InvalidKeyFileError('malformed', `expected ${count} keys, found ${keys.length}`)
  const account = {
    ...{ script: readFormat(said.get('format')), threshold: Number(threshold), keys },
    isSorted: !/^(?:false|no|0)$/i.test(said.get('sorted') ?? ''),
    name: readName(said.get('name')),
  }
  return { format: 'multisig-text', candidates: [buildMultisigAccount(account)] }
}

/** Coldcard's rule: P2SH where nothing is said. */
function readFormat(text: string | undefined): MultisigScript {
  const format = (text ?? 'P2SH').toUpperCase()
  const script = Object.hasOwn(MULTISIG_FORMATS, format) ? MULTISIG_FORMATS[format] : undefined
  if (script) return script
  throw new InvalidKeyFileError('unsupported', 'expected the format P2WSH, P2SH-P2WSH or P2SH')
}

/** BIP-129: a descriptor, its branches, and its first address. */
function readBsms([, descriptor = '', branches = '', address = '']: readonly string[]): KeyFile {
  if (!/^(?:\/0\/\*,\s?\/1\/\*|No path restrictions)$/i.test(branches))
    throw new InvalidKeyFileError('unsupported', 'expected the branches /0/*,/1/*')
  const candidates = listDescriptorAccounts([{ text: descriptor, isChange: null }], null)
  for (const { descriptor } of candidates) expectFirstAddress(descriptor, address || undefined)
  return { format: 'bsms', candidates }
}

/** Lines of descriptors or of keys; Sparrow puts comments above them, and some a label before them. */
function readKeyLines(lines: readonly string[]): KeyFile | null {
  if (lines.length === 0) return null
  const descriptors: FileDescriptor[] = []
  const keys: KeyCandidate[] = []
  let name: string | null = null
  let format: KeyFileFormat = 'extended-key'
  for (const line of lines) {
    const [, called, told] = /^addwallet ([^&]{1,80})&(.*)$/.exec(line) ?? []
    if (called !== undefined) name = readName(called)
    const text = (told ?? line).replace(/^[A-Za-z][A-Za-z ]{0,30}:\s*(?=[a-z]+\()/, '')
    if (/^[a-z][a-z0-9_]{0,20}\(/.test(text)) descriptors.push({ text, isChange: null })
    else {
      const read = readKeyLine(text)
      if (!read) return null
      if (text.startsWith('[')) format = 'key-expression'
      keys.push(...read)
    }
    if (keys.length > MOST_KEYS)
      throw new InvalidKeyFileError('too-large', `expected at most ${MOST_KEYS} keys`)
  }
  if (descriptors.length > 0) format = 'descriptor'
  const candidates = [...listDescriptorAccounts(descriptors, name), ...keys]
  return { format, candidates: listOnce(candidates) }
}

/** An extended key, with its origin before it and its branches after it or without. */
function readKeyLine(line: string): KeyCandidate[] | null {
  const [, origin, key = '', branches] =
    /^(?:\[([^\]]{8,2000})\])?([a-zA-Z]{4}[1-9A-HJ-NP-Za-km-z]{1,200})((?:\/[\d*<>;'hH]{1,12}){0,4})$/.exec(
      line,
    ) ?? []
  if (!looksLikeExtendedKey(key)) return null
  if (!/^(?:|\/\*\*|(?:\/[01]|\/<0;1>)(?:\/\*)?)$/.test(branches ?? ''))
    throw new InvalidKeyFileError('unsupported', 'expected the branches /0/* and /1/*, or none')
  const cut = origin?.indexOf('/') ?? -1
  const fingerprint = cut === -1 ? origin : origin?.slice(0, cut)
  const path = origin === undefined ? null : cut === -1 ? '' : origin.slice(cut + 1)
  return listKeyAccounts(readFileKey(key, { fingerprint: fingerprint ?? null, path }))
}
