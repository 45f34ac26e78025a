import { type ByteCursor, expectEnd, MalformedBytesError, readSized } from '../byte-cursor.ts'
import { joinBytes, toHex } from '../bytes.ts'
import { encodeCompactSize } from '../compact-size.ts'

/** A record of a map of a PSBT: `key` is its type and key data. */
export type PsbtEntry = { key: Uint8Array; value: Uint8Array }

/** All that a PSBT holds, in the order it came in, whether this wallet understands it or not. */
export type PsbtMaps = {
  global: readonly PsbtEntry[]
  inputs: readonly (readonly PsbtEntry[])[]
  outputs: readonly (readonly PsbtEntry[])[]
}

/** Bytes that are no PSBT by BIP-174, BIP-370 and BIP-371, or that no valid transaction can come of. */
export class InvalidPsbtError extends Error {
  override name = 'InvalidPsbtError'
  /** `global`, `input 2`, `output 0`, or `psbt` for what concerns the whole. */
  readonly where: string
  constructor(where: string, problem: string, options?: ErrorOptions) {
    super(where === 'psbt' ? `PSBT: ${problem}` : `PSBT ${where}: ${problem}`, options)
    this.where = where
  }
}

/** The bytes that every PSBT begins with: `psbt` and 0xff. */
export const PSBT_MAGIC = Uint8Array.of(0x70, 0x73, 0x62, 0x74, 0xff)

/** At the first map of a PSBT. */
export function openMaps(bytes: Uint8Array): ByteCursor {
  if (!PSBT_MAGIC.every((byte, i) => bytes[i] === byte))
    throw new InvalidPsbtError('psbt', 'expected the bytes 70736274ff at the start')
  return { bytes, offset: PSBT_MAGIC.length }
}

/** Reads a map; throws {@link InvalidPsbtError} on a key that is there twice, and when the bytes end within the map. */
export function readMap(cursor: ByteCursor, where: string): PsbtEntry[] {
  return attemptAt(where, () => {
    const entries: PsbtEntry[] = []
    const keys = new Set<string>()
    for (;;) {
      const key = readSized(cursor)
      if (key.length === 0) return entries
      const hex = toHex(key)
      if (keys.has(hex)) throw new MalformedBytesError(`key ${hex.slice(0, 80)}: expected once`)
      keys.add(hex)
      entries.push({ key, value: readSized(cursor) })
    }
  })
}

/** After the last map. */
export function closeMaps(cursor: ByteCursor): void {
  attemptAt('psbt', () => expectEnd(cursor))
}

/** The bytes of a PSBT. */
export function encodeMaps({ global, inputs, outputs }: PsbtMaps): Uint8Array {
  const separator = Uint8Array.of(0)
  const parts: Uint8Array[] = [PSBT_MAGIC]
  for (const map of [global, ...inputs, ...outputs]) {
    for (const { key, value } of map)
      parts.push(encodeCompactSize(key.length), key, encodeCompactSize(value.length), value)
    parts.push(separator)
  }
  return joinBytes(parts)
}

/** Runs a reading function and says where in the PSBT it failed, and in which field. */
export function attemptAt<T>(where: string, read: () => T, field = () => ''): T {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof MalformedBytesError)) throw cause
    const name = field()
    throw new InvalidPsbtError(where, name ? `${name}: ${cause.message}` : cause.message, { cause })
  }
}
