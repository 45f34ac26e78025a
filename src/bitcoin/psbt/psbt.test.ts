import { Transaction as ScureTransaction } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { concatBytes, fromHex, joinBytes, toBase64, toHex } from '../bytes.ts'
import { publicKeyOf } from '../secp256k1.ts'
import { type BuiltInput, buildPsbt, LOCKS } from '../testing/psbt-building.ts'
import { rawPsbt, unsignedHex } from '../testing/raw-psbts.ts'
import {
  encodePsbt,
  parsePsbt,
  parsePsbtText,
  unsignedTransaction,
  withInputs,
  withModifiable,
} from './psbt.ts'

const KEY = new Uint8Array(32).fill(1)
const COIN: BuiltInput = { type: 'p2wpkh', key: KEY, amount: 5_000n }

function build(params: Partial<Parameters<typeof buildPsbt>[0]> = {}): Uint8Array {
  return buildPsbt({ inputs: [COIN], outputs: [{ type: 'p2tr', amount: 4_000n }], ...params }).bytes
}

describe('parsePsbt', () => {
  it.each([0, 2] as const)('reads coins and outputs of every kind in version %i', version => {
    const built = buildPsbt({
      inputs: [
        ...LOCKS.map((type, i) => ({ type, key: KEY, amount: BigInt(i), proof: 'both' as const })),
        { type: 'p2tr', amount: 0n, proof: 'none', placeholder: 0 },
        { type: 'p2tr', amount: 0n, proof: 'witness', placeholder: 1 },
      ],
      outputs: LOCKS.map(type => ({ type, amount: 600n })),
      version,
      locktime: 123,
    })
    const psbt = parsePsbt(built.bytes)
    expect(psbt.version).toBe(version)
    expect(psbt.transaction).toEqual({ version: 2, locktime: 123 })
    for (const [i, { scriptPubKey, amount }] of built.prevouts.slice(0, LOCKS.length).entries()) {
      const input = psbt.inputs[i]
      expect(toHex(input?.witnessUtxo?.scriptPubKey ?? KEY)).toBe(toHex(scriptPubKey))
      expect(input?.witnessUtxo?.amount).toBe(amount)
      expect(toHex(input?.nonWitnessUtxo ?? KEY)).toBe(
        toHex(built.previous.get(input?.txid ?? '') ?? new Uint8Array()),
      )
    }
    expect(psbt.inputs.slice(-2).map(({ txid, vout }) => [txid, vout])).toEqual([
      ['00'.repeat(32), 0],
      ['00'.repeat(32), 1],
    ])
    expect(psbt.outputs).toHaveLength(LOCKS.length)
  })

  it('keeps the records of others where they were, in any order', () => {
    const bytes = rawPsbt(
      [
        ['f0aa', '01'],
        ['00', unsignedHex([0], [1n])],
        ['fc0361626300', ''],
      ],
      [['fd000101', '02']],
      [['f1', '']],
    )
    expect(toHex(encodePsbt(parsePsbt(bytes)))).toBe(toHex(bytes))
  })

  it('takes an empty final script for none', () => {
    const bytes = rawPsbt(
      [['00', unsignedHex([0], [1n])]],
      [
        ['07', ''],
        ['08', '00'],
      ],
      [],
    )
    const [input] = parsePsbt(bytes).inputs
    expect([input?.finalScriptSig, input?.finalScriptWitness]).toEqual([null, null])
  })

  it.each([0, 2] as const)(
    'reads 1,000 inputs with their previous transactions, version %i',
    version => {
      const [previous = KEY] = buildPsbt({ inputs: [COIN], outputs: [] }).previous.values()
      const inputs = Array.from({ length: 1_000 }, (_, vout) => ({
        ...COIN,
        outpoint: { txid: 'ab'.repeat(32), vout },
        raw: { '00': previous },
      }))
      const crowd = build({ inputs, version })
      const read = parsePsbt(crowd).inputs
      expect(read.map(({ vout }) => vout)).toEqual(inputs.map((_, vout) => vout))
      expect(read.every(({ nonWitnessUtxo }) => nonWitnessUtxo !== null)).toBe(true)
    },
  )

  it('reads and writes 2 MB of the smallest records', () => {
    const records = Array.from({ length: 300_000 }, (_, i) =>
      Uint8Array.of(5, 0xf0, i & 0xff, (i >> 8) & 0xff, i >> 16, 0, 0),
    )
    const rest = rawPsbt([['00', unsignedHex([0], [1n])]], [], []).slice(5)
    const bytes = joinBytes([fromHex('70736274ff'), ...records, rest])
    expect(Buffer.compare(encodePsbt(parsePsbt(bytes)), bytes)).toBe(0)
  })
})

describe('withInputs', () => {
  const signature = fromHex(`30${'44'.repeat(70)}`)
  const publicKey = publicKeyOf(KEY)

  it.each([0, 2] as const)(
    'writes signatures in the order of types and leaves all else, version %i',
    version => {
      const bytes = build({
        version,
        inputs: [COIN, { ...COIN, sighash: 1 }],
      })
      const before = parsePsbt(bytes)
      const after = withInputs(
        before,
        new Map([[1, { partialSigs: [{ publicKey, signature }], tapKeySig: new Uint8Array(64) }]]),
      )
      expect(after.inputs[1]?.partialSigs).toEqual([{ publicKey, signature }])
      expect(after.maps.inputs[0]).toBe(before.maps.inputs[0])
      const types = after.maps.inputs[1]?.map(({ key }) => key[0])
      expect(types?.filter(type => type !== undefined && (type < 0x0e || type > 0x10))).toEqual([
        0x01, 0x02, 0x03, 0x13,
      ])
      const read = parsePsbt(encodePsbt(after))
      expect(read).toEqual(after)
      const undone = withInputs(read, new Map([[1, { partialSigs: [], tapKeySig: null }]]))
      expect(toHex(encodePsbt(undone))).toBe(toHex(bytes))
    },
  )

  it('clears from a final input what BIP-174 says, and keeps the coin, the outpoint and the unknown', () => {
    const cleared = {
      '03': '01000000',
      '04': '51',
      '05': '51',
      [`02${toHex(publicKey)}`]: toHex(signature),
      [`06${toHex(publicKey)}`]: '00000000',
      [`0b${'00'.repeat(32)}`]: '',
      '13': '00'.repeat(64),
      [`14${'00'.repeat(64)}`]: '00'.repeat(64),
      [`15c0${'00'.repeat(32)}`]: '51c0',
      [`16${'00'.repeat(32)}`]: '0000000000',
      '17': '00'.repeat(32),
      '18': '00'.repeat(32),
    }
    const kept = { '12': '01000000', fc0161010002: '05', f0aa: '01', '20': '00' }
    const raw = Object.fromEntries(
      Object.entries({ ...cleared, ...kept }).map(([key, value]) => [key, fromHex(value)]),
    )
    const psbt = parsePsbt(build({ version: 2, inputs: [{ ...COIN, proof: 'both', raw }] }))
    const witness = [new Uint8Array(71).fill(1), publicKey, new Uint8Array()]
    const final = withInputs(
      psbt,
      new Map([[0, { finalScriptWitness: witness, finalScriptSig: fromHex('0151') }]]),
    )
    expect(final.maps.inputs[0]?.map(({ key }) => toHex(key)).sort()).toEqual(
      ['00', '01', '07', '08', '0e', '0f', '10', ...Object.keys(kept)].sort(),
    )
    expect(final.inputs[0]?.finalScriptWitness).toEqual(witness)
    expect(parsePsbt(encodePsbt(final))).toEqual(final)
  })

  it('refuses to write what would not be read back', () => {
    const psbt = parsePsbt(build())
    const write = () => withInputs(psbt, new Map([[0, { tapKeySig: new Uint8Array(63) }]]))
    expect(write).toThrow('PSBT input 0: PSBT_IN_TAP_KEY_SIG: expected 64 or 65 bytes, found 63')
    expect(() => withInputs(psbt, new Map([[1, {}]]))).toThrow(RangeError)
  })
})

describe('withModifiable', () => {
  const flagsAfter = (modifiable: number | undefined, sighash: number) => {
    const built = build({ version: 2, ...(modifiable === undefined ? {} : { modifiable }) })
    const after = parsePsbt(encodePsbt(withModifiable(parsePsbt(built), sighash)))
    return after.maps.global.find(({ key }) => key[0] === 0x06)?.value[0]
  }

  it.each([
    [0x00, 0b000],
    [0x01, 0b000],
    [0x02, 0b010],
    [0x03, 0b100],
    [0x81, 0b001],
    [0x82, 0b011],
    [0x83, 0b101],
  ])('clears and sets what a signature with sighash %i fixes', (sighash, flags) => {
    expect(flagsAfter(0b011, sighash)).toBe(flags)
    expect(flagsAfter(0b1111_0111, sighash)).toBe(0b1111_0000 | 0b100 | (flags & 0b011))
    expect(flagsAfter(undefined, sighash)).toBe(flags & 0b100 ? 0b100 : undefined)
  })

  it('has nothing to say in version 0', () => {
    const psbt = parsePsbt(build())
    expect(withModifiable(psbt, 3)).toBe(psbt)
  })
})

describe('unsignedTransaction', () => {
  it.each([0, 2] as const)('is the one of an independent library, version %i', version => {
    const { bytes } = buildPsbt({
      inputs: LOCKS.map((type, i) => ({ type, key: KEY, amount: 1_000n, sequence: i })),
      outputs: [
        { type: 'op-return', amount: 0n },
        { type: 'multisig', amount: 7n },
      ],
      version,
      transactionVersion: 3,
      locktime: 800_000,
    })
    const expected = ScureTransaction.fromPSBT(bytes, {
      allowUnknownOutputs: true,
      allowUnknownInputs: true,
      disableScriptCheck: true,
      allowUnknownVersion: true,
    })
    expect(unsignedTransaction(parsePsbt(bytes)).toHex()).toBe(toHex(expected.unsignedTx))
  })
})

describe('parsePsbtText', () => {
  const bytes = build()

  it.each([
    ['hex', toHex(bytes)],
    ['hex in capitals', toHex(bytes).toUpperCase()],
    ['base64', toBase64(bytes)],
  ])('reads %s', (_, text) => {
    expect(toHex(parsePsbtText(text) ?? new Uint8Array())).toBe(toHex(bytes))
  })

  it.each([
    '',
    'cHNidP8',
    toHex(bytes).slice(1),
    `${toHex(bytes)}0`,
    `${toHex(bytes)} `,
    ` ${toBase64(bytes)}`,
    `0x${toHex(bytes)}`,
    toHex(bytes).slice(2),
    '02000000000100',
    toBase64(fromHex('02000000000100')),
    '😀',
  ])('reads nothing in %j', text => {
    expect(parsePsbtText(text)).toBeNull()
  })

  it('reads 4 MB of text', () => {
    const long = concatBytes(fromHex('70736274ff'), new Uint8Array(2_000_000))
    for (const text of [toHex(long), toBase64(long)])
      expect(parsePsbtText(text)).toHaveLength(long.length)
  })
})
