import * as ecc from '@bitcoinerlab/secp256k1'
import { Transaction } from '@scure/btc-signer'
import { initEccLib, Psbt } from 'bitcoinjs-lib'
import { describe, expect, it, vi } from 'vitest'
import type { AddressType } from '../address.ts'
import { taprootOutputKey } from '../secp256k1.ts'
import { type BuiltPsbt, buildPsbt, lockOf, writeRaw } from '../testing/psbt-building.ts'
import { type Signed, verifyIndependently } from '../testing/signature-oracle.ts'
import { SIGNER_KEY, SIGNER_PUBLIC_KEY, signBuilt } from '../testing/signing-case.ts'
import { ADDRESS_TYPES } from '../testing/spending.ts'
import { PsbtRefusedError } from './plan.ts'

initEccLib(ecc)

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const BYTES = Array.from({ length: 256 }, (_, type) => type)
const NAMED = [0, 1, 2, 3, 0x81, 0x82, 0x83]

/** Where a type stands: the field of the PSBT, the page's list, both, or a field that the list does not name. */
const PLACES = {
  'the field only': (type: number) => ({ field: type, listed: null }),
  'the list only': (type: number) => ({ field: undefined, listed: [type] }),
  both: (type: number) => ({ field: type, listed: [0, type] }),
  'a list of all others': (type: number) => ({
    field: type,
    listed: NAMED.filter(other => other !== type),
  }),
}

describe.each(ADDRESS_TYPES)('of all 256 sighash bytes, %s', type => {
  const safe = type === 'p2tr' ? [0, 1] : [1]
  const open = [0x81, 0x83]
  const allowed: Record<keyof typeof PLACES, readonly number[][]> = {
    'the field only': [safe, safe],
    'the list only': [safe, safe],
    both: [
      [...safe, ...open],
      [...safe, ...open, 2, 3, 0x82],
    ],
    'a list of all others': [[], []],
  }

  it.each(Object.keys(PLACES) as (keyof typeof PLACES)[])(
    'in %s signs what the policy says',
    place => {
      for (const [level, expert] of [false, true].entries())
        for (const byte of BYTES) {
          const { field, listed } = PLACES[place](byte)
          const signature = signWith(type, field, listed, expert)
          const expected = allowed[place][level]?.includes(byte) ? byte : null
          expect([byte, expert, signature?.sighash ?? null]).toEqual([byte, expert, expected])
          expect(signature?.verify(byte)).toBe(expected === null ? undefined : true)
        }
    },
  )
})

it('takes no sighash of more than a byte for its last byte', () => {
  for (const field of [0x100, 0x101, 0x181, 0x80000001])
    for (const type of ADDRESS_TYPES)
      expect(signWith(type, field, [field, field & 0xff], true)).toBeNull()
})

it.each([
  ['p2tr', undefined, [0, 1], 0],
  ['p2tr', undefined, [1], 1],
  ['p2tr', undefined, [], 0],
  ['p2tr', 1, [0, 1], 1],
  ['p2wpkh', undefined, [0, 1], 1],
  ['p2wpkh', undefined, [0x83, 1], 1],
  ['p2wpkh', 0, [0], null],
  ['p2tr', 0, [1], null],
] as const)(
  '%s with the field %s and the list %j signs with %s',
  (type, field, listed, expected) => {
    expect(signWith(type, field, listed, false)?.sighash ?? null).toBe(expected)
  },
)

it.each([
  ['p2tr', undefined, null],
  ['p2tr', undefined, [1]],
  ['p2tr', undefined, [0, 1]],
  ['p2tr', 0, null],
  ['p2tr', 1, null],
  ['p2tr', 1, [1]],
  ['p2tr', 0x81, [0x81]],
  ['p2tr', 0x83, [0x83]],
  ['p2wpkh', undefined, null],
  ['p2wpkh', undefined, [1]],
  ['p2wpkh', 1, [1]],
  ['p2wpkh', 0x81, [0x81]],
  ['p2pkh', undefined, [0, 1]],
  ['p2sh-p2wpkh', 0x83, [0x83]],
] as const)(
  '%s with the field %s and the list %j is right and complete to other libraries',
  (type, field, listed) => {
    const { bytes } = signListed(type, field, listed, false)
    const psbt = Psbt.fromBuffer(Buffer.from(bytes))
    const isRight = (key: Uint8Array, hash: Uint8Array, signature: Uint8Array) =>
      key.length === 32 ? ecc.verifySchnorr(hash, key, signature) : ecc.verify(hash, key, signature)
    expect(psbt.validateSignaturesOfInput(0, isRight)).toBe(true)
    expect(() => psbt.finalizeInput(0)).not.toThrow()
    const other = Transaction.fromPSBT(bytes)
    expect(() => other.finalizeIdx(0)).not.toThrow()
    // BIP-174: without the field a signature is of the default, BIP-371 of SIGHASH_DEFAULT.
    const [input] = Psbt.fromBuffer(Buffer.from(bytes)).data.inputs
    const signature = input?.tapKeySig ?? input?.partialSig?.[0]?.signature ?? new Uint8Array()
    const made = type === 'p2tr' && signature.length === 64 ? 0 : signature.at(-1)
    expect(input?.sighashType ?? (type === 'p2tr' ? 0 : 1)).toBe(made)
  },
)

const BUILT = Object.fromEntries(
  ADDRESS_TYPES.map(type => [
    type,
    buildPsbt({
      inputs: [
        {
          ...{ type, key: SIGNER_KEY, amount: 10_000n },
          proof: type === 'p2tr' ? 'witness' : 'previous',
          // bitcoinjs-lib checks no key path without it, nor without the prevout itself.
          fields: type === 'p2tr' ? { tapInternalKey: SIGNER_PUBLIC_KEY.subarray(1) } : {},
        },
        { type: 'p2tr', amount: 700n },
      ],
      outputs: [
        { type: 'p2tr', amount: 5_000n },
        { type: 'p2wpkh', amount: 2_000n },
      ],
    }),
  ]),
) as Record<AddressType, BuiltPsbt>

/** Null when the sighash was refused. */
function signWith(
  type: AddressType,
  field: number | undefined,
  listed: readonly number[] | null,
  expert: boolean,
) {
  const built = BUILT[type]
  try {
    const { plan, other } = signListed(type, field, listed, expert)
    const { partialSig, tapKeySig } = other.getInput(0)
    const signature = tapKeySig ?? partialSig?.[0]?.[1] ?? new Uint8Array()
    return {
      sighash: plan[0]?.sighash,
      verify: (byte: number) =>
        verifyIndependently(other, built.prevouts, 0, signedBy(type), byte, signature),
    }
  } catch (error) {
    if (error instanceof PsbtRefusedError && error.reason === 'SIGHASH_REFUSED') return null
    throw error
  }
}

function signListed(
  type: AddressType,
  field: number | undefined,
  listed: readonly number[] | null,
  expert: boolean,
) {
  const built = BUILT[type]
  const bytes = writeRaw(built.bytes, [{}, field === undefined ? {} : { '03': uint32(field) }])
  const inputs = [{ index: 0, sighashTypes: listed }]
  return signBuilt({ ...built, bytes }, { type, inputs, expert })
}

function signedBy(type: AddressType): Signed {
  if (type === 'p2tr') return { scheme: 'taproot', publicKey: taprootOutputKey(SIGNER_PUBLIC_KEY) }
  return {
    scheme: type === 'p2pkh' ? 'legacy' : 'v0',
    publicKey: SIGNER_PUBLIC_KEY,
    script: lockOf('p2pkh', SIGNER_KEY).script,
  }
}

function uint32(value: number): Uint8Array {
  return Uint8Array.from([0, 8, 16, 24], shift => (value >>> shift) & 0xff)
}
