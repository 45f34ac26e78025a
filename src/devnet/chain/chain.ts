// chain: the best chain in memory, built from the node's blocks, with scripts, hex and the journal by which
// indexes undo a block.

import { Block, type TxOutput } from 'bitcoinjs-lib'
import { fromHex, toDisplayHash, toHex } from './hex.ts'
import { hashScript, isUnspendable } from './script.ts'
import { recordTransaction, spentOutpoint, type TransactionRecord } from './transaction-record.ts'

/** An unspent output of the chain. */
export interface Coin {
  txid: string
  vout: number
  output: TxOutput
  height: number
  isCoinbase: boolean
}

export interface BlockRecord {
  hash: string
  height: number
  /** The 80 bytes, in hex. */
  header: string
  previousHash: string
  merkleRoot: string
  version: number
  timestamp: number
  medianTime: number
  bits: number
  nonce: number
  size: number
  weight: number
  transactions: TransactionRecord[]
}

export interface ConfirmedTransaction {
  record: TransactionRecord
  block: BlockRecord
  position: number
}

export interface Spend {
  txid: string
  vin: number
}

/** The best chain with its unspent outputs and its history by script, held in memory and rebuilt from the node's blocks. */
export interface Chain {
  /** Height of the tip; -1 before the genesis block was read. */
  height(): number
  tip(): BlockRecord | undefined
  block(height: number): BlockRecord | undefined
  blockByHash(hash: string): BlockRecord | undefined
  transaction(txid: string): ConfirmedTransaction | undefined
  coin(outpoint: string): Coin | undefined
  /** Who spent an outpoint in a block. */
  spender(outpoint: string): Spend | undefined
  /** Transactions that pay or spend a script, oldest first. */
  history(scriptHash: string): readonly ConfirmedTransaction[]
  coins(scriptHash: string): Coin[]
  /** Appends a raw block; throws when it does not follow the tip. */
  connect(hex: string): BlockRecord
  /** Takes the tip off. */
  disconnect(): BlockRecord
}

const MEDIAN_TIME_SPAN = 11

export function createChain(): Chain {
  const blocks: BlockRecord[] = []
  const heights = new Map<string, number>()
  const transactions = new Map<string, ConfirmedTransaction>()
  const coins = new Map<string, Coin>()
  const spenders = new Map<string, Spend>()
  const histories = new Map<string, ConfirmedTransaction[]>()
  const coinsOfScript = new Map<string, Set<string>>()

  function addCoin(coin: Coin): void {
    const outpoint = `${coin.txid}:${coin.vout}`
    coins.set(outpoint, coin)
    const key = hashScript(coin.output.script)
    const held = coinsOfScript.get(key)
    if (held) held.add(outpoint)
    else coinsOfScript.set(key, new Set([outpoint]))
  }

  function removeCoin(outpoint: string): void {
    const coin = coins.get(outpoint)
    if (!coin) return
    coins.delete(outpoint)
    coinsOfScript.get(hashScript(coin.output.script))?.delete(outpoint)
  }

  function connectTransaction(confirmed: ConfirmedTransaction): void {
    const { record, block } = confirmed
    transactions.set(record.txid, confirmed)
    if (!record.isCoinbase) {
      for (const [vin, input] of record.tx.ins.entries()) {
        const outpoint = spentOutpoint(input)
        removeCoin(outpoint)
        spenders.set(outpoint, { txid: record.txid, vin })
      }
    }
    // The genesis coinbase is not in the set of unspent outputs (it cannot be spent).
    if (block.height > 0) {
      for (const [vout, output] of record.tx.outs.entries()) {
        if (isUnspendable(output.script)) continue
        addCoin({
          txid: record.txid,
          vout,
          output,
          height: block.height,
          isCoinbase: record.isCoinbase,
        })
      }
    }
    for (const key of touchedScripts(record)) {
      const history = histories.get(key)
      if (history) history.push(confirmed)
      else histories.set(key, [confirmed])
    }
  }

  function disconnectTransaction(record: TransactionRecord): void {
    for (const key of touchedScripts(record)) histories.get(key)?.pop()
    for (const vout of record.tx.outs.keys()) removeCoin(`${record.txid}:${vout}`)
    transactions.delete(record.txid)
    if (record.isCoinbase) return
    for (const input of record.tx.ins) {
      const outpoint = spentOutpoint(input)
      spenders.delete(outpoint)
      const txid = toDisplayHash(input.hash)
      const parent = transactions.get(txid)
      const output = parent?.record.tx.outs[input.index]
      if (!parent || !output) throw new Error(`no transaction ${txid} to restore an output of`)
      addCoin({
        txid,
        vout: input.index,
        output,
        height: parent.block.height,
        isCoinbase: parent.record.isCoinbase,
      })
    }
  }

  function findPrevout(
    outpoint: string,
    earlier: ReadonlyMap<string, TransactionRecord>,
  ): TxOutput {
    const confirmed = coins.get(outpoint)
    if (confirmed) return confirmed.output
    const [txid = '', vout] = outpoint.split(':')
    const output = earlier.get(txid)?.tx.outs[Number(vout)]
    if (!output) throw new Error(`block spends ${outpoint}, which does not exist`)
    return output
  }

  function readBlock(hex: string): BlockRecord {
    const bytes = fromHex(hex)
    if (!bytes) throw new Error('a block must be hex')
    const block = Block.fromBuffer(bytes)
    const height = blocks.length
    const earlier = new Map<string, TransactionRecord>()
    for (const tx of block.transactions ?? []) {
      const prevouts = tx.isCoinbase()
        ? []
        : tx.ins.map(input => findPrevout(spentOutpoint(input), earlier))
      const record = recordTransaction(tx, prevouts)
      earlier.set(record.txid, record)
    }
    const times = blocks.slice(1 - MEDIAN_TIME_SPAN).map(ancestor => ancestor.timestamp)
    return {
      hash: block.getId(),
      height,
      header: toHex(bytes.subarray(0, 80)),
      previousHash: toDisplayHash(block.prevHash ?? new Uint8Array(32)),
      merkleRoot: toDisplayHash(block.merkleRoot ?? new Uint8Array(32)),
      version: block.version,
      timestamp: block.timestamp,
      medianTime: median([...times, block.timestamp]),
      bits: block.bits,
      nonce: block.nonce,
      size: bytes.length,
      weight: block.weight(),
      transactions: [...earlier.values()],
    }
  }

  return {
    height: () => blocks.length - 1,
    tip: () => blocks.at(-1),
    block: height => blocks[height],
    blockByHash(hash) {
      const height = heights.get(hash)
      return height === undefined ? undefined : blocks[height]
    },
    transaction: txid => transactions.get(txid),
    coin: outpoint => coins.get(outpoint),
    spender: outpoint => spenders.get(outpoint),
    history: key => histories.get(key) ?? [],
    coins: key =>
      [...(coinsOfScript.get(key) ?? [])].flatMap(outpoint => coins.get(outpoint) ?? []),
    connect(hex) {
      const block = readBlock(hex)
      const tip = blocks.at(-1)
      if (tip && block.previousHash !== tip.hash)
        throw new Error(`${block.hash} is not the next block`)
      blocks.push(block)
      heights.set(block.hash, block.height)
      for (const [position, record] of block.transactions.entries()) {
        connectTransaction({ record, block, position })
      }
      return block
    },
    disconnect() {
      const block = blocks.pop()
      if (!block) throw new Error('there is no block to disconnect')
      heights.delete(block.hash)
      for (const record of block.transactions.toReversed()) disconnectTransaction(record)
      return block
    },
  }
}

/** Script hashes that a transaction pays or spends, each once. */
export function touchedScripts(record: TransactionRecord): Set<string> {
  return new Set([...record.prevouts, ...record.tx.outs].map(output => hashScript(output.script)))
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
