import { createHash } from 'node:crypto'
import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { EVM, NobleBN254, type PrecompileInput } from '@ethereumjs/evm'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bn254 } from '@noble/curves/bn254.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createClock } from '../clock.ts'
import { compressBlake2b } from './blake2f.ts'
import { replaceLongPrecompiles } from './long-precompiles.ts'

const GAS = 10n ** 9n

describe('blake2f', () => {
  it('is BLAKE2b with its twelve rounds, as Node computes it', async () => {
    for (const text of ['', 'abc', 'a'.repeat(128)]) {
      const output = await compressBlake2b(hashing(Buffer.from(text)), createClock())
      expect(Buffer.from(output).toString('hex')).toBe(
        createHash('blake2b512').update(text).digest('hex'),
      )
    }
  })

  it('is what EthereumJS computes with any rounds, for the same gas', () =>
    isAsEthereumJs(9, Hardfork.Istanbul, blakeInputs))

  it('is refused without its rounds as EthereumJS refuses it', () =>
    isAsEthereumJs(9, Hardfork.Istanbul, shortInputs))
})

describe('modexp', () => {
  it.each([Hardfork.Byzantium, Hardfork.Berlin, Hardfork.Osaka])(
    'is what EthereumJS computes by the rules of %s, for the same gas',
    fork => isAsEthereumJs(5, fork, powerInputs),
  )
})

describe('pairings', () => {
  it('are what EthereumJS computes, for the same gas', () =>
    isAsEthereumJs(8, Hardfork.Berlin, pairInputs(bn254, 32), 25))

  it('of BLS12-381 are what EthereumJS computes, for the same gas', () =>
    isAsEthereumJs(0x0f, Hardfork.Prague, pairInputs(bls12_381, 64), 25))
})

describe('sums of multiples of points of BLS12-381', () => {
  it.each([
    ['G1', 0x0c, 128],
    ['G2', 0x0e, 256],
  ] as const)(
    'in %s are what EthereumJS computes, for the same gas',
    (group, contract, length) =>
      isAsEthereumJs(contract, Hardfork.Prague, sumInputs(group, length), 15),
    120_000,
  )

  it.each([
    ['G1', 0x0c, 160],
    ['G2', 0x0e, 288],
  ] as const)('in %s of many pairs cost what EthereumJS asks', (_, contract, length) => {
    const pairs = fc.constantFrom(127, 128, 129, 300, 1_001)
    const zeros = pairs.map(count => new Uint8Array(count * length))
    return isAsEthereumJs(contract, Hardfork.Prague, zeros, 10)
  })
})

type Curve = Pick<typeof bn254, 'fields' | 'G1' | 'G2'>

/** Numbers of so many bytes, one after the other. */
const write = (field: number, ...numbers: bigint[]) =>
  Buffer.from(numbers.map(number => number.toString(16).padStart(2 * field, '0')).join(''), 'hex')

/** Multiples of the generators: in EIP-197 the imaginary part comes first, in EIP-2537 the real one. */
function generators({ G1, G2 }: Curve, field: number) {
  return {
    g1(factor: bigint) {
      const { x, y } = G1.Point.BASE.multiply(factor).toAffine()
      return write(field, x, y)
    },
    g2(factor: bigint) {
      const { x, y } = G2.Point.BASE.multiply(factor).toAffine()
      return field === 32
        ? write(field, x.c1, x.c0, y.c1, y.c0)
        : write(field, x.c0, x.c1, y.c0, y.c1)
    },
  }
}

/** Pairs whose product is one, as each has its opposite; some with one pair more, or with what is no point. */
function pairInputs(curve: Curve, field: number) {
  const { ORDER } = curve.fields.Fr
  const { g1, g2 } = generators(curve, field)
  const factor = fc.bigInt({ min: 1n, max: ORDER - 1n })
  const kinds = ['infinity', 'not in the field', 'not on the curve', 'cut'] as const
  return fc
    .tuple(
      fc.array(fc.tuple(factor, factor), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('one', 'one', 'not one', ...kinds),
      fc.nat(),
    )
    .map(([factors, kind, place]) => {
      const pairs = factors.flatMap(([a, b]) => [
        Buffer.concat([g1(a), g2(b)]),
        Buffer.concat([g1(ORDER - a), g2(b)]),
      ])
      const odd = {
        one: [],
        'not one': [Buffer.concat([g1(1n), g2(1n)])],
        infinity: [
          Buffer.concat([g1(5n), Buffer.alloc(4 * field)]),
          Buffer.concat([Buffer.alloc(2 * field), g2(3n)]),
        ],
        'not in the field': [Buffer.concat([write(field, curve.fields.Fp.ORDER, 2n), g2(1n)])],
        'not on the curve': [Buffer.concat([g1(1n), write(field, 1n, 2n, 3n, 4n)])],
        cut: [Buffer.alloc(7)],
      }[kind]
      pairs.splice(kind === 'cut' ? pairs.length : place % (pairs.length + 1), 0, ...odd)
      return Buffer.concat(pairs)
    })
}

/** Points with factors, also beyond the group's order; some with what is no point, or of no whole length. */
function sumInputs(group: 'G1' | 'G2', length: number) {
  const { g1, g2 } = generators(bls12_381, 64)
  const multiply = group === 'G1' ? g1 : g2
  const factor = fc.oneof(
    fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    fc.constantFrom(0n, 1n, bls12_381.fields.Fr.ORDER - 1n, bls12_381.fields.Fr.ORDER),
  )
  const pair = fc
    .tuple(fc.option(fc.bigInt({ min: 1n, max: 1000n })), factor)
    .map(([point, by]) =>
      Buffer.concat([point === null ? Buffer.alloc(length) : multiply(point), write(32, by)]),
    )
  const odd = fc.constantFrom(
    ...[Buffer.alloc(0), Buffer.alloc(0), Buffer.alloc(7), Buffer.alloc(length + 32, 1)],
    Buffer.concat([write(64, 1n, 2n), Buffer.alloc(length - 96)]),
  )
  return fc
    .tuple(fc.array(pair, { minLength: 1, maxLength: 14 }), odd, fc.nat())
    .map(([pairs, other, place]) => {
      const at = other.length === 7 ? pairs.length : place % (pairs.length + 1)
      return Buffer.concat(pairs.toSpliced(at, 0, other))
    })
}

const blakeInputs = fc
  .tuple(
    fc.integer({ min: 0, max: 5_000 }),
    fc.uint8Array({ minLength: 208, maxLength: 208 }),
    fc.constantFrom(0, 1, 1, 2),
    fc.integer({ min: -1, max: 1 }),
  )
  .map(([rounds, words, last, more]) => {
    const head = Buffer.alloc(4)
    head.writeUInt32BE(rounds)
    const data = Buffer.concat([head, words, Buffer.from([last])])
    return more === 1 ? Buffer.concat([data, data]) : data.subarray(0, data.length + more)
  })

/** Not even the rounds, as what is called to move coins alone. */
const shortInputs = fc.uint8Array({ maxLength: 5 }).map(bytes => Buffer.from(bytes))

const part = (maxLength: number) =>
  fc.oneof(fc.uint8Array({ maxLength }), fc.constant(new Uint8Array(maxLength)))

/** Also with less behind the lengths than they say. */
const powerInputs = fc
  .tuple(
    fc.oneof(part(40), part(1_200)),
    fc.oneof(part(400), part(1_200)),
    fc.oneof(part(40), part(1_200)),
    fc.integer({ min: 0, max: 60 }),
  )
  .map(([base, exponent, modulus, missing]) => {
    const lengths = [base, exponent, modulus].map(({ length }) => {
      const bytes = Buffer.alloc(32)
      bytes.writeUInt32BE(length, 28)
      return bytes
    })
    const data = Buffer.concat([...lengths, base, exponent, modulus])
    return data.subarray(0, Math.max(0, data.length - missing))
  })

async function isAsEthereumJs(
  contract: number,
  hardfork: string,
  inputs: fc.Arbitrary<Uint8Array>,
  numRuns = 100,
) {
  const common = new Common({ chain: Mainnet, hardfork })
  const open = () => new EVM({ common, bn254: new NobleBN254() })
  const [ours, theirs] = [open(), open()]
  replaceLongPrecompiles(ours, createClock())
  const run = async (evm: EVM, data: Uint8Array, gasLimit: bigint) => {
    const precompile = evm.getPrecompile(`0x${contract.toString(16).padStart(40, '0')}`)
    const input = { data: new Uint8Array(data), gasLimit, common, _EVM: evm } as PrecompileInput
    const { executionGasUsed, returnValue, exceptionError } = (await precompile?.(input)) ?? {}
    return {
      executionGasUsed,
      returned: Buffer.from(returnValue ?? []).toString('hex'),
      error: exceptionError?.error,
    }
  }
  await fc.assert(
    fc.asyncProperty(inputs, fc.constantFrom(GAS, GAS, 2_000n), async (data, gasLimit) => {
      expect(await run(ours, data, gasLimit)).toEqual(await run(theirs, data, gasLimit))
    }),
    { numRuns },
  )
}

/** The last block of a text of at most 128 bytes, as BLAKE2b without a key compresses it to 64 bytes. */
function hashing(text: Uint8Array): Uint8Array {
  const input = Buffer.alloc(213)
  input.writeUInt32BE(12)
  const initial = [
    0x6a09e667f3bcc908n ^ 0x01010040n,
    0xbb67ae8584caa73bn,
    0x3c6ef372fe94f82bn,
    0xa54ff53a5f1d36f1n,
    0x510e527fade682d1n,
    0x9b05688c2b3e6c1fn,
    0x1f83d9abfb41bd6bn,
    0x5be0cd19137e2179n,
  ]
  for (const [index, value] of initial.entries()) input.writeBigUInt64LE(value, 4 + 8 * index)
  input.set(text, 68)
  input.writeBigUInt64LE(BigInt(text.length), 196)
  input[212] = 1
  return input
}
