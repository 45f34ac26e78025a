import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import type { InputPlan } from '../../bitcoin/psbt/plan.ts'
import { type Psbt, parsePsbt } from '../../bitcoin/psbt/psbt.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import {
  buildPsbt,
  COSIGNER_KEY,
  FOREIGN_KEY,
  lockOf,
  writeRaw,
} from '../../bitcoin/testing/psbt-building.ts'
import type { PsbtView } from '../views/psbt-views.ts'
import { assertAsShown, assertOnlySigned } from './psbt-comparison.ts'

/** Fields as bytes, by their keys in hex, as `buildPsbt` takes them. */
type Fields = Record<string, Uint8Array>

/** BIP-174 and BIP-371: PSBT_IN_PARTIAL_SIG with its public key, PSBT_IN_TAP_KEY_SIG, PSBT_IN_TAP_SCRIPT_SIG. */
const partialSig = (key = FOREIGN_KEY) => `02${toHex(publicKeyOf(key))}`
const TAP_KEY_SIG = '13'
const TAP_SCRIPT_SIG = `14${'ab'.repeat(64)}`
const SIGHASH_TYPE = '03'

const ecdsa = (sighash: number) => Uint8Array.of(...new Uint8Array(70).fill(0x30), sighash)
const schnorr = (...sighash: number[]) => Uint8Array.of(...new Uint8Array(64).fill(7), ...sighash)
const field = (sighash: number) => Uint8Array.of(sighash, 0, 0, 0)

const NOT_PLANNED = 'Signing did something else than what was planned.'

const plan = (sighash: InputPlan['sighash'], index = 0): InputPlan => ({
  index,
  sighash,
  how: { kind: 'key' },
})

/** A payment of two coins; `inputs` and `output` are further fields of their maps. */
function payment({
  version = 0,
  global,
  inputs = [],
  output,
}: {
  version?: 0 | 2
  global?: Fields
  inputs?: (Fields | undefined)[]
  output?: Fields
}): Psbt {
  const built = buildPsbt({
    version,
    inputs: [
      { type: 'p2wpkh', amount: 10_000n },
      { type: 'p2tr', amount: 20_000n },
    ],
    outputs: [
      { type: 'p2wpkh', amount: 28_000n },
      { type: 'op-return', amount: 0n },
    ],
  })
  return parsePsbt(writeRaw(built.bytes, [global, inputs[0], inputs[1], output]))
}

/** Whether a signer that turns one PSBT into the other is believed to have signed as planned. */
function check(before: Parameters<typeof payment>[0], after: typeof before, ...plans: InputPlan[]) {
  return () => assertOnlySigned(payment(before), payment(after), plans)
}

describe('what a signer gives back is taken', () => {
  it('with one signature at each planned input, of its sighash', () => {
    const inputs = [{ [partialSig()]: ecdsa(1) }, { [TAP_KEY_SIG]: schnorr() }]
    expect(check({}, { inputs }, plan(1), plan(0, 1))).not.toThrow()
  })

  it.each([
    ['key path', TAP_KEY_SIG],
    ['script path', TAP_SCRIPT_SIG],
  ])('with a taproot signature of the %s that names its sighash at its end', (_, key) => {
    const inputs = [undefined, { [key]: schnorr(0x83) }]
    expect(check({}, { inputs }, plan(0x83, 1))).not.toThrow()
    expect(check({}, { inputs }, plan(0x81, 1))).toThrow(NOT_PLANNED)
  })

  it('with the field that names the sighash of the signature', () => {
    const inputs = [undefined, { [SIGHASH_TYPE]: field(0x81), [TAP_KEY_SIG]: schnorr(0x81) }]
    expect(check({}, { inputs }, plan(0x81, 1))).not.toThrow()
  })

  it('as it was where nothing was planned', () => {
    const inputs = [{ [partialSig(COSIGNER_KEY)]: ecdsa(1) }]
    expect(check({ inputs }, { inputs })).not.toThrow()
  })

  it('with other flags of what may still change, in version 2 alone (BIP-370)', () => {
    const inputs = [{ [partialSig()]: ecdsa(1) }]
    const before = { version: 2, global: { '06': Uint8Array.of(3) } } as const
    const after = { version: 2, inputs, global: { '06': Uint8Array.of(0) } } as const
    expect(check(before, after, plan(1))).not.toThrow()
    const unknown = { '06': Uint8Array.of(3) }
    expect(() =>
      assertOnlySigned(
        { ...payment({}), maps: withGlobal(payment({}), unknown) },
        { ...payment({ inputs }), maps: withGlobal(payment({ inputs }), {}) },
        [plan(1)],
      ),
    ).toThrow(NOT_PLANNED)
  })
})

function withGlobal({ maps }: Psbt, fields: Fields): Psbt['maps'] {
  const further = Object.entries(fields).map(([key, value]) => ({ key: fromHex(key), value }))
  return { ...maps, global: [...maps.global, ...further] }
}

describe('what a signer gives back is refused', () => {
  const signed = [{ [partialSig()]: ecdsa(1) }]
  const cases: [string, typeof signed | (Fields | undefined)[], InputPlan[]][] = [
    ['with no signature at an input that was planned', [], [plan(1)]],
    ['with a signature at an input that was not planned', signed, []],
    [
      'with a signature at another input besides',
      [...signed, { [TAP_KEY_SIG]: schnorr() }],
      [plan(1)],
    ],
    [
      'with two signatures at one input',
      [{ ...signed[0], [partialSig(COSIGNER_KEY)]: ecdsa(1) }],
      [plan(1)],
    ],
    ['with a looser sighash than planned', [{ [partialSig()]: ecdsa(0x82) }], [plan(1)]],
    [
      'with a taproot signature of SIGHASH_DEFAULT where ALL was planned',
      [undefined, { [TAP_KEY_SIG]: schnorr() }],
      [plan(1, 1)],
    ],
    [
      'with an ECDSA signature of 64 bytes that names another sighash',
      [{ [partialSig()]: ecdsa(0x83).subarray(7) }],
      [plan(0)],
    ],
    [
      'with something that ends like the sighash in place of a signature',
      [{ '05': Uint8Array.of(0x51, 1) }],
      [plan(1)],
    ],
    ['with the sighash field alone', [{ [SIGHASH_TYPE]: field(1) }], [plan(1)]],
    [
      'with a sighash field of another type',
      [{ ...signed[0], [SIGHASH_TYPE]: field(0x83) }],
      [plan(1)],
    ],
    [
      'with a sighash field that is the planned one only in its first byte',
      [{ ...signed[0], [SIGHASH_TYPE]: Uint8Array.of(1, 0, 0, 1) }],
      [plan(1)],
    ],
    [
      'with anything else in the map of the input, though it ends like the sighash',
      [{ ...signed[0], '05': Uint8Array.of(0x51, 1) }],
      [plan(1)],
    ],
    [
      'with something unknown in the map of an input that was not planned',
      [signed[0], { fa: Uint8Array.of(1) }],
      [plan(1)],
    ],
  ]
  it.each(cases)('%s', (_, inputs, plans) => {
    expect(check({}, { inputs }, ...plans)).toThrow(NOT_PLANNED)
  })

  it.each([
    ['an output', { output: { fa: Uint8Array.of(1) } }],
    ['the whole', { global: { fa: Uint8Array.of(1) } }],
  ])('with something added to the map of %s', (_, added) => {
    expect(check({}, { inputs: signed, ...added }, plan(1))).toThrow(NOT_PLANNED)
    expect(check(added, { inputs: signed }, plan(1))).toThrow(NOT_PLANNED)
    const [before, after] = [added, { inputs: signed, ...added }]
    expect(check({ ...before, version: 2 }, { ...after, version: 2 }, plan(1))).not.toThrow()
    expect(check({ version: 2 }, { ...after, version: 2 }, plan(1))).toThrow(NOT_PLANNED)
  })

  it('without a field that was there, or with another value in it', () => {
    const other = { fa: Uint8Array.of(1) }
    const before = { inputs: [other] }
    expect(check(before, { inputs: signed }, plan(1))).toThrow(NOT_PLANNED)
    const changed = [{ ...signed[0], fa: Uint8Array.of(2) }]
    expect(check(before, { inputs: changed }, plan(1))).toThrow(NOT_PLANNED)
    expect(check(before, { inputs: [{ ...signed[0], ...other }] }, plan(1))).not.toThrow()
  })

  it.each(['inputs', 'outputs'] as const)('with more or fewer %s', part => {
    const [before, after] = [payment({}), payment({ inputs: signed })]
    const more = { ...after, maps: { ...after.maps, [part]: [...after.maps[part], []] } }
    expect(() => assertOnlySigned(before, more, [plan(1)])).toThrow(NOT_PLANNED)
    const empty = { ...before, maps: { ...before.maps, [part]: [...before.maps[part], []] } }
    expect(() => assertOnlySigned(empty, after, [plan(1)])).toThrow(NOT_PLANNED)
  })
})

describe('a PSBT that is about to be signed', () => {
  const NOT_SHOWN = 'The PSBT is not the one that was shown.'
  const psbt = payment({})
  const [first, second] = psbt.inputs.map(({ txid, vout }) => `${txid}:${vout}`)
  const view = (
    changes: Partial<{ outpoints: unknown[]; sighash: string; state: string; sats: string }> = {},
  ) => {
    const { outpoints = [first, second], sighash = 'all', state = 'to-sign' } = changes
    const script = toHex(lockOf('p2wpkh').script)
    return {
      inputs: [
        { outpoint: outpoints[0], state, sighash },
        { outpoint: outpoints[1], state: 'signed', sighash: 'all' },
      ],
      outputs: [
        { script, sats: changes.sats ?? '28000' },
        { script: toHex(lockOf('op-return').script), sats: '0' },
      ],
    } as PsbtView
  }

  it('goes on where it spends, pays and is signed as it was shown', () => {
    expect(() => assertAsShown(psbt, [plan(1)], view())).not.toThrow()
  })

  it.each([
    ['spends its coins in another order', view({ outpoints: [second, first] }), [plan(1)]],
    ['pays another amount', view({ sats: '28001' }), [plan(1)]],
    ['would be signed under another sighash', view({ sighash: 'single-anyone' }), [plan(1)]],
    ['would be signed at an input that was shown as signed', view(), [plan(1), plan(1, 1)]],
    ['would not be signed where it was shown to be', view(), []],
    ['would be signed where nothing was to be', view({ state: 'open' }), [plan(1)]],
  ])('is stopped where it %s', (_, shown, plans) => {
    expect(() => assertAsShown(psbt, plans, shown)).toThrow(NOT_SHOWN)
  })

  it('is stopped where it pays another script', () => {
    const { outputs, ...rest } = view()
    const other = outputs.map(output => ({ ...output, script: toHex(lockOf('p2tr').script) }))
    expect(() => assertAsShown(psbt, [plan(1)], { ...rest, outputs: other })).toThrow(NOT_SHOWN)
  })
})
