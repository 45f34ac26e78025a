import { describe, expect, it } from 'vitest'
import { ratePassword } from './new-password.tsx'
import { scorePassword } from './password-strength.ts'

const rate = (password: string) => ratePassword(password, scorePassword)

describe('a password', () => {
  it('is refused below eight characters, saying how many are missing', () => {
    expect(rate('')).toEqual({ level: 0, problem: 'short', hint: '8 more characters' })
    expect(rate('a1b2c3d')).toEqual({ level: 0, problem: 'short', hint: '1 more character' })
    // A pair of surrogates is one character.
    expect(rate('😀'.repeat(7))).toMatchObject({ problem: 'short' })
  })

  it.each([
    'password',
    '12345678',
    'aaaaaaaaaaaaaaaa',
    'abcdefghijkl',
    'qwertyui',
    'P@ssw0rd',
    'Passwort1',
    'bitcoin123',
    'Satoshi21',
    '19840512',
  ])('is refused when it is among the first that are tried: %s', password => {
    expect(rate(password)).toMatchObject({ level: 1, problem: 'weak' })
  })

  it('that is only fair is taken, and said to be so', () => {
    expect(rate('geheimnis kiste')).toMatchObject({ problem: null })
    expect(rate('x9!kQ2#m')).toMatchObject({ level: 2, problem: null })
  })

  it.each(['correct horse battery staple', 'V8#mq2!tLx0zRw'])('can be strong: %s', password => {
    expect(rate(password)).toMatchObject({ level: 4, problem: null })
  })

  it('can have many thousand characters', () => {
    // Rated as a whole it would take minutes.
    expect(rate('ab1'.repeat(20_000))).toEqual(rate('ab1'.repeat(40_000)))
  })
})
