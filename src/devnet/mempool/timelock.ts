import type { Transaction } from 'bitcoinjs-lib'
import { type Rejection, reject } from './rejection.ts'

const LOCKTIME_THRESHOLD = 500_000_000
const SEQUENCE_FINAL = 0xffffffff
const SEQUENCE_DISABLE = 0x80000000
const SEQUENCE_TYPE_TIME = 0x00400000
const SEQUENCE_MASK = 0xffff
const SEQUENCE_GRANULARITY = 9

/** Where a spent output was confirmed; an unconfirmed one counts as being in the next block. */
export interface CoinAge {
  height: number
  /** Median time of the block before the one that holds the coin, unix seconds. */
  medianTimeBefore: number
}

/** nLockTime against the next block: its height, or the tip's median time (BIP-113). */
export function checkLocktime(
  tx: Transaction,
  tipHeight: number,
  medianTime: number,
): Rejection | null {
  if (tx.locktime === 0) return null
  const limit = tx.locktime < LOCKTIME_THRESHOLD ? tipHeight + 1 : medianTime
  if (tx.locktime < limit || tx.ins.every(input => input.sequence === SEQUENCE_FINAL)) return null
  return reject('non-final')
}

/** Relative locks (BIP-68) against the next block. */
export function checkSequenceLocks(
  tx: Transaction,
  ages: readonly CoinAge[],
  tipHeight: number,
  medianTime: number,
): Rejection | null {
  if (tx.version >>> 0 < 2) return null
  for (const [vin, { sequence }] of tx.ins.entries()) {
    const age = ages[vin]
    if (!age || (sequence & SEQUENCE_DISABLE) !== 0) continue
    const value = sequence & SEQUENCE_MASK
    const isLocked =
      (sequence & SEQUENCE_TYPE_TIME) !== 0
        ? age.medianTimeBefore + (value << SEQUENCE_GRANULARITY) - 1 >= medianTime
        : age.height + value - 1 >= tipHeight + 1
    if (isLocked) return reject('non-BIP68-final')
  }
  return null
}
