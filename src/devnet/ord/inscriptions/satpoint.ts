/** Where ord keeps what miners did not claim; offsets count all sats that were ever lost. */
export const LOST_OUTPOINT = `${'00'.repeat(32)}:4294967295`
/** Where ord keeps inscriptions without a sat; offsets count them. */
export const UNBOUND_OUTPOINT = `${'00'.repeat(32)}:0`

export interface SatPoint {
  /** `txid:vout`. */
  outpoint: string
  /** Sats before it in the output. */
  offset: bigint
}

/** As ord writes it: `txid:vout:offset`. */
export function formatSatPoint({ outpoint, offset }: SatPoint): string {
  return `${outpoint}:${offset}`
}
