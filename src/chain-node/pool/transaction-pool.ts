import type { Chain } from '../chain/chain.ts'
import type { Hex } from '../codec/hex.ts'
import type { Block } from '../engine/block.ts'
import { type Engine, TransactionError } from '../engine/engine.ts'
import type { Transaction } from '../engine/transaction.ts'
import type { Store } from '../store/store.ts'
import { orderCandidates } from './candidates.ts'
import { createEviction, DEFAULT_LIMITS, type PoolLimits } from './eviction.ts'
import { createJournal, type JournalEntry } from './journal.ts'
import { type Pool, PoolError, type PooledTransactions } from './pool.ts'
import { findAt, nextNonceOf, type PoolAccount, pendingAt, sortQueued } from './pool-account.ts'
import { createContents } from './pool-contents.ts'
import {
  isReplacement,
  type Origin,
  type PooledTransaction,
  poolTransaction,
} from './pooled-transaction.ts'
import { assertAcceptable } from './validation.ts'

export interface PoolParts {
  readonly engine: Pick<
    Engine,
    'readAccount' | 'intrinsicGas' | 'nextBaseFee' | 'decodeTransaction'
  >
  readonly chain: Pick<Chain, 'head' | 'onAppend' | 'onReset'>
  readonly store: Store
  readonly limits?: PoolLimits
  /** Least price of a unit of gas for remote transactions, in wei, on a chain without a base fee. */
  readonly minGasPrice: bigint
  /** Told of what could not be written to the disk. */
  readonly onFault: (error: unknown) => void
  /** Milliseconds that count up. */
  readonly now?: () => number
}

/**
 * Opens the pool with what it held when the node ended, as far as the chain still takes it.
 *
 * An account's pending transactions cost no more than its balance at the head, all of them together: a block that takes them
 * all in any order among other senders' can pay for each. What goes beyond is refused when it comes, as in geth; what goes
 * beyond later, because the balance fell, is queued until it is covered.
 */
export async function createPool(parts: PoolParts): Promise<Pool> {
  const { engine, chain, minGasPrice, limits = DEFAULT_LIMITS } = parts
  const now = parts.now ?? Date.now
  const journal = createJournal(parts.store, parts.onFault)
  const contents = createContents(pooled => journal.forget(pooled.transaction.hash))
  const eviction = createEviction(contents, limits)
  const listeners = new Set<(transaction: Transaction) => void>()
  /** Taken, and not on the disk yet because a block may make that needless. */
  const unkept = new Map<Hex, { transaction: Transaction; origin: Origin }>()
  let arrivals = 0
  let gasLimit = chain.head().gasLimit

  /** Throws where it is not taken. */
  function insert(transaction: Transaction, asked: Origin): Origin {
    if (contents.byHash.has(transaction.hash)) throw new PoolError('already known')
    assertAcceptable(engine, chain.head(), transaction, asked, minGasPrice)
    // Whoever hands in a replacement signed by the same key: a local one stays local.
    const known = contents.accounts.get(transaction.from)
    const isLocal = known && findAt(known, transaction.nonce)?.origin === 'local'
    const origin = isLocal ? 'local' : asked
    const pooled = poolTransaction(transaction, origin, arrivals++)
    place(pooled, account => {
      if (transaction.nonce < account.nonce) throw new PoolError('nonce too low')
      const old = pendingAt(account, transaction.nonce)
      const spent = account.pendingCost - (old?.cost ?? 0n)
      if (spent + pooled.cost > account.balance) {
        throw new PoolError('insufficient funds for gas * price + value')
      }
    })
    return origin
  }

  /** One from before a restart: it was taken then, so it only has to be fit for a block. */
  function restore({ from, origin, raw, settle }: JournalEntry): void {
    try {
      const transaction = engine.decodeTransaction(raw, from)
      settle(transaction.hash)
      assertAcceptable(engine, chain.head(), transaction, 'local', 0n)
      place(poolTransaction(transaction, origin, arrivals++), account => {
        if (transaction.nonce < account.nonce) throw new PoolError('nonce too low')
      })
    } catch (error) {
      if (!(error instanceof PoolError) && !(error instanceof TransactionError)) throw error
      settle(null)
    }
  }

  /** @param assertPayable - is asked once the account is up to date */
  function place(pooled: PooledTransaction, assertPayable: (account: PoolAccount) => void): void {
    const { transaction } = pooled
    const at = now()
    eviction.expire(at)
    const account = openAccount(transaction.from)
    const promoted = renew(account, at)
    try {
      assertPayable(account)
      const replaced = findAt(account, transaction.nonce)
      if (replaced && !isReplacement(replaced, pooled)) {
        throw new PoolError('replacement transaction underpriced')
      }
      if (pooled.slots > (replaced?.slots ?? 0)) {
        eviction.makeRoom(account, pooled, engine.nextBaseFee(chain.head()), at)
      }
      if (!replaced || isRemoved(replaced)) contents.enqueue(account, pooled, at)
      else contents.replace(account, replaced, pooled)
      eviction.note(pooled)
      promoted.push(pooled, ...contents.promote(account, at))
      eviction.trimQueue(account, at)
      if (isRemoved(pooled)) throw new PoolError('account limit exceeded')
      eviction.trim(at)
      if (isRemoved(pooled)) throw new PoolError('txpool is full')
    } finally {
      contents.arrange(account)
      announce(promoted)
    }
  }

  function openAccount(address: Hex): PoolAccount {
    const { stateRoot } = chain.head()
    return contents.open(address, stateRoot, () => engine.readAccount(stateRoot, address))
  }

  /** Reads an account again where there was a block since. */
  function renew(account: PoolAccount, at: number): PooledTransaction[] {
    const { stateRoot } = chain.head()
    if (account.stateRoot === stateRoot) return []
    contents.refresh(account, stateRoot, engine.readAccount(stateRoot, account.address), at)
    return contents.promote(account, at)
  }

  function announce(pooled: readonly PooledTransaction[]): void {
    for (const one of pooled) {
      if (one.state !== 'pending' || one.announced) continue
      one.announced = true
      for (const listener of listeners) listener(one.transaction)
    }
  }

  function follow(touched: Iterable<PoolAccount>): void {
    const at = now()
    eviction.expire(at)
    const promoted: PooledTransaction[] = []
    for (const account of touched) {
      promoted.push(...renew(account, at))
      eviction.trimQueue(account, at)
    }
    const limit = chain.head().gasLimit
    if (limit < gasLimit) {
      for (const pooled of [...contents.byHash.values()]) {
        if (pooled.transaction.gas > limit) contents.remove(pooled, at)
      }
    }
    gasLimit = limit
    eviction.trim(at)
    announce(promoted)
  }

  /** Whose nonce or balance may be another after a block; what contracts pay to others is seen when these next send. */
  function listTouched({ header, transactions, withdrawals }: Block): Iterable<PoolAccount> {
    const delegates = transactions.some(transaction => transaction.type === 4)
    if (delegates || withdrawals?.length) return [...contents.accounts.values()]
    const touched = new Set(contents.watched)
    const touch = (address: Hex | null) => {
      const account = address && contents.accounts.get(address)
      if (account) touched.add(account)
    }
    touch(header.miner)
    for (const { from, to } of transactions) {
      touch(from)
      touch(to)
    }
    return touched
  }

  function list(
    select: (account: PoolAccount) => readonly PooledTransaction[],
  ): PooledTransactions {
    const found = new Map<Hex, readonly Transaction[]>()
    for (const account of contents.accounts.values()) {
      const pooled = select(account)
      if (pooled.length > 0) {
        found.set(
          account.address,
          pooled.map(({ transaction }) => transaction),
        )
      }
    }
    return found
  }

  for (const entry of await journal.load()) restore(entry)
  const tryToFollow = (list: () => Iterable<PoolAccount>) => {
    try {
      follow(list())
    } catch (error) {
      parts.onFault(error)
    }
  }
  const stops = [
    chain.onAppend(({ block }) => tryToFollow(() => listTouched(block))),
    chain.onReset(() => tryToFollow(() => [...contents.accounts.values()])),
  ]

  return {
    async add(transaction, origin, settle) {
      const taken = insert(transaction, origin)
      if (settle) {
        unkept.set(transaction.hash, { transaction, origin: taken })
        await settle()
        unkept.delete(transaction.hash)
        if (!contents.byHash.has(transaction.hash)) return
      }
      try {
        await journal.keep(transaction, taken)
      } catch (error) {
        parts.onFault(error)
        const reason = error instanceof Error ? error.message : String(error)
        throw new PoolError(`the transaction is in the pool, but not on the disk: ${reason}`)
      }
    },
    find: hash => contents.byHash.get(hash)?.transaction ?? null,
    nextNonce(address) {
      const account = contents.accounts.get(address)
      if (account) return nextNonceOf(account)
      return engine.readAccount(chain.head().stateRoot, address)?.nonce ?? 0n
    },
    candidates() {
      const lines = [...contents.accounts.values()].map(account => account.pending.slice())
      return orderCandidates(lines, engine.nextBaseFee(chain.head()))
    },
    drop(hash) {
      const pooled = contents.byHash.get(hash)
      if (!pooled) return
      const at = now()
      const account = contents.accounts.get(pooled.transaction.from)
      contents.remove(pooled, at)
      if (account) eviction.trimQueue(account, at)
      eviction.trim(at)
    },
    pending: () => list(account => account.pending),
    queued() {
      eviction.expire(now())
      return list(sortQueued)
    },
    countPending: () => contents.counts.pending,
    countQueued() {
      eviction.expire(now())
      return contents.counts.queued
    },
    onPending(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      for (const stop of stops) stop()
      for (const [hash, { transaction, origin }] of unkept) {
        if (contents.byHash.has(hash)) journal.keep(transaction, origin).catch(parts.onFault)
      }
      unkept.clear()
      return journal.close()
    },
  }
}

/** Asked of the object as it is now, whatever was known of it before. */
function isRemoved(pooled: PooledTransaction): boolean {
  return pooled.state === 'removed'
}
