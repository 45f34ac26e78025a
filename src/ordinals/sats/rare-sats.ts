// sats: numbers of sats as ordinal theory gives them (https://github.com/ordinals/ord/blob/master/bip.mediawiki), and which
// are rare. Pure arithmetic; which sats a coin holds is an index's word.

import { RARITIES, type Rarity } from './rarity.ts'

/** A rare sat on a coin; `offset` counts sats within it. */
export type RareSat = { sat: bigint; offset: bigint }

/** Numbers from `start` on and before `end`. */
export type SatRange = { start: bigint; end: bigint }

/** How many sats there will ever be. */
export const SAT_SUPPLY = 2_099_999_997_690_000n

const HALVING_BLOCKS = 210_000
const PERIOD_BLOCKS = 2_016
const FIRST_SUBSIDY = 5_000_000_000n

/** The first sat of each time between two halvings, that of the first included; the last ones pay a single sat a block. */
const EPOCHS: { start: bigint; subsidy: bigint }[] = []
for (
  let start = 0n, subsidy = FIRST_SUBSIDY;
  subsidy > 0n;
  start += subsidy * BigInt(HALVING_BLOCKS), subsidy >>= 1n
)
  EPOCHS.push({ start, subsidy })

/** Number of the first sat of a block; null where no block pays one any more. */
export function startingSat(height: number): bigint | null {
  const epoch = EPOCHS[Math.floor(height / HALVING_BLOCKS)]
  return epoch ? epoch.start + BigInt(height % HALVING_BLOCKS) * epoch.subsidy : null
}

/** Height of the block that mined a sat, and which of that block's it is, from 0. */
export function placeOfSat(sat: bigint): { height: number; offset: bigint } {
  const at = EPOCHS.findLastIndex(({ start }) => start <= sat)
  const { start, subsidy } = EPOCHS[at] ?? { start: 0n, subsidy: FIRST_SUBSIDY }
  const height = at * HALVING_BLOCKS + Number((sat - start) / subsidy)
  return { height, offset: (sat - start) % subsidy }
}

/** Null for a common sat. */
export function rarityOf(sat: bigint): Rarity | null {
  const { height, offset } = placeOfSat(sat)
  return offset === 0n ? rarityOfBlock(height) : null
}

/** Letters, as ord writes them: the last sat is `a`. */
export function nameOfSat(sat: bigint): string {
  let name = ''
  for (let rest = SAT_SUPPLY - sat; rest > 0n; rest = (rest - 1n) / 26n)
    name = String.fromCharCode(97 + Number((rest - 1n) % 26n)) + name
  return name
}

/** Whether a sat is at least as rare as that. */
export function isAtLeast(sat: bigint, least: Rarity): boolean {
  const rarity = rarityOf(sat)
  return rarity !== null && RARITIES.indexOf(rarity) >= RARITIES.indexOf(least)
}

/**
 * The rare sats of a coin by the ranges that it holds, in their order; where there are more than `most`, the rarest. Found by
 * arithmetic: it takes the same time for ranges of any length.
 */
export function findRareSats(ranges: readonly SatRange[], most: number): RareSat[] {
  let before = 0n
  const found = ranges.flatMap(({ start, end }) => {
    const offset = before - start
    before += end - start
    return listFirstSats(start, end, most).map(sat => ({ sat, offset: sat + offset }))
  })
  if (found.length <= most) return found
  const rank = ({ sat }: RareSat) => RARITIES.indexOf(rarityOf(sat) ?? 'uncommon')
  const rarest = new Set(found.toSorted((a, b) => rank(b) - rank(a)).slice(0, most))
  return found.filter(one => rarest.has(one))
}

/** Steps of heights, so that those of rarer blocks come first. */
const STEPS = [6 * HALVING_BLOCKS, HALVING_BLOCKS, PERIOD_BLOCKS, 1]

/** The first sats of blocks from `start` on and before `end`, the rarest of them where there are more than `most`. */
function listFirstSats(start: bigint, end: bigint, most: number): bigint[] {
  const { height, offset } = placeOfSat(start)
  const first = offset === 0n ? height : height + 1
  const last = placeOfSat(end - 1n).height
  const heights = new Set<number>()
  for (const step of STEPS)
    for (let at = Math.ceil(first / step) * step; at <= last && heights.size < most; at += step)
      heights.add(at)
  return [...heights].sort((a, b) => a - b).flatMap(at => startingSat(at) ?? [])
}

function rarityOfBlock(height: number): Rarity {
  const isHalving = height % HALVING_BLOCKS === 0
  const isPeriod = height % PERIOD_BLOCKS === 0
  if (height === 0) return 'mythic'
  if (isHalving && isPeriod) return 'legendary'
  if (isHalving) return 'epic'
  return isPeriod ? 'rare' : 'uncommon'
}
