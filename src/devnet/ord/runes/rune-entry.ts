import type { RuneId } from '../../../ordinals/rune-id.ts'
import type { MintTerms, Runestone } from '../../../ordinals/runes/runestone.ts'
import type { RuneNumber } from './rune-name.ts'

/** A rune with its figures; amounts are in its smallest unit. */
export interface RuneEntry {
  id: RuneId
  /** In the order of etching, from 0. */
  number: number
  rune: RuneNumber
  spacers: number
  divisibility: number
  symbol: string | null
  premine: bigint
  terms: MintTerms | null
  mints: bigint
  burned: bigint
  turbo: boolean
  /** Txid. */
  etching: string
  /** Height of its block, and that block's time in unix seconds. */
  block: number
  timestamp: number
}

/** The terms of a new rune; a cenotaph's has none. */
export function describeEtching(runestone: Runestone) {
  const etching = runestone.kind === 'runestone' ? runestone.etching : null
  return {
    divisibility: etching?.divisibility ?? 0,
    premine: etching?.premine ?? 0n,
    spacers: etching?.spacers ?? 0,
    symbol: etching?.symbol ?? null,
    terms: etching?.terms ?? null,
    turbo: etching?.turbo ?? false,
    mints: 0n,
    burned: 0n,
  }
}

/** What a mint in a block of this height gives; null where it gives nothing because it is not open. */
export function mintableAmount({ terms, block, mints }: RuneEntry, height: number): bigint | null {
  if (!terms) return null
  const at = BigInt(height)
  const after = (offset: bigint | null) => (offset === null ? null : BigInt(block) + offset)
  const starts = [terms.height.start, after(terms.offset.start)]
  const ends = [terms.height.end, after(terms.offset.end)]
  if (starts.some(start => start !== null && at < start)) return null
  if (ends.some(end => end !== null && at >= end)) return null
  return mints < (terms.cap ?? 0n) ? (terms.amount ?? 0n) : null
}
