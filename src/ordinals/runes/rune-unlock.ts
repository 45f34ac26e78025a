import type { Network } from '../../bitcoin/network.ts'
import type { RuneNumber } from './rune-name.ts'

/** Blocks in which the shortest names of one length more are unlocked (`Rune::UNLOCK_INTERVAL` in ord). */
const UNLOCK_INTERVAL = 17_500

/** Letters of the names that are unlocked last before the schedule begins (`Rune::UNLOCKED` in ord). */
const UNLOCKED = 12

const LETTERS = 26n

/** The first height with runes (`Rune::first_rune_height` in ord, which counts Testnet4 among the networks without a wait). */
const FIRST_HEIGHTS: { [network in Network]: number } = {
  mainnet: 840_000,
  testnet4: 0,
  signet: 0,
  regtest: 0,
}

/**
 * The first name that a block of this height may etch; those before it, which are shorter, are locked
 * (`Rune::minimum_at_height` in ord).
 */
export function minimumRuneAt(network: Network, height: number): RuneNumber {
  const progress = height + 1 - FIRST_HEIGHTS[network]
  if (progress < 0) return firstOf(UNLOCKED + 1)
  const length = UNLOCKED - Math.floor(progress / UNLOCK_INTERVAL)
  if (length < 1) return 0n
  const longer = firstOf(length + 1)
  const span = longer - firstOf(length)
  return longer - (span * BigInt(progress % UNLOCK_INTERVAL)) / BigInt(UNLOCK_INTERVAL)
}

/** The first height whose block may etch a name (`Rune::unlock_height` in ord); null for one that never may. */
export function unlockHeightOf(network: Network, rune: RuneNumber): number | null {
  if (isReserved(rune)) return null
  const first = Math.max(FIRST_HEIGHTS[network] - 1, 0)
  if (rune >= minimumRuneAt(network, 0)) return 0
  let [locked, free] = [first - 1, first + UNLOCK_INTERVAL * UNLOCKED]
  // The first name never rises.
  while (free - locked > 1) {
    const middle = Math.floor((locked + free) / 2)
    if (rune >= minimumRuneAt(network, middle)) free = middle
    else locked = middle
  }
  return free
}

/** Whether a name is of those that runes have which were etched without one (`Rune::is_reserved` in ord). */
export function isReserved(rune: RuneNumber): boolean {
  return rune >= firstOf(27)
}

/** The first name of so many letters: A, AA, AAA. */
function firstOf(length: number): RuneNumber {
  let first = 0n
  for (let letters = 1; letters < length; letters++) first = (first + 1n) * LETTERS
  return first
}
