import type { Hex } from '../../codec/hex.ts'
import type { Transaction } from '../../engine/transaction.ts'
import { addressAt, createLedger, createTransfer, type Ledger } from '../../testing/ledger.ts'
import { createMemoryStore, type MemoryStore } from '../../testing/memory-store.ts'
import { DEFAULT_LIMITS, type PoolLimits } from '../eviction.ts'
import type { Pool, PooledTransactions } from '../pool.ts'
import { createPool } from '../transaction-pool.ts'

export const GWEI = 1_000_000_000n
export const ETHER = GWEI * GWEI

export interface PoolSetup {
  readonly pool: Pool
  readonly ledger: Ledger
  readonly store: MemoryStore
  readonly faults: unknown[]
  /** What became pending, in that order. */
  readonly announced: Transaction[]
  /** Moves the pool's clock, which stands still otherwise. */
  wait(milliseconds: number): void
  /** The pool after the node was ended and started. */
  restart(): Promise<Pool>
}

/** A pool over a ledger whose first hundred accounts have an ether each. */
export async function setUpPool(
  options: {
    limits?: Partial<PoolLimits>
    minGasPrice?: bigint
    baseFee?: bigint
    balances?: { readonly [address: Hex]: bigint }
    gasLimit?: bigint
  } = {},
): Promise<PoolSetup> {
  const { limits, minGasPrice = 0n, balances = fundAccounts(100), ...chainOptions } = options
  const ledger = createLedger({ balances, ...chainOptions })
  const store = createMemoryStore()
  const faults: unknown[] = []
  const announced: Transaction[] = []
  let time = 1_000_000
  const open = () =>
    createPool({
      engine: ledger.engine,
      chain: ledger.chain,
      store,
      limits: { ...DEFAULT_LIMITS, ...limits },
      minGasPrice,
      onFault: error => faults.push(error),
      now: () => time,
    })
  const pool = await open()
  pool.onPending(transaction => announced.push(transaction))
  return {
    pool,
    ledger,
    store,
    faults,
    announced,
    wait(milliseconds) {
      time += milliseconds
    },
    async restart() {
      await pool.close()
      return open()
    },
  }
}

export function fundAccounts(count: number): { [address: Hex]: bigint } {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [addressAt(index), ETHER]))
}

/** Transfers of one account with the nonces, for a price in gwei. */
export function createTransfers(account: number, nonces: readonly number[], price = 1n) {
  return nonces.map(nonce =>
    createTransfer({ from: addressAt(account), nonce: BigInt(nonce), gasPrice: price * GWEI }),
  )
}

export async function addAll(
  pool: Pool,
  transactions: readonly Transaction[],
  origin: 'local' | 'remote' = 'remote',
): Promise<void> {
  for (const transaction of transactions) await pool.add(transaction, origin)
}

/** The nonces of each account, by its number. */
export function listNonces(pooled: PooledTransactions): { [account: number]: number[] } {
  return Object.fromEntries(
    [...pooled].map(([address, transactions]) => [
      Number(BigInt(address)) - 1,
      transactions.map(({ nonce }) => Number(nonce)),
    ]),
  )
}
