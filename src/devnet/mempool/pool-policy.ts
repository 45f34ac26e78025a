import { spentOutpoint, type TransactionRecord } from '../chain/transaction-record.ts'
import { sumFees, sumVsizes } from './block-template.ts'
import { formatBitcoin, formatMoney, relayFee } from './policy.ts'
import { type Pool, type PoolEntry, withAncestors, withDescendants } from './pool.ts'
import { type Rejection, reject } from './rejection.ts'

// Rules between a transaction and those already in the mempool: Bitcoin Core's policy/rbf.cpp, policy/truc_policy.cpp
// and the ancestor and descendant limits of Core 30 and older, which are the tighter ones.

const MAX_FAMILY_COUNT = 25
const MAX_FAMILY_VSIZE = 101_000
const MAX_REPLACED = 100
const TRUC_VERSION = 3
const TRUC_MAX_VSIZE = 10_000
const TRUC_CHILD_MAX_VSIZE = 1_000

/** Pool transactions that spend an outpoint which this transaction spends too. */
export function findConflicts(pool: Pool, record: TransactionRecord): PoolEntry[] {
  const txids = new Set(
    record.tx.ins.flatMap(input => pool.spender(spentOutpoint(input))?.txid ?? []),
  )
  txids.delete(record.txid)
  return [...txids].flatMap(txid => pool.get(txid) ?? [])
}

/** Unconfirmed parents of a transaction that is not in the pool itself. */
export function findParents(pool: Pool, record: TransactionRecord): Set<string> {
  const txids = record.tx.ins.map(input => spentOutpoint(input).slice(0, 64))
  return new Set(txids.filter(txid => pool.get(txid)))
}

/** Replace-by-fee: no transaction needs to signal (the rule of every node since Core 28). */
export function checkReplacement(
  pool: Pool,
  record: TransactionRecord,
  conflicts: readonly PoolEntry[],
): Rejection | null {
  if (conflicts.length === 0) return null
  const direct = new Set(conflicts.map(entry => entry.record.txid))
  const ancestors = withAncestors(pool, findParents(pool, record))
  const spentConflict = ancestors.find(entry => direct.has(entry.record.txid))
  if (spentConflict) {
    return reject(
      'bad-txns-spends-conflicting-tx',
      `${record.txid} spends conflicting transaction ${spentConflict.record.txid}`,
    )
  }
  for (const conflict of conflicts) {
    if (record.fee * BigInt(conflict.record.vsize) <= conflict.record.fee * BigInt(record.vsize)) {
      return reject(
        'insufficient fee',
        `rejecting replacement ${record.txid}; new feerate ${formatFeeRate(record)} <= old feerate ${formatFeeRate(conflict.record)}`,
      )
    }
  }
  const replaced = withDescendants(pool, direct)
  if (replaced.length > MAX_REPLACED) {
    return reject(
      'too many potential replacements',
      `rejecting replacement ${record.txid}; too many potential replacements (${replaced.length} > ${MAX_REPLACED})`,
    )
  }
  const known = new Set(conflicts.flatMap(entry => [...entry.parents]))
  for (const [vin, input] of record.tx.ins.entries()) {
    const parent = spentOutpoint(input).slice(0, 64)
    if (pool.get(parent) && !known.has(parent)) {
      return reject(
        'replacement-adds-unconfirmed',
        `replacement ${record.txid} adds unconfirmed input, idx ${vin}`,
      )
    }
  }
  const oldFees = sumFees(replaced)
  if (record.fee < oldFees) {
    return reject(
      'insufficient fee',
      `rejecting replacement ${record.txid}, less fees than conflicting txs; ${formatMoney(record.fee)} < ${formatMoney(oldFees)}`,
    )
  }
  const extra = record.fee - oldFees
  const needed = relayFee(record.vsize)
  if (extra < needed) {
    return reject(
      'insufficient fee',
      `rejecting replacement ${record.txid}, not enough additional fees to relay; ${formatMoney(extra)} < ${formatMoney(needed)}`,
    )
  }
  return null
}

/** 25 transactions and 101,000 vB in a row of ancestors or descendants, the transaction itself counted. */
export function checkFamilyLimits(
  pool: Pool,
  record: TransactionRecord,
  conflicts: readonly PoolEntry[],
): Rejection | null {
  const reason = 'too-long-mempool-chain'
  const ancestors = withAncestors(pool, findParents(pool, record))
  if (ancestors.length + 1 > MAX_FAMILY_COUNT) {
    return reject(reason, `too many unconfirmed ancestors [limit: ${MAX_FAMILY_COUNT}]`)
  }
  if (sumVsizes(ancestors) + record.vsize > MAX_FAMILY_VSIZE) {
    return reject(reason, `exceeds ancestor size limit [limit: ${MAX_FAMILY_VSIZE}]`)
  }
  const replaced = new Set(
    withDescendants(
      pool,
      conflicts.map(entry => entry.record.txid),
    ).map(entry => entry.record.txid),
  )
  for (const ancestor of ancestors) {
    const { txid } = ancestor.record
    const descendants = withDescendants(pool, [txid]).filter(
      entry => !replaced.has(entry.record.txid),
    )
    if (descendants.length + 1 > MAX_FAMILY_COUNT) {
      return reject(reason, `too many descendants for tx ${txid} [limit: ${MAX_FAMILY_COUNT}]`)
    }
    if (sumVsizes(descendants) + record.vsize > MAX_FAMILY_VSIZE) {
      return reject(
        reason,
        `exceeds descendant size limit for tx ${txid} [limit: ${MAX_FAMILY_VSIZE}]`,
      )
    }
  }
  return null
}

/** Version 3 transactions (BIP-431): one unconfirmed parent with one child, both small, and no mixing with other versions. */
export function checkTruc(
  pool: Pool,
  record: TransactionRecord,
  conflicts: readonly PoolEntry[],
): Rejection | null {
  const isTruc = record.tx.version === TRUC_VERSION
  const name = `tx ${record.txid} (wtxid=${record.wtxid})`
  const parents = [...findParents(pool, record)].flatMap(txid => pool.get(txid) ?? [])
  for (const parent of parents) {
    if ((parent.record.tx.version === TRUC_VERSION) === isTruc) continue
    const parentName = `${parent.record.txid} (wtxid=${parent.record.wtxid})`
    return isTruc
      ? reject(
          'TRUC-violation',
          `version=3 ${name} cannot spend from non-version=3 tx ${parentName}`,
        )
      : reject(
          'TRUC-violation',
          `non-version=3 ${name} cannot spend from version=3 tx ${parentName}`,
        )
  }
  if (!isTruc) return null
  if (record.vsize > TRUC_MAX_VSIZE) {
    return reject(
      'TRUC-violation',
      `version=3 ${name} is too big: ${record.vsize} > ${TRUC_MAX_VSIZE} virtual bytes`,
    )
  }
  const [parent] = parents
  if (!parent) return null
  if (parents.length > 1 || parent.parents.size > 0) {
    return reject('TRUC-violation', `${name} would have too many ancestors`)
  }
  if (record.vsize > TRUC_CHILD_MAX_VSIZE) {
    return reject(
      'TRUC-violation',
      `version=3 child ${name} is too big: ${record.vsize} > ${TRUC_CHILD_MAX_VSIZE} virtual bytes`,
    )
  }
  const replaced = new Set(conflicts.map(entry => entry.record.txid))
  if ([...parent.children].some(child => !replaced.has(child))) {
    return reject(
      'TRUC-violation',
      `tx ${parent.record.txid} (wtxid=${parent.record.wtxid}) would exceed descendant count limit`,
    )
  }
  return null
}

/** Core's CFeeRate::ToString. */
function formatFeeRate({ fee, vsize }: TransactionRecord): string {
  return `${formatBitcoin((fee * 1000n) / BigInt(vsize))} BTC/kvB`
}
