import { toHex } from '../../bitcoin/bytes.ts'
import type { ExactJson } from '../server/exact-json.ts'
import { type CborMap, type CborValue, isCborList, isCborMap } from './cbor.ts'

/** What Python counts for a bytes object beside its content. */
const BYTES_OVERHEAD = 33

/** Bytes in base64, as the server writes what it does not parse. */
export function toBase64Json(value: CborValue): ExactJson {
  return toJson(value, bytes => Buffer.from(bytes).toString('base64'))
}

/** Bytes as `{$b: hex, $len, $auto}`, as the server writes the content of a mint. */
export function toMarkedJson(value: CborValue): ExactJson {
  return toJson(value, bytes => ({
    $b: toHex(bytes),
    $len: bytes.length + BYTES_OVERHEAD,
    $auto: true,
  }))
}

export function mapToJson(
  map: CborMap,
  write: (value: CborValue) => ExactJson,
): { [key: string]: ExactJson } {
  return Object.fromEntries([...map].map(([key, value]) => [key, write(value)]))
}

function toJson(value: CborValue, writeBytes: (bytes: Uint8Array) => ExactJson): ExactJson {
  if (value === undefined || value === null) return null
  if (value instanceof Uint8Array) return writeBytes(value)
  if (isCborMap(value)) return mapToJson(value, each => toJson(each, writeBytes))
  if (isCborList(value)) return value.map(each => toJson(each, writeBytes))
  return typeof value === 'object' ? writeBytes(value.bytes) : value
}
