import { crc32, deflateSync } from 'node:zlib'

const COLOUR_TYPES = { grey: 0, rgb: 2 }

/** A PNG of rows of pixels, each one byte of grey, or three of red, green and blue. */
export function encodePng(kind: 'grey' | 'rgb', rows: readonly Uint8Array[]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE((rows[0]?.length ?? 0) / (kind === 'grey' ? 1 : 3), 0)
  header.writeUInt32BE(rows.length, 4)
  header[8] = 8 // Bits of a sample.
  header[9] = COLOUR_TYPES[kind]
  // Each row begins with the name of its filter, of which 0 is none.
  const scanlines = Buffer.concat(rows.flatMap(row => [Buffer.alloc(1), row]))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(scanlines)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
