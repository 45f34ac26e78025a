import type { Hex } from '../codec/hex.ts'
import { KeystoreError } from './keystore.ts'

/** Slows down who guesses at passphrases. Accounts are apart from each other, and what is unlocked stays so. */
export interface PassphraseLimit {
  /** Throws `KeystoreError` with the seconds to wait. */
  assertMayTry(address: Hex): void
  countWrong(address: Hex): void
  countRight(address: Hex): void
}

/**
 * Five wrong passphrases one after the other cost nothing; each one more costs twice the wait of the last, from a second to
 * five minutes: under 300 guesses a day.
 *
 * @param now - milliseconds of a clock that is never put back
 */
export function createPassphraseLimit(now = () => performance.now()): PassphraseLimit {
  const failures = new Map<Hex, { count: number; until: number }>()
  return {
    assertMayTry(address) {
      const left = (failures.get(address)?.until ?? 0) - now()
      if (left <= 0) return
      throw new KeystoreError(
        `too many wrong passphrases for ${address}, try again in ${Math.ceil(left / 1000)} s`,
      )
    },
    countWrong(address) {
      const count = (failures.get(address)?.count ?? 0) + 1
      const wait =
        count < FREE_FAILURES ? 0 : Math.min(1000 * 2 ** (count - FREE_FAILURES), LONGEST_WAIT)
      failures.set(address, { count, until: now() + wait })
    },
    countRight(address) {
      failures.delete(address)
    },
  }
}

const FREE_FAILURES = 5
const LONGEST_WAIT = 300_000
