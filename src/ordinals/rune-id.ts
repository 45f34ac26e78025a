/** `block:tx` of the etching, in decimals; in an edict {@link ETCHED_HERE} is the rune of the transaction itself. */
export type RuneId = string

/** The rune that the same transaction etches, as an edict names it. */
export const ETCHED_HERE: RuneId = '0:0'

const MOST_BLOCK = 2n ** 64n - 1n
const MOST_TX = 2n ** 32n - 1n

/** The id of the etching at this place of the chain; null for an id that no etching can have (`RuneId::new` in ord). */
export function formatRuneId(block: bigint, tx: bigint): RuneId | null {
  if (block > MOST_BLOCK || tx > MOST_TX || (block === 0n && tx > 0n)) return null
  return `${block}:${tx}`
}
