import fc from 'fast-check'
import { concatBytes } from '../bytes.ts'
import { publicKeyOf } from '../secp256k1.ts'
import { type BuiltInput, type BuiltPsbt, buildPsbt, LOCKS } from './psbt-building.ts'

const KEYS = [1, 2, 3].map(byte => new Uint8Array(32).fill(byte))
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const publicKey = fc.constantFrom(...KEYS.map(publicKeyOf))
const xOnly = publicKey.map(key => key.slice(1))
const signature = fc.uint8Array({ minLength: 9, maxLength: 73 })
const schnorrSignature = fc.constantFrom(64, 65).chain(bytes)
const script = fc.uint8Array({ maxLength: 300 })
const origin = fc.record({
  fingerprint: fc.nat(),
  path: fc.array(fc.nat(), { maxLength: 6 }),
})
const once = <T>(key: fc.Arbitrary<Uint8Array>, value: fc.Arbitrary<T>) =>
  fc.tuple(key, value).map(pair => [pair])

/** Fields in the words of the independent library; any may be absent. */
const fields = fc.record(
  {
    partialSig: once(publicKey, signature),
    bip32Derivation: once(publicKey, origin),
    redeemScript: script,
    witnessScript: script,
    finalScriptSig: script,
    finalScriptWitness: fc.array(script, { minLength: 1, maxLength: 4 }),
    porCommitment: script,
    sha256: once(bytes(32), script),
    hash160: once(bytes(20), script),
    tapKeySig: schnorrSignature,
    tapScriptSig: fc
      .tuple(fc.record({ pubKey: xOnly, leafHash: bytes(32) }), schnorrSignature)
      .map(pair => [pair]),
    tapBip32Derivation: once(
      xOnly,
      fc.record({ hashes: fc.array(bytes(32), { maxLength: 3 }), der: origin }),
    ),
    tapInternalKey: xOnly,
    tapMerkleRoot: bytes(32),
  },
  { requiredKeys: [] },
)

/** Unknown and proprietary records, which everybody must pass on. */
const raw = fc.option(
  fc.record({ f0aabb: script, fd0001ff: script, fc026162aa01: script }, { requiredKeys: [] }),
  { nil: undefined },
)

const lock = fc.record({ type: fc.constantFrom(...LOCKS), key: fc.constantFrom(...KEYS) })
const amount = fc.oneof(
  fc.bigInt({ min: 0n, max: 1_000_000n }),
  fc.constantFrom(0n, 546n, 150_000_000_000_000n),
)

const input: fc.Arbitrary<BuiltInput> = fc
  .tuple(
    lock,
    fc.record(
      {
        proof: fc.constantFrom('previous', 'witness', 'both', 'none'),
        sighash: fc.constantFrom(0, 1, 2, 3, 0x81, 0x82, 0x83),
        sequence: fc.nat(),
        fields: fields as fc.Arbitrary<NonNullable<BuiltInput['fields']>>,
      },
      { requiredKeys: [] },
    ),
    amount,
    raw,
  )
  .map(([coin, rest, sats, records]) => ({
    ...coin,
    ...rest,
    amount: sats,
    ...(records && { raw: records }),
  }))

const output = fc
  .tuple(lock, amount, raw)
  .map(([coin, sats, records]) => ({ ...coin, amount: sats, ...(records && { raw: records }) }))

/** PSBTs of both versions with fields of every kind, as an independent library writes them. */
export const randomPsbts: fc.Arbitrary<BuiltPsbt & { version: 0 | 2 }> = fc
  .record({
    inputs: fc.array(input, { minLength: 1, maxLength: 5 }),
    outputs: fc.array(output, { minLength: 1, maxLength: 5 }),
    version: fc.constantFrom(0 as const, 2 as const),
    transactionVersion: fc.constantFrom(1, 2, 3),
    locktime: fc.nat(),
    from: fc.nat({ max: 1_000 }),
  })
  .map(params => ({ ...buildPsbt(params), version: params.version }))

type Edit = (bytes: Uint8Array) => Uint8Array

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(fc.nat(), fc.nat({ max: 7 })).map(
    ([at, bit]): Edit =>
      bytes =>
        change(bytes, at, byte => byte ^ (1 << bit)),
  ),
  fc.tuple(fc.nat(), fc.constantFrom(0, 1, 0x80, 0xfd, 0xfe, 0xff)).map(
    ([at, byte]): Edit =>
      bytes =>
        change(bytes, at, () => byte),
  ),
  fc.tuple(fc.nat(), fc.nat({ max: 40 })).map(
    ([at, length]): Edit =>
      bytes => {
        const start = at % bytes.length
        return concatBytes(bytes.slice(0, start), bytes.slice(start + length))
      },
  ),
  fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 12 })).map(
    ([at, inserted]): Edit =>
      bytes => {
        const start = at % bytes.length
        return concatBytes(bytes.slice(0, start), inserted, bytes.slice(start))
      },
  ),
  fc.tuple(fc.nat(), fc.nat({ max: 80 }), fc.nat()).map(
    ([from, length, to]): Edit =>
      bytes => {
        const start = from % bytes.length
        const target = to % bytes.length
        const copied = bytes.slice(start, start + length)
        return concatBytes(bytes.slice(0, target), copied, bytes.slice(target))
      },
  ),
)

/** Damage to bytes: some bits, bytes or stretches changed, taken out, put in or repeated. */
export const mutations: fc.Arbitrary<Edit> = fc
  .array(edit, { minLength: 1, maxLength: 3 })
  .map(edits => bytes => edits.reduce((changed, each) => each(changed), bytes))

function change(bytes: Uint8Array, at: number, to: (byte: number) => number): Uint8Array {
  const changed = bytes.slice()
  const i = at % bytes.length
  changed[i] = to(changed[i] ?? 0)
  return changed
}
