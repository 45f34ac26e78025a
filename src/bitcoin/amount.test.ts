import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatBtc, InvalidAmountError, MAX_SATS, parseBtc, parseSats } from './amount.ts'
import { shuffle } from './seeded-shuffle.ts'

const sats = fc.bigInt({ min: 1n, max: MAX_SATS })

describe('parseSats', () => {
  it('reads every amount exactly as number, string and bigint', () => {
    fc.assert(
      fc.property(sats, amount => {
        expect(parseSats(amount)).toBe(amount)
        expect(parseSats(amount.toString())).toBe(amount)
        expect(parseSats(Number(amount))).toBe(amount)
      }),
      { numRuns: 10_000 },
    )
  })

  it('reads the least and the most', () => {
    expect(parseSats(1)).toBe(1n)
    expect(parseSats('2100000000000000')).toBe(2_100_000_000_000_000n)
  })

  const refused: unknown[] = [
    0,
    -1,
    0.5,
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    2 ** 53,
    2_100_000_000_000_001,
    0n,
    -1n,
    MAX_SATS + 1n,
    '',
    '0',
    '00',
    '01',
    '-1',
    '+1',
    ' 1',
    '1 ',
    '1\n',
    '1.0',
    '1e3',
    '0x10',
    '1,000',
    '1_000',
    '١',
    '2100000000000001',
    '99999999999999999999',
    null,
    undefined,
    true,
    [1],
    { valueOf: () => 1 },
  ]
  it.each(refused.map(value => [value]))('refuses %s', value => {
    expect(() => parseSats(value)).toThrow(InvalidAmountError)
  })
})

/** The digits of an amount before and after the point, by string alone. */
function digitsOf(amount: bigint): [whole: string, decimals: string] {
  const digits = amount.toString().padStart(9, '0')
  return [digits.slice(0, -8), digits.slice(-8)]
}

/** Commas between thousands, put in from the right. */
function groupThousands(whole: string): string {
  const groups: string[] = []
  for (let end = whole.length; end > 0; end -= 3)
    groups.unshift(whole.slice(Math.max(0, end - 3), end))
  return groups.join(',')
}

/** Every way to write an amount that we take. */
const WRITINGS: ((amount: bigint) => string | number)[] = [
  amount => digitsOf(amount).join('.'),
  amount => {
    const [whole, decimals] = digitsOf(amount)
    return `${groupThousands(whole)}.${decimals}`
  },
  amount => {
    const [whole, decimals] = digitsOf(amount)
    const rest = decimals.replace(/0+$/, '')
    return rest ? `${whole}.${rest}` : whole
  },
  amount => {
    const [whole, decimals] = digitsOf(amount)
    const rest = decimals.replace(/0+$/, '')
    return rest ? `${groupThousands(whole)}.${rest}` : groupThousands(whole)
  },
  amount => {
    const [whole, decimals] = digitsOf(amount)
    return whole === '0' ? `.${decimals}` : `${whole}.${decimals}`
  },
  amount => {
    const [whole, decimals] = digitsOf(amount)
    return Number(`${whole}.${decimals}`)
  },
]

/** Amounts of every length, the same ones each time. */
function* randomAmounts(count: number): Generator<[amount: bigint, random: number]> {
  let state = 1
  const randomAmount = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  for (let i = 0; i < count; i++) {
    const length = 1 + Math.floor(16 * randomAmount())
    let digits = ''
    // Runs of zeros make round amounts as usual as they are in life.
    while (digits.length < length)
      digits += randomAmount() < 0.4 ? '0' : Math.floor(10 * randomAmount())
    const amount = BigInt(digits)
    if (amount >= 1n && amount <= MAX_SATS) yield [amount, randomAmount()]
  }
}

describe('parseBtc', () => {
  it('reads a million random strings and numbers exactly', () => {
    const wrong: unknown[] = []
    let read = 0
    for (const [amount, random] of randomAmounts(1_200_000)) {
      const written = WRITINGS[Math.floor(random * WRITINGS.length)]?.(amount) ?? ''
      if (parseBtc(written) !== amount) wrong.push([written, amount])
      read++
    }
    expect(wrong.slice(0, 5)).toEqual([])
    expect(read).toBeGreaterThan(1_000_000)
  })

  it('refuses what is one character off', () => {
    const taken: string[] = []
    const strays = [
      ' ',
      '-',
      '+',
      ',',
      ',,',
      '.',
      '..',
      'e',
      'e1',
      '_',
      "'",
      '\n',
      '\u00a0',
      '\u0661',
      '0x',
      'BTC',
      '₿',
    ]
    for (const [amount, random] of randomAmounts(20_000)) {
      const written = digitsOf(amount).join('.')
      const [stray = ' '] = shuffle(strays, String(random))
      const at = Math.floor(random * (written.length + 1))
      const text = written.slice(0, at) + stray + written.slice(at)
      // A comma after the first or the fourth of the right number of digits is where it belongs.
      if (/^\d{1,3}(,\d{3})+\./.test(text)) continue
      try {
        parseBtc(text)
        taken.push(text)
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidAmountError)
      }
    }
    expect(taken).toEqual([])
  })

  it.each<[unknown, bigint]>([
    ['0.00000001', 1n],
    ['.00000001', 1n],
    [1e-8, 1n],
    [1.5e-7, 15n],
    [9.9e-7, 99n],
    [0.000001, 100n],
    ['0.01', 1_000_000n],
    ['.5', 50_000_000n],
    [0.1, 10_000_000n],
    [0.29, 29_000_000n],
    [1, 100_000_000n],
    ['1', 100_000_000n],
    ['1.10', 110_000_000n],
    ['999', 99_900_000_000n],
    ['1,000', 100_000_000_000n],
    ['1,234.5', 123_450_000_000n],
    ['20,999,999.99999999', MAX_SATS - 1n],
    ['20999999.99999999', MAX_SATS - 1n],
    [20999999.99999999, MAX_SATS - 1n],
    ['21,000,000', MAX_SATS],
    ['21000000.00000000', MAX_SATS],
    [21e6, MAX_SATS],
  ])('reads %s as %s sats', (value, amount) => {
    expect(parseBtc(value)).toBe(amount)
  })

  const refused: unknown[] = [
    0,
    -0,
    '0',
    '0.0',
    '.0',
    '0.00000000',
    -1,
    '-1',
    '+1',
    '--1',
    1e-9,
    0.1 + 0.2,
    '0.000000001',
    '0.123456789',
    '0.100000000',
    21_000_000.00000001,
    '21000000.00000001',
    '21,000,000.00000001',
    '21000001',
    '99999999',
    '999,999,999',
    1e21,
    1e300,
    Number.MAX_VALUE,
    Number.MIN_VALUE,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '',
    ' ',
    '.',
    ',',
    '1.',
    '1,',
    ',1',
    '1,.5',
    '01',
    '00.5',
    '0,001',
    '0,000.5',
    '01,000',
    '1,23',
    '1,2345',
    '12,34',
    '1234,567',
    '1,234567',
    '1,234,56',
    '1,,234',
    '1,234,567,890',
    '1.234,5',
    '0.123,456',
    ' 1',
    '1 ',
    '1\n',
    '1 000',
    '1_000',
    "1'000",
    '1\u202f000',
    '1e3',
    '1e-3',
    '1E-8',
    '0x10',
    '1n',
    '٣',
    '１',
    'NaN',
    'Infinity',
    '1 BTC',
    '₿1',
    1n,
    null,
    undefined,
    true,
    [1],
    ['1'],
    { valueOf: () => 1 },
    { toString: () => '1' },
  ]
  it.each(refused.map(value => [value]))('refuses %s and says what it expected', value => {
    expect(() => parseBtc(value)).toThrow(
      'expected BTC from 0.00000001 to 21000000 with at most 8 decimals',
    )
  })
})

describe('formatBtc', () => {
  it('is the amount divided by 10^8, to all eight decimals', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -MAX_SATS, max: MAX_SATS }), amount => {
        const text = formatBtc(amount)
        expect(text).toMatch(/^-?(0|[1-9]\d*)\.\d{8}$/)
        expect(BigInt(text.replace('.', ''))).toBe(amount)
      }),
      { numRuns: 10_000 },
    )
  })

  it.each([
    [0n, '0.00000000'],
    [1n, '0.00000001'],
    [1_020_400n, '0.01020400'],
    [29_000_000n, '0.29000000'],
    [-5n, '-0.00000005'],
    [MAX_SATS, '21000000.00000000'],
  ])('writes %s sats as %s', (amount, text) => {
    expect(formatBtc(amount)).toBe(text)
  })
})
