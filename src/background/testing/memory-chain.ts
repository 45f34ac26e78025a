import { parseAddress } from '../../bitcoin/address.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import type { Network } from '../../bitcoin/network.ts'
import type { Outpoint } from '../../bitcoin/outpoint.ts'
import { type BuiltBlock, buildBlock } from '../../bitcoin/testing/block-building.ts'
import { type ParsedTransaction, parseTransaction } from '../../bitcoin/transaction.ts'
import {
  BackendUnavailableError,
  BroadcastRejectedError,
  type ChainServer,
  type FeeRates,
  type HistoryTransaction,
  TransactionNotFoundError,
} from '../../chain/chain-source.ts'
import { createRecentBlocks } from '../../chain/esplora/recent-blocks.ts'
import type { WholeChain } from '../../chain/open/open-chain.ts'
import type { ChainFaults } from './chain-faults.ts'

const HOST = 'memory.test'
const FIRST_HEIGHT = 100
const PAGE = 25
/** Transactions of nobody in a block that can be checked, and their weight: a few signatures each. */
const FILLERS = Array.from({ length: 40 }, (_, at) => (at + 1).toString(16).padStart(64, '0'))
const FILLER_WEIGHT = 561
const FIRST_BLOCK_AT = 1_700_000_000_000
const FIRST_VERSION = 0x2000_0000
const NO_BLOCK = '00'.repeat(32)

/** What every chain begins with. */
const EARLIER_BLOCKS: BuiltBlock[] = []
for (let height = 0; height < FIRST_HEIGHT; height++) {
  const previous = EARLIER_BLOCKS.at(-1)?.hash ?? NO_BLOCK
  EARLIER_BLOCKS.push(buildBlock({ height, previous, at: blockTime(height) }))
}

/** `seen` counts what came, so that newer transactions of one block come first. */
type Kept = ParsedTransaction & { rawTx: Uint8Array; height: number | null; seen: number }

/** A chain with a mempool in memory behind the wallet's port. Signatures and scripts are not looked at. */
export function createMemoryChain(network: Network, fees: FeeRates) {
  const kept = new Map<string, Kept>()
  const blockHashes = new Map<number, string>()
  const builtBlocks = new Map<string, BuiltBlock>()
  /** Of all blocks, by their hash; only those of {@link builtBlocks} have what their header says. */
  const headers = new Map(EARLIER_BLOCKS.map(({ hash, header }) => [hash, header]))
  const broadcasts: string[] = []
  const faults: ChainFaults = {}
  let tip = FIRST_HEIGHT
  let blocksLaid = 0
  let seen = 0
  for (const { height, hash } of EARLIER_BLOCKS) blockHashes.set(height, hash)
  layBlock(tip)

  const servers: ChainServer[] = []
  const chain: WholeChain = {
    ...{ network, servers },
    fetchRecentBlocks: () => recentBlocks.fetchRecentBlocks(),
    async fetchTip() {
      assertReachable()
      return { height: tip, hash: blockHashes.get(tip) ?? '', at: blockTime(tip) }
    },
    async fetchBalance(address) {
      assertReachable()
      const script = scriptOf(address)
      const history = listHistory(script)
      const sum = (some: Kept[]) => some.reduce((total, one) => total + effectOn(one, script), 0n)
      return {
        confirmed: sum(history.filter(({ height }) => height !== null)),
        unconfirmed: sum(history.filter(({ height }) => height === null)),
        transactions: history.length,
      }
    },
    async fetchUtxos(_, scriptPubKey) {
      assertReachable()
      const script = toHex(scriptPubKey)
      return [...kept.values()].flatMap(({ txid, outputs, height }) =>
        outputs
          .map((output, vout) => ({ txid, vout, ...output, height }))
          .filter(output => toHex(output.scriptPubKey) === script && !spenderOf(output)),
      )
    },
    async fetchTransaction(txid) {
      const coinbase = [...builtBlocks.values()].find(block => block.coinbaseTxid === txid)
      return coinbase?.coinbase ?? find(txid).rawTx
    },
    async fetchTransactionHeight(txid) {
      assertReachable()
      return kept.get(txid)?.height
    },
    async fetchHistory(address, after) {
      assertReachable()
      const history = listHistory(scriptOf(address))
      const start = after === null ? 0 : history.findIndex(({ txid }) => txid === after) + 1
      // As Esplora: a page after a transaction that is no longer there is empty.
      if (after !== null && start === 0) return { transactions: [], next: null }
      const page = history.slice(start, start + PAGE)
      const next = history.length > start + PAGE ? (page.at(-1)?.txid ?? null) : null
      return { transactions: page.map(describe), next }
    },
    async fetchTransactionRecord(txid) {
      return describe(find(txid))
    },
    async fetchSpender(outpoint) {
      assertReachable()
      return spenderOf(outpoint)?.txid ?? null
    },
    async fetchBlock(hash) {
      const { height, weight, coinbaseTxid } = await findBlock(hash)
      return { height, weight, coinbase: coinbaseTxid }
    },
    async fetchBlockHeader(hash) {
      return (await findBlock(hash)).header
    },
    async fetchBlockHeaders(height) {
      if (faults.silentBlocks) await new Promise<never>(() => {})
      assertReachable()
      const last = Array.from({ length: 10 }, (_, at) => height - 9 + at)
      return last.flatMap(at => headers.get(blockHashes.get(at) ?? '') ?? [])
    },
    async fetchNewestHeaders() {
      return { height: tip, raws: await chain.fetchBlockHeaders(tip) }
    },
    async fetchMerkleProof(txid) {
      assertReachable()
      for (const block of builtBlocks.values()) {
        const proof = block.branchOf(txid)
        if (proof) return proof
      }
      throw new TransactionNotFoundError(HOST, txid)
    },
    async broadcast(rawTx) {
      assertReachable()
      if (faults.refuse) throw new BroadcastRejectedError(faults.refuse)
      const txid = receive(rawTx)
      broadcasts.push(txid)
      if (faults.loseAnswers) throw unreachable('The answer was lost.')
      return txid
    },
    async fetchFeeRates() {
      assertReachable()
      const { slowFeesMs } = faults
      if (slowFeesMs) await new Promise(resolve => setTimeout(resolve, slowFeesMs))
      return faults.fees ?? fees
    },
    async fetchOtherFastest() {
      assertReachable()
      return faults.otherFastest ?? null
    },
    async fetchPrices() {
      assertReachable()
      return faults.prices ?? { USD: 100_000, EUR: 90_000 }
    },
    async fetchPriceHistory() {
      assertReachable()
      return faults.priceHistory ?? null
    },
  }
  servers.push({ host: HOST, source: chain })
  const recentBlocks = createRecentBlocks(chain)
  return {
    chain,
    /** Its own, and those that a test sets beside it. */
    servers,
    faults,
    /** Txids in the order of their broadcasts, repeated ones too. */
    broadcasts,
    /** Puts a transaction into the newest block; what contradicts it leaves the mempool. */
    add(rawTx: Uint8Array): string {
      const transaction = parseTransaction(rawTx)
      for (const conflict of listConflicts(transaction)) evict(conflict.txid)
      keep(transaction, rawTx, tip)
      return transaction.txid
    },
    receive,
    evict,
    get: (txid: string) => kept.get(txid)?.rawTx,
    /** Keeps the chain as it is now; resolves how to go back to that. */
    save(): () => void {
      const before = {
        ...{ kept: [...kept.values()].map(one => ({ ...one })), hashes: [...blockHashes] },
        ...{ built: [...builtBlocks], raws: [...headers], broadcasts: [...broadcasts], tip },
      }
      return () => {
        for (const map of [kept, blockHashes, builtBlocks, headers]) map.clear()
        for (const [hash, header] of before.raws) headers.set(hash, header)
        for (const one of before.kept) kept.set(one.txid, { ...one })
        for (const [height, hash] of before.hashes) blockHashes.set(height, hash)
        for (const [hash, block] of before.built) builtBlocks.set(hash, block)
        broadcasts.splice(0, broadcasts.length, ...before.broadcasts)
        tip = before.tip
      }
    },
    /** All transactions, in the order of their blocks; the mempool's last. */
    list: (): readonly Kept[] => [...kept.values()].sort(byArrival),
    tip: () => tip,
    /** Of the block that has a transaction; null for none. */
    heightOf: (txid: string): number | null => kept.get(txid)?.height ?? null,
    blockTime,
    /** Gives a transaction other witnesses, which its txid does not cover. */
    rewrite(rawTx: Uint8Array): void {
      const transaction = parseTransaction(rawTx)
      Object.assign(find(transaction.txid), transaction, { rawTx })
    },
    /** Serves a transaction under the txid that a coin from nowhere spends. */
    pretend(txid: string, rawTx: Uint8Array): void {
      kept.set(txid, {
        ...parseTransaction(rawTx),
        txid,
        rawTx,
        height: FIRST_HEIGHT,
        seen: seen++,
      })
    },
    /** Puts the mempool into the first of so many new blocks; resolves the new height. */
    mine(blocks = 1): number {
      for (const transaction of kept.values()) transaction.height ??= tip + 1
      for (let made = 0; made < blocks; made++) layBlock(++tip)
      return tip
    },
    /** Puts the mempool into a new block that can be checked, beside transactions of nobody; `feeRate` (sat/vB) is what it pays. */
    mineChecked({ feeRate = 4 }: { feeRate?: number } = {}): number {
      const waiting = [...kept.values()].filter(({ height }) => height === null)
      for (const transaction of waiting) transaction.height = tip + 1
      const own = waiting.map(({ txid }) => txid)
      const weight =
        FILLERS.length * FILLER_WEIGHT + waiting.reduce((sum, { vsize }) => sum + vsize * 4, 0)
      const block = buildBlock({
        ...{ height: tip + 1, previous: blockHashes.get(tip) ?? '', at: blockTime(tip + 1) },
        ...{
          txids: [...own, ...FILLERS],
          weight,
          fees: BigInt(Math.round((weight * feeRate) / 4)),
        },
      })
      blockHashes.set(++tip, block.hash)
      builtBlocks.set(block.hash, block)
      headers.set(block.hash, block.header)
      return tip
    },
    /** As if the newest block had not come; those of {@link mine} and reorg alone may be dropped. */
    dropTip: () => void tip--,
    /** Replaces the newest `depth` blocks by empty ones and one more; their transactions wait again. */
    reorg(depth = 1): void {
      for (const transaction of kept.values()) {
        if ((transaction.height ?? 0) > tip - depth) transaction.height = null
      }
      for (let height = tip - depth + 1; height <= tip + 1; height++) layBlock(height)
      tip++
    },
  }

  /** Takes a transaction into the mempool, whoever sent it; it replaces what it contradicts when it pays more (BIP-125). */
  function receive(rawTx: Uint8Array): string {
    const transaction = parseTransaction(rawTx)
    const { txid } = transaction
    if (kept.has(txid)) return txid
    const conflicts = listConflicts(transaction)
    if (conflicts.some(({ height }) => height !== null)) {
      throw new BroadcastRejectedError('bad-txns-inputs-missingorspent')
    }
    const replaced = new Set(conflicts.flatMap(conflict => [conflict, ...listChildren(conflict)]))
    const paid = [...replaced].reduce((sum, one) => sum + feeOf(one), 0n)
    if (replaced.size > 0 && feeOf(transaction) <= paid) {
      throw new BroadcastRejectedError('insufficient fee, rejecting replacement')
    }
    for (const one of replaced) kept.delete(one.txid)
    keep(transaction, rawTx, null)
    return txid
  }

  /** Drops a transaction and those that spend it, as a full mempool does. */
  function evict(txid: string): void {
    const transaction = kept.get(txid)
    if (!transaction) return
    for (const child of listChildren(transaction)) kept.delete(child.txid)
    kept.delete(txid)
  }

  function keep(transaction: ParsedTransaction, rawTx: Uint8Array, height: number | null): void {
    kept.set(transaction.txid, { ...transaction, rawTx, height, seen: seen++ })
  }

  function layBlock(height: number): void {
    const block = buildBlock({
      ...{ height, previous: blockHashes.get(height - 1) ?? NO_BLOCK, at: blockTime(height) },
      // Another one than that which it takes the place of.
      version: FIRST_VERSION + blocksLaid++,
    })
    blockHashes.set(height, block.hash)
    headers.set(block.hash, block.header)
  }

  async function findBlock(hash: string): Promise<BuiltBlock> {
    if (faults.silentBlocks) await new Promise<never>(() => {})
    assertReachable()
    const block = builtBlocks.get(hash)
    if (!block) throw unreachable(`There is no block ${hash}.`)
    return block
  }

  function find(txid: string): Kept {
    assertReachable()
    const transaction = kept.get(txid)
    if (!transaction) throw new TransactionNotFoundError(HOST, txid)
    return transaction
  }

  function assertReachable(): void {
    if (faults.unreachable) throw unreachable('The server did not answer.')
  }

  function scriptOf(address: string): string {
    return toHex(parseAddress(address, network).scriptPubKey)
  }

  function spenderOf({ txid, vout }: Outpoint): Kept | undefined {
    for (const one of kept.values()) {
      if (one.inputs.some(input => input.txid === txid && input.vout === vout)) return one
    }
    return undefined
  }

  function listConflicts({ txid, inputs }: ParsedTransaction): Kept[] {
    return inputs.flatMap(input => spenderOf(input) ?? []).filter(one => one.txid !== txid)
  }

  function listChildren({ txid, outputs }: Kept): Kept[] {
    return outputs.flatMap((_, vout) => {
      const child = spenderOf({ txid, vout })
      return child ? [child, ...listChildren(child)] : []
    })
  }

  function prevoutOf({ txid, vout }: Outpoint) {
    return kept.get(txid)?.outputs[vout]
  }

  /** 0 where an input is not known, such as those of coins from nowhere. */
  function feeOf({ inputs, outputs }: ParsedTransaction): bigint {
    const amounts = inputs.map(input => prevoutOf(input)?.amount)
    if (amounts.includes(undefined)) return 0n
    const paid = amounts.reduce<bigint>((sum, amount) => sum + (amount ?? 0n), 0n)
    return outputs.reduce((rest, { amount }) => rest - amount, paid)
  }

  function effectOn({ inputs, outputs }: Kept, script: string): bigint {
    const own = (output: { scriptPubKey: Uint8Array; amount: bigint } | undefined) =>
      output && toHex(output.scriptPubKey) === script ? output.amount : 0n
    const came = outputs.reduce((sum, output) => sum + own(output), 0n)
    return inputs.reduce((sum, input) => sum - own(prevoutOf(input)), came)
  }

  function listHistory(script: string): Kept[] {
    const names = (output: { scriptPubKey: Uint8Array } | undefined) =>
      output !== undefined && toHex(output.scriptPubKey) === script
    return [...kept.values()]
      .filter(({ inputs, outputs }) => outputs.some(names) || inputs.map(prevoutOf).some(names))
      .sort((a, b) => byArrival(b, a))
  }

  function describe(transaction: Kept): HistoryTransaction {
    const { txid, vsize, height, inputs, outputs } = transaction
    return {
      txid,
      vsize,
      fee: feeOf(transaction),
      height,
      blockHash: height === null ? null : (blockHashes.get(height) ?? null),
      at: height === null ? null : blockTime(height),
      inputs: inputs.map(({ txid, vout }) => {
        const { scriptPubKey = null, amount = null } = prevoutOf({ txid, vout }) ?? {}
        return { txid, vout, scriptPubKey, amount }
      }),
      outputs,
    }
  }
}

export type MemoryChain = ReturnType<typeof createMemoryChain>

function byArrival(a: Kept, b: Kept): number {
  const heightOf = ({ height }: Kept) => height ?? Number.MAX_SAFE_INTEGER
  return heightOf(a) - heightOf(b) || a.seen - b.seen
}

function blockTime(height: number): number {
  return FIRST_BLOCK_AT + (height - FIRST_HEIGHT) * 600_000
}

function unreachable(detail: string): BackendUnavailableError {
  return new BackendUnavailableError({ kind: 'unreachable', host: HOST, detail, retryInMs: null })
}
