import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import german from '../../../../public/_locales/de/messages.json'
import english from '../../../../public/_locales/en/messages.json'
import french from '../../../../public/_locales/fr/messages.json'
import japanese from '../../../../public/_locales/ja/messages.json'
import { takeMessages } from '../../platform/words.ts'
import { spellTyped } from './nearest-words.tsx'

afterEach(() => takeMessages('en', english))

describe('a mistyped word', () => {
  it('stands in the quotation marks of the language', () => {
    expect(spellTyped('abnadon')).toBe('“abnadon”')
    takeMessages('de', german)
    expect(spellTyped('abnadon')).toBe('„abnadon“')
    takeMessages('fr', french)
    expect(spellTyped('abnadon')).toBe('«\u00a0abnadon\u00a0»')
    takeMessages('ja', japanese)
    expect(spellTyped('abnadon')).toBe('「abnadon」')
  })

  it('has what cannot be seen spelled out, and is cut where it is long', () => {
    expect(spellTyped('ab\u200bout')).toBe('“ab[U+200B]out”')
    expect(spellTyped('a'.repeat(40))).toBe(`“${'a'.repeat(30)}”`)
  })
})

describe('the code of the screens', () => {
  it('has no quotation marks of its own: they are in the words', () => {
    const popup = join(import.meta.dirname, '../..')
    const marked = readdirSync(popup, { recursive: true, encoding: 'utf8' })
      .filter(path => /\.tsx?$/.test(path) && !/\.test\.|^testing/.test(path))
      .flatMap(path => {
        const code = readFileSync(join(popup, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
        return /[“”„«»「」]/.test(code) ? [path] : []
      })
    expect(marked).toEqual([])
  })
})
