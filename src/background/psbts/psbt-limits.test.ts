import { describe, expect, it } from 'vitest'
import { parsePsbt } from '../../bitcoin/psbt/psbt.ts'
import { buildPsbt } from '../../bitcoin/testing/psbt-building.ts'
import { assertCheckable, assertReviewable } from './psbt-limits.ts'

const TOO_LARGE = expect.objectContaining({ data: { reason: 'TOO_LARGE' } })

/** A PSBT of so many inputs, outputs, and bytes in the script of the last output. */
function psbtOf(inputs: number, outputs: number, scriptLength = 22) {
  const script = (length: number) => ({ script: new Uint8Array(length).fill(0x51) })
  return parsePsbt(
    buildPsbt({
      inputs: Array.from({ length: inputs }, () => ({ type: 'p2wpkh' as const, amount: 1_000n })),
      outputs: Array.from({ length: outputs }, (_, at) => ({
        type: script(at === outputs - 1 ? scriptLength : 22),
        amount: 1n,
      })),
    }).bytes,
  )
}

describe('PSBTs that can be looked through', () => {
  it('have 3,000 inputs and outputs together, whatever PSBTs they are in', () => {
    expect(() => assertReviewable([psbtOf(1_000, 2_000)])).not.toThrow()
    expect(() => assertReviewable([psbtOf(1_000, 2_001)])).toThrow(TOO_LARGE)
    expect(() => assertReviewable([psbtOf(500, 1_000), psbtOf(500, 1_000)])).not.toThrow()
    expect(() => assertReviewable([psbtOf(500, 1_000), psbtOf(501, 1_000)])).toThrow(TOO_LARGE)
  })

  it('count a long script as one output for each 250 bytes, and an empty one as one', () => {
    expect(() => assertReviewable([psbtOf(1_000, 1_999, 500)])).not.toThrow()
    expect(() => assertReviewable([psbtOf(1_000, 1_999, 501)])).toThrow(TOO_LARGE)
    expect(() => assertReviewable([psbtOf(1_000, 2_000, 0)])).not.toThrow()
    expect(() => assertReviewable([psbtOf(1_000, 2_001, 0)])).toThrow(TOO_LARGE)
  })
})

it('PSBTs that can be checked have 5,000 signatures and leaves together', () => {
  const signed = (count: number) => {
    const witness = Uint8Array.of(0xfd, count & 0xff, count >> 8, ...new Uint8Array(count))
    return parsePsbt(
      buildPsbt({
        inputs: [{ type: 'p2wsh-multisig', amount: 1_000n, raw: { '08': witness } }],
        outputs: [{ type: 'p2wpkh', amount: 500n }],
      }).bytes,
    )
  }
  expect(() => assertCheckable([signed(5_000)])).not.toThrow()
  expect(() => assertCheckable([signed(5_001)])).toThrow(TOO_LARGE)
  expect(() => assertCheckable([signed(2_500), signed(2_500)])).not.toThrow()
  expect(() => assertCheckable([signed(2_500), signed(2_501)])).toThrow(TOO_LARGE)
})
