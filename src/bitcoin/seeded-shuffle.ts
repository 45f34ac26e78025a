import { sha256 } from 'bitcoinjs-lib/src/crypto'
import { toUtf8 } from './bytes.ts'

/** The items in an order that depends on the seed alone (Fisher–Yates, driven by SHA-256); not for secrets. */
export function shuffle<T>(items: readonly T[], seed: string): T[] {
  const rest = [...items]
  const shuffled: T[] = []
  for (let counter = 0; rest.length > 0; counter++) {
    const digest = sha256(toUtf8(`${seed}:${counter}`))
    const position = new DataView(digest.buffer, digest.byteOffset).getUint32(0) % rest.length
    shuffled.push(...rest.splice(position, 1))
  }
  return shuffled
}
