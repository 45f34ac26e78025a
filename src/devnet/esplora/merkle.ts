import { crypto } from 'bitcoinjs-lib'
import { toDisplayHash } from '../chain/hex.ts'

/** The sibling hashes from a transaction up to the merkle root, lowest first, as Esplora displays them. */
export function merkleBranch(txids: readonly string[], position: number): string[] {
  let level: Uint8Array[] = txids.map(txid => Uint8Array.from(Buffer.from(txid, 'hex').reverse()))
  let at = position
  const branch: string[] = []
  while (level.length > 1) {
    const sibling = level[at ^ 1] ?? level[at]
    if (!sibling) throw new RangeError(`no transaction ${position} in the block`)
    branch.push(toDisplayHash(sibling))
    level = nextLevel(level)
    at >>= 1
  }
  return branch
}

function nextLevel(level: readonly Uint8Array[]): Uint8Array[] {
  const next: Uint8Array[] = []
  for (let i = 0; i < level.length; i += 2) {
    const left = level[i] ?? new Uint8Array()
    // A level with an odd count pairs its last hash with itself.
    next.push(crypto.hash256(Buffer.concat([left, level[i + 1] ?? left])))
  }
  return next
}
