import type { Network } from '../network.ts'
import { decodeTransaction, InvalidTransactionError } from '../transaction.ts'
import { type BlockHeader, HEADER_SIZE, hasDifficulty, parseBlockHeader } from './block-header.ts'
import { findMerkleProofFault } from './merkle-proof.ts'

/** A block as a server reports it; nothing in it is checked yet. */
export type ReportedBlock = {
  hash: string
  height: number
  weight: number
  /** Raw. */
  header: Uint8Array
  coinbase: Uint8Array
  /** Sibling hashes from the coinbase up to the merkle root. */
  branch: readonly string[]
}

/** A block that holds together; `fees` in sats, `vsize` in vB without header and coinbase. */
export type PaidBlock = { header: BlockHeader; fees: bigint; vsize: number }

/**
 * A mainnet block that took less is none of this time: the difficulty was 67.96 T at block 818,496 (November 2023) and
 * 101.7 T at block 868,896 (November 2024). To forge one at this bound costs about as much as mining a real one.
 */
const LEAST_MAINNET_DIFFICULTY = 50_000_000_000_000n

const INITIAL_SUBSIDY = 5_000_000_000n
/** Bitcoin Core's nSubsidyHalvingInterval. */
const HALVING_INTERVAL: { readonly [N in Network]: number } = {
  mainnet: 210_000,
  testnet4: 210_000,
  signet: 210_000,
  regtest: 150,
}

const MAX_BLOCK_WEIGHT = 4_000_000

/** One input, one output, no scripts: no transaction is smaller. */
const SMALLEST_TRANSACTION = 60

/**
 * What a block's transactions paid, as far as the block proves it: its header hashes to its hash and meets its target, the
 * coinbase is its first transaction and names its height (BIP-34), and what it takes beyond the subsidy are the fees. The
 * weight is the server's word, but never below what so many transactions need. Null where anything of this does not hold.
 */
export function parsePaidBlock(network: Network, reported: ReportedBlock): PaidBlock | null {
  const header = parseBlockHeader(reported.header)
  if (header?.hash !== reported.hash) return null
  if (network === 'mainnet' && !hasDifficulty(header, LEAST_MAINNET_DIFFICULTY)) return null
  const coinbase = readCoinbase(reported.coinbase)
  if (coinbase?.height !== reported.height) return null
  const proof = { position: 0, branch: reported.branch }
  if (findMerkleProofFault(header, reported.coinbase, proof) !== null) return null
  const fees = coinbase.paid - subsidyAt(network, reported.height)
  // More than half of the places at the bottom of a merkle tree are taken; the first is the coinbase.
  const others = reported.branch.length === 0 ? 0 : 2 ** (reported.branch.length - 1)
  const countSize = reported.branch.length > 8 ? 3 : 1
  const vsize = reported.weight / 4 - HEADER_SIZE - countSize - coinbase.weight / 4
  if (reported.weight > MAX_BLOCK_WEIGHT || fees < 0n) return null
  if (others === 0) return { header, fees: 0n, vsize: 0 }
  return vsize < others * SMALLEST_TRANSACTION ? null : { header, fees, vsize }
}

/** Average fee rate in sat/vB with three decimals; null of a block with nothing but its coinbase, and of one that took no fees. */
export function averageFeeRate({ fees, vsize }: PaidBlock): number | null {
  return fees === 0n || vsize === 0 ? null : Math.round((Number(fees) * 1000) / vsize) / 1000
}

/** New coins of a block, in sats. */
function subsidyAt(network: Network, height: number): bigint {
  return INITIAL_SUBSIDY >> BigInt(Math.floor(height / HALVING_INTERVAL[network]))
}

/** Null for what is no coinbase, or names no height. */
function readCoinbase(raw: Uint8Array) {
  try {
    const transaction = decodeTransaction(raw)
    const [input] = transaction.ins
    const height = input && readPushedHeight(input.script)
    if (!transaction.isCoinbase() || height == null) return null
    const paid = transaction.outs.reduce((sum, { value }) => sum + value, 0n)
    return { weight: transaction.weight(), height, paid }
  } catch (error) {
    if (error instanceof InvalidTransactionError) return null
    throw error
  }
}

/** The number that a scriptSig begins with, as BIP-34 asks for: pushed with as few bytes as it takes. */
function readPushedHeight(script: Uint8Array): number | null {
  const [opcode = 0] = script
  if (opcode === 0) return script.length > 0 ? 0 : null
  // OP_1 to OP_16
  if (opcode >= 0x51 && opcode <= 0x60) return opcode - 0x50
  const bytes = script.subarray(1, 1 + opcode)
  if (opcode > 4 || bytes.length < opcode) return null
  return bytes.reduceRight((height, byte) => height * 256 + byte, 0)
}
