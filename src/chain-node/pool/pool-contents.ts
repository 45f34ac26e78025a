import type { Hex } from '../codec/hex.ts'
import type { Account } from '../engine/engine.ts'
import { createCrowd } from './crowd.ts'
import { isShort, nextNonceOf, type PoolAccount } from './pool-account.ts'
import type { PooledTransaction } from './pooled-transaction.ts'

export type PoolContents = ReturnType<typeof createContents>

/**
 * What is in the pool, and where. Everything that moves a transaction is here, so that the counts are right:
 * queued -> pending (`promote`), pending -> queued (`demote`), and out of either (`remove`).
 *
 * @param onRemove - told of each that leaves, for whatever reason
 */
export function createContents(onRemove: (pooled: PooledTransaction) => void) {
  const byHash = new Map<Hex, PooledTransaction>()
  const accounts = new Map<Hex, PoolAccount>()
  /** Accounts with queued transactions, and since when nothing became pending; the longest first. */
  const idleSince = new Map<PoolAccount, number>()
  /** Accounts that any block may change, though it has nothing from or to them. */
  const watched = new Set<PoolAccount>()
  /** Accounts without local transactions, by how many are pending. */
  const crowd = createCrowd<PoolAccount>()
  const counts = { pending: 0, queued: 0, slots: 0 }

  function open(address: Hex, stateRoot: Hex, read: () => Account | null): PoolAccount {
    const known = accounts.get(address)
    if (known) return known
    const account: PoolAccount = {
      address,
      stateRoot,
      ...describeState(read()),
      pending: [],
      pendingCost: 0n,
      queued: new Map(),
      locals: 0,
    }
    accounts.set(address, account)
    return account
  }

  /** Puts one in the queue; nothing else of the account has its nonce. */
  function enqueue(account: PoolAccount, pooled: PooledTransaction, now: number): void {
    accounts.set(account.address, account)
    byHash.set(pooled.transaction.hash, pooled)
    counts.slots += pooled.slots
    if (pooled.origin === 'local') account.locals++
    queue(account, pooled)
    if (!idleSince.has(account)) idleSince.set(account, now)
  }

  function queue(account: PoolAccount, pooled: PooledTransaction): void {
    account.queued.set(pooled.transaction.nonce, pooled)
    pooled.state = 'queued'
    counts.queued++
  }

  /** Puts one in the place of another with the same nonce. */
  function replace(account: PoolAccount, old: PooledTransaction, next: PooledTransaction): void {
    const index = old.state === 'pending' ? Number(old.transaction.nonce - account.nonce) : null
    forget(account, old)
    byHash.set(next.transaction.hash, next)
    counts.slots += next.slots
    if (next.origin === 'local') account.locals++
    next.state = index === null ? 'queued' : 'pending'
    if (index === null) account.queued.set(next.transaction.nonce, next)
    else {
      account.pending[index] = next
      account.pendingCost += next.cost - old.cost
    }
  }

  /** Makes pending what has its turn and is paid for. */
  function promote(account: PoolAccount, now: number): PooledTransaction[] {
    const promoted: PooledTransaction[] = []
    for (;;) {
      const nonce = nextNonceOf(account)
      const next = account.queued.get(nonce)
      if (!next || account.pendingCost + next.cost > account.balance) break
      account.queued.delete(nonce)
      account.pending.push(next)
      account.pendingCost += next.cost
      next.state = 'pending'
      promoted.push(next)
    }
    counts.queued -= promoted.length
    counts.pending += promoted.length
    if (promoted.length > 0 && account.queued.size > 0) touch(account, now)
    arrange(account)
    return promoted
  }

  /** Puts the pending ones from `index` on into the queue. */
  function demote(account: PoolAccount, index: number, now: number): void {
    const demoted = account.pending.splice(index)
    for (const pooled of demoted) {
      account.pendingCost -= pooled.cost
      queue(account, pooled)
    }
    counts.pending -= demoted.length
    if (demoted.length > 0) touch(account, now)
  }

  /** Takes one out; what follows on it is queued from then on. */
  function remove(pooled: PooledTransaction, now: number): void {
    const account = accounts.get(pooled.transaction.from)
    if (!account || pooled.state === 'removed') return
    const { nonce } = pooled.transaction
    if (pooled.state === 'pending') demote(account, Number(nonce - account.nonce), now)
    account.queued.delete(nonce)
    counts.queued--
    forget(account, pooled)
    arrange(account)
  }

  /** Takes what the chain says of an account: what is behind its nonce leaves, what is not paid for or comes too early is queued. */
  function refresh(account: PoolAccount, stateRoot: Hex, state: Account | null, now: number): void {
    const { nonce, balance, hasCode } = describeState(state)
    if (nonce < account.nonce) demote(account, 0, now)
    const gone = Number(nonce - account.nonce)
    for (const pooled of account.pending.splice(0, Math.max(0, gone))) {
      account.pendingCost -= pooled.cost
      counts.pending--
      forget(account, pooled)
    }
    for (const [queuedNonce, pooled] of account.queued) {
      if (queuedNonce >= nonce) continue
      account.queued.delete(queuedNonce)
      counts.queued--
      forget(account, pooled)
    }
    account.stateRoot = stateRoot
    account.nonce = nonce
    account.balance = balance
    account.hasCode = hasCode
    let paid = account.pending.length
    let cost = account.pendingCost
    while (cost > balance) cost -= account.pending[--paid]?.cost ?? 0n
    demote(account, paid, now)
    arrange(account)
  }

  function forget(account: PoolAccount, pooled: PooledTransaction): void {
    byHash.delete(pooled.transaction.hash)
    counts.slots -= pooled.slots
    if (pooled.origin === 'local') account.locals--
    pooled.state = 'removed'
    onRemove(pooled)
  }

  function touch(account: PoolAccount, now: number): void {
    idleSince.delete(account)
    idleSince.set(account, now)
  }

  /** Brings the indexes of accounts up to date after a change of one. */
  function arrange(account: PoolAccount): void {
    if (account.queued.size === 0) idleSince.delete(account)
    const isEmpty = account.pending.length + account.queued.size === 0
    if (isEmpty) accounts.delete(account.address)
    if (!isEmpty && (account.hasCode || isShort(account))) watched.add(account)
    else watched.delete(account)
    crowd.place(account, account.locals > 0 ? 0 : account.pending.length)
  }

  return {
    byHash,
    accounts,
    idleSince,
    watched,
    crowd,
    counts,
    open,
    enqueue,
    replace,
    promote,
    remove,
    refresh,
    arrange,
  }
}

/** Keccak-256 of nothing. */
const NO_CODE = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'

function describeState(state: Account | null) {
  return {
    nonce: state?.nonce ?? 0n,
    balance: state?.balance ?? 0n,
    hasCode: state !== null && state.codeHash !== NO_CODE,
  }
}
