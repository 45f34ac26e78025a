import { describe, expect, it } from 'vitest'
import { concatBytes, fromHex } from '../bytes.ts'
import { type BuiltInput, buildPsbt } from '../testing/psbt-building.ts'
import { rawPsbt, sized, unsignedHex } from '../testing/raw-psbts.ts'
import { InvalidPsbtError } from './maps.ts'
import { parsePsbt } from './psbt.ts'

const KEY = new Uint8Array(32).fill(1)
const MOST_SATS = 2_100_000_000_000_000n
const COIN: BuiltInput = { type: 'p2wpkh', key: KEY, amount: 5_000n }

function build(params: Partial<Parameters<typeof buildPsbt>[0]> = {}): Uint8Array {
  return buildPsbt({ inputs: [COIN], outputs: [{ type: 'p2tr', amount: 4_000n }], ...params }).bytes
}

/** A tree as deep as BIP-341 allows: two leaves at 128, then one at each level up to the first. */
const DEEPEST_TREE = [128, ...Array.from({ length: 128 }, (_, up) => 128 - up)]
  .map(depth => `${depth.toString(16).padStart(2, '0')}c000`)
  .join('')

function refusalOf(bytes: Uint8Array): { where: string; message: string } {
  try {
    parsePsbt(bytes)
  } catch (error) {
    if (error instanceof InvalidPsbtError) return { where: error.where, message: error.message }
    throw error
  }
  throw new Error('The PSBT was not refused')
}

describe('parsePsbt', () => {
  it('refuses two inputs that spend the same coin, placeholders too (S7)', () => {
    const twice = rawPsbt([['00', unsignedHex([7, 3, 7], [1n])]], [], [], [], [])
    expect(refusalOf(twice)).toEqual({
      where: 'input 2',
      message: `PSBT input 2: it spends ${'ab'.repeat(32)}:7, as input 0 does`,
    })
    const places = [1, 1].map(placeholder => ({ ...COIN, proof: 'none' as const, placeholder }))
    expect(refusalOf(build({ inputs: places })).where).toBe('input 1')
    expect(refusalOf(build({ inputs: places, version: 2 })).where).toBe('input 1')
  })

  it.each(['global', 'input 0', 'output 0'])('refuses a key that is twice in %s (S7)', where => {
    const maps: [string, string][][] = [[['00', unsignedHex([0], [1n])]], [], []]
    maps[['global', 'input 0', 'output 0'].indexOf(where)]?.push(['f5aabb', '01'], ['f5aabb', '02'])
    expect(refusalOf(rawPsbt(...maps))).toEqual({
      where,
      message: `PSBT ${where}: key f5aabb: expected once`,
    })
  })

  it.each([
    [[MOST_SATS], null],
    [[0n], null],
    [[MOST_SATS - 1n, 1n], null],
    [[MOST_SATS + 1n], 'PSBT_GLOBAL_UNSIGNED_TX: expected an amount of 0 to 2100000000000000 sats'],
    [[-1n], 'PSBT_GLOBAL_UNSIGNED_TX: expected an amount of 0 to 2100000000000000 sats, found -1'],
    [[1n << 63n], 'PSBT_GLOBAL_UNSIGNED_TX: expected an amount'],
    [[MOST_SATS, 1n], 'PSBT: the outputs hold 2100000000000001 sats'],
    [[MOST_SATS, MOST_SATS], 'PSBT: the outputs hold 4200000000000000 sats'],
  ])('judges outputs of %s sats by what can exist (S13)', (amounts, problem) => {
    const bytes = rawPsbt([['00', unsignedHex([0], amounts)]], [], ...amounts.map(() => []))
    if (problem === null) expect(parsePsbt(bytes).outputs).toHaveLength(amounts.length)
    else expect(refusalOf(bytes).message).toContain(problem)
  })

  it('judges the amounts of coins and of version 2 in the same way (S13)', () => {
    const coin = (amount: string) =>
      rawPsbt([['00', unsignedHex([0], [1n])]], [['01', `${amount}0151`]], [])
    expect(parsePsbt(coin('0040075af0750700')).inputs[0]?.witnessUtxo?.amount).toBe(MOST_SATS)
    for (const amount of ['0140075af0750700', 'ffffffffffffffff', '0000000000000080'])
      expect(refusalOf(coin(amount)).message).toMatch(
        /^PSBT input 0: PSBT_IN_WITNESS_UTXO: expected an amount/,
      )
    const output = { type: 'p2tr', amount: 0n } as const
    expect(
      refusalOf(
        build({
          version: 2,
          outputs: [output, { ...output, raw: { '03': fromHex('0140075af0750700') } }],
        }),
      ),
    ).toMatchObject({ where: 'output 1' })
  })

  it('refuses every shortened and every lengthened PSBT (S16)', () => {
    for (const version of [0, 2] as const) {
      const bytes = build({ version })
      for (let length = 0; length < bytes.length; length++)
        expect(() => refusalOf(bytes.slice(0, length)), `${length}`).not.toThrow()
      for (const tail of ['00', 'ff', '0000'])
        expect(refusalOf(concatBytes(bytes, fromHex(tail)))).toMatchObject({ where: 'psbt' })
    }
  })

  it('refuses sizes that are not written in the shortest way (S16)', () => {
    const global = `0100${sized(unsignedHex([0], [1n]))}`
    const psbt = (input: string) => fromHex(`70736274ff${global}00${input}0000`)
    expect(parsePsbt(psbt('01f50101')).inputs).toHaveLength(1)
    for (const input of [
      'fd0100f50101',
      '01f5fd010001',
      '01f5fe0100000001',
      '01f5ff010000000000000001',
      '03fdf5000101',
      '010805fd01000155',
    ])
      expect(refusalOf(psbt(input)).message).toContain('the shortest form')
  })

  it.each([
    [
      'global',
      'PSBT_GLOBAL_XPUB: expected 16 bytes, found 12',
      { raw: { [`010488b21e03${'00'.repeat(73)}`]: new Uint8Array(12) } },
    ],
    [
      'global',
      'PSBT_GLOBAL_VERSION: expected 0 or 2, found 1',
      { raw: { fb: Uint8Array.of(1, 0, 0, 0) } },
    ],
    [
      'global',
      'PSBT_GLOBAL_TX_VERSION: not expected in a PSBT of version 0',
      { raw: { '02': new Uint8Array(4) } },
    ],
    [
      'global',
      'PSBT_GLOBAL_TX_MODIFIABLE: expected 1 bytes, found 2',
      { version: 2, raw: { '06': new Uint8Array(2) } },
    ],
    [
      'global',
      'PSBT_GLOBAL_GENERIC_SIGNED_MESSAGE: expected a key without data',
      { raw: { '0901': new Uint8Array() } },
    ],
    [
      'global',
      'PSBT_GLOBAL_PROPRIETARY: expected 5 more bytes, found 1',
      { raw: { fc0561: new Uint8Array() } },
    ],
  ] as const)('says in %s: %s', (where, problem, params) => {
    expect(refusalOf(build(params))).toEqual({ where, message: `PSBT ${where}: ${problem}` })
  })

  it.each([
    ['00', '0200', 'PSBT_IN_NON_WITNESS_UTXO: expected 4 more bytes, found 2'],
    ['01', '00', 'PSBT_IN_WITNESS_UTXO: expected 4 more bytes, found 1'],
    [
      `02${'05'.repeat(33)}`,
      '00'.repeat(71),
      'PSBT_IN_PARTIAL_SIG: expected a public key that begins with 02 or 03',
    ],
    [
      `02${'02'.repeat(32)}`,
      '00'.repeat(71),
      'PSBT_IN_PARTIAL_SIG: expected 33 or 65 bytes, found 32',
    ],
    [
      `02${'02'.repeat(33)}`,
      '00'.repeat(74),
      'PSBT_IN_PARTIAL_SIG: expected a signature of 9 to 73 bytes, found 74',
    ],
    ['03', '010000', 'PSBT_IN_SIGHASH_TYPE: expected 4 more bytes, found 3'],
    ['0301', '01000000', 'PSBT_IN_SIGHASH_TYPE: expected a key without data'],
    [
      `06${'02'.repeat(33)}`,
      '0102030405',
      'PSBT_IN_BIP32_DERIVATION: expected a fingerprint and a path of 4 bytes each',
    ],
    ['08', '0201', 'PSBT_IN_FINAL_SCRIPTWITNESS: expected 1 more bytes, found 0'],
    [`0b${'00'.repeat(31)}`, '', 'PSBT_IN_SHA256: expected 32 bytes, found 31'],
    ['13', '00'.repeat(66), 'PSBT_IN_TAP_KEY_SIG: expected 64 or 65 bytes, found 66'],
    [
      `15c0${'00'.repeat(33)}`,
      'c0',
      'PSBT_IN_TAP_LEAF_SCRIPT: expected a control block of 33 and 0 to 128 times 32 bytes, found 34',
    ],
    [
      `15c1${'00'.repeat(32)}`,
      '51c1',
      'PSBT_IN_TAP_LEAF_SCRIPT: expected the leaf version of the control block after the script',
    ],
    [`16${'00'.repeat(32)}`, '01', 'PSBT_IN_TAP_BIP32_DERIVATION: expected 32 more bytes, found 0'],
    ['18', '00'.repeat(33), 'PSBT_IN_TAP_MERKLE_ROOT: expected 32 bytes, found 33'],
  ])('says what is wrong with the record %s of an input', (key, value, problem) => {
    const inputs = [COIN, { ...COIN, raw: { [key]: fromHex(value) } }]
    expect(refusalOf(build({ inputs })).message).toContain(`PSBT input 1: ${problem}`)
  })

  it.each([
    ['00c000', null],
    ['01c00001c000', null],
    ['01c00002c00002c000', null],
    ['03c00003c00002c00001c000', null],
    [DEEPEST_TREE, null],
    ['', 'one whole tree'],
    ['01c000', 'one whole tree'],
    ['02c00001c00002c000', 'one whole tree'],
    ['00c00000c000', 'one whole tree'],
    ['81c000', 'a depth of at most 128'],
    ['00c100', 'an even leaf version'],
    ['00c002', 'expected 2 more bytes'],
  ])('judges the taproot tree %j', (tree, problem) => {
    const outputs = [{ type: 'p2tr' as const, amount: 1n, raw: { '06': fromHex(tree) } }]
    if (problem === null) expect(parsePsbt(build({ outputs })).outputs).toHaveLength(1)
    else expect(refusalOf(build({ outputs })).message).toContain(problem)
  })

  it('believes no count: what is not there is not made room for', () => {
    const counts = ['fe00ffffff', 'ff0000000001000000', 'ffffffffffffffffff']
    for (const count of counts) {
      const inputs = `02000000${count}${'00'.repeat(41)}`
      expect(refusalOf(rawPsbt([['00', inputs]])).where).toBe('global')
      const global: [string, string][] = [
        ['02', '02000000'],
        ['04', count],
        ['05', '00'],
        ['fb', '02000000'],
      ]
      expect(refusalOf(rawPsbt(global)).where).toBe('input 0')
      expect(refusalOf(rawPsbt([['00', unsignedHex([0], [1n])]], [['08', count]], [])).where).toBe(
        'input 0',
      )
    }
  })
})
