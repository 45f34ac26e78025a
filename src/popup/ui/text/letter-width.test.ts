import { describe, expect, it } from 'vitest'
import { widthOf } from './letter-width.ts'

describe('the room that a text takes', () => {
  it('is that of two letters for each that is wide', () => {
    expect(widthOf('bc1q…f3t4')).toBe(9)
    expect(widthOf('Привет, Zoë')).toBe(11)
    expect(widthOf('Rune 1種類')).toBe(10)
    expect(widthOf('，。「」（）')).toBe(12)
    expect(widthOf('지갑')).toBe(4)
  })
})
