// mempool: devnet's own mempool with Bitcoin Core's policy, checked against the node's `testmempoolaccept`, and
// the blocks made of it. The node's own mempool stays empty.

import type { Transaction } from 'bitcoinjs-lib'
import type { Clock } from '../bitcoind/clock.ts'
import { type Rpc, RpcError } from '../bitcoind/rpc.ts'
import { type BlockRecord, type Chain, createChain } from '../chain/chain.ts'
import { decodeTransaction, rawHex, type TransactionRecord } from '../chain/transaction-record.ts'
import { orderForBlock } from './block-template.ts'
import {
  type AcceptOptions,
  acceptTransaction,
  type MempoolContext,
  type Removed,
  rebuildPool,
  removeConfirmed,
  removeFamilies,
} from './mempool.ts'
import { createNodeValidator } from './node-validation.ts'
import { createPool, type Pool, withAncestors, withDescendants } from './pool.ts'
import { RejectedError, RPC_DESERIALIZATION_ERROR } from './rejection.ts'

/** How many blocks of the same height a reorg may have taken off within one second. */
const MAX_SECONDS_AHEAD = 20

/** What happened, in order; an index follows the chain by `disconnected` and `connected`. */
export type NetworkEvent =
  | { type: 'disconnected'; block: BlockRecord }
  | { type: 'connected'; block: BlockRecord }
  | { type: 'pool'; added: TransactionRecord[]; removed: Removed[] }

/** The chain of the node joined with the mempool that devnet keeps for it. Changes happen one at a time. */
export interface LocalNetwork {
  chain: Chain
  pool(): Pool
  /** Unix seconds, by the clock of devnet. */
  now(): number
  /** Accepts raw transactions in order, or throws RejectedError at the first refused one. */
  submit(hex: string, options?: AcceptOptions): Promise<TransactionRecord>
  /** Runs several acceptances on a copy of the pool, which replaces the pool when `keep` resolves true. */
  trial<Result>(
    run: (accept: Accept) => Promise<{ result: Result; keep: boolean }>,
  ): Promise<Result>
  /** Mines blocks that pay `address`, the pool in the first ones unless `isEmpty`; resolves their hashes. */
  mine(count: number, address: string, isEmpty?: boolean): Promise<string[]>
  /** A transaction of the pool that no block of {@link mine} gets and nobody else hears of, nor of what spends it. */
  keepBack(txid: string): void
  /** Ends that for one transaction, or for all. */
  passOn(txid?: string): void
  /** The pool as others know it, without what is kept back. */
  passedOn(): Pool
  /** Takes blocks off the tip; their transactions return to the pool. Resolves the hashes, tip first. */
  disconnect(depth: number): Promise<string[]>
  /** Reads blocks that the node has and the chain has not. */
  sync(): Promise<void>
  subscribe(listener: (event: NetworkEvent) => void): () => void
}

export type Accept = (
  hex: string,
  options?: AcceptOptions,
) => Promise<{ record: TransactionRecord; removed: Removed[] }>

export function createLocalNetwork(rpc: Rpc, isKnots: boolean, clock: Clock): LocalNetwork {
  const chain = createChain()
  const validateWithNode = createNodeValidator(rpc, isKnots)
  const context: MempoolContext = { chain, validateWithNode, now: clock.now }
  const listeners = new Set<(event: NetworkEvent) => void>()
  const keptBack = new Set<string>()
  let pool = createPool()
  let last: Promise<unknown> = Promise.resolve()

  /** Runs after everything that was asked before. */
  function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = last.then(run)
    last = result.catch(() => undefined)
    return result
  }

  function emit(event: NetworkEvent): void {
    if (event.type === 'pool' && event.added.length + event.removed.length === 0) return
    for (const listener of listeners) listener(event)
  }

  async function acceptInto(target: Pool, hex: string, options?: AcceptOptions) {
    const tx = requireTransaction(hex)
    const { entry, removed, isNew } = await acceptTransaction(context, target, tx, options)
    return { record: entry.record, removed, isNew }
  }

  async function followNode(): Promise<void> {
    const disconnected: BlockRecord[] = []
    while (chain.height() >= 0 && (await hashAt(chain.height())) !== chain.tip()?.hash) {
      const block = chain.disconnect()
      disconnected.unshift(block)
      emit({ type: 'disconnected', block })
    }
    const count = await rpc<number>('getblockcount')
    for (let height = chain.height() + 1; height <= count; height++) {
      const hash = await hashAt(height)
      if (!hash) break
      const block = chain.connect(await rpc<string>('getblock', [hash, 0]))
      const removed = removeConfirmed(pool, block.transactions)
      emit({ type: 'connected', block })
      emit({ type: 'pool', added: [], removed })
    }
    if (disconnected.length === 0) return
    const rebuilt = await rebuildPool(
      context,
      pool,
      disconnected.flatMap(block => block.transactions),
    )
    pool = rebuilt.pool
    emit({ type: 'pool', added: rebuilt.added, removed: rebuilt.removed })
  }

  async function hashAt(height: number): Promise<string | null> {
    try {
      return await rpc<string>('getblockhash', [height])
    } catch (error) {
      if (error instanceof RpcError) return null
      throw error
    }
  }

  async function mineOne(address: string, isEmpty: boolean): Promise<string> {
    const order = isEmpty ? [] : orderForBlock(passedOn()).map(({ record }) => rawHex(record))
    const hash = await generateBlock(address, order)
    await followNode()
    return hash
  }

  function passedOn(): Pool {
    if (keptBack.size === 0) return pool
    const known = pool.clone()
    for (const { record } of withDescendants(known, keptBack)) known.remove(record.txid)
    return known
  }

  /** A block equal to one that a reorg took off is refused as known and invalid: a later time makes it another. */
  async function generateBlock(address: string, order: readonly string[]): Promise<string> {
    for (let seconds = 0; ; seconds++) {
      const generate = () => rpc<{ hash: string }>('generateblock', [address, order])
      try {
        // A block is later than the median time of those before it, which many quick blocks push past the clock.
        const later = Math.max(clock.now(), (chain.tip()?.medianTime ?? 0) + 1) + seconds
        const { hash } = await (seconds === 0 ? generate() : clock.at(later, generate))
        return hash
      } catch (error) {
        const isRefused = error instanceof RpcError && error.message.includes('block not accepted')
        if (!isRefused || seconds === MAX_SECONDS_AHEAD) throw error
      }
    }
  }

  /** For what time or a reorg made invalid since it was accepted. */
  async function evictInvalid(): Promise<void> {
    const removed: Removed[] = []
    for (const { record } of pool.entries()) {
      if (!pool.get(record.txid)) continue
      const ancestors = withAncestors(pool, [record.txid]).map(entry => entry.record)
      const rejection = await validateWithNode(record, ancestors.slice(0, -1))
      if (rejection) removed.push(...removeFamilies(pool, [record.txid], null))
    }
    emit({ type: 'pool', added: [], removed })
  }

  return {
    chain,
    pool: () => pool,
    now: clock.now,
    submit: (hex, options) =>
      inTurn(async () => {
        const { record, removed, isNew } = await acceptInto(pool, hex, options)
        emit({ type: 'pool', added: isNew ? [record] : [], removed })
        return record
      }),
    trial: run =>
      inTurn(async () => {
        const trialPool = pool.clone()
        const removed: Removed[] = []
        const { result, keep } = await run(async (hex, options) => {
          const accepted = await acceptInto(trialPool, hex, options)
          removed.push(...accepted.removed)
          return accepted
        })
        if (keep) {
          const old = pool
          pool = trialPool
          const added = pool.entries().filter(({ record }) => !old.get(record.txid))
          emit({ type: 'pool', added: added.map(entry => entry.record), removed })
        }
        return result
      }),
    mine: (count, address, isEmpty = false) =>
      inTurn(async () => {
        const hashes: string[] = []
        for (let i = 0; i < count; i++) {
          try {
            hashes.push(await mineOne(address, isEmpty))
          } catch (error) {
            if (!(error instanceof RpcError) || pool.size() === 0) throw error
            await evictInvalid()
            hashes.push(await mineOne(address, isEmpty))
          }
        }
        return hashes
      }),
    keepBack: txid => void keptBack.add(txid),
    passOn(txid) {
      if (txid === undefined) keptBack.clear()
      else keptBack.delete(txid)
    },
    passedOn,
    disconnect: depth =>
      inTurn(async () => {
        const first = chain.block(chain.height() - depth + 1)
        if (depth < 1 || !first || first.height < 1) {
          throw new RangeError(`depth must be 1 to ${chain.height()}`)
        }
        const hashes: string[] = []
        for (let i = 0; i < depth; i++) {
          hashes.push(chain.block(chain.height() - i)?.hash ?? '')
        }
        await rpc('invalidateblock', [first.hash])
        await followNode()
        return hashes
      }),
    sync: () => inTurn(followNode),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Decodes a raw transaction; throws RejectedError as bitcoind answers what it cannot decode. */
export function requireTransaction(hex: string): Transaction {
  const tx = decodeTransaction(hex)
  if (tx) return tx
  throw new RejectedError({
    reason: 'TX decode failed. Make sure the tx has at least one input.',
    code: RPC_DESERIALIZATION_ERROR,
  })
}
