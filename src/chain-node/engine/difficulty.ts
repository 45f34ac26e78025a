import type { Common } from '@ethereumjs/common'
import type { Header } from './block.ts'

const LEAST_DIFFICULTY = 131_072n
const BOUND_DIVISOR = 2_048n
const BOMB_PERIOD = 100_000n
const FRONTIER_SECONDS = 13n

/** By how many blocks each fork put the difficulty bomb off (EIP-649, 1234, 2384, 3554, 4345, 5133); the last one counts. */
const BOMB_DELAYS: readonly (readonly [fork: string, blocks: bigint])[] = [
  ['grayGlacier', 11_400_000n],
  ['arrowGlacier', 10_700_000n],
  ['london', 9_700_000n],
  ['muirGlacier', 9_000_000n],
  ['constantinople', 5_000_000n],
  ['byzantium', 3_000_000n],
]

/**
 * The difficulty of the block after `parent` at a time in seconds since 1970: none after the merge, nor on a chain whose blocks cost
 * no work.
 */
export function nextDifficulty(
  common: Pick<Common, 'gteHardfork'>,
  parent: Pick<Header, 'number' | 'timestamp' | 'difficulty'>,
  hasUncles: boolean,
  timestamp: bigint,
): bigint {
  const costsWork = parent.difficulty > 0n && !common.gteHardfork('paris')
  return costsWork ? computeDifficulty(common, { ...parent, hasUncles }, timestamp) : 0n
}

/**
 * What the block after `parent` at a time in seconds since 1970 has for its difficulty on a chain of proof of work: yellow
 * paper 4.3.4, EIP-2 from Homestead and EIP-100 from Byzantium on.
 */
export function computeDifficulty(
  common: Pick<Common, 'gteHardfork'>,
  parent: Pick<Header, 'number' | 'timestamp' | 'difficulty'> & { readonly hasUncles: boolean },
  timestamp: bigint,
): bigint {
  const step = parent.difficulty / BOUND_DIVISOR
  const seconds = timestamp - parent.timestamp
  const number = parent.number + 1n
  const least = (difficulty: bigint) => max(difficulty, LEAST_DIFFICULTY)
  if (common.gteHardfork('byzantium')) {
    const factor = max((parent.hasUncles ? 2n : 1n) - seconds / 9n, -99n)
    const delay = BOMB_DELAYS.find(([fork]) => common.gteHardfork(fork))?.[1] ?? 0n
    return least(parent.difficulty + step * factor) + bombOf(max(number - delay, 0n))
  }
  if (common.gteHardfork('homestead')) {
    const factor = max(1n - seconds / 10n, -99n)
    return least(parent.difficulty + step * factor) + bombOf(number)
  }
  return least(parent.difficulty + (seconds < FRONTIER_SECONDS ? step : -step)) + bombOf(number)
}

/** Doubles every 100,000 blocks. */
function bombOf(number: bigint): bigint {
  const periods = number / BOMB_PERIOD
  return periods > 1n ? 2n ** (periods - 2n) : 0n
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
