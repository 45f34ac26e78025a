// Key files in JSON: those of Bitcoin Core, Coldcard, Electrum, Keystone, Specter and Caravan. Their fields are facts of these
// programs; only the ones named here are read, and never a private one.

import { type AddressType, addressOfScript } from '../address.ts'
import { toHex } from '../bytes.ts'
import { NETWORKS } from '../network.ts'
import { type MultisigScript, parseDescriptor } from './descriptor.ts'
import { deriveOutput } from './descriptor-output.ts'
import {
  buildMultisigAccount,
  type FileKey,
  InvalidKeyFileError,
  type KeyFile,
  listDescriptorAccounts,
  listKeyAccounts,
  readFileKey,
  readName,
} from './key-candidates.ts'

type Fields = Readonly<Record<string, unknown>>

const MOST_KEYS = 20

/** Sections of Coldcard's generic export; those of several signers are one key of several, which is no account. */
const COLDCARD_SECTIONS: { [section: string]: AddressType } = {
  bip84: 'p2wpkh',
  bip86: 'p2tr',
  bip49: 'p2sh-p2wpkh',
  bip44: 'p2pkh',
}

/** Specter's types of keys that sign alone. */
const SPECTER_TYPES: { [type: string]: AddressType } = {
  wpkh: 'p2wpkh',
  tr: 'p2tr',
  'sh-wpkh': 'p2sh-p2wpkh',
}

/** How multisig files name scripts, in capitals. */
export const MULTISIG_FORMATS: { [format: string]: MultisigScript } = {
  P2WSH: 'p2wsh',
  'P2SH-P2WSH': 'p2sh-p2wsh',
  'P2WSH-P2SH': 'p2sh-p2wsh',
  P2SH: 'p2sh',
}

/** The accounts of a file in JSON; null where its fields are those of no known program. */
export function readJsonKeyFile(json: unknown): KeyFile | null {
  if (Array.isArray(json)) return readCore(json, null)
  if (!isFields(json)) return null
  const result = field(json, 'result')
  const file = isFields(result) ? result : json
  return (
    readCore(field(file, 'descriptors'), readName(field(file, 'wallet_name'))) ??
    readElectrum(file) ??
    readColdcard(file) ??
    readKeystone(file) ??
    readSpecter(file) ??
    readCaravan(file)
  )
}

/** `listdescriptors`, or what `importdescriptors` takes. */
function readCore(list: unknown, name: string | null): KeyFile | null {
  if (!Array.isArray(list) || !list.every(isFields)) return null
  const descriptors = list.map(one => ({
    text: textOf(one, 'desc'),
    isActive: field(one, 'active') !== false,
    isChange: booleanOf(one, 'internal'),
  }))
  // Those that are in use come first; a wallet has no keys to show where it has none.
  const ordered = [...descriptors].sort((a, b) => Number(b.isActive) - Number(a.isActive))
  if (ordered.length === 0)
    throw new InvalidKeyFileError('unsupported', 'a list of descriptors without any')
  return { format: 'bitcoin-core', candidates: listDescriptorAccounts(ordered, name) }
}

function readElectrum(file: Fields): KeyFile | null {
  const type = field(file, 'wallet_type')
  if (typeof type !== 'string') return null
  const [, threshold, count] = /^(\d{1,2})of(\d{1,2})$/.exec(type) ?? []
  if (threshold === undefined) {
    const keystore = field(file, 'keystore')
    if (type !== 'standard' || !isFields(keystore) || field(keystore, 'xpub') === undefined)
      throw new InvalidKeyFileError(
        'unsupported',
        'a wallet of Electrum without an extended public key',
      )
    const key = readElectrumKey(keystore)
    const name = readName(field(keystore, 'label'))
    // To Electrum a key without SLIP-132's letters is one of legacy addresses.
    const options = { name, addressType: key.addressType ?? 'p2pkh' }
    return { format: 'electrum', candidates: listKeyAccounts(key, options) }
  }
  if (Number(count) > MOST_KEYS)
    throw new InvalidKeyFileError('unsupported', `expected at most ${MOST_KEYS} keys`)
  const keys = Array.from({ length: Number(count) }, (_, i) => {
    const keystore = field(file, `x${i + 1}/`) ?? field(file, `x${i + 1}`)
    if (!isFields(keystore))
      throw new InvalidKeyFileError('malformed', `expected the key x${i + 1}/`)
    return readElectrumKey(keystore)
  })
  const script: MultisigScript = keys[0]?.multisig ?? 'p2sh'
  if (keys.some(({ multisig }) => (multisig ?? 'p2sh') !== script))
    throw new InvalidKeyFileError('malformed', 'expected keys of one kind of script')
  const account = { script, threshold: Number(threshold), keys, name: null }
  return { format: 'electrum', candidates: [buildMultisigAccount(account)] }
}

function readElectrumKey(keystore: Fields): FileKey {
  const number = field(keystore, 'ckcc_xfp')
  const fingerprint = optionalText(keystore, 'root_fingerprint')
  return readFileKey(textOf(keystore, 'xpub'), {
    fingerprint: fingerprint ?? (typeof number === 'number' ? coldcardFingerprint(number) : null),
    path: optionalText(keystore, 'derivation'),
  })
}

/** Coldcard's `xfp` as a number has the first byte lowest. */
function coldcardFingerprint(number: number): string {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, number, true)
  return toHex(bytes)
}

function readColdcard(file: Fields): KeyFile | null {
  const fingerprint = field(file, 'xfp')
  if (typeof fingerprint !== 'string') return null
  const candidates = Object.entries(COLDCARD_SECTIONS).flatMap(([name, addressType]) => {
    const section = field(file, name)
    if (!isFields(section)) return []
    const key = readFileKey(textOf(section, 'xpub'), {
      fingerprint,
      path: textOf(section, 'deriv'),
    })
    const found = listKeyAccounts(key, { addressType })
    for (const { descriptor } of found) expectFirstAddress(descriptor, field(section, 'first'))
    return found
  })
  if (candidates.length > 0) return { format: 'coldcard', candidates }
  if (['p2wsh', 'p2sh_p2wsh', 'p2wsh_p2sh', 'p2sh'].every(name => field(file, name) === undefined))
    return null
  throw new InvalidKeyFileError(
    'unsupported',
    'one key of several: expected the file of the whole wallet, with all its keys',
  )
}

/** Also that of Cobo, and Coldcard's for Wasabi, which says no path. */
function readKeystone(file: Fields): KeyFile | null {
  if (field(file, 'ExtPubKey') === undefined) return null
  const path = optionalText(file, 'AccountKeyPath')
  const fingerprint = optionalText(file, 'MasterFingerprint')
  const key = readFileKey(textOf(file, 'ExtPubKey'), { fingerprint, path })
  return { format: 'keystone', candidates: listKeyAccounts(key) }
}

/** Specter's wallets and devices; `label` and `descriptor` are written by Sparrow, Jade, BlueWallet and others too. */
function readSpecter(file: Fields): KeyFile | null {
  const name = readName(field(file, 'label')) ?? readName(field(file, 'name'))
  const texts = ['descriptor', 'recv_descriptor', 'change_descriptor']
    .filter(which => Object.hasOwn(file, which))
    .map(which => ({ text: textOf(file, which), isChange: which === 'change_descriptor' }))
  if (texts.length > 0)
    return { format: 'specter', candidates: listDescriptorAccounts(texts, name) }
  const keys = field(file, 'keys')
  if (!Array.isArray(keys) || keys.length === 0 || !keys.every(isFields)) return null
  const alone = keys.filter(key => Object.hasOwn(SPECTER_TYPES, String(field(key, 'type'))))
  if (alone.length === 0 || alone.length > MOST_KEYS)
    throw new InvalidKeyFileError(
      'unsupported',
      `a list without a key that signs alone, or with more than ${MOST_KEYS}`,
    )
  const candidates = alone.flatMap(key => {
    const read = readFileKey(textOf(key, 'xpub'), {
      fingerprint: optionalText(key, 'fingerprint'),
      path: optionalText(key, 'derivation'),
    })
    const addressType = SPECTER_TYPES[String(field(key, 'type'))] ?? 'p2wpkh'
    return listKeyAccounts(read, { name, addressType })
  })
  return { format: 'specter', candidates }
}

function readCaravan(file: Fields): KeyFile | null {
  const quorum = field(file, 'quorum')
  const list = field(file, 'extendedPublicKeys')
  if (!isFields(quorum) || !Array.isArray(list) || !list.every(isFields)) return null
  const format = textOf(file, 'addressType').toUpperCase()
  const script = Object.hasOwn(MULTISIG_FORMATS, format) ? MULTISIG_FORMATS[format] : undefined
  if (!script) throw new InvalidKeyFileError('unsupported', 'expected P2WSH, P2SH-P2WSH or P2SH')
  if (list.length > MOST_KEYS)
    throw new InvalidKeyFileError('unsupported', `expected at most ${MOST_KEYS} keys`)
  const keys = list.map(key =>
    readFileKey(textOf(key, 'xpub'), {
      fingerprint: optionalText(key, 'xfp'),
      path: optionalText(key, 'bip32Path'),
    }),
  )
  const total = field(quorum, 'totalSigners')
  if (typeof total === 'number' && total !== keys.length)
    throw new InvalidKeyFileError('malformed', `expected ${total} keys, found ${keys.length}`)
  const threshold = field(quorum, 'requiredSigners')
  if (typeof threshold !== 'number' || !Number.isInteger(threshold))
    throw new InvalidKeyFileError('malformed', 'expected requiredSigners to be a number')
  const name = readName(field(file, 'name'))
  const account = { script, threshold, keys, name }
  return { format: 'caravan', candidates: [buildMultisigAccount(account)] }
}

/** The file's own first address, where it has one, is that of the account. */
export function expectFirstAddress(descriptor: string, address: unknown): void {
  if (typeof address !== 'string') return
  const { scriptPubKey } = deriveOutput(parseDescriptor(descriptor), { branch: 0, index: 0 })
  if (NETWORKS.some(network => addressOfScript(scriptPubKey, network) === address)) return
  throw new InvalidKeyFileError(
    'malformed',
    'the first address in it is not that of the key: one of them was changed',
  )
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function field(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

function textOf(fields: Fields, name: string): string {
  const value = field(fields, name)
  if (typeof value === 'string') return value.trim()
  throw new InvalidKeyFileError('malformed', `expected ${name} to be text`)
}

function optionalText(fields: Fields, name: string): string | null {
  const value = field(fields, name)
  return value === undefined || value === null || value === '' ? null : textOf(fields, name)
}

function booleanOf(fields: Fields, name: string): boolean | null {
  const value = field(fields, name)
  return typeof value === 'boolean' ? value : null
}
