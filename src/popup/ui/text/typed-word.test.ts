import { describe, expect, it } from 'vitest'
import { isTypedWord } from './typed-word.ts'

describe('a word that confirms', () => {
  it('is taken in capitals, by the rules of the language', () => {
    expect(isTypedWord(' Delete ', 'delete', 'en')).toBe(true)
    expect(isTypedWord('SİL', 'sil', 'tr')).toBe(true)
    expect(isTypedWord('SIL', 'sil', 'tr')).toBe(false)
  })
  it('is taken with its marks composed or apart', () => {
    expect(isTypedWord('bru\u0302ler', 'br\u00fbler', 'fr')).toBe(true)
  })
  it('is no other word', () => {
    expect(isTypedWord('', 'delete', 'en')).toBe(false)
    expect(isTypedWord('delet', 'delete', 'en')).toBe(false)
  })
})
