import { describe, expect, it } from 'vitest'
import { listForeignLetters } from './ticker-notice.tsx'

describe('a ticker that may pass for another', () => {
  it('has Latin letters and others', () => {
    expect(listForeignLetters('\u043erdi')).toEqual(['U+043E'])
    expect(listForeignLetters('\uff53at')).toEqual([])
    expect(listForeignLetters('s\u03b1t')).toEqual(['U+03B1'])
  })
  it('is not one of a single alphabet, with digits, signs or pictures', () => {
    for (const tick of ['ordi', '$OG$', 'é\u00dfx', '\u5f00\u4e00', '\u043e\u0440', '😀', 'a1-2'])
      expect(listForeignLetters(tick)).toEqual([])
  })
})
