import { sha256 } from 'bitcoinjs-lib/src/crypto'
import { toUtf8 } from './bytes.ts'

/** The items in an order that depends on the seed alone (Fisher–Yates); not for secrets. */
export function shuffle<T>(items: readonly T[], seed: string): T[] {
  const shuffled = [...items]
  const next = createSfc32(seed)
  for (let i = 0; i < shuffled.length - 1; i++) {
    const other = i + (next() % (shuffled.length - i))
    ;[shuffled[i], shuffled[other]] = [shuffled[other] as T, shuffled[i] as T]
  }
  return shuffled
}

/** Numbers below 2^32 by Chris Doty-Humphrey's sfc32, started from a SHA-256. */
function createSfc32(seed: string): () => number {
  const { buffer, byteOffset } = sha256(toUtf8(seed))
  const digest = new DataView(buffer, byteOffset)
  let [a, b, c, counter] = [0, 4, 8, 12].map(at => digest.getInt32(at)) as [
    number,
    number,
    number,
    number,
  ]
  return () => {
    const result = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + result) | 0
    return result >>> 0
  }
}
