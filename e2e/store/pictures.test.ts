import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makePicturePage } from './picture-page.ts'
import { assertPicture } from './picture-size.ts'

const icon = readFileSync(join(import.meta.dirname, '../../public/icons/48.png'))
const PARTS = { kind: 'popup', language: 'en', theme: 'dark', text: 'Text', screen: icon } as const

describe('a picture for the stores', () => {
  it('has its words as text, and loads nothing from elsewhere', () => {
    const page = makePicturePage({ ...PARTS, title: '<b> & "c"' })
    expect(page).toContain('<h1>&lt;b> &amp; &quot;c&quot;</h1>')
    expect(page).toContain('data-theme="dark"')
    expect(page).toContain('--paper: light-dark(')
    expect(
      page.match(/url\("(?!data:)|src="(?!data:)|https?:(?!\/\/www\.w3\.org\/2000\/svg)/),
    ).toBe(null)
  })

  it('runs from right to left where its language does', () => {
    expect(makePicturePage({ ...PARTS, title: 'A', language: 'ar' })).toContain('dir="rtl"')
  })

  it('is taken in its size alone, and without transparency', () => {
    const size = { width: 48, height: 48 }
    const opaque = Uint8Array.from(icon)
    opaque[25] = 2
    assertPicture('a.png', opaque, size)
    expect(() => assertPicture('a.png', opaque, { ...size, height: 47 })).toThrow(
      'a.png is 48 × 48, expected 48 × 47',
    )
    opaque[25] = 6
    expect(() => assertPicture('a.png', opaque, size)).toThrow('colour type 6, expected 2')
  })
})
