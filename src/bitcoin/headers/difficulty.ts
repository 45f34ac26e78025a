import type { BlockHeader } from './block-header.ts'
import type { Consensus } from './consensus.ts'
import { formatCompactTarget, parseCompactTarget } from './target.ts'

/** A difficulty changes by at most this factor at a time. */
const MAX_ADJUSTMENT = 4n

/** Headers by height; undefined for one that is not at hand. */
export type HeaderLookup = (height: number) => BlockHeader | undefined

/**
 * The `bits` that a header has to have at a height, given when it was found (Bitcoin Core's GetNextWorkRequired). Null where
 * that hangs on headers that are not at hand.
 */
export function nextBitsRequired(
  consensus: Consensus,
  headerAt: HeaderLookup,
  height: number,
  at: number,
): number | null {
  const last = headerAt(height - 1)
  if (!last) return null
  const { adjustmentInterval, allowsMinDifficulty, targetSpacing, powLimit } = consensus
  if (adjustmentInterval !== null && height % adjustmentInterval === 0) {
    const first = headerAt(height - adjustmentInterval)
    return first ? adjustedBits(consensus, first, last) : null
  }
  if (!allowsMinDifficulty) return last.bits
  const easiest = formatCompactTarget(powLimit)
  if (at > last.at + 2 * targetSpacing) return easiest
  // The last block of the period that is none of the exceptions, or the first one whatever it is.
  for (let before = height - 1; ; before--) {
    const header = headerAt(before)
    if (!header) return null
    const isFirst =
      before === 0 || (adjustmentInterval !== null && before % adjustmentInterval === 0)
    if (isFirst || header.bits !== easiest) return header.bits
  }
}

/**
 * The `bits` after a period of headers from `first` to `last` (CalculateNextWorkRequired). Between them lie 2015 spacings,
 * which are held against the time of 2016, as Bitcoin has always done.
 */
export function adjustedBits(consensus: Consensus, first: BlockHeader, last: BlockHeader): number {
  const timespan = timespanOf(consensus)
  const actual = BigInt(last.at - first.at)
  const [least, most] = [timespan / MAX_ADJUSTMENT, timespan * MAX_ADJUSTMENT]
  const counted = actual < least ? least : actual > most ? most : actual
  const { target } = consensus.hasBip94 ? first : last
  return limitedBits(consensus, (target * counted) / timespan)
}

/**
 * Whether a header with these `bits` can follow one with others at all, whatever the times say (PermittedDifficultyTransition). Where
 * blocks of minimum difficulty are allowed, anything can.
 */
export function isPermittedTransition(
  consensus: Consensus,
  height: number,
  before: number,
  bits: number,
): boolean {
  const { adjustmentInterval, allowsMinDifficulty } = consensus
  if (allowsMinDifficulty) return true
  if (adjustmentInterval === null || height % adjustmentInterval !== 0) return bits === before
  const [old, target] = [parseCompactTarget(before), parseCompactTarget(bits)]
  if (old === null || target === null) return false
  const easiest = parseCompactTarget(limitedBits(consensus, old * MAX_ADJUSTMENT))
  const hardest = parseCompactTarget(limitedBits(consensus, old / MAX_ADJUSTMENT))
  return easiest !== null && hardest !== null && target <= easiest && target >= hardest
}

function limitedBits({ powLimit }: Consensus, target: bigint): number {
  return formatCompactTarget(target > powLimit ? powLimit : target)
}

/** nPowTargetTimespan, in milliseconds. */
function timespanOf({ targetSpacing, adjustmentInterval }: Consensus): bigint {
  return BigInt(targetSpacing) * BigInt(adjustmentInterval ?? 1)
}
