import { describe, expect, it } from 'vitest'
import { formatCompactTarget, parseCompactTarget, workOfTarget } from './target.ts'

/** Bitcoin Core's src/test/arith_uint256_tests.cpp (MIT), bignum_SetCompact: bits, target, bits of the target. */
const CORE_COMPACTS: [number, bigint, number][] = [
  [0x01123456, 0x12n, 0x01120000],
  [0x02123456, 0x1234n, 0x02123400],
  [0x03123456, 0x123456n, 0x03123456],
  [0x04123456, 0x12345600n, 0x04123456],
  [0x05009234, 0x92340000n, 0x05009234],
  [0x20123456, 0x123456n << 232n, 0x20123456],
]

describe('a compact target', () => {
  it.each(CORE_COMPACTS)('%i is what Bitcoin Core reads and writes', (bits, target, written) => {
    expect(parseCompactTarget(bits)).toBe(target)
    expect(formatCompactTarget(target)).toBe(written)
  })

  it.each([0, 0x00123456, 0x01003456, 0x02000056, 0x03000000, 0x04000000])(
    '%i of zero is none',
    bits => {
      expect(parseCompactTarget(bits)).toBeNull()
    },
  )

  it.each([0x01fedcba, 0x04923456])('%i of a negative number is none', bits => {
    expect(parseCompactTarget(bits)).toBeNull()
  })

  it('of more than 256 bits is none', () => {
    expect(parseCompactTarget(0xff123456)).toBeNull()
    expect(parseCompactTarget(0x2100ffff)).toBe(0xffffn << 240n)
    expect(parseCompactTarget(0x21010000)).toBeNull()
  })

  it('is written without the bit of the sign', () => {
    expect(formatCompactTarget(0x80n)).toBe(0x02008000)
  })
})

it('the first block took as many hashes as mainnet counts for it', () => {
  expect(workOfTarget(0xffffn << 208n)).toBe(0x100010001n)
})

it('a block of regtest takes two hashes', () => {
  expect(workOfTarget(0x7fffffn << 232n)).toBe(2n)
})
