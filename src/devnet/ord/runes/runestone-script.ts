import { concatBytes } from '../../../bitcoin/bytes.ts'
import { encodePushes } from '../../../bitcoin/script.ts'

const OP_RETURN = 0x6a
const OP_13 = 0x5d
const ETCHING_FLAG = 1n
const TAGS = {
  divisibility: 1n,
  flags: 2n,
  spacers: 3n,
  rune: 4n,
  symbol: 5n,
  premine: 6n,
}

export interface NewRune {
  rune: bigint
  spacers: number
  /** In its smallest unit; all of it goes to the first output that is no OP_RETURN. */
  premine: bigint
  divisibility: number
  symbol: string | null
}

/** The output of an etching without terms of minting. */
export function etchingScript(etched: NewRune): Uint8Array {
  const { rune, spacers, premine, divisibility, symbol } = etched
  const fields = [
    [TAGS.flags, ETCHING_FLAG],
    [TAGS.rune, rune],
    [TAGS.divisibility, BigInt(divisibility)],
    [TAGS.spacers, BigInt(spacers)],
    ...(symbol === null ? [] : [[TAGS.symbol, BigInt(symbol.codePointAt(0) ?? 0)]]),
    [TAGS.premine, premine],
  ]
  const payload = Uint8Array.from(fields.flat().flatMap(encodeVarint))
  return concatBytes(Uint8Array.of(OP_RETURN, OP_13), encodePushes([payload]))
}

/** LEB128. */
function encodeVarint(value: bigint): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  return [...bytes, Number(rest)]
}
