import { describe, expect, it } from 'vitest'
import { rawPsbt, unsignedHex } from '../testing/raw-psbts.ts'
import { parseInputMap, typeOfKey } from './fields.ts'
import { InvalidPsbtError } from './maps.ts'
import { parsePsbt } from './psbt.ts'

/** The tables of BIP-174, BIP-370, BIP-371 and BIP-322: which form the key and the value of each field have, and for which version it is. */

type Entry = [key: string, value: string]
type Version = 0 | 2
type Place = 'global' | 'input 0' | 'output 0'

const zeros = (bytes: number) => '00'.repeat(bytes)
const bytes = (hex: string, count: number) => hex.repeat(count)
const GOOD_KEY = `02${zeros(32)}`
const LONG_KEY = `04${zeros(64)}`

/** The smallest PSBT of a version, with these entries besides, or instead of its own. */
function build(version: Version, place: Place, entries: Entry[]): Uint8Array {
  const maps: Record<Place, Entry[]> =
    version === 0
      ? { global: [['00', unsignedHex([0], [1n])]], 'input 0': [], 'output 0': [] }
      : {
          global: [
            ['02', '02000000'],
            ['04', '01'],
            ['05', '01'],
            ['fb', '02000000'],
          ],
          'input 0': [
            ['0e', bytes('ab', 32)],
            ['0f', '00000000'],
          ],
          'output 0': [
            ['03', '0100000000000000'],
            ['04', '51'],
          ],
        }
  const replaced = new Set(entries.map(([key]) => key))
  maps[place] = [...maps[place].filter(([key]) => !replaced.has(key)), ...entries]
  return rawPsbt(maps.global, maps['input 0'], maps['output 0'])
}

function problemOf(psbt: Uint8Array): string | null {
  try {
    parsePsbt(psbt)
    return null
  } catch (error) {
    if (error instanceof InvalidPsbtError) return error.message
    throw error
  }
}

/** A transaction of one input and one output, as previous transactions are. */
const RAW = `02000000${'01'}${zeros(32)}00000000${'00'}ffffffff${'01'}0100000000000000${'0151'}00000000`

/** Name, key, values that are right, values and keys that are not, and the one version that has it. */
type Row = {
  name: string
  key: string
  good: string[]
  bad?: string[]
  badKeys?: string[]
  only?: Version
}

const ORIGIN = { good: [zeros(4), zeros(8), zeros(400)], bad: ['', zeros(3), zeros(6)] }
const TAP_ORIGIN = {
  good: [`00${zeros(4)}`, `01${zeros(32)}${zeros(8)}`],
  bad: ['', '00', `00${zeros(3)}`, `01${zeros(31)}`, `01${zeros(32)}${zeros(2)}`],
}
const NUMBER = { good: ['01000000'], bad: ['', '010000', '0100000000'] }
const BAD_PUBLIC_KEYS = [`${zeros(32)}`, `05${zeros(32)}`, `04${zeros(32)}`, `02${zeros(64)}`, '']

const GLOBAL: Row[] = [
  {
    ...{ name: 'XPUB', key: `01${zeros(78)}`, good: [zeros(4)], bad: ['', zeros(3), zeros(8)] },
    badKeys: [`01${zeros(77)}`, `01${zeros(79)}`],
  },
  { ...{ name: 'XPUB', key: `01${zeros(4)}02${zeros(73)}` }, good: [zeros(12)], bad: [zeros(4)] },
  { name: 'TX_VERSION', key: '02', ...NUMBER, only: 2 },
  { name: 'FALLBACK_LOCKTIME', key: '03', ...NUMBER, only: 2 },
  { name: 'INPUT_COUNT', key: '04', good: ['01'], bad: ['', '0100', 'fd0100'], only: 2 },
  { name: 'OUTPUT_COUNT', key: '05', good: ['01'], bad: ['', '0100', 'fd0100'], only: 2 },
  { name: 'TX_MODIFIABLE', key: '06', good: ['00', '07'], bad: ['', '0000'], only: 2 },
  { name: 'GENERIC_SIGNED_MESSAGE', key: '09', good: ['', 'ab'] },
  {
    name: 'PROPRIETARY',
    key: 'fc016100',
    good: ['', 'ab'],
    badKeys: ['fc', 'fc01', 'fc0161', 'fc026100'],
  },
]

const INPUT: Row[] = [
  {
    ...{ name: 'NON_WITNESS_UTXO', key: '00', good: [RAW] },
    bad: ['', RAW.slice(2), `${RAW}00`, RAW.slice(0, -2)],
  },
  {
    ...{ name: 'WITNESS_UTXO', key: '01', good: ['01000000000000000151'] },
    bad: ['', '010000000000000001', '0100000000000000015151', '01000000000000'],
  },
  {
    ...{ name: 'PARTIAL_SIG', key: `02${GOOD_KEY}`, good: [zeros(9), zeros(73)] },
    ...{ bad: [zeros(8), zeros(74)], badKeys: BAD_PUBLIC_KEYS.map(data => `02${data}`) },
  },
  { name: 'PARTIAL_SIG', key: `02${LONG_KEY}`, good: [zeros(72)] },
  { name: 'PARTIAL_SIG', key: `0203${zeros(32)}`, good: [zeros(72)] },
  { name: 'SIGHASH_TYPE', key: '03', ...NUMBER },
  { name: 'REDEEM_SCRIPT', key: '04', good: ['', '51'] },
  { name: 'WITNESS_SCRIPT', key: '05', good: ['', '51'] },
  {
    ...{ name: 'BIP32_DERIVATION', key: `06${GOOD_KEY}`, ...ORIGIN },
    badKeys: BAD_PUBLIC_KEYS.map(data => `06${data}`),
  },
  { name: 'FINAL_SCRIPTSIG', key: '07', good: ['', '51'] },
  {
    name: 'FINAL_SCRIPTWITNESS',
    key: '08',
    good: ['00', '02000151'],
    bad: ['', '01', '0100ff', '02000151ff'],
  },
  { name: 'POR_COMMITMENT', key: '09', good: ['', 'ab'] },
  { name: 'RIPEMD160', key: `0a${zeros(20)}`, good: ['', 'ab'], badKeys: [`0a${zeros(32)}`, '0a'] },
  { name: 'SHA256', key: `0b${zeros(32)}`, good: ['', 'ab'], badKeys: [`0b${zeros(20)}`, '0b'] },
  { name: 'HASH160', key: `0c${zeros(20)}`, good: ['', 'ab'], badKeys: [`0c${zeros(32)}`, '0c'] },
  { name: 'HASH256', key: `0d${zeros(32)}`, good: ['', 'ab'], badKeys: [`0d${zeros(20)}`, '0d'] },
  { name: 'PREVIOUS_TXID', key: '0e', good: [zeros(32)], bad: ['', zeros(31), zeros(33)], only: 2 },
  { name: 'OUTPUT_INDEX', key: '0f', ...NUMBER, only: 2 },
  { name: 'SEQUENCE', key: '10', ...NUMBER, only: 2 },
  {
    ...{ name: 'REQUIRED_TIME_LOCKTIME', key: '11', only: 2 },
    ...{ good: ['0065cd1d', 'ffffffff'], bad: ['ff64cd1d', '00000000', '0065cd'] },
  },
  {
    ...{ name: 'REQUIRED_HEIGHT_LOCKTIME', key: '12', only: 2 },
    ...{ good: ['01000000', 'ff64cd1d'], bad: ['00000000', '0065cd1d', '010000'] },
  },
  { name: 'TAP_KEY_SIG', key: '13', good: [zeros(64), zeros(65)], bad: ['', zeros(63), zeros(66)] },
  {
    ...{ name: 'TAP_SCRIPT_SIG', key: `14${zeros(64)}`, good: [zeros(64), zeros(65)] },
    ...{ bad: ['', zeros(63), zeros(66)], badKeys: ['14', `14${zeros(32)}`, `14${zeros(65)}`] },
  },
  {
    ...{ name: 'TAP_LEAF_SCRIPT', key: `15c0${zeros(32)}`, good: ['c0', '51c0'] },
    ...{ bad: ['', '51', 'c1', '51c2'] },
    badKeys: ['15', `15c0${zeros(31)}`, `15c0${zeros(33)}`, `15c0${zeros(32 + 129 * 32)}`],
  },
  { name: 'TAP_LEAF_SCRIPT', key: `15c1${zeros(32 + 128 * 32)}`, good: ['51c0'], bad: ['51c1'] },
  {
    ...{ name: 'TAP_BIP32_DERIVATION', key: `16${zeros(32)}`, ...TAP_ORIGIN },
    badKeys: ['16', `16${zeros(33)}`],
  },
  { name: 'TAP_INTERNAL_KEY', key: '17', good: [zeros(32)], bad: ['', zeros(31), zeros(33)] },
  { name: 'TAP_MERKLE_ROOT', key: '18', good: [zeros(32)], bad: ['', zeros(31), zeros(33)] },
  {
    name: 'PROPRIETARY',
    key: 'fc016100',
    good: ['', 'ab'],
    badKeys: ['fc', 'fc01', 'fc0161', 'fc026100'],
  },
]

const OUTPUT: Row[] = [
  { name: 'REDEEM_SCRIPT', key: '00', good: ['', '51'] },
  { name: 'WITNESS_SCRIPT', key: '01', good: ['', '51'] },
  {
    ...{ name: 'BIP32_DERIVATION', key: `02${GOOD_KEY}`, ...ORIGIN },
    badKeys: BAD_PUBLIC_KEYS.map(data => `02${data}`),
  },
  { name: 'AMOUNT', key: '03', good: [zeros(8)], bad: ['', zeros(7), zeros(9)], only: 2 },
  { name: 'SCRIPT', key: '04', good: ['', '51'], only: 2 },
  { name: 'TAP_INTERNAL_KEY', key: '05', good: [zeros(32)], bad: ['', zeros(31), zeros(33)] },
  { name: 'TAP_TREE', key: '06', good: ['00c000'], bad: ['', '01c000'] },
  {
    ...{ name: 'TAP_BIP32_DERIVATION', key: `07${zeros(32)}`, ...TAP_ORIGIN },
    badKeys: ['07', `07${zeros(33)}`],
  },
  {
    name: 'PROPRIETARY',
    key: 'fc016100',
    good: ['', 'ab'],
    badKeys: ['fc', 'fc01', 'fc0161', 'fc026100'],
  },
]

/** Fields whose keys have data besides their types. */
const KEYED_FIELDS =
  /^(?:XPUB|PARTIAL_SIG|BIP32_DERIVATION|TAP_BIP32_DERIVATION|RIPEMD160|SHA256|HASH160|HASH256|TAP_SCRIPT_SIG|TAP_LEAF_SCRIPT|PROPRIETARY)$/

const places = [
  ['global', 'PSBT_GLOBAL', GLOBAL],
  ['input 0', 'PSBT_IN', INPUT],
  ['output 0', 'PSBT_OUT', OUTPUT],
] as const

for (const [place, prefix, rows] of places) {
  describe(`a field in the map of ${place}`, () => {
    it.each(rows)(
      '$name has the form of its BIP',
      ({ name, key, good, bad = [], badKeys = [], only }) => {
        const versions = ([0, 2] as const).filter(version => only === undefined || only === version)
        const said = `PSBT ${place}: ${prefix}_${name}: `
        for (const version of versions) {
          for (const value of good)
            expect([value, problemOf(build(version, place, [[key, value]]))]).toEqual([value, null])
          for (const value of bad)
            expect(problemOf(build(version, place, [[key, value]])), value).toContain(said)
          for (const wrong of badKeys)
            expect(problemOf(build(version, place, [[wrong, good[0] ?? '']])), wrong).toContain(
              said,
            )
          if (!KEYED_FIELDS.test(name))
            expect(problemOf(build(version, place, [[`${key}00`, good[0] ?? '']]))).toBe(
              `${said}expected a key without data`,
            )
        }
        if (only !== undefined) {
          const other = only === 0 ? 2 : 0
          expect(problemOf(build(other, place, [[key, good[0] ?? '']]))).toBe(
            `${said}not expected in a PSBT of version ${other}`,
          )
        }
      },
    )
  })
}

describe('a map', () => {
  it('of version 2 has no transaction of version 0', () => {
    const entry: Entry = ['00', unsignedHex([0], [1n])]
    expect(problemOf(build(2, 'global', [entry]))).toContain(
      'PSBT_GLOBAL_UNSIGNED_TX: not expected',
    )
  })

  it('keeps fields that nobody knows yet, and refuses a key that is no type', () => {
    expect(problemOf(build(0, 'input 0', [['f5aabb', '01']]))).toBeNull()
    expect(problemOf(build(0, 'input 0', [['fdf500', '01']]))).toContain('PSBT input 0: key: ')
    expect(typeOfKey(Uint8Array.of(0xfd, 0x34, 0x12))).toBe(0x1234)
  })

  it('tells each of many fields of one type, with what its key says', () => {
    const [one, two] = [bytes('a1', 32), bytes('b2', 32)]
    const { inputs } = parsePsbt(
      build(0, 'input 0', [
        [`14${one}${two}`, zeros(64)],
        [`14${two}${one}`, zeros(65)],
        [`15c1${one}`, '5152c0'],
        [`02${GOOD_KEY}`, bytes('33', 70)],
        ['01', '01000000000000000151'],
      ]),
    )
    const hex = (of: Uint8Array | undefined) => Buffer.from(of ?? []).toString('hex')
    const [input] = inputs
    expect(
      input?.tapScriptSigs.map(({ publicKey, leafHash, signature }) => [
        hex(publicKey),
        hex(leafHash),
        signature.length,
      ]),
    ).toEqual([
      [one, two, 64],
      [two, one, 65],
    ])
    expect(
      input?.tapLeafScripts.map(({ controlBlock, script, leafVersion }) => [
        hex(controlBlock),
        hex(script),
        leafVersion,
      ]),
    ).toEqual([[`c1${one}`, '5152', 0xc0]])
    expect(
      input?.partialSigs.map(({ publicKey, signature }) => [hex(publicKey), signature.length]),
    ).toEqual([[GOOD_KEY, 70]])
    expect(input?.witnessUtxo?.amount).toBe(1n)
    expect(input?.sighashType).toBeNull()
  })

  it('says null of each field that is absent, and nothing of those that it may have many of', () => {
    const { partialSigs, tapKeySig, sighashType, origins } = parseInputMap([], 'input 0', 0)
    expect([partialSigs, origins, tapKeySig, sighashType]).toEqual([[], [], null, null])
  })
})
