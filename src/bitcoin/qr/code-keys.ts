import { type Cbor, CborTag, decodeCbor } from './cbor.ts'
import { type CodeKey, formatKeyExpression } from './key-text.ts'
import { QrCodeError } from './qr-error.ts'

/** A script of a code with its keys. */
export type CodeDescriptor = {
  /** The functions around the keys, such as `wpkh`, `sh(wpkh)`, `wsh(sortedmulti)`; null for a bare key. */
  script: string | null
  keys: readonly CodeKey[]
  /** A descriptor without checksum (BIP-380), or the key expression of a bare key. Its xpubs say what the code said. */
  text: string
}

/** What a code says about an account: the keys of one signer, or a descriptor. */
export type CodeKeys = {
  masterFingerprint: string | null
  descriptors: readonly CodeDescriptor[]
}

type CborMap = ReadonlyMap<number | string, Cbor>

/** Tags of both versions, the deprecated one first: BCR-2020-007, -008, -010, -015, BCR-2023-010, -019. */
const TAGS = {
  key: [303, 40303],
  path: [304, 40304],
  coin: [305, 40305],
  plainKey: [306, 40306],
  output: [308, 40308],
  account: [311, 40311],
  keysOfCoins: [1103],
}

const FUNCTIONS: { [tag: number]: string } = {
  400: 'sh',
  401: 'wsh',
  402: 'pk',
  403: 'pkh',
  404: 'wpkh',
  405: 'combo',
  406: 'multi',
  407: 'sortedmulti',
  409: 'tr',
  410: 'cosigner',
}

const HARDENED = 2 ** 31

/** The types of {@link parseCodeKeys}. */
export const KEY_TYPES = [
  'crypto-hdkey',
  'hdkey',
  'crypto-output',
  'output-descriptor',
  'crypto-account',
  'account-descriptor',
  'crypto-multi-accounts',
] as const

/** BIP-44, BIP-49, BIP-84, BIP-86: purposes of keys that sign alone. */
const PURPOSES: readonly number[] = [44, 49, 84, 86]

/** Reads the keys of a uniform resource; throws {@link QrCodeError}, `private` where a private key is in it. */
export function parseCodeKeys(type: (typeof KEY_TYPES)[number], cbor: Uint8Array): CodeKeys {
  const item = decodeCbor(cbor)
  if (type === 'crypto-hdkey' || type === 'hdkey') {
    const key = readHdKey(untag(item, TAGS.key))
    const text = formatKeyExpression(key)
    const masterFingerprint = key.origin?.fingerprint ?? null
    return { masterFingerprint, descriptors: [{ script: null, keys: [key], text }] }
  }
  if (type === 'crypto-output' || type === 'output-descriptor') {
    const descriptor = readOutput(item)
    const masterFingerprint = descriptor.keys[0]?.origin?.fingerprint ?? null
    return {
      masterFingerprint: descriptor.keys.length === 1 ? masterFingerprint : null,
      descriptors: [descriptor],
    }
  }
  if (type === 'crypto-multi-accounts') return readKeysOfCoins(item)
  const account = expectMap(untag(item, TAGS.account), 'account')
  const outputs = account.get(2)
  if (!isList(outputs)) throw damaged('account', 'a list of descriptors')
  return {
    masterFingerprint: readFingerprint(account.get(1), 'master fingerprint'),
    descriptors: outputs.map(readOutput),
  }
}

/** Keystone's keys of many coins, of which those of Bitcoin are read; the others may be keys of other curves. */
function readKeysOfCoins(item: Cbor): CodeKeys {
  const accounts = expectMap(untag(item, TAGS.keysOfCoins), 'accounts')
  const masterFingerprint = readFingerprint(accounts.get(1), 'master fingerprint')
  const items = accounts.get(2)
  if (!isList(items)) throw damaged('accounts', 'a list of keys')
  const descriptors = items.flatMap((item): CodeDescriptor[] => {
    const key = expectMap(untag(item, TAGS.key), 'key')
    const origin = readOrigin(key.get(6))
    const [purpose = 0, coin = 0] = (origin?.path ?? []).map(step => step - HARDENED)
    if (!origin || !PURPOSES.includes(purpose) || (coin !== 0 && coin !== 1)) return []
    const read: CodeKey = {
      ...readHdKey(key),
      origin: { ...origin, fingerprint: origin.fingerprint ?? masterFingerprint },
      ...{ children: '', space: coin === 1 ? 'test' : 'mainnet' },
    }
    return [{ script: null, keys: [read], text: formatKeyExpression(read) }]
  })
  if (descriptors.length === 0)
    throw new QrCodeError('unsupported', 'accounts: expected a key of Bitcoin')
  return { masterFingerprint, descriptors }
}

function readOutput(item: Cbor): CodeDescriptor {
  const inside = untag(item, TAGS.output)
  return inside instanceof Map ? readTextOutput(inside) : readTaggedOutput(inside)
}

/** BCR-2023-010: a descriptor as text, in which `@0` stands for the first key. */
function readTextOutput(output: CborMap): CodeDescriptor {
  const source = output.get(1)
  if (typeof source !== 'string') throw damaged('descriptor', 'a text')
  const items = output.get(2) ?? []
  if (!isList(items)) throw damaged('keys', 'a list')
  const keys = items.map(readKey)
  const texts = keys.map(formatKeyExpression)
  const text = source.replace(/@(0|[1-9][0-9]*)/g, (_, index) => {
    const key = texts[Number(index)]
    if (key === undefined)
      throw damaged('descriptor', `a key for each place, found none for ${index}`)
    return key
  })
  if (/[xyzuvtYZUV]prv[1-9A-HJ-NP-Za-km-z]{20}/.test(text))
    throw new QrCodeError('private', 'a private key is in the descriptor')
  const functions = [...source.matchAll(/([a-z_]+)\(/g)].map(([, name]) => name as string)
  return { script: joinFunctions(functions), keys, text }
}

/** BCR-2020-010: functions are tags, one inside the other. */
function readTaggedOutput(item: Cbor): CodeDescriptor {
  const functions: string[] = []
  let inside = item
  while (inside instanceof CborTag && Object.hasOwn(FUNCTIONS, inside.tag)) {
    functions.push(FUNCTIONS[inside.tag] as string)
    inside = inside.value
  }
  const last = functions.at(-1)
  if (last === undefined)
    throw new QrCodeError('unsupported', 'descriptor: expected a script of public keys')
  const close = ')'.repeat(functions.length)
  const open = `${functions.join('(')}(`
  if (last !== 'multi' && last !== 'sortedmulti') {
    const key = readKey(inside)
    return {
      script: joinFunctions(functions),
      keys: [key],
      text: open + formatKeyExpression(key) + close,
    }
  }
  const multi = expectMap(inside, 'keys of several')
  const [threshold, items] = [multi.get(1), multi.get(2)]
  if (typeof threshold !== 'number' || !isList(items) || threshold < 1 || threshold > items.length)
    throw damaged('keys of several', 'a threshold and as many keys')
  const keys = items.map(readKey)
  const text = [`${threshold}`, ...keys.map(formatKeyExpression)].join(',')
  return { script: joinFunctions(functions), keys, text: open + text + close }
}

function joinFunctions(functions: readonly string[]): string {
  return functions.join('(') + ')'.repeat(Math.max(0, functions.length - 1))
}

function readKey(item: Cbor): CodeKey {
  if (item instanceof CborTag && TAGS.key.includes(item.tag)) return readHdKey(item.value)
  if (!(item instanceof CborTag && TAGS.plainKey.includes(item.tag)))
    throw new QrCodeError('unsupported', 'key: expected an HD key or an EC key')
  const key = expectMap(item.value, 'key')
  if (key.get(2) === true) throw new QrCodeError('private', 'the key is a private one')
  return {
    publicKey: readPublicKey(key.get(3)),
    chainCode: null,
    origin: null,
    parentFingerprint: null,
    children: '',
    space: 'mainnet',
    name: null,
  }
}

function readHdKey(item: Cbor): CodeKey {
  const key = expectMap(item, 'key')
  if (key.get(1) === true || key.get(2) === true)
    throw new QrCodeError('private', 'the key is a private one')
  const chainCode = key.get(4) ?? null
  if (chainCode !== null && !(chainCode instanceof Uint8Array && chainCode.length === 32))
    throw damaged('chain code', '32 bytes')
  const name = key.get(9) ?? null
  if (name !== null && typeof name !== 'string') throw damaged('name', 'a text')
  return {
    publicKey: readPublicKey(key.get(3)),
    chainCode,
    origin: readOrigin(key.get(6)),
    parentFingerprint: readFingerprint(key.get(8), 'parent fingerprint'),
    children: readChildren(key.get(7)),
    space: readSpace(key.get(5)),
    name,
  }
}

function readPublicKey(item: Cbor | undefined): Uint8Array {
  if (!(item instanceof Uint8Array)) throw damaged('key data', '33 bytes')
  if (item.length === 32 || (item.length === 33 && item[0] === 0))
    throw new QrCodeError('private', 'the key is a private one')
  if (item.length !== 33 || (item[0] !== 2 && item[0] !== 3))
    throw damaged('key data', '33 bytes that begin with 2 or 3')
  return item
}

function readSpace(item: Cbor | undefined): CodeKey['space'] {
  if (item === undefined) return 'mainnet'
  const coin = expectMap(untag(item, TAGS.coin), 'coin')
  const [type, network] = [coin.get(1) ?? 0, coin.get(2) ?? 0]
  // SLIP-44: 0 is Bitcoin, 1 all test networks.
  if ((type !== 0 && type !== 1) || (network !== 0 && network !== 1))
    throw new QrCodeError('unsupported', 'coin: expected Bitcoin')
  return type === 1 || network === 1 ? 'test' : 'mainnet'
}

function readOrigin(item: Cbor | undefined): CodeKey['origin'] {
  if (item === undefined) return null
  const origin = expectMap(untag(item, TAGS.path), 'origin')
  const components = origin.get(1)
  if (!isList(components) || components.length % 2 !== 0 || components.length > 510)
    throw damaged('path', 'pairs of a number and whether it is hardened')
  const path: number[] = []
  for (let i = 0; i < components.length; i += 2) {
    const [step, hardened] = [components[i], components[i + 1]]
    if (!isStep(step) || typeof hardened !== 'boolean')
      throw damaged('path', 'numbers below 2^31, and whether they are hardened')
    path.push(hardened ? step + HARDENED : step)
  }
  const depth = origin.get(3) ?? path.length
  if (typeof depth !== 'number' || depth < 0 || depth > 255) throw damaged('depth', '0 to 255')
  return { fingerprint: readFingerprint(origin.get(2), 'source fingerprint'), path, depth }
}

function readChildren(item: Cbor | undefined): string {
  if (item === undefined) return ''
  const components = expectMap(untag(item, TAGS.path), 'children').get(1)
  if (!isList(components)) throw damaged('children', 'a list')
  let text = ''
  for (let i = 0; i < components.length; i++) {
    const step = components[i] as Cbor
    if (isList(step) && step.length === 4) {
      const [external, isHardened, internal, isInternalHardened] = step
      if (
        !isStep(external) ||
        !isStep(internal) ||
        isHardened !== false ||
        isInternalHardened !== false
      )
        throw damaged('children', 'a pair of numbers that are not hardened')
      text += `/<${external};${internal}>`
      continue
    }
    i += 1
    if (components[i] !== false)
      throw new QrCodeError('unsupported', 'children: expected steps that are not hardened')
    if (isStep(step)) text += `/${step}`
    else if (isList(step) && step.length === 0) text += '/*'
    else throw new QrCodeError('unsupported', 'children: expected numbers, pairs or a wildcard')
  }
  return text
}

function readFingerprint(item: Cbor | undefined, field: string): string | null {
  if (item === undefined) return null
  if (typeof item !== 'number' || item < 0 || item >= 2 ** 32)
    throw damaged(field, 'a number below 2^32')
  return item.toString(16).padStart(8, '0')
}

function untag(item: Cbor, tags: readonly number[]): Cbor {
  return item instanceof CborTag && tags.includes(item.tag) ? item.value : item
}

function expectMap(item: Cbor, field: string): CborMap {
  if (!(item instanceof Map)) throw damaged(field, 'a map')
  return item
}

function isList(item: Cbor | undefined): item is readonly Cbor[] {
  return Array.isArray(item)
}

function isStep(item: Cbor | undefined): item is number {
  return typeof item === 'number' && item >= 0 && item < HARDENED
}

function damaged(field: string, expected: string): QrCodeError {
  return new QrCodeError('damaged', `${field}: expected ${expected}`)
}
