import { hash160 } from 'bitcoinjs-lib/src/crypto'
import { describe, expect, it, vi } from 'vitest'
import { scriptHashScript } from '../address.ts'
import { concatBytes, fromBase64, fromHex, toHex } from '../bytes.ts'
import { publicKeyOf } from '../secp256k1.ts'
import { type BuiltInput, buildPsbt, FOREIGN_KEY, LOCKS, lockOf } from '../testing/psbt-building.ts'
import { bip174Previous } from '../testing/psbt-vectors.ts'
import { planBuilt, SIGNER_KEY, SIGNER_PUBLIC_KEY, signBuilt } from '../testing/signing-case.ts'
import { ADDRESS_TYPES } from '../testing/spending.ts'
import bitcoinjs from '../testing/vectors/bitcoinjs-psbt.json' with { type: 'json' }
import { parseWif } from '../wif.ts'
import { PsbtRefusedError, planSigning } from './plan.ts'
import { readPrevouts } from './prevouts.ts'
import { parsePsbt } from './psbt.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const X_ONLY = SIGNER_PUBLIC_KEY.slice(1)
const OUTPUT = { type: 'p2tr', amount: 1_000n } as const

const own = (type: BuiltInput['type'], more: Partial<BuiltInput> = {}): BuiltInput => ({
  type,
  key: SIGNER_KEY,
  amount: 5_000n,
  proof: 'previous',
  ...more,
})

const build = (...inputs: BuiltInput[]) => buildPsbt({ inputs, outputs: [OUTPUT] })

function refusalOf(plan: () => unknown) {
  try {
    plan()
  } catch (error) {
    if (error instanceof PsbtRefusedError) return [error.reason, error.index]
    throw error
  }
  return null
}

describe('planSigning without named inputs', () => {
  it.each(ADDRESS_TYPES)('takes all inputs of the own %s address and none of the rest', type => {
    const built = build(
      ...LOCKS.map(lock => own(lock)),
      ...LOCKS.map(lock => own(lock, { key: FOREIGN_KEY })),
    )
    const { plan } = planBuilt(built, { type })
    const sighash = type === 'p2tr' ? 0 : 1
    expect(plan).toEqual([{ index: LOCKS.indexOf(type), sighash, how: { kind: 'key' } }])
  })

  it('says so when nothing is ours', () => {
    const built = build(own('p2tr', { key: FOREIGN_KEY }), own('p2wpkh'))
    expect(refusalOf(() => planBuilt(built, { type: 'p2tr' }))).toEqual(['NOTHING_TO_SIGN', null])
  })

  it('takes an own input beside a placeholder only when its signature leaves that open', () => {
    const placeholder = own('p2wpkh', { key: FOREIGN_KEY, placeholder: 0, proof: 'none' })
    const built = build(own('p2tr', { sighash: 0x83 }), placeholder)
    const inputs = [{ index: 0, sighashTypes: [0x83] }]
    expect(planBuilt(built, { type: 'p2tr', inputs }).plan).toHaveLength(1)
    const closed = build(placeholder, own('p2tr'))
    expect(refusalOf(() => planBuilt(closed, { type: 'p2tr' }))).toEqual(['UNVERIFIED_INPUT', 0])
  })
})

describe('the amount of an input that its signature does not make sure of', () => {
  it.each(['p2wpkh', 'p2sh-p2wpkh', 'p2pkh'] as const)(
    'has to be proven for %s, also for an expert',
    type => {
      const built = build(own(type, { proof: 'witness' }))
      for (const expert of [false, true])
        for (const inputs of [undefined, [{ index: 0 }]])
          expect(
            refusalOf(() => planBuilt(built, { type, expert, ...(inputs && { inputs }) })),
          ).toEqual(['UNVERIFIED_INPUT', 0])
      expect(planBuilt(built, { type, fetched: true }).plan).toHaveLength(1)
    },
  )

  it.each(['p2sh-multisig', 'p2wsh-multisig', 'p2sh-p2wsh-multisig'] as const)(
    'has to be proven for %s',
    lock => {
      const built = build(own(lock, { proof: 'witness' }))
      const asked = { type: 'p2tr', inputs: [{ index: 0 }] } as const
      expect(refusalOf(() => planBuilt(built, asked))).toEqual(['UNVERIFIED_INPUT', 0])
      expect(planBuilt(built, { ...asked, fetched: true }).plan).toHaveLength(1)
    },
  )

  it('may be claimed for taproot', () => {
    const built = build(own('p2tr', { proof: 'witness' }))
    expect(planBuilt(built, { type: 'p2tr' }).plan).toHaveLength(1)
  })
})

describe('SIGHASH_SINGLE without an output of the same index', () => {
  it.each(ADDRESS_TYPES)('is never signed for %s', type => {
    for (const sighash of [3, 0x83]) {
      const inputs = [own('p2tr', { key: FOREIGN_KEY }), own(type, { sighash })]
      const asked = { type, expert: true, inputs: [{ index: 1, sighashTypes: [sighash] }] }
      expect(refusalOf(() => planBuilt(build(...inputs), asked))).toEqual(['SIGHASH_REFUSED', 1])
      const enough = buildPsbt({ inputs, outputs: [OUTPUT, OUTPUT] })
      expect(planBuilt(enough, asked).plan).toHaveLength(1)
    }
  })
})

describe('fields that claim keys', () => {
  const foreign = own('p2tr', { key: FOREIGN_KEY })
  const origin = { fingerprint: 1, path: [0] }
  const forged: [string, BuiltInput][] = [
    ['tapInternalKey', { ...foreign, fields: { tapInternalKey: X_ONLY } }],
    [
      'tapInternalKey and a merkle root',
      { ...foreign, fields: { tapInternalKey: X_ONLY, tapMerkleRoot: new Uint8Array(32).fill(9) } },
    ],
    [
      'tapBip32Derivation',
      {
        ...foreign,
        fields: { tapBip32Derivation: [[X_ONLY, { hashes: [], der: origin }]] },
      },
    ],
    [
      'bip32Derivation',
      {
        ...own('p2wpkh', { key: FOREIGN_KEY }),
        fields: { bip32Derivation: [[SIGNER_PUBLIC_KEY, origin]] },
      },
    ],
  ]
  it.each(forged)('make no foreign coin ours: %s', (_, input) => {
    const built = build(input)
    for (const type of ADDRESS_TYPES)
      for (const disableTweakSigner of [false, true]) {
        const inputs = [{ index: 0, disableTweakSigner }]
        expect(refusalOf(() => planBuilt(built, { type }))).toEqual(['NOTHING_TO_SIGN', null])
        expect(refusalOf(() => planBuilt(built, { type, inputs }))).toEqual(['NOT_OURS', 0])
      }
  })

  it('do not turn our own coin into something else', () => {
    const others = publicKeyOf(FOREIGN_KEY).slice(1)
    const fields = { tapInternalKey: others, tapMerkleRoot: new Uint8Array(32).fill(9) }
    const { plan } = planBuilt(build(own('p2tr', { fields })), { type: 'p2tr' })
    expect(plan).toEqual([{ index: 0, sighash: 0, how: { kind: 'key' } }])
  })

  it('are no reason to sign a script that is not what the output asks for', () => {
    const { redeemScript } = lockOf('p2sh-multisig', SIGNER_KEY).fields
    const { witnessScript } = lockOf('p2wsh-multisig', SIGNER_KEY).fields
    const inputs = [{ index: 0 }]
    for (const type of ['p2sh-p2wpkh', 'p2wpkh', 'p2tr'] as const)
      for (const fields of [{ redeemScript }, { witnessScript }])
        expect(refusalOf(() => planBuilt(build(own(type, { fields })), { type, inputs }))).toEqual([
          'UNVERIFIED_INPUT',
          0,
        ])
    for (const lock of ['p2sh-multisig', 'p2wsh-multisig', 'p2sh-p2wsh-multisig'] as const) {
      const input = own({
        script: lockOf(lock, FOREIGN_KEY).script,
        fields: lockOf(lock, SIGNER_KEY).fields,
      })
      expect(refusalOf(() => planBuilt(build(input), { type: 'p2tr', inputs }))).toEqual([
        'NOT_OURS',
        0,
      ])
    }
  })
})

describe('taproot leaves and untweaked keys', () => {
  const asked = { type: 'p2tr', inputs: [{ index: 0, disableTweakSigner: true }] } as const

  it('signs a leaf that the output commits to, when the input is named', () => {
    const built = build(own('leaf'))
    expect(planBuilt(built, asked).plan).toMatchObject([{ sighash: 0, how: { kind: 'leaf' } }])
    expect(refusalOf(() => planBuilt(built, { type: 'p2tr' }))).toEqual(['NOTHING_TO_SIGN', null])
  })

  it('refuses a leaf of another output, without our key, or by any other control block', () => {
    const ours = lockOf('leaf', SIGNER_KEY)
    const theirs = lockOf('leaf', FOREIGN_KEY)
    const [entry] = parsePsbt(build(own('leaf')).bytes).inputs[0]?.tapLeafScripts ?? []
    if (!entry) throw new Error('no leaf')
    const { controlBlock, script } = entry
    const leafOf = (block: Uint8Array, version = 0xc0) => ({
      [`15${toHex(block)}`]: concatBytes(script, Uint8Array.of(version)),
    })
    const bare = { ...ours.fields, tapLeafScript: undefined }
    const cases: BuiltInput[] = [
      own({ ...ours, script: theirs.script }),
      own({ ...ours, script: lockOf('p2tr', FOREIGN_KEY).script }),
      own(theirs),
      // A bit of the version and parity, and of each place in the internal key.
      ...[0, 1, 9, 17, 32].map(at =>
        own(ours, {
          fields: bare,
          raw: leafOf(controlBlock.map((byte, i) => (i === at ? byte ^ 1 : byte))),
        }),
      ),
      own(ours, { fields: bare, raw: leafOf(concatBytes(controlBlock, new Uint8Array(32))) }),
    ]
    for (const input of cases)
      expect(refusalOf(() => planBuilt(build(input), asked))).toEqual(['NOT_OURS', 0])
    const sound = own(ours, { fields: bare, raw: leafOf(controlBlock) })
    expect(planBuilt(build(sound), asked).plan).toHaveLength(1)
  })

  it('refuses the untweaked key for the own address, and says why', () => {
    const built = build(own('p2tr'))
    expect(refusalOf(() => planBuilt(built, asked))).toEqual(['NOT_OURS', 0])
    expect(() => planBuilt(built, asked)).toThrow('disableTweakSigner')
  })

  it('signs with the untweaked key where it is the output’s, and only when told to', () => {
    const built = build(own('raw-p2tr'))
    expect(planBuilt(built, asked).plan).toMatchObject([{ how: { kind: 'raw-taproot' } }])
    expect(refusalOf(() => planBuilt(built, { ...asked, inputs: [{ index: 0 }] }))).toEqual([
      'NOT_OURS',
      0,
    ])
  })

  it('takes no notice of disableTweakSigner where there is no tweak', () => {
    const inputs = [{ index: 0, disableTweakSigner: true }]
    const { plan } = planBuilt(build(own('p2wpkh')), { type: 'p2wpkh', inputs })
    expect(plan).toMatchObject([{ how: { kind: 'key' } }])
  })
})

describe('scripts with OP_CODESEPARATOR', () => {
  it('are not signed, because a signature would not cover all of them', () => {
    const script = concatBytes(Uint8Array.of(0xab, 33), SIGNER_PUBLIC_KEY, Uint8Array.of(0xac))
    const hashed = (code: Uint8Array) =>
      own({ script: scriptHashScript(hash160(code)), fields: { redeemScript: code } })
    const inputs = [{ index: 0 }]
    const plan = (code: Uint8Array) => planBuilt(build(hashed(code)), { type: 'p2tr', inputs }).plan
    expect(refusalOf(() => plan(script))).toEqual(['NOT_OURS', 0])
    expect(plan(script.slice(1))).toHaveLength(1)
  })
})

describe('inputs that are done', () => {
  it.each(ADDRESS_TYPES)('are left alone when %s carries our signature', type => {
    const once = signBuilt(build(own(type), own(type)), { type, inputs: [{ index: 1 }] })
    const built = { bytes: once.bytes, previous: new Map(), prevouts: [] }
    expect(planBuilt(built, { type }).plan).toMatchObject([{ index: 0 }])
    expect(planBuilt(built, { type, inputs: [{ index: 1 }] }).plan).toEqual([])
    const twice = signBuilt(built, { type })
    expect(twice.signed.maps.inputs[1]).toEqual(once.signed.maps.inputs[1])
  })

  it('are left alone when they are final, even if nothing is known of them', () => {
    const final = { '08': fromHex('0101aa') }
    const built = build(
      own('p2tr', { raw: final }),
      own('p2wpkh', { raw: final, proof: 'none' }),
      own('p2tr'),
    )
    const inputs = [{ index: 0 }, { index: 1, sighashTypes: [2] }]
    expect(planBuilt(built, { type: 'p2tr', inputs }).plan).toEqual([])
  })
})

describe('named inputs', () => {
  it('are refused when they are foreign, of another type of address, or unknown', () => {
    const built = build(
      own('p2tr', { key: FOREIGN_KEY }),
      own('p2wpkh'),
      own('odd'),
      own('p2tr', { proof: 'none' }),
    )
    const ask = (index: number) => () => planBuilt(built, { type: 'p2tr', inputs: [{ index }] })
    for (const index of [0, 1, 2]) expect(refusalOf(ask(index))).toEqual(['NOT_OURS', index])
    expect(refusalOf(ask(3))).toEqual(['UNVERIFIED_INPUT', 3])
    expect(ask(4)).toThrow('there is no input 4')
  })
})

describe('BIP-174', () => {
  it('signs none of the inputs whose scripts do not match', () => {
    const { failSignChecks, signer } = bitcoinjs.bip174
    const mismatched = failSignChecks.filter(({ description }) =>
      /does not match/.test(description),
    )
    expect(mismatched).toHaveLength(3)
    const plan = (text: string, index: number) => {
      const psbt = parsePsbt(fromBase64(text))
      const wif = signer[0]?.keys.find(({ inputToSign }) => inputToSign === index)?.WIF ?? ''
      const publicKey = publicKeyOf(parseWif(wif, 'testnet4'))
      return planSigning({
        psbt,
        prevouts: readPrevouts(psbt, bip174Previous()),
        key: { publicKey, addressType: 'p2wpkh' },
        inputs: [{ index, sighashTypes: null, disableTweakSigner: false }],
        expert: false,
      })
    }
    const refusals = mismatched.map(({ psbt, inputToCheck }) =>
      refusalOf(() => plan(psbt, Number(inputToCheck))),
    )
    expect(refusals).toEqual([
      ['NOT_OURS', 0],
      ['UNVERIFIED_INPUT', 1],
      ['NOT_OURS', 1],
    ])
    expect(plan(signer[0]?.psbt ?? '', 0)).toHaveLength(1)
  })
})
