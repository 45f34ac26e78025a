import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findWorstCase } from './psbt-worst-case.ts'
import { type DrawnInput, type DrawnOutput, leastByBruteForce } from './testing/signature-reuse.ts'

const SIGHASHES = [0, 1, 2, 3, 0x81, 0x82, 0x83]

const amounts = fc.bigInt({ min: 0n, max: 6n })

const inputs = fc.record<DrawnInput>({
  owner: fc.constantFrom('own', 'own', 'shared', 'foreign'),
  amount: amounts,
  sighashes: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...SIGHASHES).map(sighash => [sighash]) },
    fc.subarray(SIGHASHES, { maxLength: 2 }),
  ),
})

const outputs = fc.record<DrawnOutput>({
  own: fc.boolean(),
  script: fc.constant('own'),
  amount: amounts,
})

/** Signatures of ours on coins of others mean nothing, and scripts tell owners apart. */
const drawings = fc
  .record({
    inputs: fc.array(inputs, { minLength: 1, maxLength: 3 }),
    outputs: fc.array(outputs, { minLength: 1, maxLength: 3 }),
  })
  .map(drawn => ({
    inputs: drawn.inputs.map(input => ({
      ...input,
      sighashes: input.owner === 'foreign' ? [] : input.sighashes,
    })),
    outputs: drawn.outputs.map(output => ({ ...output, script: output.own ? 'own' : 'foreign' })),
  }))

describe('the worst that can be made of signatures', () => {
  it('is what trying every transaction that they are valid in finds', () => {
    fc.assert(
      fc.property(drawings, drawn => {
        expect(worstOf(drawn.inputs, drawn.outputs)).toBe(leastByBruteForce(drawn))
      }),
      { numRuns: 500 },
    )
  }, 60_000)

  it('is the drawing itself once a signature fixes everything', () => {
    expect(worstOf([own(10n, 1), own(5n, 0x83)], [mine(3n), mine(9n)])).toBe(-3n)
  })

  it('of a listing is the coin against its price', () => {
    expect(worstOf([foreign(), foreign(), own(546n, 0x83)], [theirs(), mine(1n), mine(90n)])).toBe(
      -456n,
    )
  })

  it('of two listings is the one that sells at a loss, without the gain of the other', () => {
    expect(worstOf([own(10n, 0x83), own(50n, 0x83)], [mine(90n), mine(20n)])).toBe(-30n)
    expect(worstOf([own(10n, 0x83), own(50n, 0x83)], [mine(90n), mine(70n)])).toBe(20n)
  })

  it('of coins that may be added to each other is that one payment serves for both', () => {
    expect(worstOf([own(10n, 0x81), own(50n, 0x81)], [mine(55n)])).toBe(-5n)
    expect(worstOf([own(10n, 0x81), own(50n, 0x83)], [mine(10n), mine(60n)])).toBe(10n)
  })

  it('of a signature over no outputs is the loss of every coin', () => {
    expect(worstOf([own(10n, 2), own(50n, 2)], [mine(60n)])).toBe(-60n)
    expect(worstOf([own(10n, 0x82), foreign()], [mine(60n)])).toBe(-10n)
    expect(worstOf([own(10n, 3), own(50n, 2)], [mine(60n)])).toBe(0n)
  })

  it('of a place that no output belongs to is the loss of the coin', () => {
    expect(worstOf([foreign(), own(10n, 0x83)], [mine(60n)])).toBe(-10n)
  })

  it('counts coins that are not signed yet when a signature names them', () => {
    expect(worstOf([own(10n, 0), own(50n)], [mine(55n)])).toBe(-5n)
    expect(worstOf([own(10n, 0x81), own(50n)], [mine(55n)])).toBe(45n)
  })

  it('reads undefined sighashes as consensus does, by their low five bits', () => {
    expect(worstOf([own(10n, 0x45)], [mine(3n)])).toBe(-7n)
    expect(worstOf([own(10n, 0xe3)], [mine(3n), mine(9n)])).toBe(-7n)
  })

  it('is nothing without signatures', () => {
    expect(worstOf([own(10n), foreign()], [mine(3n)])).toBe(0n)
  })
})

function worstOf(drawnInputs: readonly DrawnInput[], drawnOutputs: readonly DrawnOutput[]) {
  return findWorstCase({
    inputs: drawnInputs.map(({ owner, amount }) => (owner === 'own' ? amount : 0n)),
    outputs: drawnOutputs.map(({ own, amount }) => (own ? amount : 0n)),
    signatures: drawnInputs.flatMap(({ owner, sighashes }, index) =>
      sighashes.map(sighash => ({ index, sighash, binding: owner === 'own' })),
    ),
  })
}

function own(amount: bigint, ...sighashes: number[]): DrawnInput {
  return { owner: 'own', amount, sighashes }
}

function foreign(): DrawnInput {
  return { owner: 'foreign', amount: 7n, sighashes: [] }
}

function mine(amount: bigint): DrawnOutput {
  return { own: true, script: 'own', amount }
}

function theirs(): DrawnOutput {
  return { own: false, script: 'foreign', amount: 8n }
}
