import type { Transaction } from 'bitcoinjs-lib'
import type { Chain } from '../chain/chain.ts'
import { isUnspendable } from '../chain/script.ts'
import {
  recordTransaction,
  spentOutpoint,
  type TransactionRecord,
} from '../chain/transaction-record.ts'
import type { NodeValidator } from './node-validation.ts'
import {
  checkDust,
  checkFee,
  checkSpends,
  checkStandard,
  checkTransaction,
  checkValues,
} from './policy.ts'
import { createPool, type Pool, type PoolEntry, withAncestors, withDescendants } from './pool.ts'
import {
  checkFamilyLimits,
  checkReplacement,
  checkTruc,
  findConflicts,
  findParents,
} from './pool-policy.ts'
import {
  RejectedError,
  type Rejection,
  RPC_ALREADY_IN_UTXO_SET,
  RPC_VERIFY_ERROR,
  reject,
} from './rejection.ts'
import { type CoinAge, checkLocktime, checkSequenceLocks } from './timelock.ts'

const COINBASE_MATURITY = 100
/** bitcoind's default `maxfeerate` of sendrawtransaction: 0.1 BTC/kvB. */
const MAX_FEE_RATE = 10_000n

export interface AcceptOptions {
  /** Sats per vB above which the caller is taken to be mistaken; 0 turns the check off. */
  maxFeeRate?: bigint
  /** Sats that an unspendable output may hold: none by default, as for sendrawtransaction (`maxburnamount`). */
  maxBurn?: bigint
  /** Core's bypass for transactions of disconnected blocks: no fee floor, no limits, no word from the node. */
  isReadded?: boolean
  /** For the parents of a package: the package pays for them. */
  isFeePaidByPackage?: boolean
}

export interface Removed {
  record: TransactionRecord
  /** Txid of the transaction that took its place, or null when it merely became invalid. */
  replacedBy: string | null
}

export interface Accepted {
  entry: PoolEntry
  removed: Removed[]
  /** False where the pool had it already. */
  isNew: boolean
}

/** Everything that acceptance depends on. */
export interface MempoolContext {
  chain: Chain
  validateWithNode: NodeValidator
  /** Unix seconds. */
  now: () => number
}

/**
 * Puts a transaction into the pool, or throws RejectedError in bitcoind's words. The order of the checks is Core's, so
 * that a transaction with several faults is refused for the same one.
 */
export async function acceptTransaction(
  { chain, validateWithNode, now }: MempoolContext,
  pool: Pool,
  tx: Transaction,
  options: AcceptOptions = {},
): Promise<Accepted> {
  if (!options.isReadded) assertNone(checkBurn(tx, options.maxBurn ?? 0n))
  assertNone(checkTransaction(tx))
  const txid = tx.getId()
  const known = pool.get(txid)
  if (known) return { entry: known, removed: [], isNew: false }
  assertNone(checkStandard(tx))
  const tip = chain.tip()
  const medianTime = tip?.medianTime ?? 0
  assertNone(checkLocktime(tx, chain.height(), medianTime))
  const { record, ages } = resolveInputs(chain, pool, tx, txid)
  assertNone(checkSequenceLocks(tx, ages, chain.height(), medianTime))
  assertNone(checkMaturity(chain, tx))
  assertNone(checkValues(tx, record.prevouts))
  assertNone(checkSpends(tx, record.prevouts))
  const conflicts = findConflicts(pool, record)
  if (!options.isReadded) {
    assertNone(checkDust(record))
    if (!options.isFeePaidByPackage) assertNone(checkFee(record))
    assertNone(checkTruc(pool, record, conflicts))
    assertNone(checkFamilyLimits(pool, record, conflicts))
    assertNone(checkReplacement(pool, record, conflicts))
    const ancestors = withAncestors(pool, findParents(pool, record))
    assertNone(
      await validateWithNode(
        record,
        ancestors.map(entry => entry.record),
      ),
    )
    assertNone(checkFeeBound(record, options.maxFeeRate ?? MAX_FEE_RATE))
  }
  const removed = removeFamilies(
    pool,
    conflicts.map(entry => entry.record.txid),
    txid,
  )
  return { entry: pool.add(record, now()), removed, isNew: true }
}

/** Takes transactions and their descendants out. */
export function removeFamilies(
  pool: Pool,
  txids: readonly string[],
  replacedBy: string | null,
): Removed[] {
  const family = withDescendants(pool, txids)
  for (const { record } of family) pool.remove(record.txid)
  return family.map(({ record }) => ({ record, replacedBy }))
}

/** Takes out what a block confirmed, and what it made impossible. */
export function removeConfirmed(pool: Pool, confirmed: readonly TransactionRecord[]): Removed[] {
  const removed: Removed[] = []
  for (const record of confirmed) {
    pool.remove(record.txid)
    if (record.isCoinbase) continue
    const conflicts = findConflicts(pool, record).map(entry => entry.record.txid)
    removed.push(...removeFamilies(pool, conflicts, record.txid))
  }
  return removed
}

/** The pool as it must be after blocks were taken off: their transactions again, then those of the old pool that still hold. */
export async function rebuildPool(
  context: MempoolContext,
  old: Pool,
  disconnected: readonly TransactionRecord[],
): Promise<{ pool: Pool; added: TransactionRecord[]; removed: Removed[] }> {
  const pool = createPool()
  const added: TransactionRecord[] = []
  const removed: Removed[] = []
  for (const record of [...disconnected, ...old.entries().map(entry => entry.record)]) {
    if (record.isCoinbase || context.chain.transaction(record.txid)) continue
    const isOld = old.get(record.txid) !== undefined
    try {
      await acceptTransaction(context, pool, record.tx, { isReadded: true })
      if (!isOld) added.push(record)
    } catch (error) {
      if (!(error instanceof RejectedError)) throw error
      if (isOld) removed.push({ record, replacedBy: null })
    }
  }
  return { pool, added, removed }
}

function resolveInputs(
  chain: Chain,
  pool: Pool,
  tx: Transaction,
  txid: string,
): { record: TransactionRecord; ages: CoinAge[] } {
  const ages: CoinAge[] = []
  const prevouts = tx.ins.map(input => {
    const outpoint = spentOutpoint(input)
    const coin = chain.coin(outpoint)
    if (coin) {
      const medianTimeBefore = chain.block(coin.height - 1)?.medianTime ?? 0
      ages.push({ height: coin.height, medianTimeBefore })
      return coin.output
    }
    const parent = pool.get(outpoint.slice(0, 64))
    const output = parent?.record.tx.outs[input.index]
    if (!output) {
      throw new RejectedError(
        tx.outs.some((_, vout) => chain.coin(`${txid}:${vout}`))
          ? {
              reason: 'Transaction outputs already in utxo set',
              code: RPC_ALREADY_IN_UTXO_SET,
            }
          : { reason: 'bad-txns-inputs-missingorspent', code: RPC_VERIFY_ERROR },
      )
    }
    ages.push({ height: chain.height() + 1, medianTimeBefore: chain.tip()?.medianTime ?? 0 })
    return output
  })
  return { record: recordTransaction(tx, prevouts), ages }
}

function checkMaturity(chain: Chain, tx: Transaction): Rejection | null {
  for (const input of tx.ins) {
    const coin = chain.coin(spentOutpoint(input))
    const depth = chain.height() + 1 - (coin?.height ?? 0)
    if (coin?.isCoinbase && depth < COINBASE_MATURITY) {
      return reject(
        'bad-txns-premature-spend-of-coinbase',
        `tried to spend coinbase at depth ${depth}`,
      )
    }
  }
  return null
}

/** What sendrawtransaction refuses to protect its caller, before anything else. */
function checkBurn(tx: Transaction, maxBurn: bigint): Rejection | null {
  if (!tx.outs.some(({ script, value }) => value > maxBurn && isUnspendable(script))) return null
  return {
    reason: 'Unspendable output exceeds maximum configured by user (maxburnamount)',
    code: RPC_VERIFY_ERROR,
  }
}

/** And after everything else. */
function checkFeeBound({ fee, vsize }: TransactionRecord, maxFeeRate: bigint): Rejection | null {
  if (maxFeeRate === 0n || fee <= maxFeeRate * BigInt(vsize)) return null
  return {
    reason: 'Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)',
    code: RPC_VERIFY_ERROR,
  }
}

function assertNone(rejection: Rejection | null): void {
  if (rejection) throw new RejectedError(rejection)
}
