import { describe, expect, it } from 'vitest'
import { toHex, toUtf8 } from '../../bitcoin/bytes.ts'
import {
  COST_FLOOR,
  derivePasswordKey,
  isAllowedCost,
  isWeakerCost,
  STANDARD_COST,
} from './vault-kdf.ts'

const PASSWORD = 'correct horse battery staple'
const SALT = Uint8Array.from({ length: 16 }, (_, i) => i)

// Expected keys: OpenSSL 3.5's Argon2id.
describe('derivePasswordKey', () => {
  it('agrees with OpenSSL at the floor', async () => {
    expect(toHex(await derivePasswordKey(PASSWORD, SALT, COST_FLOOR))).toBe(
      'bbe4ce725d8b1ae6f8c3f70b21dac67681bf71b53ffc4b805c35e6faa4477eab',
    )
  })

  it('agrees with OpenSSL at the standard cost, and lets others work meanwhile', async () => {
    let ticks = 0
    const timer = setInterval(() => ticks++, 20)
    const key = await derivePasswordKey(PASSWORD, SALT, STANDARD_COST)
    clearInterval(timer)
    expect(toHex(key)).toBe('0d1a3c6523c8f06e4e0af9c515aa5b5448cfebd6838f2d52c3d8b6ef8ddc3c2e')
    expect(ticks).toBeGreaterThan(5)
  })

  it('takes both Unicode spellings of a password for one', async () => {
    const salt = SALT.map(byte => byte + 16)
    const decomposed = 'Pa\u0308ssword \u20bf'
    expect(toUtf8(decomposed)).toHaveLength(14)
    expect(toHex(await derivePasswordKey(decomposed, salt, STANDARD_COST))).toBe(
      'e162027fab1a1d950a71c9b1c0c3c41d89b31345a5efb4d2b7d989f6fc79d3da',
    )
  })

  it('refuses a cost below the floor before doing any work', async () => {
    const weak = { ...COST_FLOOR, memoryKib: COST_FLOOR.memoryKib - 1 }
    await expect(derivePasswordKey(PASSWORD, SALT, weak)).rejects.toThrow(RangeError)
  })
})

describe('isAllowedCost', () => {
  const MIB = 1024
  it.each([
    ['the floor', 32 * MIB, 3, 1, true],
    ['the standard', 64 * MIB, 3, 1, true],
    ['the most memory', 256 * MIB, 4, 1, true],
    ['the most passes', 32 * MIB, 32, 1, true],
    ['too little memory', 32 * MIB - 1, 3, 1, false],
    ['too few passes', 1024 * MIB, 2, 1, false],
    ['little memory with many passes', 16 * MIB, 6, 1, false],
    ['memory that a worker does not have', 256 * MIB + 1, 3, 1, false],
    ['four terabytes', 2 ** 32, 3, 1, false],
    ['minutes of work', 256 * MIB, 5, 1, false],
    ['endless passes', 32 * MIB, 2 ** 32, 1, false],
    ['several lanes', 64 * MIB, 3, 4, false],
    ['no lane', 64 * MIB, 3, 0, false],
    ['half a pass', 64 * MIB, 3.5, 1, false],
    ['no number', Number.NaN, 3, 1, false],
    ['infinity', Number.POSITIVE_INFINITY, 3, 1, false],
  ])('decides on %s', (_, memoryKib, passes, lanes, allowed) => {
    expect(isAllowedCost({ memoryKib, passes, lanes })).toBe(allowed)
  })
})

describe('isWeakerCost', () => {
  it('calls less memory or fewer passes weaker, and more of either not', () => {
    expect(isWeakerCost(COST_FLOOR, STANDARD_COST)).toBe(true)
    expect(isWeakerCost({ ...COST_FLOOR, passes: 9 }, STANDARD_COST)).toBe(true)
    expect(isWeakerCost(STANDARD_COST, STANDARD_COST)).toBe(false)
    expect(isWeakerCost({ ...STANDARD_COST, passes: 4 }, STANDARD_COST)).toBe(false)
  })
})
