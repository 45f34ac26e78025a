import { assertSound } from './surface.ts'

const SEQUENCE_HEADER = 1

/** Most pixels that a frame of an AV1 stream can have, by its sequence headers (AV1 specification 5.3, 5.5). Throws for a stream without one. */
export function measureSequence(stream: Uint8Array): number {
  let most = 0
  for (let at = 0; at < stream.length; ) {
    const header = stream[at++] ?? 0
    if (header & 0x04) at++
    let size = stream.length - at
    if (header & 0x02) [size, at] = readLeb128(stream, at)
    assertSound((header & 0x80) === 0 && at + size <= stream.length, 'av1: cut off')
    if (((header >> 3) & 0x0f) === SEQUENCE_HEADER)
      most = Math.max(most, readLargestFrame(stream.subarray(at, at + size)))
    at += size
  }
  assertSound(most > 0, 'av1: no sequence header')
  return most
}

function readLargestFrame(header: Uint8Array): number {
  let at = 0
  read(3) // Profile.
  read(1) // Whether it is a still picture.
  const reduced = read(1) === 1
  if (reduced) read(5)
  else {
    assertSound(read(1) === 0, 'av1: timed')
    const delays = read(1) === 1
    const points = read(5) + 1
    for (let point = 0; point < points; point++) {
      read(12)
      if (read(5) > 7) read(1)
      if (delays && read(1) === 1) read(4)
    }
  }
  const [widthBits, heightBits] = [read(4) + 1, read(4) + 1]
  const [width, height] = [read(widthBits) + 1, read(heightBits) + 1]
  // Only the frames of a full header may say another size, of as many bits.
  return reduced ? width * height : 2 ** (widthBits + heightBits)

  function read(bits: number): number {
    let value = 0
    for (let i = 0; i < bits; i++, at++) {
      const byte = header[at >> 3]
      assertSound(byte !== undefined, 'av1: cut off')
      value = value * 2 + ((byte >> (7 - (at & 7))) & 1)
    }
    return value
  }
}

/** The number, and where it ends; no stream here is longer than 2^28 bytes. */
function readLeb128(bytes: Uint8Array, from: number): [value: number, end: number] {
  let value = 0
  for (let i = 0; i < 4; i++) {
    const byte = bytes[from + i] ?? 0
    value |= (byte & 0x7f) << (7 * i)
    if (byte < 0x80) return [value, from + i + 1]
  }
  assertSound(false, 'av1: a size too large')
}
