import { concatBytes } from '../../bitcoin/bytes.ts'
import { encodePushes } from '../../bitcoin/script.ts'
import type { RuneId } from '../rune-id.ts'
import type { Edict, Etching, MintTerms } from './runestone.ts'

/** What a transaction of ours says about runes. */
export type NewRunestone = {
  /** None where it is left out. */
  etching?: Etching
  edicts: readonly Edict[]
  mint: RuneId | null
  /** The output that takes what no edict gives away; null for the first that is no OP_RETURN. */
  pointer: number | null
}

const OP_RETURN = 0x6a
const OP_13 = 0x5d
const BODY = 0n
const DIVISIBILITY = 1n
const FLAGS = 2n
const SPACERS = 3n
const RUNE = 4n
const SYMBOL = 5n
const PREMINE = 6n
const CAP = 8n
const AMOUNT = 10n
const HEIGHT_START = 12n
const HEIGHT_END = 14n
const OFFSET_START = 16n
const OFFSET_END = 18n
const MINT = 20n
const POINTER = 22n

const ETCHING_FLAG = 1n
const TERMS_FLAG = 2n
const TURBO_FLAG = 4n

/**
 * The scriptPubKey of a runestone, by ord's `Runestone::encipher`: fields before edicts, edicts in the order of their ids, each
 * id by its distance from the one before.
 */
export function encipherRunestone({ etching, edicts, mint, pointer }: NewRunestone): Uint8Array {
  const integers: bigint[] = etching ? listEtching(etching) : []
  if (mint !== null) for (const part of splitId(mint)) integers.push(MINT, part)
  if (pointer !== null) integers.push(POINTER, BigInt(pointer))
  if (edicts.length > 0) integers.push(BODY, ...listEdicts(edicts))
  const payload = Uint8Array.from(integers.flatMap(encodeVarint))
  return concatBytes(
    Uint8Array.of(OP_RETURN, OP_13),
    encodePushes(payload.length > 0 ? [payload] : []),
  )
}

/** Fields in ord's order; those that are null are left out. */
function listEtching({ terms, ...etching }: Etching): bigint[] {
  const { rune, divisibility, spacers, symbol, premine, turbo } = etching
  const flags = ETCHING_FLAG | (terms ? TERMS_FLAG : 0n) | (turbo ? TURBO_FLAG : 0n)
  const fields: [bigint, bigint | number | null][] = [
    [FLAGS, flags],
    [RUNE, rune],
    [DIVISIBILITY, divisibility],
    [SPACERS, spacers],
    [SYMBOL, symbol?.codePointAt(0) ?? null],
    [PREMINE, premine],
    ...(terms ? listTerms(terms) : []),
  ]
  return fields.flatMap(([tag, value]) => (value === null ? [] : [tag, BigInt(value)]))
}

function listTerms({ amount, cap, height, offset }: MintTerms): [bigint, bigint | null][] {
  return [
    [AMOUNT, amount],
    [CAP, cap],
    [HEIGHT_START, height.start],
    [HEIGHT_END, height.end],
    [OFFSET_START, offset.start],
    [OFFSET_END, offset.end],
  ]
}

function listEdicts(edicts: readonly Edict[]): bigint[] {
  const sorted = edicts
    .map(edict => ({ ...edict, id: splitId(edict.rune) }))
    .toSorted((a, b) => compare(a.id[0], b.id[0]) || compare(a.id[1], b.id[1]))
  let before = { block: 0n, tx: 0n }
  return sorted.flatMap(({ id: [block, tx], amount, output }) => {
    const blocks = block - before.block
    const txs = blocks === 0n ? tx - before.tx : tx
    before = { block, tx }
    return [blocks, txs, amount, BigInt(output)]
  })
}

function splitId(id: RuneId): [bigint, bigint] {
  const [block = '', tx = ''] = id.split(':')
  return [BigInt(block), BigInt(tx)]
}

/** LEB128. */
function encodeVarint(value: bigint): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  return [...bytes, Number(rest)]
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b)
}
