import { crypto, Transaction } from 'bitcoinjs-lib'
import { fromHex, toHex } from '../bytes.ts'
import type { Network } from '../network.ts'

/** What a test puts into a block; everything that is left out is as an honest miner has it. */
export type BlockContent = {
  height: number
  /** Hash of the block before. */
  previous: string
  /** Sats that the transactions other than the coinbase pay. */
  fees?: bigint
  /** Of the transactions other than the coinbase. */
  txids?: readonly string[]
  /** Their weight together. */
  weight?: number
  /** Height that the coinbase names. */
  coinbaseHeight?: number
  at?: number
  version?: number
}

export type BuiltBlock = {
  network: Network
  hash: string
  height: number
  weight: number
  header: Uint8Array
  coinbase: Uint8Array
  coinbaseTxid: string
  txids: readonly string[]
  branchOf(txid: string): { position: number; branch: string[] } | null
}

/** The easiest target, of regtest: every second nonce meets it. */
const EASIEST_BITS = 0x207fffff

/** A block of regtest, whose blocks before 150 bring 50 BTC, with its proof of work. */
export function buildBlock(content: BlockContent): BuiltBlock {
  const { height, previous, fees = 0n, txids = [], weight = txids.length * 561 } = content
  const { coinbaseHeight = height, at = 1_700_000_000_000, version = 0x20000000 } = content
  const coinbase = new Transaction()
  const pushed = new Uint8Array(4)
  new DataView(pushed.buffer).setInt32(0, coinbaseHeight, true)
  coinbase.addInput(new Uint8Array(32), 0xffffffff, 0xffffffff, Uint8Array.of(4, ...pushed))
  coinbase.addOutput(
    Uint8Array.of(0x51),
    (5_000_000_000n >> BigInt(Math.floor(height / 150))) + fees,
  )
  const all = [coinbase.getId(), ...txids]
  const tree = climb(all)
  const header = new Uint8Array(80)
  const view = new DataView(header.buffer)
  view.setInt32(0, version, true)
  header.set(fromHex(previous).reverse(), 4)
  header.set(tree.at(-1)?.[0] ?? [], 36)
  view.setUint32(68, at / 1000, true)
  view.setUint32(72, EASIEST_BITS, true)
  for (let nonce = 0; (crypto.hash256(header)[31] ?? 0) > 0x7f; nonce++)
    view.setUint32(76, nonce, true)
  return {
    network: 'regtest',
    hash: toHex(crypto.hash256(header).reverse()),
    height,
    weight: 4 * (80 + (all.length > 252 ? 3 : 1)) + coinbase.weight() + weight,
    header,
    coinbase: coinbase.toBuffer(),
    coinbaseTxid: coinbase.getId(),
    txids: all,
    branchOf(txid) {
      const position = all.indexOf(txid)
      if (position < 0) return null
      const branch = tree.slice(0, -1).map((level, depth) => {
        const place = (position >> depth) ^ 1
        return toHex((level[place] ?? level.at(-1) ?? new Uint8Array()).slice().reverse())
      })
      return { position, branch }
    },
  }
}

/** All levels of a merkle tree, the txids first. */
function climb(txids: readonly string[]): Uint8Array[][] {
  const levels = [txids.map(txid => fromHex(txid).reverse())]
  for (let level = levels[0] ?? []; level.length > 1; ) {
    level = Array.from({ length: Math.ceil(level.length / 2) }, (_, at) => {
      const left = level[at * 2] ?? new Uint8Array()
      return crypto.hash256(Uint8Array.from([...left, ...(level[at * 2 + 1] ?? left)]))
    })
    levels.push(level)
  }
  return levels
}
