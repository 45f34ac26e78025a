import type { RuneId } from '../rune-id.ts'
import type { MintTerms } from './runestone.ts'
import { encipherRunestone } from './runestone-script.ts'

/** What decides whether a rune can be minted: its terms, the height of its etching's block, and how often it was minted. */
export type MintFacts = { terms: MintTerms | null; height: number; mints: bigint }

/** Heights of blocks that may mint: from `start` on and before `end`; null for no limit. */
export type MintWindow = { start: bigint | null; end: bigint | null }

/** How a mint in a block stands, in the words of `MintError` in ord; amounts are in the rune's smallest unit. */
export type MintStanding =
  | ({ is: 'open'; amount: bigint; remaining: bigint } & MintWindow)
  /** `unmintable` without terms; before `start`, from `end` on, or once the `cap` is reached. */
  | ({ is: 'closed'; why: 'unmintable' | 'start' | 'end' | 'cap' } & MintWindow)

/** The later of the two starts and the earlier of the two ends (`RuneEntry::start` and `end` in ord). */
export function findMintWindow({ height, offset }: MintTerms, etchedAt: number): MintWindow {
  const after = (blocks: bigint | null) => (blocks === null ? null : BigInt(etchedAt) + blocks)
  const starts = [height.start, after(offset.start)].filter(start => start !== null)
  const ends = [height.end, after(offset.end)].filter(end => end !== null)
  return {
    start: starts.length === 0 ? null : starts.reduce((a, b) => (a > b ? a : b)),
    end: ends.length === 0 ? null : ends.reduce((a, b) => (a < b ? a : b)),
  }
}

/**
 * Whether a mint in a block of this height gives something, how much, and how many mints are left (`RuneEntry::mintable` in
 * ord). Terms without a cap or an amount have 0 of it.
 */
export function findMintStanding(
  { terms, height: etchedAt, mints }: MintFacts,
  height: bigint,
): MintStanding {
  if (terms === null) return { is: 'closed', why: 'unmintable', start: null, end: null }
  const window = findMintWindow(terms, etchedAt)
  const { start, end } = window
  if (start !== null && height < start) return { is: 'closed', why: 'start', ...window }
  if (end !== null && height >= end) return { is: 'closed', why: 'end', ...window }
  const cap = terms.cap ?? 0n
  if (mints >= cap) return { is: 'closed', why: 'cap', ...window }
  return { is: 'open', amount: terms.amount ?? 0n, remaining: cap - mints, ...window }
}

/**
 * The scriptPubKey that mints a rune once. It names no pointer: what is minted goes to the first output that is no
 * OP_RETURN, as all runes of the inputs do, and a mint that gives nothing burns nothing.
 */
export function encipherMint(rune: RuneId): Uint8Array {
  return encipherRunestone({ edicts: [], mint: rune, pointer: null })
}
