import { concatBytes, toUtf8 } from '../../bitcoin/bytes.ts'
import { encodePushes } from '../../bitcoin/script.ts'

/** A script of opcodes (numbers), pushes of bytes and pushes of text. */
export function assemble(...parts: readonly (number | string | Uint8Array)[]): Uint8Array {
  return concatBytes(
    ...parts.map(part => {
      if (typeof part === 'number') return Uint8Array.of(part)
      return encodePushes([typeof part === 'string' ? toUtf8(part) : part])
    }),
  )
}
