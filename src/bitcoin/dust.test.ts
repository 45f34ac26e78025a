import { describe, expect, it } from 'vitest'
import { fromHex } from './bytes.ts'
import { dustLimit } from './dust.ts'

describe('dustLimit', () => {
  // The figures that Bitcoin Core and its documentation of `dustrelayfee` give for the usual outputs.
  it.each([
    ['P2PKH', `76a914${'00'.repeat(20)}88ac`, 546n],
    ['P2SH', `a914${'00'.repeat(20)}87`, 540n],
    ['P2WPKH', `0014${'00'.repeat(20)}`, 294n],
    ['P2WSH', `0020${'00'.repeat(32)}`, 330n],
    ['P2TR', `5120${'00'.repeat(32)}`, 330n],
    ['pay to anchor', '51024e73', 240n],
    ['OP_RETURN', '6a0568656c6c6f', 0n],
  ])('of %s is what Bitcoin Core asks', (_, script, limit) => {
    expect(dustLimit(fromHex(script))).toBe(limit)
  })
})
