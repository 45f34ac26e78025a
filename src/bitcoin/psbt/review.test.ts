import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../bytes.ts'
import {
  type BuiltInput,
  type BuiltOutput,
  type BuiltPsbt,
  buildPsbt,
} from '../testing/psbt-building.ts'
import { ACCOUNTS, type TestAccount } from '../testing/signable-psbts.ts'
import { type InputOrder, PsbtRefusedError, planSigning } from './plan.ts'
import { readPrevouts } from './prevouts.ts'
import { encodePsbt, parsePsbt } from './psbt.ts'
import { reviewPsbt } from './review.ts'
import { signPsbt } from './sign.ts'
import { checkSignatures } from './signatures.ts'

const [TAPROOT, SEGWIT, NESTED, LEGACY] = ACCOUNTS

const MAX = 2_100_000_000_000_000n

type Asked = {
  by?: TestAccount
  orders?: (Partial<InputOrder> & { index: number })[]
}

function review(built: Pick<BuiltPsbt, 'bytes' | 'previous'>, asked: Asked = {}) {
  const { by = TAPROOT, orders } = asked
  const psbt = parsePsbt(built.bytes)
  const prevouts = readPrevouts(psbt, built.previous)
  const inputs =
    orders?.map(order => ({ sighashTypes: null, disableTweakSigner: false, ...order })) ?? null
  const plan = planSigning({ psbt, prevouts, key: by, inputs, expert: true })
  const signatures = checkSignatures(psbt, prevouts)
  return reviewPsbt({
    psbt,
    prevouts,
    plan,
    own: ACCOUNTS,
    signatures,
  })
}

function own(account: TestAccount, amount: bigint, more: Partial<BuiltInput> = {}): BuiltInput {
  return { type: account.addressType, key: account.privateKey, amount, ...more }
}

function to(account: TestAccount, amount: bigint): BuiltOutput {
  return { type: account.addressType, key: account.privateKey, amount }
}

const theirs = (amount: bigint): BuiltOutput => ({ type: 'p2wpkh', amount })

describe('amounts', () => {
  it('that are less than the outputs are refused when our signature pins them', () => {
    const built = buildPsbt({ inputs: [own(TAPROOT, 1000n)], outputs: [theirs(1001n)] })
    expect(() => review(built)).toThrow(
      expect.objectContaining({ constructor: PsbtRefusedError, reason: 'BAD_AMOUNTS' }),
    )
  })

  it('that are equal pay no fee', () => {
    const built = buildPsbt({ inputs: [own(TAPROOT, 1000n)], outputs: [theirs(1000n)] })
    expect(review(built).fee).toEqual({ sats: 0n, feeRate: 0, certainty: 'certain' })
  })

  it('that add up to more than there can be are refused', () => {
    const inputs = [own(TAPROOT, MAX), { type: 'p2wpkh' as const, amount: 1n }]
    expect(() => review(buildPsbt({ inputs, outputs: [theirs(1n)] }))).toThrow(
      expect.objectContaining({ reason: 'BAD_AMOUNTS' }),
    )
    const fine = buildPsbt({ inputs: inputs.slice(0, 1), outputs: [theirs(1n)] })
    expect(review(fine).fee?.sats).toBe(MAX - 1n)
  })

  it('of nothing and of dust are shown as they are', () => {
    const built = buildPsbt({ inputs: [own(TAPROOT, 1000n)], outputs: [theirs(0n), theirs(1n)] })
    expect(review(built).outputs.map(({ amount }) => amount)).toEqual([0n, 1n])
  })

  it('leave the fee open while something is missing that others are to add', () => {
    const built = buildPsbt({
      inputs: [own(TAPROOT, 546n, { sighash: 0x83 })],
      outputs: [to(TAPROOT, 10_000n)],
    })
    const listing = review(built, { orders: [{ index: 0, sighashTypes: [0x83] }] })
    expect(listing.fee).toBe(null)
    expect(listing.worst).toBe(9454n)
  })

  it('are committed to by a taproot signature, all of them or its own', () => {
    const inputs = (sighash?: number) => [
      own(TAPROOT, 1000n, sighash === undefined ? {} : { sighash }),
      { type: 'p2wpkh' as const, amount: 500n },
    ]
    const outputs = [theirs(900n)]
    const { bytes } = buildPsbt({ inputs: inputs(), outputs })
    const all = review({ bytes, previous: new Map() })
    expect(all.inputs.map(({ proof }) => proof)).toEqual(['committed', 'committed'])
    expect(all.fee?.certainty).toBe('certain')
    const orders = [{ index: 0, sighashTypes: [0x81] }]
    const open = buildPsbt({ inputs: inputs(0x81), outputs })
    const one = review({ bytes: open.bytes, previous: new Map() }, { orders })
    expect(one.inputs.map(({ proof }) => proof)).toEqual(['committed', 'claimed'])
    expect(one.fee?.certainty).toBe('open')
  })

  it('of others are only their word for a signature of before taproot', () => {
    const built = buildPsbt({
      inputs: [own(SEGWIT, 1000n, { proof: 'previous' }), { type: 'p2tr', amount: 500n }],
      outputs: [theirs(900n)],
    })
    const shown = review({ ...built, previous: new Map() }, { by: SEGWIT })
    expect(shown.inputs.map(({ proof }) => proof)).toEqual(['proven', 'claimed'])
    expect(shown.fee).toMatchObject({ sats: 600n, certainty: 'claimed' })
  })
})

describe('the net of each account', () => {
  it('counts only scripts of ours, whoever signs and whatever else is spent', () => {
    const built = buildPsbt({
      inputs: [
        own(TAPROOT, 10_000n),
        own(SEGWIT, 7_000n),
        { type: 'p2tr', amount: 50_000n },
        own(NESTED, 1n),
        { type: 'leaf', key: TAPROOT.privateKey, amount: 4_000n },
        { type: 'p2wsh-multisig', key: SEGWIT.privateKey, amount: 5_000n },
      ],
      outputs: [to(TAPROOT, 12_000n), to(LEGACY, 300n), theirs(2_000n)],
    })
    const shown = review(built)
    expect(Object.fromEntries(shown.net.value)).toEqual({
      p2tr: 2_000n,
      p2wpkh: -7_000n,
      'p2sh-p2wpkh': -1n,
      p2pkh: 300n,
    })
    expect(shown.inputs.map(({ owner }) => owner)).toEqual([
      'own',
      'own',
      'foreign',
      'own',
      'shared',
      'shared',
    ])
    expect(shown.worst).toBe(2_000n - 7_000n - 1n + 300n)
  })

  it('counts a coin that our key opens without a tweak, and what is sent to it as lost', () => {
    const built = buildPsbt({
      inputs: [{ type: 'raw-p2tr', key: TAPROOT.privateKey, amount: 9_000n }],
      outputs: [{ type: 'raw-p2tr', key: TAPROOT.privateKey, amount: 8_000n }],
    })
    const shown = review(built, { orders: [{ index: 0, disableTweakSigner: true }] })
    expect(shown.inputs[0]).toMatchObject({ owner: 'own', accountId: 'p2tr' })
    expect(shown.outputs[0]).toMatchObject({ owner: 'foreign', accountId: null })
    expect(shown.net.value.get('p2tr')).toBe(-9_000n)
  })

  it('does not believe a PSBT that names our key for a coin of others', () => {
    const built = buildPsbt({
      inputs: [
        own(TAPROOT, 1000n),
        {
          type: 'p2tr',
          amount: 500n,
          fields: { tapInternalKey: TAPROOT.publicKey.slice(1) },
        },
      ],
      outputs: [theirs(900n)],
    })
    expect(review(built).inputs[1]).toMatchObject({ owner: 'foreign', state: 'open' })
  })
})

describe('what others have to add', () => {
  it('is waited for, although every signature is there', () => {
    const built = buildPsbt({
      inputs: [own(TAPROOT, 20_000n, { sighash: 0x81 })],
      outputs: [theirs(100_000n)],
    })
    const shown = review(built, { orders: [{ index: 0, sighashTypes: [0x81] }] })
    expect(shown).toMatchObject({ fee: null, after: 'needs-others' })
  })
})

describe('a listing between placeholders', () => {
  const built = buildPsbt({
    inputs: [
      { type: 'p2tr', amount: 0n, proof: 'none', placeholder: 0 },
      { type: 'p2tr', amount: 0n, proof: 'none', placeholder: 1 },
      own(TAPROOT, 546n, { sighash: 0x83 }),
    ],
    outputs: [theirs(0n), theirs(0n), to(TAPROOT, 90_000n)],
  })
  const shown = review(built, { orders: [{ index: 2, sighashTypes: [0x83] }] })

  it('believes nothing of a place for a coin to come, not even that it is ours', () => {
    const claimed = buildPsbt({
      inputs: [own(TAPROOT, 600n, { placeholder: 0 }), own(TAPROOT, 546n, { sighash: 0x83 })],
      outputs: [theirs(0n), to(TAPROOT, 90_000n)],
    })
    const { inputs, net } = review(claimed, { orders: [{ index: 1, sighashTypes: [0x83] }] })
    expect(inputs[0]).toMatchObject({ owner: 'unknown', amount: null, placeholder: true })
    expect(net.value.get('p2tr')).toBe(89_454n)
  })

  it('says what the coin is sold for, and that all else is open', () => {
    expect(
      shown.inputs.map(({ placeholder, owner, state, open }) => ({
        placeholder,
        owner,
        state,
        open,
      })),
    ).toEqual([
      { placeholder: true, owner: 'unknown', state: 'open', open: true },
      { placeholder: true, owner: 'unknown', state: 'open', open: true },
      { placeholder: false, owner: 'own', state: 'to-sign', open: false },
    ])
    expect(shown.outputs.map(({ open }) => open)).toEqual([true, true, false])
    expect(shown).toMatchObject({ worst: 89_454n, fee: null, after: 'needs-others' })
  })
})

describe('oddities', () => {
  it('of versions, locks and sequences are reviewed like anything else', () => {
    for (const transactionVersion of [1, 2, 3])
      for (const version of [0, 2] as const) {
        const built = buildPsbt({
          inputs: [own(TAPROOT, 1000n, { sequence: 0 })],
          outputs: [theirs(900n)],
          locktime: 800_000,
          transactionVersion,
          version,
        })
        expect(review(built)).toMatchObject({ worst: -1000n, after: 'complete' })
      }
  })

  it('of outputs are told apart: data, scripts that nobody knows yet, and addresses', () => {
    const types = ['op-return', 'p2a', 'odd', 'future', 'multisig', 'p2tr'] as const
    const built = buildPsbt({
      inputs: [own(TAPROOT, 10_000n)],
      outputs: types.map(type => ({ type, amount: 1000n })),
    })
    expect(review(built).outputs.map(({ owner }) => owner)).toEqual([
      'data',
      'unknown',
      'unknown',
      'unknown',
      'unknown',
      'foreign',
    ])
  })
})

describe('what comes after', () => {
  const inputs = [
    own(TAPROOT, 10_000n),
    own(SEGWIT, 5_000n),
    {
      type: 'p2wsh-multisig' as const,
      key: TAPROOT.privateKey,
      amount: 9_000n,
      proof: 'previous' as const,
    },
  ]

  it('is others while an own account or a cosigner still has to sign', () => {
    const { bytes, previous } = buildPsbt({ inputs, outputs: [theirs(20_000n)] })
    const shown = review({ bytes, previous }, { orders: [{ index: 0 }, { index: 2 }] })
    expect(shown.inputs.map(({ state }) => state)).toEqual(['to-sign', 'open', 'to-sign'])
    expect(shown.after).toBe('needs-others')
    expect(shown.worst).toBe(-15_000n)
  })

  it('keeps what was signed before in the worst case, even if the PSBT now asks for another sighash', () => {
    const built = buildPsbt({
      inputs: [own(SEGWIT, 10_000n, { sighash: 0x82, proof: 'previous' }), own(TAPROOT, 500n)],
      outputs: [to(SEGWIT, 10_300n)],
    })
    const psbt = parsePsbt(built.bytes)
    const prevouts = readPrevouts(psbt, built.previous)
    const orders = [{ index: 0, sighashTypes: [0x82], disableTweakSigner: false }]
    const plan = planSigning({ psbt, prevouts, key: SEGWIT, inputs: orders, expert: true })
    const signed = signPsbt({ psbt, prevouts, plan, ...SEGWIT })
    const asked = signed.maps.inputs.map(map =>
      map.map(entry =>
        toHex(entry.key) === '03' ? { ...entry, value: fromHex('01000000') } : entry,
      ),
    )
    for (const maps of [signed.maps, { ...signed.maps, inputs: asked }]) {
      const shown = reviewPsbt({
        psbt: parsePsbt(encodePsbt({ ...signed, maps })),
        prevouts,
        plan: [],
        own: ACCOUNTS,
        signatures: checkSignatures(parsePsbt(encodePsbt({ ...signed, maps })), prevouts),
      })
      expect(shown.worst).toBe(-10_000n)
      expect(shown.inputs[0]?.sighash).toBe(0x82)
    }
  })
})

describe('what a signature of ours fixes', () => {
  it('is everything, all outputs, or less; nothing where others sign', () => {
    const sighashes = [0, 1, 0x81, 2, 3, 0x82, 0x83]
    const inputs = sighashes.map(sighash => own(TAPROOT, 546n, { sighash }))
    const outputs = [...inputs.map(() => to(TAPROOT, 500n)), theirs(400n)]
    const built = buildPsbt({ inputs: [...inputs, { type: 'p2tr', amount: 10_000n }], outputs })
    const orders = sighashes.map((sighash, index) => ({ index, sighashTypes: [sighash] }))
    expect(review(built, { orders }).inputs.map(({ fixes }) => fixes)).toEqual([
      ...['all', 'all', 'outputs', 'less', 'less', 'less', 'less'],
      null,
    ])
  })
})

describe('a thousand inputs', () => {
  it.each(ACCOUNTS)('of $addressType are reviewed at once', account => {
    const built = buildPsbt({
      inputs: Array.from({ length: 1000 }, () => own(account, 1000n, { proof: 'previous' })),
      outputs: [theirs(900_000n)],
    })
    expect(review(built, { by: account }).worst).toBe(-1_000_000n)
  })
})
