import { MAX_SATS } from '../../bitcoin/amount.ts'
import { fromHex } from '../../bitcoin/bytes.ts'
import { HEADER_SIZE, hashOfHeader } from '../../bitcoin/headers/block-header.ts'
import type { MerkleProof } from '../../bitcoin/headers/merkle-proof.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import type { TransactionOutput } from '../../bitcoin/transaction.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import {
  malformed,
  parseArray,
  parseBoolean,
  parseBytes,
  parseHeight,
  parseInteger,
  parseRecord,
  parseSats,
  parseTime,
  parseTxid,
} from '../access/json-reader.ts'
import type { Balance, Block, ChainTip, HistoryTransaction } from '../chain-source.ts'

/** Esplora's JSON as the wallet's own types; what cannot be so on any chain is a MalformedAnswerError. */

const MAX_WEIGHT = 4_000_000
/** Esplora tells of 10 at once, mempool.space of 15. */
const MAX_BLOCKS = 100

/** A longer merkle branch would take more transactions than fit into a block. */
const MAX_BRANCH = 20

/** Sats in blocks and in the mempool; the second is negative while more is spent there than received. */
export function parseBalance(value: unknown): Balance {
  const answer = parseRecord('address', value)
  const chain = readStats('chain_stats', answer.chain_stats)
  const mempool = readStats('mempool_stats', answer.mempool_stats)
  if (chain.net < 0n || chain.net > MAX_SATS) throw malformed('the balance', 'an amount of bitcoin')
  if (mempool.net > MAX_SATS || mempool.net < -MAX_SATS) {
    throw malformed('the unconfirmed balance', 'an amount of bitcoin')
  }
  return {
    confirmed: chain.net,
    unconfirmed: mempool.net,
    transactions: chain.count + mempool.count,
  }
}

/** Why a node did not take a package (Bitcoin Core's `submitpackage`), in its words; null where it has all of it. */
export function readPackageFailure(value: unknown): string | null {
  const { package_msg: message, 'tx-results': results } = parseRecord('package', value)
  if (typeof message !== 'string') throw malformed('package_msg', 'a text')
  if (message === 'success') return null
  const errors = Object.values(parseRecord('tx-results', results ?? {})).flatMap(result => {
    const { error } = parseRecord('tx-results', result)
    return typeof error === 'string' ? [error] : []
  })
  return errors[0] ?? message
}

/** Sums of all that ever came and went: they may be more than there is. */
function readStats(field: string, value: unknown): { net: bigint; count: number } {
  const stats = parseRecord(field, value)
  const read = (name: string) =>
    parseInteger(`${field}.${name}`, stats[name], 0, Number.MAX_SAFE_INTEGER)
  return {
    net: BigInt(read('funded_txo_sum')) - BigInt(read('spent_txo_sum')),
    count: read('tx_count'),
  }
}

/** Coins of one script. Throws when an outpoint is there twice, or together they are more than all bitcoin. */
export function parseUtxos(value: unknown, scriptPubKey: Uint8Array): Utxo[] {
  const utxos = parseArray('utxos', value).map((one, index) => {
    const field = `utxos[${index}]`
    const entry = parseRecord(field, one)
    return {
      txid: parseTxid(`${field}.txid`, entry.txid),
      vout: readVout(`${field}.vout`, entry.vout),
      amount: parseSats(`${field}.value`, entry.value),
      scriptPubKey,
      height: readStatus(`${field}.status`, entry.status).height,
    }
  })
  if (new Set(utxos.map(formatOutpoint)).size < utxos.length) {
    throw malformed('utxos', 'a list without repetitions')
  }
  assertSum('utxos', utxos)
  return utxos
}

/** Throws when the answer is about another block than `hash`. */
export function parseTip(value: unknown, hash: string): ChainTip {
  const block = parseRecord('block', value)
  if (block.id !== hash) throw malformed('block.id', 'the block that was asked for')
  return {
    height: parseHeight('block.height', block.height),
    hash,
    at: parseTime('block.timestamp', block.timestamp),
  }
}

/** Height and weight. Throws when the answer is about another block than `hash`. */
export function parseBlock(value: unknown, hash: string): Omit<Block, 'coinbase'> {
  const { height } = parseTip(value, hash)
  const { weight } = parseRecord('block', value)
  return { height, weight: parseInteger('block.weight', weight, 1, MAX_WEIGHT) }
}

/**
 * Headers as `/blocks/:height` tells of them, newest first; oldest first and raw. `wanted` is the height that was asked for, null for
 * `/blocks`. Throws unless each hashes to its id.
 */
export function parseBlockHeaders(
  value: unknown,
  wanted: number | null,
): { height: number; raws: Uint8Array[] } {
  const blocks = parseArray('blocks', value)
  if (blocks.length === 0 || blocks.length > MAX_BLOCKS)
    throw malformed('blocks', `1 to ${MAX_BLOCKS} blocks`)
  const [newest] = blocks
  const height = wanted ?? parseHeight('blocks[0].height', Object(newest).height)
  const raws = blocks.map((one, index) => readHeader(`blocks[${index}]`, one, height - index))
  return { height, raws: raws.reverse() }
}

function readHeader(field: string, value: unknown, height: number): Uint8Array {
  const block = parseRecord(field, value)
  const readUint32 = (name: string, min = 0) =>
    parseInteger(`${field}.${name}`, block[name], min, 0xffff_ffff)
  const readHash = (name: string) => fromHex(parseTxid(`${field}.${name}`, block[name])).reverse()
  if (parseHeight(`${field}.height`, block.height) !== height)
    throw malformed(`${field}.height`, `${height}`)
  const raw = new Uint8Array(HEADER_SIZE)
  const view = new DataView(raw.buffer)
  // Servers write it with a sign or without.
  view.setInt32(0, readUint32('version', -0x8000_0000), true)
  // The first block has null.
  if (height > 0) raw.set(readHash('previousblockhash'), 4)
  raw.set(readHash('merkle_root'), 36)
  view.setUint32(68, readUint32('timestamp'), true)
  view.setUint32(72, readUint32('bits'), true)
  view.setUint32(76, readUint32('nonce'), true)
  // What work went into it is not looked at here: who follows the headers says that there is none.
  if (hashOfHeader(raw) !== block.id) throw malformed(`${field}.id`, 'the hash of its header')
  return raw
}

/** The branch is from the transaction up, as txids are written; the position counts from the block's coinbase. */
export function parseMerkleProof(value: unknown): MerkleProof {
  const proof = parseRecord('proof', value)
  const branch = parseArray('proof.merkle', proof.merkle)
  if (branch.length > MAX_BRANCH) throw malformed('proof.merkle', 'the branch of a block')
  return {
    position: parseInteger('proof.pos', proof.pos, 0, 2 ** branch.length - 1),
    branch: branch.map((one, index) => parseTxid(`proof.merkle[${index}]`, one)),
  }
}

/** `txid` is the one that was asked for; null takes any. */
export function parseTransaction(
  field: string,
  value: unknown,
  txid: string | null = null,
): HistoryTransaction {
  const entry = parseRecord(field, value)
  const weight = parseInteger(`${field}.weight`, entry.weight, 1, MAX_WEIGHT)
  const inputs = parseArray(`${field}.vin`, entry.vin).map((one, index) =>
    readInput(`${field}.vin[${index}]`, one),
  )
  const outputs = parseArray(`${field}.vout`, entry.vout).map((one, index) =>
    readOutput(`${field}.vout[${index}]`, one),
  )
  const transaction = {
    txid: parseTxid(`${field}.txid`, entry.txid),
    vsize: Math.ceil(weight / 4),
    fee: parseSats(`${field}.fee`, entry.fee),
    ...readStatus(`${field}.status`, entry.status),
    inputs,
    outputs,
  }
  if (txid !== null && transaction.txid !== txid) {
    throw malformed(`${field}.txid`, 'the transaction that was asked for')
  }
  assertSum(`${field}.vout`, outputs)
  assertBalanced(field, transaction)
  return transaction
}

function readInput(field: string, value: unknown): HistoryTransaction['inputs'][number] {
  const input = parseRecord(field, value)
  const known = input.prevout === null || input.prevout === undefined ? null : input.prevout
  const prevout = known === null ? null : readOutput(`${field}.prevout`, known)
  return {
    txid: parseTxid(`${field}.txid`, input.txid),
    vout: readVout(`${field}.vout`, input.vout),
    scriptPubKey: prevout?.scriptPubKey ?? null,
    amount: prevout?.amount ?? null,
  }
}

function readOutput(field: string, value: unknown): TransactionOutput {
  const output = parseRecord(field, value)
  return {
    scriptPubKey: parseBytes(`${field}.scriptpubkey`, output.scriptpubkey),
    amount: parseSats(`${field}.value`, output.value),
  }
}

/** Where every input is known, the fee is what the outputs leave of them. */
function assertBalanced(field: string, { inputs, outputs, fee }: HistoryTransaction): void {
  let rest = 0n
  for (const { amount } of inputs) {
    if (amount === null) return
    rest += amount
  }
  for (const { amount } of outputs) rest -= amount
  if (rest !== fee) throw malformed(`${field}.fee`, 'what its outputs leave of its inputs')
}

/** Null in all three while unconfirmed. Servers that give a height without hash and time are old: the height is enough. */
function readStatus(
  field: string,
  value: unknown,
): Pick<HistoryTransaction, 'height' | 'blockHash' | 'at'> {
  const status = parseRecord(field, value)
  if (!parseBoolean(`${field}.confirmed`, status.confirmed)) {
    return { height: null, blockHash: null, at: null }
  }
  const { block_hash: hash, block_time: time } = status
  return {
    height: parseHeight(`${field}.block_height`, status.block_height),
    blockHash: hash === undefined ? null : parseTxid(`${field}.block_hash`, hash),
    at: time === undefined ? null : parseTime(`${field}.block_time`, time),
  }
}

function readVout(field: string, value: unknown): number {
  return parseInteger(field, value, 0, 0xffff_ffff)
}

function assertSum(field: string, amounts: readonly { amount: bigint }[]): void {
  if (amounts.reduce((sum, { amount }) => sum + amount, 0n) > MAX_SATS) {
    throw malformed(field, 'an amount of bitcoin in sum')
  }
}
