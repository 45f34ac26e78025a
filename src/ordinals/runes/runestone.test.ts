import { Cenotaph } from '@magiceden-oss/runestone-lib/dist/src/cenotaph.js'
import { Flaw as OracleFlaw } from '@magiceden-oss/runestone-lib/dist/src/flaw.js'
import type { Option } from '@magiceden-oss/runestone-lib/dist/src/monads.js'
import { Runestone as OracleRunestone } from '@magiceden-oss/runestone-lib/dist/src/runestone.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { encodePushes } from '../../bitcoin/script.ts'
import { encodeIntegers, runestoneOf, runestoneScript } from '../testing/runestone-script.ts'
import { decipherRunestone, type Etching, type Flaw, type Runestone } from './runestone.ts'

const U64 = 2n ** 64n - 1n
const U128 = 2n ** 128n - 1n

const BODY = 0
const DIVISIBILITY = 1
const FLAGS = 2
const SPACERS = 3
const RUNE = 4
const SYMBOL = 5
const PREMINE = 6
const CAP = 8
const AMOUNT = 10
const OFFSET_END = 18
const MINT = 20
const POINTER = 22
const ETCHES = [FLAGS, 1]
const ETCHES_TERMS = [FLAGS, 3]

const NO_ETCHING: Etching = {
  divisibility: null,
  premine: null,
  rune: null,
  spacers: null,
  symbol: null,
  terms: null,
  turbo: false,
}
const EMPTY = { kind: 'runestone', etching: null, mint: null, edicts: [], pointer: null } as const

/** The runestone of these integers, in a transaction's only output. */
function decipher(...integers: (bigint | number)[]): Runestone {
  return decipherRunestone([runestoneScript(integers)])
}

/** What is wrong with a runestone; its kind where it is no cenotaph. */
function flawOf(...integers: (bigint | number)[]): string {
  const runestone = decipher(...integers)
  return runestone.kind === 'cenotaph' ? runestone.flaw : runestone.kind
}

describe('a runestone', () => {
  it.each([
    ['no output', []],
    ['a payment', [Uint8Array.of(0x51)]],
    ['a bare OP_RETURN', [Uint8Array.of(0x6a)]],
    ['a text', [Uint8Array.of(0x6a, 0x03, 0x46, 0x4f, 0x4f)]],
    ['the magic number as data', [Uint8Array.of(0x6a, 0x01, 0x5d)]],
    ['the magic number behind a push that is cut off', [Uint8Array.of(0x6a, 0x09, 0x5d, 0x04)]],
    ['the magic number without OP_RETURN', [Uint8Array.of(0x5d, 0x6a)]],
  ])('is not seen in %s', (_, scripts) => {
    expect(decipherRunestone(scripts)).toEqual({ kind: 'none' })
  })

  it('is empty behind a bare magic number', () => {
    expect(decipherRunestone([runestoneOf()])).toEqual(EMPTY)
  })

  it('is the first one of the outputs, even where that one is broken', () => {
    const good = runestoneScript([MINT, 1, MINT, 1])
    const broken = runestoneOf(Uint8Array.of(0x51))
    const memo = Uint8Array.of(0x6a, 0x09, 0x5d)
    expect(decipherRunestone([memo, good, broken])).toEqual({ ...EMPTY, mint: '1:1' })
    expect(decipherRunestone([broken, good])).toMatchObject({ kind: 'cenotaph', flaw: 'script' })
  })

  it('joins its pushes, of whatever length prefix', () => {
    const [one, two] = [encodeIntegers([BODY, 1, 1]), encodeIntegers([300, 0])]
    const long = Uint8Array.of(0x4e, two.length, 0, 0, 0, ...two)
    expect(decipherRunestone([runestoneOf(encodePushes([one]), long)])).toEqual({
      ...EMPTY,
      edicts: [{ rune: '1:1', amount: 300n, output: 0 }],
    })
  })

  it('reads every field of an etching, beside mint, pointer and edicts', () => {
    const flags = 7
    expect(
      decipher(
        ...[FLAGS, flags, RUNE, 4, DIVISIBILITY, 1, SPACERS, 5, SYMBOL, 0x1f9ff, OFFSET_END, 2],
        ...[AMOUNT, 3, PREMINE, 8, CAP, 9, POINTER, 0, MINT, 1, MINT, 2, BODY, 1, 1, 2, 0],
      ),
    ).toEqual({
      kind: 'runestone',
      etching: {
        divisibility: 1,
        premine: 8n,
        rune: 4n,
        spacers: 5,
        symbol: '🧿',
        terms: {
          amount: 3n,
          cap: 9n,
          height: { start: null, end: null },
          offset: { start: null, end: 2n },
        },
        turbo: true,
      },
      mint: '1:2',
      edicts: [{ rune: '1:1', amount: 2n, output: 0 }],
      pointer: 0,
    })
  })

  it('counts the ids of edicts from the one before', () => {
    const edicts = [1, 1, 2, 0, 0, 3, 5, 1, 7, 2, 6, 0]
    expect(decipher(BODY, ...edicts)).toEqual({
      ...EMPTY,
      edicts: [
        { rune: '1:1', amount: 2n, output: 0 },
        { rune: '1:4', amount: 5n, output: 1 },
        { rune: '8:2', amount: 6n, output: 0 },
      ],
    })
  })

  it('takes the values of fields for no tags', () => {
    expect(decipher(...ETCHES, DIVISIBILITY, BODY, BODY, 1, 1, 2, 0)).toEqual({
      ...EMPTY,
      etching: { ...NO_ETCHING, divisibility: 0 },
      edicts: [{ rune: '1:1', amount: 2n, output: 0 }],
    })
  })

  it('takes numbers of 128 bits and no more', () => {
    const longest = [...Array<number>(18).fill(0x80), 0]
    const highest = [...Array<number>(18).fill(0xff), 0x03]
    const push = (...bytes: number[]) =>
      decipherRunestone([runestoneOf(encodePushes([Uint8Array.of(127, ...bytes)]))])
    expect(push(...longest)).toEqual(EMPTY)
    expect(push(...highest)).toEqual(EMPTY)
    const flaw = { kind: 'cenotaph', flaw: 'varint', etching: null, mint: null }
    for (const top of [0x04, 0x08, 0x10, 0x20, 0x40])
      expect(push(...Array<number>(18).fill(0x80), top)).toEqual(flaw)
    expect(push(...Array<number>(19).fill(0x80), 0)).toEqual(flaw)
    expect(push(0x80)).toEqual(flaw)
  })

  it.each([
    ['divisibility above 38', DIVISIBILITY, 39n],
    ['spacers behind a 28th letter', SPACERS, 2n ** 27n],
    ['a symbol past the last character', SYMBOL, 0x110000n],
    ['a symbol that is half a surrogate pair', SYMBOL, 0xd800n],
    ['an odd tag that nobody knows', 127, U128],
  ])('passes over %s', (_, tag, value) => {
    expect(decipher(...ETCHES, tag, value)).toEqual({ ...EMPTY, etching: NO_ETCHING })
    expect(decipher(tag, value)).toEqual(EMPTY)
  })

  it('uses the first of several values of an odd tag', () => {
    expect(decipher(...ETCHES, DIVISIBILITY, 4, DIVISIBILITY, 5)).toMatchObject({
      etching: { divisibility: 4 },
    })
  })

  it('may be as large as a supply of 128 bits', () => {
    expect(flawOf(...ETCHES_TERMS, CAP, 1, AMOUNT, U128)).toBe('runestone')
    expect(flawOf(...ETCHES, PREMINE, U128)).toBe('runestone')
  })
})

describe('a cenotaph', () => {
  it.each<[string, Flaw, (bigint | number)[]]>([
    ['a field without a value', 'truncated-field', [...ETCHES, FLAGS]],
    ['one integer behind its edicts', 'trailing-integers', [BODY, 1, 1, 2, 0, 0]],
    ['three integers behind its edicts', 'trailing-integers', [BODY, 1, 1, 2, 0, 0, 0, 0]],
    ['an edict for a rune of block 0', 'edict-rune-id', [BODY, 0, 1, 2, 0]],
    ['a block past 64 bits', 'edict-rune-id', [BODY, 1, 0, 0, 0, U64, 0, 0, 0]],
    ['an index past 32 bits', 'edict-rune-id', [BODY, 1, 1, 0, 0, 0, 2n ** 32n - 1n, 0, 0]],
    ['an edict past the outputs', 'edict-output', [BODY, 1, 1, 2, 2]],
    ['an edict to an output past 32 bits', 'edict-output', [BODY, 1, 1, 2, 2n ** 32n]],
    ['a cap past 128 bits', 'supply-overflow', [...ETCHES_TERMS, CAP, 2, AMOUNT, 2n ** 127n]],
    [
      'a premine past 128 bits',
      'supply-overflow',
      [...ETCHES_TERMS, PREMINE, 1, CAP, 1, AMOUNT, U128],
    ],
    ['a flag that nobody knows', 'unrecognized-flag', [FLAGS, 2n ** 127n]],
    ['terms without an etching', 'unrecognized-flag', [FLAGS, 2]],
    ['turbo without an etching', 'unrecognized-flag', [FLAGS, 4]],
    ['an even tag that nobody knows', 'unrecognized-even-tag', [126, 0]],
    ['a name without an etching', 'unrecognized-even-tag', [RUNE, 4]],
    ['a cap without terms', 'unrecognized-even-tag', [...ETCHES, CAP, 1]],
    ['an end past 64 bits', 'unrecognized-even-tag', [...ETCHES_TERMS, OFFSET_END, U64 + 1n]],
    ['half a mint', 'unrecognized-even-tag', [MINT, 1]],
    ['a mint of a rune of block 0', 'unrecognized-even-tag', [MINT, 0, MINT, 1]],
    ['three halves of a mint', 'unrecognized-even-tag', [MINT, 1, MINT, 1, MINT, 1]],
    ['a pointer past the outputs', 'unrecognized-even-tag', [POINTER, 1]],
    ['two pointers', 'unrecognized-even-tag', [POINTER, 0, POINTER, 0]],
  ])('has %s', (_, flaw, integers) => {
    expect(flawOf(...integers)).toBe(flaw)
  })

  it.each([
    ['a number opcode', [0x51]],
    ['any other opcode', [0x69, 0x01, 0x00]],
    ['a push that is cut off', [0x04]],
    ['a length that is cut off', [0x4d, 0x01]],
  ])('has %s in its script', (_, bytes) => {
    expect(decipherRunestone([runestoneOf(Uint8Array.from(bytes))])).toEqual({
      kind: 'cenotaph',
      flaw: 'script',
      etching: null,
      mint: null,
    })
  })

  it('still spends the name it etches, and mints', () => {
    expect(decipher(...ETCHES, RUNE, 4, RUNE, 5, MINT, 7, MINT, 0)).toEqual({
      kind: 'cenotaph',
      flaw: 'unrecognized-even-tag',
      etching: 4n,
      mint: '7:0',
    })
  })
})

const integers = fc.oneof(
  { weight: 8, arbitrary: fc.bigInt(0n, 24n) },
  fc.constantFrom(38n, 39n, 126n, 127n, 2n ** 27n - 1n, 2n ** 27n, 0xd7ffn, 0xd800n, 0xdfffn),
  fc.constantFrom(0xe000n, 0x10ffffn, 0x110000n, 2n ** 32n - 1n, 2n ** 32n, U64, U64 + 1n, U128),
  fc.bigInt(0n, U128),
)
/** Small tags with values that suit them, so that most runestones are whole. */
const fields = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.tuple(fc.constantFrom(DIVISIBILITY, SPACERS, SYMBOL), integers) },
    { weight: 3, arbitrary: fc.constantFrom([MINT, 5, MINT, 1], [MINT, 9, MINT, 0], [POINTER, 0]) },
    fc.tuple(fc.constantFrom(RUNE, PREMINE, CAP, AMOUNT, 12, 14, 16, OFFSET_END), integers),
    fc.tuple(integers, integers),
  ),
  { maxLength: 5 },
)
const flagFields = fc.oneof(
  fc.constant([]),
  fc.bigInt(0n, 15n).map(flags => [FLAGS, flags]),
  fc.constantFrom<(bigint | number)[]>(
    [FLAGS, 7, RUNE, U128, PREMINE, 5],
    [FLAGS, 3, CAP, 2, AMOUNT, U128 / 2n],
    [FLAGS, 3, CAP, 2, AMOUNT, U128 / 2n, PREMINE, 2],
    [FLAGS, 5, SYMBOL, 0xd7ff],
    [FLAGS, 5, SYMBOL, 0xdbff],
  ),
)
const edicts = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fc.nat(2), fc.nat(3), integers, fc.nat(3)) },
    fc.tuple(integers, integers, integers, integers),
  ),
  { maxLength: 4 },
)
const structured = fc
  .tuple(flagFields, fields, fc.option(edicts), fc.array(integers, { maxLength: 1 }), fc.nat(9))
  .map(([flags, fields, edicts, rest, luck]) => [
    ...flags,
    ...fields.flat(),
    ...(edicts ? [BODY, ...edicts.flat()] : []),
    ...(luck === 0 ? rest : []),
  ])
const bytes = (maxLength: number) => fc.uint8Array({ maxLength })
const scripts = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(structured, fc.nat(90)).map(([integers, cut]) => {
      const payload = encodeIntegers(integers)
      return runestoneOf(encodePushes([payload.subarray(0, cut), payload.subarray(cut)]))
    }),
  },
  fc.array(integers, { maxLength: 12 }).map(runestoneScript),
  bytes(40).map(payload => runestoneOf(encodePushes([payload]))),
  bytes(12).map(tail => runestoneOf(tail)),
  fc
    .tuple(structured, bytes(3))
    .map(([integers, tail]) => Uint8Array.from([...runestoneScript(integers), ...tail])),
  bytes(6),
  bytes(6).map(tail => Uint8Array.of(0x6a, ...tail)),
)

describe('decipherRunestone beside runestone-lib', () => {
  it('reads the same out of drawn and random scripts, but for two mistakes of that library', () => {
    const seen: Record<string, number> = { turbo: 0, surrogate: 0 }
    const count = (what: string) => {
      seen[what] = (seen[what] ?? 0) + 1
    }
    fc.assert(
      fc.property(fc.array(scripts, { maxLength: 3 }), scriptPubKeys => {
        const ours = decipherRunestone(scriptPubKeys)
        const theirs = decipherElsewhere(scriptPubKeys)
        count(ours.kind === 'cenotaph' ? ours.flaw : ours.kind)
        if (ours.kind === 'runestone' && theirs.kind === 'runestone' && theirs.etching) {
          // It reads the turbo flag out of the etching flag, which is set in every etching.
          expect(theirs.etching.turbo).toBe(true)
          if (ours.etching?.turbo === false) count('turbo')
          theirs.etching.turbo = ours.etching?.turbo ?? true
          // ord's symbol is a Unicode scalar value, which half a surrogate pair is not.
          if (/^\p{Surrogate}$/u.test(theirs.etching.symbol ?? '')) {
            count('surrogate')
            theirs.etching.symbol = null
          }
        }
        expect(ours).toEqual(theirs)
      }),
      { numRuns: 6_000 },
    )
    const kinds: string[] = [
      ...['none', 'runestone', 'script', 'varint', 'truncated-field', 'trailing-integers'],
      ...['edict-rune-id', 'edict-output', 'unrecognized-flag', 'unrecognized-even-tag'],
      ...['supply-overflow', 'turbo', 'surrogate'],
    ]
    expect(kinds.filter(kind => !((seen[kind] ?? 0) >= 5))).toEqual([])
  })
})

const FLAWS: { [flaw in OracleFlaw]: Flaw } = {
  [OracleFlaw.EDICT_OUTPUT]: 'edict-output',
  [OracleFlaw.EDICT_RUNE_ID]: 'edict-rune-id',
  [OracleFlaw.INVALID_SCRIPT]: 'script',
  [OracleFlaw.OPCODE]: 'script',
  [OracleFlaw.SUPPLY_OVERFLOW]: 'supply-overflow',
  [OracleFlaw.TRAILING_INTEGERS]: 'trailing-integers',
  [OracleFlaw.TRUNCATED_FIELD]: 'truncated-field',
  [OracleFlaw.UNRECOGNIZED_EVEN_TAG]: 'unrecognized-even-tag',
  [OracleFlaw.UNRECOGNIZED_FLAG]: 'unrecognized-flag',
  [OracleFlaw.VARINT]: 'varint',
}

/** What runestone-lib reads; of its list of flaws the first, which is the one that ord reports. */
function decipherElsewhere(scriptPubKeys: readonly Uint8Array[]): Runestone {
  const artifact = orNull(
    OracleRunestone.decipher({
      vout: scriptPubKeys.map(script => ({ scriptPubKey: { hex: toHex(script) } })),
    }),
  )
  if (artifact === null) return { kind: 'none' }
  const mint = orNull(artifact.mint)?.toString() ?? null
  if (artifact instanceof Cenotaph) {
    const [flaw] = artifact.flaws
    if (flaw === undefined) throw new Error('a cenotaph without a flaw')
    const etching = orNull(artifact.etching)?.value ?? null
    return { kind: 'cenotaph', flaw: FLAWS[flaw], etching, mint }
  }
  if (!(artifact instanceof OracleRunestone)) throw new Error('neither runestone nor cenotaph')
  const etching = orNull(artifact.etching)
  const terms = etching && orNull(etching.terms)
  return {
    kind: 'runestone',
    mint,
    pointer: numberOrNull(artifact.pointer),
    edicts: artifact.edicts.map(({ id, amount, output }) => ({
      rune: id.toString(),
      amount,
      output: Number(output),
    })),
    etching: etching && {
      divisibility: numberOrNull(etching.divisibility),
      premine: orNull(etching.premine),
      rune: orNull(etching.rune)?.value ?? null,
      spacers: numberOrNull(etching.spacers),
      symbol: orNull(etching.symbol),
      terms: terms && {
        amount: orNull(terms.amount),
        cap: orNull(terms.cap),
        height: { start: orNull(terms.height[0]), end: orNull(terms.height[1]) },
        offset: { start: orNull(terms.offset[0]), end: orNull(terms.offset[1]) },
      },
      turbo: etching.turbo,
    },
  }
}

function orNull<T extends object | bigint | number | string>(option: Option<T>): T | null {
  return option.isSome() ? option.unwrap() : null
}

function numberOrNull(option: Option<bigint>): number | null {
  const value = orNull(option)
  return value === null ? null : Number(value)
}
