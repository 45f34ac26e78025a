import { describe, expect, it } from 'vitest'
import { hasText } from './search-text.ts'

describe('a search', () => {
  it.each([
    ['Savings', 'savi'],
    ['Épargne', 'epar'],
    ['İstanbul', 'istanbul'],
    ['IŞIK', 'ışık'],
    ['ICE', 'ice'],
    ['Счёт', 'счет'],
    ['Tài khoản', ' tai khoan '],
    ['ウォレット', 'ウォ'],
    ['지갑', '지갑'],
    ['bc1p5cyxnuxmeuwuvkwfem96l', 'BC1P5CYX'],
  ])('finds %s by %j', (text, search) => {
    expect(hasText(text, search)).toBe(true)
  })

  it('does not find what has other letters', () => {
    expect(hasText('Savings', 'saving account')).toBe(false)
    expect(hasText('Счёт', 'счеты')).toBe(false)
  })
})
