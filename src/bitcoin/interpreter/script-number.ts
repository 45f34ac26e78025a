import { assertScript } from './script-error.ts'

/** The most bytes of a number that is computed with. */
const NUMBER_SIZE = 4

/** Reads a number: little-endian, the highest bit its sign. Throws the ScriptError of one that is too long or, where asked for, not minimal. */
export function readNumber(bytes: Uint8Array, minimal: boolean, size = NUMBER_SIZE): number {
  assertScript(bytes.length <= size, 'SCRIPTNUM')
  const last = bytes.at(-1) ?? 0
  if (minimal && bytes.length > 0 && (last & 0x7f) === 0) {
    // The last byte holds a sign alone, which only the highest bit of the one before asks for.
    assertScript(((bytes.at(-2) ?? 0) & 0x80) !== 0, 'SCRIPTNUM')
  }
  let value = 0
  for (const [i, byte] of bytes.entries())
    value += (i === bytes.length - 1 ? byte & 0x7f : byte) * 256 ** i
  return (last & 0x80) !== 0 ? -value : value
}

/** The shortest bytes of an integer. */
export function encodeNumber(value: number): Uint8Array {
  const bytes: number[] = []
  for (let rest = Math.abs(value); rest > 0; rest = Math.floor(rest / 256)) bytes.push(rest % 256)
  const last = bytes.length - 1
  if (((bytes[last] ?? 0) & 0x80) !== 0) bytes.push(value < 0 ? 0x80 : 0)
  else if (value < 0) bytes[last] = (bytes[last] ?? 0) | 0x80
  return Uint8Array.from(bytes)
}

/** Anything but zeros, and but zero with a sign. */
export function isTrue(bytes: Uint8Array): boolean {
  return bytes.some((byte, i) => byte !== 0 && !(byte === 0x80 && i === bytes.length - 1))
}
