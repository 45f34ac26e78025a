import { describe, expect, it } from 'vitest'
import { ADJUSTMENTS, TESTNET4_PERIOD } from '../testing/header-vectors.ts'
import { type BlockHeader, parseBlockHeader } from './block-header.ts'
import { CONSENSUS } from './consensus.ts'
import { adjustedBits, isPermittedTransition, nextBitsRequired } from './difficulty.ts'
import { formatCompactTarget, parseCompactTarget } from './target.ts'

const { mainnet, testnet4, signet, regtest } = CONSENSUS

const read = (raw: Uint8Array): BlockHeader => {
  const header = parseBlockHeader(raw)
  if (!header) throw new Error('A published header was not read')
  return header
}

/** A header as far as difficulty is concerned; `time` in seconds. */
const made = (bits: number, time: number): BlockHeader => ({
  ...read(TESTNET4_PERIOD.first),
  bits,
  target: parseCompactTarget(bits) ?? 0n,
  at: time * 1000,
})

describe('the difficulty of mainnet', () => {
  /** Bitcoin Core's src/test/pow_tests.cpp (MIT): height of the last block, time of the first and the last, bits before and after. */
  it.each([
    [32255, 1261130161, 1262152739, 0x1d00ffff, 0x1d00d86a],
    [2015, 1231006505, 1233061996, 0x1d00ffff, 0x1d00ffff],
    [68543, 1279008237, 1279297671, 0x1c05a3f4, 0x1c0168fd],
    [46367, 1263163443, 1269211443, 0x1c387f6f, 0x1d00e1fd],
  ])('after block %i is what Bitcoin Core works out', (height, first, last, before, after) => {
    expect(adjustedBits(mainnet, made(before, first), made(before, last))).toBe(after)
    expect(isPermittedTransition(mainnet, height + 1, before, after)).toBe(true)
  })

  it('rises and falls by a factor of four at most', () => {
    expect(isPermittedTransition(mainnet, 68544, 0x1c05a3f4, 0x1c0168fd - 1)).toBe(false)
    expect(isPermittedTransition(mainnet, 46368, 0x1c387f6f, 0x1d00e1fd + 1)).toBe(false)
  })

  it('stays as it is within a period', () => {
    expect(isPermittedTransition(mainnet, 68545, 0x1c05a3f4, 0x1c05a3f4)).toBe(true)
    expect(isPermittedTransition(mainnet, 68545, 0x1c05a3f4, 0x1c05a3f5)).toBe(false)
  })

  it('of each of its first 412 adjustments is what the blocks say', () => {
    const headers = new Map(ADJUSTMENTS.map(({ height, raw }) => [height, read(raw)]))
    const adjusted = [...headers].filter(([height]) => height > 0 && height % 2016 === 0)
    expect(adjusted).toHaveLength(413)
    for (const [height, header] of adjusted) {
      expect(nextBitsRequired(mainnet, of => headers.get(of), height, header.at)).toBe(header.bits)
    }
  })

  it('is unknown where the first block of the period is', () => {
    const last = made(0x1c05a3f4, 1279297671)
    const headerAt = (of: number) => (of === 68543 ? last : undefined)
    expect(nextBitsRequired(mainnet, headerAt, 68544, last.at)).toBeNull()
  })
})

describe('the difficulty of Testnet4', () => {
  const [first, last, next] = [
    read(TESTNET4_PERIOD.first),
    read(TESTNET4_PERIOD.last),
    read(TESTNET4_PERIOD.next),
  ]

  it('is adjusted from the first block of a period, though the last has the easiest target', () => {
    expect(last.bits).toBe(0x1d00ffff)
    expect(adjustedBits(testnet4, first, last)).toBe(next.bits)
    expect(adjustedBits(mainnet, first, last)).not.toBe(next.bits)
  })

  it('is the easiest more than twenty minutes after the last block, and the real one before that', () => {
    const headers = [made(0x1973b070, 1000), made(0x1d00ffff, 3000), made(0x1d00ffff, 5000)]
    const headerAt = (of: number) => headers[of - 30240]
    const bitsAfter = (seconds: number) =>
      nextBitsRequired(testnet4, headerAt, 30243, (5000 + seconds) * 1000)
    expect(bitsAfter(1201)).toBe(0x1d00ffff)
    expect(bitsAfter(1200)).toBe(0x1973b070)
    expect(bitsAfter(-600)).toBe(0x1973b070)
  })

  it('is unknown where no block at hand has the real one', () => {
    const last = made(0x1d00ffff, 5000)
    const headerAt = (of: number) => (of === 30242 ? last : undefined)
    expect(nextBitsRequired(testnet4, headerAt, 30243, last.at)).toBeNull()
  })
})

it('Signet begins with the easiest target that BIP-325 names', () => {
  expect(formatCompactTarget(signet.powLimit)).toBe(0x1e0377ae)
})

it('the difficulty of regtest never changes', () => {
  const header = made(0x207fffff, 1000)
  for (const height of [1, 144, 2016]) {
    expect(nextBitsRequired(regtest, () => header, height, 10_000_000)).toBe(0x207fffff)
    expect(nextBitsRequired(regtest, () => header, height, 1_000_000)).toBe(0x207fffff)
  }
})
