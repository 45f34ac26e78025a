import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  multiplyTokenAmount,
  parseTokenAmount,
  subtractTokenAmount,
  sumTokenAmounts,
} from './token-amount.ts'

const free = { decimals: null, most: null }

describe('an amount of tokens that somebody typed', () => {
  it('is taken as it is inscribed: without blanks and without trailing zeros', () => {
    expect(parseTokenAmount(' 1 000.50 ', free)).toEqual({ amount: '1000.5' })
    expect(parseTokenAmount('0007', free)).toEqual({ amount: '7' })
  })
  it('is no amount with a comma, a sign, an exponent or letters, and says why', () => {
    expect(parseTokenAmount('1,5', free)).toEqual({ error: expect.stringContaining('comma') })
    for (const text of ['-1', '+1', '1e3', 'all', '.5', '1.', '0x10'])
      expect(parseTokenAmount(text, free)).toEqual({
        error: expect.stringContaining('not an amount'),
      })
  })
  it('has no more digits after the point than the token', () => {
    expect(parseTokenAmount('1.25', { decimals: 2, most: null })).toEqual({ amount: '1.25' })
    expect(parseTokenAmount('1.251', { decimals: 2, most: null })).toEqual({
      error: 'At most 2 digits after the decimal point.',
    })
    expect(parseTokenAmount('1.5', { decimals: 0, most: null })).toEqual({
      error: 'This token has no decimals: whole ones only.',
    })
  })
  it('is above zero and not above what is available', () => {
    expect(parseTokenAmount('0', free)).toEqual({ error: 'It has to be more than zero.' })
    expect(parseTokenAmount('1000', { decimals: 18, most: '1000' })).toEqual({ amount: '1000' })
    expect(parseTokenAmount('1000.000000000000000001', { decimals: 18, most: '1000' })).toEqual({
      error: 'You have 1,000 available.',
    })
    expect(parseTokenAmount('1', { decimals: 18, most: '0' })).toEqual({
      error: 'You have 0 available.',
    })
  })
  it('is one or says why not, whatever was typed', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        const read = parseTokenAmount(text, free)
        expect('amount' in read ? /^\d+(\.\d*[1-9])?$/.test(read.amount) : read.error !== '').toBe(
          true,
        )
      }),
    )
  })
})

describe('sums of tokens', () => {
  it('keep every digit, where floating point would not', () => {
    expect(sumTokenAmounts(['0.1', '0.2', '0'])).toBe('0.3')
    expect(sumTokenAmounts(['123456789012345.678901', '0.000000000000000001'])).toBe(
      '123456789012345.678901000000000001',
    )
    expect(multiplyTokenAmount('1000.000000000000000001', 24)).toBe('24000.000000000000000024')
  })
  it('leave nothing rather than less than nothing', () => {
    expect(subtractTokenAmount('21000000', '20999999.5')).toBe('0.5')
    expect(subtractTokenAmount('1', '2')).toBe('0')
    expect(subtractTokenAmount('0', '0')).toBe('0')
  })
})
