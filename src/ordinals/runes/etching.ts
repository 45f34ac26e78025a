import type { Network } from '../../bitcoin/network.ts'
import type { SpacedRune } from './rune-name.ts'
import { isReserved, minimumRuneAt } from './rune-unlock.ts'
import type { Etching, MintTerms } from './runestone.ts'
import { encipherRunestone } from './runestone-script.ts'

/** Confirmations that the commitment to a name has in the block of its etching (`Runestone::COMMIT_CONFIRMATIONS` in ord). */
export const COMMIT_CONFIRMATIONS = 6

/** A rune to be etched; amounts in its smallest unit. */
export type NewEtching = {
  name: SpacedRune
  /** Decimals, 0 to 38. */
  divisibility: number
  /** One character. */
  symbol: string
  /** What the etching itself gives out; 0 for nothing. */
  premine: bigint
  /** Null where nobody can mint. */
  terms: NewTerms | null
  /** Whether it opts into later changes of the protocol. */
  turbo: boolean
}

/** Who may mint: `cap` times `amount`; heights are of blocks, offsets count from the etching's. An end is the first block without. */
export type NewTerms = MintTerms & { amount: bigint; cap: bigint }

export type EtchingField =
  | 'name'
  | 'divisibility'
  | 'symbol'
  | 'premine'
  | 'supply'
  | 'runestone'
  | 'terms.amount'
  | 'terms.cap'
  | 'terms.height.start'
  | 'terms.height.end'
  | 'terms.offset.start'
  | 'terms.offset.end'

/** What an etching must not be. */
export type EtchingFault =
  /** The name belongs to runes that were etched without one. */
  | 'reserved'
  /** The name is too short yet. */
  | 'locked'
  | 'out-of-range'
  | 'not-one-character'
  /** Nothing could ever be had of it. */
  | 'nothing'
  | 'too-large'
  /** The last block is not behind the first. */
  | 'ends-before-start'
  /** The block of the etching is not before it. */
  | 'too-early'
  /** More bytes than all nodes relay. */
  | 'too-long'

export class InvalidEtchingError extends Error {
  override name = 'InvalidEtchingError'
  readonly field: EtchingField
  readonly fault: EtchingFault
  constructor(field: EtchingField, fault: EtchingFault) {
    super(`etching: ${field} is ${fault}`)
    this.field = field
    this.fault = fault
  }
}

const MAX_DIVISIBILITY = 38
const U64 = 2n ** 64n - 1n
const U128 = 2n ** 128n - 1n
/** Bytes of an OP_RETURN script that Bitcoin Core relayed before version 30. */
const MOST_SCRIPT = 83

/**
 * Throws {@link InvalidEtchingError} for what indexes would ignore or read otherwise, and for what ord's wallet refuses, too
 * (`check_etching` in its `batch_command.rs`). `height` is that of the first block that can have the etching.
 */
export function assertEtching(
  etching: NewEtching,
  { network, height }: { network: Network; height: number },
): void {
  const { name, divisibility, symbol, premine, terms } = etching
  if (isReserved(name.rune)) throw new InvalidEtchingError('name', 'reserved')
  if (name.rune < minimumRuneAt(network, height)) throw new InvalidEtchingError('name', 'locked')
  if (!Number.isInteger(divisibility) || divisibility < 0 || divisibility > MAX_DIVISIBILITY)
    throw new InvalidEtchingError('divisibility', 'out-of-range')
  // Nobody could see a blank, a control character or half of a pair, an accent belongs to what stands before it, and two would not fit.
  if (!/^[^\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]$/u.test(symbol))
    throw new InvalidEtchingError('symbol', 'not-one-character')
  assertRange('premine', premine, U128)
  if (terms) assertTerms(terms, BigInt(height))
  const supply = supplyOf(etching)
  if (supply > U128) throw new InvalidEtchingError('supply', 'too-large')
  if (supply === 0n) throw new InvalidEtchingError('supply', 'nothing')
  if (encipherEtching(etching, premine > 0n ? 1 : null).length > MOST_SCRIPT)
    throw new InvalidEtchingError('runestone', 'too-long')
}

/** All that there can ever be of it, in the smallest unit. */
export function supplyOf({ premine, terms }: Pick<NewEtching, 'premine' | 'terms'>): bigint {
  return premine + (terms ? terms.cap * terms.amount : 0n)
}

/** The scriptPubKey that etches it; `premineVout` is the output that gets the premine, null where there is none. */
export function encipherEtching(etching: NewEtching, premineVout: number | null): Uint8Array {
  return encipherRunestone({
    etching: fieldsOf(etching),
    edicts: [],
    mint: null,
    pointer: premineVout,
  })
}

/** The fields that stand in its runestone: what is nothing is left out, as ord's wallet does. */
export function fieldsOf({
  name: { rune, spacers },
  divisibility,
  premine,
  symbol,
  terms,
  turbo,
}: NewEtching): Etching {
  return {
    divisibility: divisibility > 0 ? divisibility : null,
    premine: premine > 0n ? premine : null,
    rune,
    spacers: spacers > 0 ? spacers : null,
    symbol,
    terms,
    turbo,
  }
}

function assertTerms({ amount, cap, height, offset }: NewTerms, etchedAt: bigint): void {
  if (amount === 0n) throw new InvalidEtchingError('terms.amount', 'nothing')
  if (cap === 0n) throw new InvalidEtchingError('terms.cap', 'nothing')
  assertRange('terms.amount', amount, U128)
  assertRange('terms.cap', cap, U128)
  for (const [name, { start, end }] of [
    ['terms.height', height],
    ['terms.offset', offset],
  ] as const) {
    if (start !== null) assertRange(`${name}.start`, start, U64)
    if (end !== null) assertRange(`${name}.end`, end, U64)
    if (start !== null && end !== null && end <= start)
      throw new InvalidEtchingError(`${name}.end`, 'ends-before-start')
  }
  if (height.start !== null && height.start <= etchedAt)
    throw new InvalidEtchingError('terms.height.start', 'too-early')
  if (height.end !== null && height.end <= etchedAt)
    throw new InvalidEtchingError('terms.height.end', 'too-early')
  if (offset.end === 0n) throw new InvalidEtchingError('terms.offset.end', 'too-early')
}

function assertRange(field: EtchingField, value: bigint, most: bigint): void {
  if (value < 0n || value > most) throw new InvalidEtchingError(field, 'out-of-range')
}
