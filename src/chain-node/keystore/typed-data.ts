import { keccak256, secp256k1 } from '../engine/crypto.ts'
import { ArgumentError } from '../rpc/rpc-error.ts'

/** Structured data that an account is asked to sign (EIP-712): JSON as `eth_signTypedData_v4` has it. */
export interface TypedData {
  readonly types: Types
  readonly primaryType: string
  readonly domain: JsonObject
  readonly message: JsonObject
}

type JsonObject = { readonly [name: string]: unknown }
type Types = ReadonlyMap<string, readonly Member[]>

interface Member {
  readonly name: string
  readonly type: string
}

const DOMAIN_TYPE = 'EIP712Domain'

/** What a few thousand bytes could otherwise make of hours of work: types, members of each, letters of a name, and levels of values. */
const MOST_TYPES = 64
const MOST_MEMBERS = 64
const MOST_LETTERS = 128
const MOST_LEVELS = 64

/** In this order where the types do not name it (EIP-712). */
const DOMAIN_MEMBERS: readonly Member[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
]

/** Reads typed data, an object or its JSON text. Throws `ArgumentError` that names the part that is wrong. */
export function readTypedData(value: unknown): TypedData {
  const data = readObject(typeof value === 'string' ? parseJson(value) : value, 'typed data')
  const { primaryType } = data
  if (typeof primaryType !== 'string') throw refuse('primaryType', 'the name of a type')
  const domain = readObject(data.domain ?? {}, 'domain')
  const types = readTypes(readObject(data.types, 'types'), domain)
  if (!types.has(primaryType)) throw refuse('primaryType', 'the name of one of the types')
  const message = primaryType === DOMAIN_TYPE ? {} : readObject(data.message, 'message')
  return { types, primaryType, domain, message }
}

/** Whether a type that the data use is an array, of which version 3 knows nothing. */
export function hasArrays({ types }: TypedData): boolean {
  return [...types.values()].some(members => members.some(({ type }) => type.endsWith(']')))
}

/** The hash that is signed, 32 bytes. Throws `ArgumentError` that names the field whose value does not fit its type. */
export function hashTypedData({ types, primaryType, domain, message }: TypedData): Uint8Array {
  const encoder = createEncoder(types)
  const parts = [encoder.hashStruct(DOMAIN_TYPE, domain, 'domain', 0)]
  if (primaryType !== DOMAIN_TYPE)
    parts.push(encoder.hashStruct(primaryType, message, 'message', 0))
  return keccak256(Buffer.concat([Buffer.from('1901', 'hex'), ...parts]))
}

/**
 * @param hash - of typed data
 * @returns 65 bytes: r, s and v, which is 27 or 28
 */
export function signTypedHash(hash: Uint8Array, privateKey: Uint8Array): Uint8Array {
  const { signature, recovery } = secp256k1.sign(hash, privateKey)
  return Uint8Array.of(...signature, 27 + recovery)
}

function createEncoder(types: Types) {
  const typeHashes = new Map<string, Uint8Array>()

  /** EIP-712's `encodeType`: the type, then those that it refers to by name. */
  function hashType(name: string): Uint8Array {
    const known = typeHashes.get(name)
    if (known) return known
    const referred = new Set<string>()
    const visit = (type: string) => {
      if (referred.has(type)) return
      referred.add(type)
      for (const member of types.get(type) ?? []) {
        const base = member.type.replace(/\[.*$/, '')
        if (types.has(base)) visit(base)
      }
    }
    visit(name)
    referred.delete(name)
    const text = [name, ...[...referred].sort()]
      .map(type => {
        const members = types.get(type) ?? []
        return `${type}(${members.map(member => `${member.type} ${member.name}`).join()})`
      })
      .join('')
    const hash = keccak256(Buffer.from(text))
    typeHashes.set(name, hash)
    return hash
  }

  function hashStruct(type: string, value: unknown, path: string, level: number): Uint8Array {
    const fields = readObject(value, path)
    const members = types.get(type) ?? []
    const encoded = members.map(member => {
      const own = Object.hasOwn(fields, member.name) ? fields[member.name] : undefined
      return encodeValue(member.type, own, `${path}.${member.name}`, level + 1)
    })
    return keccak256(Buffer.concat([hashType(type), ...encoded]))
  }

  /** @returns 32 bytes */
  function encodeValue(type: string, value: unknown, path: string, level: number): Uint8Array {
    if (level > MOST_LEVELS) throw refuse(path, `at most ${MOST_LEVELS} levels of values`)
    const array = /^(.+)\[(\d*)\]$/.exec(type)
    if (array) {
      const [, item = '', length = ''] = array
      if (!Array.isArray(value) || (length !== '' && value.length !== Number(length))) {
        throw refuse(path, `an array${length === '' ? '' : ` of ${length}`} of ${item}`)
      }
      const items = value.map((one, index) =>
        encodeValue(item, one, `${path}[${index}]`, level + 1),
      )
      return keccak256(Buffer.concat(items))
    }
    if (types.has(type)) return hashStruct(type, value, path, level)
    return encodeAtom(type, value, path)
  }

  return { hashStruct }
}

function encodeAtom(type: string, value: unknown, path: string): Uint8Array {
  if (type === 'string') {
    if (typeof value !== 'string') throw refuse(path, 'a text')
    return keccak256(Buffer.from(value))
  }
  if (type === 'bool') {
    if (typeof value !== 'boolean') throw refuse(path, 'true or false')
    return encodeInteger(value ? 1n : 0n)
  }
  if (type === 'address') return padStart(readBytes(value, 20, path))
  if (type === 'bytes') return keccak256(readBytes(value, null, path))
  const [, kind, digits = ''] = /^(bytes|uint|int)(\d*)$/.exec(type) ?? []
  const size = Number(digits)
  if (kind === 'bytes') {
    const word = new Uint8Array(32)
    word.set(readBytes(value, size, path))
    return word
  }
  const bits = BigInt(digits === '' ? 256 : size)
  const integer = readInteger(value, type, path)
  const [least, limit] =
    kind === 'int' ? [-(1n << (bits - 1n)), 1n << (bits - 1n)] : [0n, 1n << bits]
  if (integer < least || integer >= limit) throw refuse(path, `an integer that fits ${type}`)
  return encodeInteger(integer)
}

function encodeInteger(value: bigint): Uint8Array {
  return Buffer.from(BigInt.asUintN(256, value).toString(16).padStart(64, '0'), 'hex')
}

function padStart(bytes: Uint8Array): Uint8Array {
  const word = new Uint8Array(32)
  word.set(bytes, 32 - bytes.length)
  return word
}

/** A number of JSON that is exact, or text in decimals or hexadecimals. */
function readInteger(value: unknown, type: string, path: string): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (typeof value === 'string' && /^(-?\d{1,78}|0x[0-9a-f]{1,64})$/i.test(value))
    return BigInt(value)
  throw refuse(path, `an integer that fits ${type}`)
}

function readBytes(value: unknown, length: number | null, path: string): Uint8Array {
  const isHex = typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value)
  if (!isHex || (length !== null && value.length !== 2 + 2 * length)) {
    throw refuse(path, `${length === null ? 'bytes' : `${length} bytes`} in hexadecimals after 0x`)
  }
  return Buffer.from(value.slice(2), 'hex')
}

function readTypes(value: JsonObject, domain: JsonObject): Types {
  const types = new Map<string, readonly Member[]>()
  const entries = Object.entries(value)
  if (entries.length > MOST_TYPES) throw refuse('types', `at most ${MOST_TYPES} types`)
  for (const [name, members] of entries) {
    if (name.length > MOST_LETTERS || !/^[A-Za-z_$][\w$]*$/.test(name) || isAtom(name)) {
      throw refuse(`types.${name}`, 'a name that is no type by itself')
    }
    types.set(name, readMembers(members, `types.${name}`))
  }
  if (!types.has(DOMAIN_TYPE)) {
    types.set(
      DOMAIN_TYPE,
      DOMAIN_MEMBERS.filter(({ name }) => domain[name] !== undefined && domain[name] !== null),
    )
  }
  for (const [name, members] of types) {
    for (const member of members) {
      const base = member.type.replace(/(\[\d*\])+$/, '')
      if (isAtom(base) || types.has(base)) continue
      throw refuse(
        `types.${name}.${member.name}`,
        `a type that is known, and found ${encodeText(member.type)}`,
      )
    }
  }
  return types
}

function readMembers(value: unknown, path: string): Member[] {
  if (!Array.isArray(value) || value.length > MOST_MEMBERS) {
    throw refuse(path, `an array of at most ${MOST_MEMBERS} members`)
  }
  const members = value.map((member, index) => readMember(member, `${path}[${index}]`))
  const names = new Set(members.map(({ name }) => name))
  if (names.size < members.length) throw refuse(path, 'members with names of their own')
  return members
}

function readMember(value: unknown, path: string): Member {
  const { name, type } = readObject(value, path)
  return { name: readName(name, `${path}.name`), type: readName(type, `${path}.type`) }
}

function readName(value: unknown, path: string): string {
  if (typeof value === 'string' && value.length <= MOST_LETTERS) return value
  throw refuse(path, `a text of at most ${MOST_LETTERS} letters`)
}

function isAtom(type: string): boolean {
  if (['string', 'bool', 'address', 'bytes', 'uint', 'int'].includes(type)) return true
  const [, kind, digits = ''] = /^(bytes|uint|int)([1-9]\d*)$/.exec(type) ?? []
  const size = Number(digits)
  return kind === 'bytes' ? size <= 32 : kind !== undefined && size <= 256 && size % 8 === 0
}

function readObject(value: unknown, path: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refuse(path, 'an object')
  }
  return value as JsonObject
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refuse('typed data', 'an object or its JSON text')
  }
}

function encodeText(text: string): string {
  return JSON.stringify(text.slice(0, 100))
}

function refuse(path: string, expected: string): ArgumentError {
  return new ArgumentError(`${path.slice(0, 200)}: expected ${expected}`)
}
