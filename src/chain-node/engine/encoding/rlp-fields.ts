import { encodeHex, type Hex } from '../../codec/hex.ts'
import { isRlpList, RlpError, type RlpItem, type RlpList } from './rlp.ts'

/** Where a value stands, in geth's words: `(types.LegacyTx).Nonce`. */
export interface RlpField {
  /** Go's type. */
  readonly owner: string
  readonly name: string
}

/** The items of a list that has as many as `owner` has fields. Throws `RlpError` with geth's text, as do all of these. */
export function readFields(
  item: RlpItem,
  owner: string,
  least: number,
  most = least,
): readonly RlpItem[] {
  if (!isRlpList(item)) throw new RlpError(`rlp: expected input list for ${owner}`)
  if (item.items.length < least) throw new RlpError(`rlp: too few elements for ${owner}`)
  if (item.items.length > most) {
    throw new RlpError(`rlp: input list has too many elements for ${owner}`)
  }
  return item.items
}

export function readRlpList(item: RlpItem | undefined, type: string, field: RlpField): RlpList {
  if (item === undefined || !isRlpList(item)) {
    throw new RlpError(`rlp: expected input list for ${type}${describe(field)}`)
  }
  return item
}

export function readRlpBytes(
  item: RlpItem | undefined,
  field: RlpField,
  type = '[]uint8',
): Uint8Array {
  if (item === undefined || isRlpList(item)) {
    throw new RlpError(`rlp: expected input string or byte for ${type}${describe(field)}`)
  }
  return item
}

/** @param length - how many bytes there must be */
export function readFixed(
  item: RlpItem | undefined,
  length: number,
  type: string,
  field: RlpField,
): Hex {
  const bytes = readRlpBytes(item, field, type)
  if (bytes.length !== length) {
    const fault = bytes.length < length ? 'short' : 'long'
    throw new RlpError(`rlp: input string too ${fault} for ${type}${describe(field)}`)
  }
  return encodeHex(bytes)
}

export function readUint64(item: RlpItem | undefined, field: RlpField): bigint {
  const bytes = readInteger(item, 'uint64', field)
  if (bytes.length > 8)
    throw new RlpError(`rlp: input string too long for uint64${describe(field)}`)
  return toBigInt(bytes)
}

export function readUint256(item: RlpItem | undefined, field: RlpField): bigint {
  const bytes = readInteger(item, 'uint256.Int', field)
  if (bytes.length > 32) throw new RlpError(`rlp: value too large for uint256${describe(field)}`)
  return toBigInt(bytes)
}

function readInteger(item: RlpItem | undefined, type: string, field: RlpField): Uint8Array {
  const bytes = readRlpBytes(item, field, type)
  if (bytes[0] === 0) {
    throw new RlpError(
      `rlp: non-canonical integer (leading zero bytes) for ${type}${describe(field)}`,
    )
  }
  return bytes
}

function describe({ owner, name }: RlpField): string {
  return `, decoding into (${owner}).${name}`
}

function toBigInt(bytes: Uint8Array): bigint {
  if (bytes.length > 6) return BigInt(encodeHex(bytes))
  let value = 0
  for (const byte of bytes) value = value * 256 + byte
  return BigInt(value)
}
