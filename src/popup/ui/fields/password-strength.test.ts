import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateBits, ratePassword } from './password-strength.ts'

describe('a password', () => {
  it('is refused below eight characters, saying how many are missing', () => {
    expect(ratePassword('')).toEqual({ level: 0, hint: '8 more characters' })
    expect(ratePassword('a1b2c3d')).toEqual({ level: 0, hint: '1 more character' })
  })
  it.each(['password', '12345678', 'aaaaaaaaaaaaaaaa', 'abcdefghijkl', 'qwertyui'])(
    'is weak when it is among the first that are tried: %s',
    password => {
      expect(ratePassword(password).level).toBe(1)
    },
  )
  it.each(['correct horse battery staple', 'V8#mq2!tLx0zRw'])('can be strong: %s', password => {
    expect(ratePassword(password).level).toBeGreaterThanOrEqual(3)
  })
  it('never gets worse by a longer ending of fresh letters', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), password => {
        expect(estimateBits(`${password}Ŝkq`)).toBeGreaterThanOrEqual(estimateBits(password))
      }),
    )
  })
})
