import { u128 } from '@magiceden-oss/runestone-lib/dist/src/integer/index.js'
import { concatBytes, joinBytes } from '../../bitcoin/bytes.ts'
import { encodePushes } from '../../bitcoin/script.ts'

/** The payload of these integers, encoded by another library. */
export function encodeIntegers(integers: readonly (bigint | number)[]): Uint8Array {
  return joinBytes(integers.map(integer => u128.encodeVarInt(u128(integer))))
}

/** `OP_RETURN OP_13` and these bytes. */
export function runestoneOf(...afterMagic: readonly Uint8Array[]): Uint8Array {
  return concatBytes(Uint8Array.of(0x6a, 0x5d), ...afterMagic)
}

const LONGEST_PUSH = 0xffff

/** The script of a runestone with these integers, in as few pushes as they fit. */
export function runestoneScript(integers: readonly (bigint | number)[]): Uint8Array {
  const payload = encodeIntegers(integers)
  const starts = Array.from(
    { length: Math.ceil(payload.length / LONGEST_PUSH) },
    (_, i) => i * LONGEST_PUSH,
  )
  return runestoneOf(
    encodePushes(starts.map(start => payload.subarray(start, start + LONGEST_PUSH))),
  )
}
