// runes: deciphers runestones by the rules of ord's `ordinals` crate
// (https://github.com/ordinals/ord/blob/master/crates/ordinals/src/runestone.rs). It never keeps balances: who
// holds how much is an index's to say.

import { joinBytes } from '../../bitcoin/bytes.ts'
import { parsePushes } from '../../bitcoin/script.ts'
import { formatRuneId, type RuneId } from '../rune-id.ts'

/** Gives an amount of a rune, 0 being all that is left, to an output; the number of outputs means each that is no OP_RETURN. */
export type Edict = { rune: RuneId; amount: bigint; output: number }

/** A new rune; null where the etching is silent. Amounts are in the rune's smallest unit. */
export type Etching = {
  divisibility: number | null
  premine: bigint | null
  /** The name as a number: A is 0, Z 25, AA 26. */
  rune: bigint | null
  /** Bit i stands for a spacer behind letter i of the name. */
  spacers: number | null
  /** One character. */
  symbol: string | null
  terms: MintTerms | null
  turbo: boolean
}

/** Who may mint how much: `cap` times `amount`, at heights or at offsets from the etching's. */
export type MintTerms = {
  amount: bigint | null
  cap: bigint | null
  height: { start: bigint | null; end: bigint | null }
  offset: { start: bigint | null; end: bigint | null }
}

/** Why a runestone is malformed; `script` is anything but data pushes, which ord splits in two. */
export type Flaw =
  | 'script'
  | 'varint'
  | 'truncated-field'
  | 'trailing-integers'
  | 'edict-rune-id'
  | 'edict-output'
  | 'supply-overflow'
  | 'unrecognized-flag'
  | 'unrecognized-even-tag'

/** What a transaction says about runes. A cenotaph burns every rune of its inputs, mints only to burn, and spends the name it etches. */
export type Runestone =
  | { kind: 'none' }
  | {
      kind: 'runestone'
      etching: Etching | null
      mint: RuneId | null
      edicts: readonly Edict[]
      /** The output that takes what no edict gives away; null for the first that is no OP_RETURN. */
      pointer: number | null
    }
  | { kind: 'cenotaph'; flaw: Flaw; etching: bigint | null; mint: RuneId | null }

/** The values that each tag has, in order; readers take theirs out, and an even tag that is left over is a flaw. */
type Fields = Map<bigint, bigint[]>

const OP_RETURN = 0x6a
const OP_13 = 0x5d

const U64 = 2n ** 64n - 1n
const U128 = 2n ** 128n - 1n
/** More base-128 digits than this never fit 128 bits. */
const MAX_DIGITS = 19
const MAX_DIVISIBILITY = 38n
const MAX_SPACERS = 2n ** 27n - 1n
const MAX_CODE_POINT = 0x10ffffn

const BODY = 0n
const TAGS = {
  divisibility: 1n,
  flags: 2n,
  spacers: 3n,
  rune: 4n,
  symbol: 5n,
  premine: 6n,
  cap: 8n,
  amount: 10n,
  heightStart: 12n,
  heightEnd: 14n,
  offsetStart: 16n,
  offsetEnd: 18n,
  mint: 20n,
  pointer: 22n,
}

const ETCHING_FLAG = 1n
const TERMS_FLAG = 2n
const TURBO_FLAG = 4n

/** The runestone of a transaction with these scriptPubKeys, which is in the first `OP_RETURN OP_13` output, by the rules of ord's `Runestone::decipher`. */
export function decipherRunestone(scriptPubKeys: readonly Uint8Array[]): Runestone {
  const script = scriptPubKeys.find(([first, second]) => first === OP_RETURN && second === OP_13)
  if (!script) return { kind: 'none' }
  const pushes = parsePushes(script.subarray(2))
  if (!pushes) return { kind: 'cenotaph', flaw: 'script', etching: null, mint: null }
  const integers = readVarints(joinBytes(pushes))
  if (!integers) return { kind: 'cenotaph', flaw: 'varint', etching: null, mint: null }

  const { fields, edicts, flaw } = readMessage(integers, scriptPubKeys.length)
  const flags = takeNumber(fields, TAGS.flags, U128) ?? 0n
  const etching = flags & ETCHING_FLAG ? takeEtching(fields, flags) : null
  const knownFlags = etching ? ETCHING_FLAG | TERMS_FLAG | TURBO_FLAG : 0n
  const mint = takeMint(fields)
  const pointer = takeNumber(fields, TAGS.pointer, BigInt(scriptPubKeys.length - 1))

  const firstFlaw =
    flaw ??
    (etching && supplyOf(etching) > U128 ? 'supply-overflow' : null) ??
    (flags & ~knownFlags ? 'unrecognized-flag' : null) ??
    ([...fields.keys()].some(tag => tag % 2n === 0n) ? 'unrecognized-even-tag' : null)
  if (firstFlaw) return { kind: 'cenotaph', flaw: firstFlaw, etching: etching?.rune ?? null, mint }
  return { kind: 'runestone', etching, mint, edicts, pointer: toNumber(pointer) }
}

/** LEB128 numbers of up to 128 bits; null when one is cut off or too large. */
function readVarints(bytes: Uint8Array): bigint[] | null {
  const integers: bigint[] = []
  let value = 0n
  let digits = 0
  for (const byte of bytes) {
    value |= BigInt(byte & 0x7f) << BigInt(7 * digits++)
    if (value > U128 || (digits === MAX_DIGITS && byte >= 0x80)) return null
    if (byte >= 0x80) continue
    integers.push(value)
    value = 0n
    digits = 0
  }
  return digits === 0 ? integers : null
}

/** Pairs of tag and value, then edicts behind the body tag. */
function readMessage(integers: readonly bigint[], outputs: number) {
  const fields: Fields = new Map()
  for (let i = 0; i < integers.length; i += 2) {
    const [tag = BODY, value] = integers.slice(i, i + 2)
    if (tag === BODY) return { fields, ...readEdicts(integers.slice(i + 1), outputs) }
    if (value === undefined) return { fields, edicts: [], flaw: 'truncated-field' as const }
    const values = fields.get(tag)
    if (values) values.push(value)
    else fields.set(tag, [value])
  }
  return { fields, edicts: [], flaw: null }
}

/** Edicts are four integers each: the distance of the rune's id from the one before, an amount, an output. */
function readEdicts(
  integers: readonly bigint[],
  outputs: number,
): { edicts: Edict[]; flaw: Flaw | null } {
  const edicts: Edict[] = []
  let block = 0n
  let tx = 0n
  for (let i = 0; i < integers.length; i += 4) {
    const [blocks, txs, amount, output] = integers.slice(i, i + 4)
    if (blocks === undefined || txs === undefined || amount === undefined || output === undefined)
      return { edicts, flaw: 'trailing-integers' }
    tx = blocks === 0n ? tx + txs : txs
    block += blocks
    const rune = formatRuneId(block, tx)
    if (rune === null) return { edicts, flaw: 'edict-rune-id' }
    if (output > BigInt(outputs)) return { edicts, flaw: 'edict-output' }
    edicts.push({ rune, amount, output: Number(output) })
  }
  return { edicts, flaw: null }
}

function takeEtching(fields: Fields, flags: bigint): Etching {
  return {
    divisibility: toNumber(takeNumber(fields, TAGS.divisibility, MAX_DIVISIBILITY)),
    premine: takeNumber(fields, TAGS.premine, U128),
    rune: takeNumber(fields, TAGS.rune, U128),
    spacers: toNumber(takeNumber(fields, TAGS.spacers, MAX_SPACERS)),
    symbol: toCharacter(takeNumber(fields, TAGS.symbol, MAX_CODE_POINT)),
    terms: flags & TERMS_FLAG ? takeTerms(fields) : null,
    turbo: (flags & TURBO_FLAG) !== 0n,
  }
}

function takeTerms(fields: Fields): MintTerms {
  return {
    amount: takeNumber(fields, TAGS.amount, U128),
    cap: takeNumber(fields, TAGS.cap, U128),
    height: {
      start: takeNumber(fields, TAGS.heightStart, U64),
      end: takeNumber(fields, TAGS.heightEnd, U64),
    },
    offset: {
      start: takeNumber(fields, TAGS.offsetStart, U64),
      end: takeNumber(fields, TAGS.offsetEnd, U64),
    },
  }
}

/** The id of the rune to mint, which takes two values of its tag. */
function takeMint(fields: Fields): RuneId | null {
  const [block, tx] = fields.get(TAGS.mint) ?? []
  const rune = block === undefined || tx === undefined ? null : formatRuneId(block, tx)
  if (rune !== null) dropValues(fields, TAGS.mint, 2)
  return rune
}

/** Takes the first value of a tag; null, and leaves it, when it is above `most`. */
function takeNumber(fields: Fields, tag: bigint, most: bigint): bigint | null {
  const value = fields.get(tag)?.[0]
  if (value === undefined || value > most) return null
  dropValues(fields, tag, 1)
  return value
}

function dropValues(fields: Fields, tag: bigint, count: number): void {
  const left = fields.get(tag)?.slice(count) ?? []
  if (left.length > 0) fields.set(tag, left)
  else fields.delete(tag)
}

function supplyOf({ premine, terms }: Etching): bigint {
  return (premine ?? 0n) + (terms?.cap ?? 0n) * (terms?.amount ?? 0n)
}

function toNumber(value: bigint | null): number | null {
  return value === null ? null : Number(value)
}

/** Half of a surrogate pair is no character. */
function toCharacter(codePoint: bigint | null): string | null {
  const character = codePoint === null ? '' : String.fromCodePoint(Number(codePoint))
  return character === '' || /\p{Surrogate}/u.test(character) ? null : character
}
