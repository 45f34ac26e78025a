import { Psbt as BitcoinjsPsbt } from 'bitcoinjs-lib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromBase64, fromHex, toHex } from '../bytes.ts'
import { buildPsbt } from '../testing/psbt-building.ts'
import { PSBT_VECTORS, readBip174Roles } from '../testing/psbt-vectors.ts'
import { randomPsbts } from '../testing/random-psbts.ts'
import { combinePsbts, UncombinablePsbtsError } from './combine.ts'
import { encodeMaps, type PsbtEntry, type PsbtMaps } from './maps.ts'
import { encodePsbt, type Psbt, parsePsbt } from './psbt.ts'

const AMOUNT = 10_000n
const SIGNATURES = ['30'.repeat(70), '31'.repeat(70)].map(fromHex) as [Uint8Array, Uint8Array]
const KEY_A = `02${'02'.repeat(33)}`
const KEY_B = `02${'03'.repeat(33)}`

type Parts = Partial<Omit<Parameters<typeof buildPsbt>[0], 'raw'>> & {
  /** Records of the first input, by key in hex. */
  raw?: Record<string, Uint8Array>
  global?: Record<string, Uint8Array>
}

const build = ({ raw = {}, global = {}, ...parts }: Parts = {}) =>
  parsePsbt(
    buildPsbt({
      inputs: [
        { type: 'p2wpkh', amount: AMOUNT, raw },
        { type: 'p2tr', amount: AMOUNT },
      ],
      outputs: [{ type: 'p2wpkh', amount: AMOUNT }],
      raw: global,
      ...parts,
    }).bytes,
  )

const keysOf = (psbt: Psbt) => psbt.maps.inputs[0]?.map(({ key }) => toHex(key))

describe('combining as BIP-174 does', () => {
  const vector = (name: string) => {
    const found = PSBT_VECTORS[174].find(one => one.name === name)
    if (!found) throw new Error(`BIP-174 has no ${name}`)
    return parsePsbt(fromBase64(found.psbt))
  }

  it('gives the PSBT of its example, whoever comes first', () => {
    const roles = readBip174Roles()
    const [one, other] = [parsePsbt(roles.signedByOne), parsePsbt(roles.signedByOther)]
    const combined = setOf(parsePsbt(roles.combined).maps)
    expect(setOf(combinePsbts([one, other]).maps)).toEqual(combined)
    expect(setOf(combinePsbts([other, one]).maps)).toEqual(combined)
  })

  it('keeps what nobody knows, byte for byte', () => {
    const one = vector('unknown pairs of one signer')
    const other = vector('unknown pairs of another signer')
    const combined = toHex(encodePsbt(vector('unknown pairs combined')))
    expect(toHex(encodePsbt(combinePsbts([one, other])))).toBe(combined)
    expect(toHex(encodePsbt(combinePsbts([other, one])))).toBe(combined)
  })

  it('leaves one alone, or the same twice, as it is', () => {
    const psbt = build({ raw: { [KEY_B]: SIGNATURES[0] } })
    expect(toHex(encodePsbt(combinePsbts([psbt])))).toBe(toHex(encodePsbt(psbt)))
    expect(toHex(encodePsbt(combinePsbts([psbt, psbt])))).toBe(toHex(encodePsbt(psbt)))
  })

  it('takes three', () => {
    const [a, b] = [KEY_A, KEY_B].map(key => build({ raw: { [key]: SIGNATURES[0] } }))
    expect(keysOf(combinePsbts([build(), a as Psbt, b as Psbt]))).toEqual(
      expect.arrayContaining([KEY_A, KEY_B]),
    )
  })
})

describe('PSBTs of different transactions', () => {
  const base = build()
  const output = { type: 'p2wpkh', amount: AMOUNT } as const
  const input = { type: 'p2wpkh', amount: AMOUNT } as const
  const taproot = { type: 'p2tr', amount: AMOUNT } as const

  it.each<[string, Parts]>([
    ['version', { version: 2 }],
    ['transaction version', { transactionVersion: 1 }],
    ['locktime', { locktime: 7 }],
    ['number of inputs', { inputs: [input] }],
    ['number of outputs', { outputs: [output, output] }],
    ['input 0', { from: 1 }],
    ['input 1 sequence', { inputs: [input, { ...taproot, sequence: 7 }] }],
    ['output 0 amount', { outputs: [{ ...output, amount: 9_999n }] }],
    ['output 0 script', { outputs: [{ ...output, type: 'p2tr' }] }],
  ])('are refused with the name of what differs: %s', (where, parts) => {
    expect(errorOf(() => combinePsbts([base, build(parts)]))).toMatchObject({ where, field: null })
  })

  it('are refused when only together they require another locktime', () => {
    const height = (value: number) => Uint8Array.of(value, 0, 0, 0)
    const psbt = (first: Record<string, Uint8Array>, second: Record<string, Uint8Array>) =>
      build({
        version: 2,
        inputs: [
          { ...input, raw: first },
          { ...taproot, raw: second },
        ],
        locktime: 0,
      })
    const TIME = Uint8Array.of(0, 0x65, 0xcd, 0x1d)
    // The first asks for height 5; the other for height 5 too, as its second input takes no time.
    const one = psbt({ '12': height(5), '11': TIME }, { '12': height(5) })
    const other = psbt({ '12': height(5) }, { '12': height(5), '11': TIME })
    expect(combinePsbts([one, other]).transaction.locktime).toBe(5)
    expect(
      errorOf(() => combinePsbts([psbt({ '12': height(5) }, {}), psbt({}, { '12': height(6) })])),
    ).toMatchObject({ where: 'locktime' })
  })
})

describe('values that differ', () => {
  it('are refused with the field, as nobody knows which is right', () => {
    const [one, other] = SIGNATURES.map(signature => build({ raw: { [KEY_A]: signature } }))
    expect(errorOf(() => combinePsbts([one as Psbt, other as Psbt]))).toMatchObject({
      where: 'input 0',
      field: 'PSBT_IN_PARTIAL_SIG',
      message: 'PSBTs input 0: PSBT_IN_PARTIAL_SIG: has two different values',
    })
  })

  it('of an unknown field are refused with its key', () => {
    const [one, other] = [1, 2].map(byte => build({ global: { f0aa: Uint8Array.of(byte) } }))
    expect(errorOf(() => combinePsbts([one as Psbt, other as Psbt]))).toMatchObject({
      where: 'global',
      field: 'key f0aa',
    })
  })

  it('are taken for a previous transaction that one of them has without its witness', () => {
    const [full, stripped] = previousTransactions()
    const [one, other] = [full, stripped].map(raw => build({ raw: { '00': raw } }))
    expect(combinePsbts([one as Psbt, other as Psbt]).inputs[0]?.nonWitnessUtxo).toEqual(full)
    const different = fromHex(toHex(stripped).replace(/00000000$/, '01000000'))
    expect(
      errorOf(() => combinePsbts([one as Psbt, build({ raw: { '00': different } })])),
    ).toMatchObject({ field: 'PSBT_IN_NON_WITNESS_UTXO' })
  })

  it.each([
    [0b011, 0b011, 0b011],
    [0b011, 0b001, 0b001],
    [0b010, 0b101, 0b100],
    [0b111, 0b011, 0b111],
  ])('leave open what both leave open: %i and %i make %i', (one, other, both) => {
    const [a, b] = [one, other].map(modifiable => build({ version: 2, modifiable }))
    const flags = ({ maps }: Psbt) => maps.global.find(({ key }) => key[0] === 6)?.value[0]
    expect(flags(combinePsbts([a as Psbt, b as Psbt]))).toBe(both)
    expect(flags(combinePsbts([b as Psbt, a as Psbt]))).toBe(both)
    // Without the field nothing can be modified.
    expect(flags(combinePsbts([a as Psbt, build({ version: 2 })]))).toBe(one & 4)
  })
})

describe('an input that is final', () => {
  const final = { '08': fromHex('0101aa') }
  const partial = { [KEY_A]: SIGNATURES[0], '03': fromHex('01000000'), '05': fromHex('51') }

  it('wins over signatures, and what BIP-174 clears is gone', () => {
    const unknown = { f0aa: Uint8Array.of(1) }
    const [one, other] = [build({ raw: final }), build({ raw: { ...partial, ...unknown } })]
    for (const combined of [combinePsbts([one, other]), combinePsbts([other, one])])
      expect(keysOf(combined)?.sort()).toEqual(['01', '08', 'f0aa'])
  })

  it('is refused when the other is final in another way', () => {
    const other = { '07': fromHex('51') }
    expect(
      errorOf(() => combinePsbts([build({ raw: final }), build({ raw: other })])),
    ).toMatchObject({ where: 'input 0', field: expect.stringMatching(/^PSBT_IN_FINAL_SCRIPT/) })
  })
})

it('gives back what was divided among others, as bitcoinjs-lib does', () => {
  fc.assert(
    fc.property(
      randomPsbts.filter(({ version }) => version === 0),
      fc.infiniteStream(fc.constantFrom('one', 'other', 'both')),
      ({ bytes }, choices) => {
        const whole = withoutFinal(parsePsbt(bytes).maps)
        const [one, other] = divide(whole, () => choices.next().value)
        const combined = combinePsbts([parsePsbt(encodeMaps(one)), parsePsbt(encodeMaps(other))])
        expect(setOf(combined.maps)).toEqual(setOf(whole))
        const theirs = BitcoinjsPsbt.fromBuffer(encodeMaps(one))
        theirs.combine(BitcoinjsPsbt.fromBuffer(encodeMaps(other)))
        expect(setOf(combined.maps)).toEqual(setOf(parsePsbt(theirs.toBuffer()).maps))
      },
    ),
    { numRuns: 60 },
  )
})

/** Nor the proof of reserves, which that library reads as a text. */
function withoutFinal(maps: PsbtMaps): PsbtMaps {
  const isPartial = ({ key }: PsbtEntry) => ![7, 8, 9].includes(key[0] ?? 0)
  return { ...maps, inputs: maps.inputs.map(map => map.filter(isPartial)) }
}

function divide(maps: PsbtMaps, choose: () => 'one' | 'other' | 'both'): [PsbtMaps, PsbtMaps] {
  const chosen = new Map<PsbtEntry, string>()
  for (const map of [maps.global, ...maps.inputs, ...maps.outputs])
    for (const entry of map) chosen.set(entry, choose())
  const part = (without: string): PsbtMaps => {
    const keep = (map: readonly PsbtEntry[]) => map.filter(entry => chosen.get(entry) !== without)
    const global = maps.global.filter(
      entry => toHex(entry.key) === '00' || chosen.get(entry) !== without,
    )
    return { global, inputs: maps.inputs.map(keep), outputs: maps.outputs.map(keep) }
  }
  return [part('other'), part('one')]
}

/** The same transaction with a witness and without one. */
function previousTransactions(): [Uint8Array, Uint8Array] {
  const [head, body] = ['02000000', `01${'11'.repeat(32)}0000000000ffffffff01e8030000000000000151`]
  return [fromHex(`${head}0001${body}0101aa00000000`), fromHex(`${head}${body}00000000`)]
}

function setOf({ global, inputs, outputs }: PsbtMaps) {
  return [global, ...inputs, ...outputs].map(map =>
    map.map(({ key, value }) => `${toHex(key)}=${toHex(value)}`).sort(),
  )
}

function errorOf(run: () => unknown): UncombinablePsbtsError {
  try {
    run()
  } catch (error) {
    if (error instanceof UncombinablePsbtsError) return error
    throw error
  }
  throw new Error('They were combined')
}
