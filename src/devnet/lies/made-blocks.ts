import { crypto } from 'bitcoinjs-lib'
import { toDisplayHash } from '../chain/hex.ts'
import type { BlockJson } from '../esplora/shapes.ts'

/** Easier than regtest allows: nearly every hash meets it. */
export const EASIER_BITS = 0x2100ffff

/** Other than what regtest asks for, and about as hard. */
export const OTHER_BITS = 0x207ffffe

/** The 80 bytes that a block's fields say. */
export function headerOf(block: BlockJson): Uint8Array {
  const header = Buffer.alloc(80)
  header.writeInt32LE(block.version | 0, 0)
  header.set(fromDisplay(block.previousblockhash ?? '00'.repeat(32)), 4)
  header.set(fromDisplay(block.merkle_root), 36)
  header.writeUInt32LE(block.timestamp, 68)
  header.writeUInt32LE(block.bits, 72)
  header.writeUInt32LE(block.nonce, 76)
  return Uint8Array.from(header)
}

/** The block with the first nonce by which its hash meets its target, or misses it, and with that hash. */
export function workOn(block: BlockJson, isMet = true): BlockJson {
  for (let nonce = 0; ; nonce++) {
    const made = { ...block, nonce }
    const id = toDisplayHash(crypto.hash256(headerOf(made)))
    if (BigInt(`0x${id}`) <= targetOf(block.bits) === isMet) return { ...made, id }
  }
}

/** Blocks that follow another one, whose hashes meet their targets; the first has the transaction where one is given, and no other. */
export function workOnFork(
  base: BlockJson,
  count: number,
  { bits, txid }: { bits: number; txid: string | null },
): BlockJson[] {
  const made: BlockJson[] = []
  for (let before = base; made.length < count; before = made.at(-1) ?? base) {
    const own = crypto.hash256(Buffer.from(`devnet’s fork after ${before.id}`))
    made.push(
      workOn({
        ...before,
        ...{ height: before.height + 1, previousblockhash: before.id, bits, tx_count: 1 },
        merkle_root: made.length === 0 && txid ? txid : toDisplayHash(own),
        timestamp: before.timestamp + 1,
      }),
    )
  }
  return made
}

function targetOf(bits: number): bigint {
  return BigInt(bits & 0x007fffff) << (8n * (BigInt(bits >>> 24) - 3n))
}

function fromDisplay(hash: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hash, 'hex').reverse())
}
