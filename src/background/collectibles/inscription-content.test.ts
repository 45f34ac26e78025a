import { describe, expect, it } from 'vitest'
import { fromBase64, toUtf8 } from '../../bitcoin/bytes.ts'
import { describeContent, describeSource } from '../../ordinals/content/content-view.ts'
import { tinyImages } from '../../ordinals/testing/tiny-images.ts'
import { hostileContents } from '../testing/hostile-contents.ts'

const TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']

describe('content that is shown', () => {
  it.each(hostileContents)('of $name is harmless', ({ contentType, bytes, allowed }) => {
    for (const preview of [true, false]) {
      const shown = describeContent({ contentType, bytes }, preview)
      if (allowed === 'placeholder') expect(shown.kind).toBe('placeholder')
      else if (allowed === 'text') {
        if (shown.kind !== 'text') throw new Error(`expected text, got ${shown.kind}`)
        expect(shown.text.length).toBeLessThanOrEqual(preview ? 600 : 20_000)
        const whole = new TextDecoder().decode(bytes)
        expect(whole.startsWith(shown.text)).toBe(true)
        expect(shown.cut).toBe(shown.text.length < whole.length)
        expect(shown.text.isWellFormed()).toBe(true)
      } else {
        if (shown.kind !== 'image') throw new Error(`expected an image, got ${shown.kind}`)
        expect(TYPES).toContain(shown.type)
        expect(fromBase64(shown.base64)).toEqual(allowed)
      }
    }
  })

  it('is tried with 50 hostile contents at least', () => {
    expect(hostileContents.length).toBeGreaterThanOrEqual(50)
  })

  it('is an image as it is, where it is one of a supported type', () => {
    for (const { type, bytes } of tinyImages) {
      const shown = describeContent({ contentType: `${type.toUpperCase()}; a=b`, bytes }, true)
      expect(shown).toMatchObject({ kind: 'image', type, width: 7, height: 5 })
      expect(fromBase64(shown.kind === 'image' ? shown.base64 : '')).toEqual(bytes)
    }
  })

  it.each([
    ['{"p":"brc-20","op":"mint","tick":"ordi","amt":"1000"}', 'mint', 'ordi', '1000'],
    ['{"p":"brc-20","op":"transfer","tick":"sats","amt":"0.5"}', 'transfer', 'sats', '0.5'],
    ['{"p":"brc-20","op":"deploy","tick":"pizza","max":"21","lim":"1"}', 'deploy', 'pizza', '21'],
    ['{"p":"brc-20","op":"mint","tick":"😀","amt":"1"}', 'mint', '😀', '1'],
  ])('is a card for %s', (text, op, tick, amount) => {
    const content = { contentType: 'text/plain;charset=utf-8', bytes: toUtf8(text) }
    expect(describeContent(content, true)).toEqual({ kind: 'brc-20', op, tick, amount, text })
    const html = { ...content, contentType: 'text/markdown' }
    expect(describeContent(html, true)).toEqual({ kind: 'text', text, cut: false })
  })

  it('can be the source of what is never shown, and is no card then', () => {
    const svg = '<svg onload="alert(1)"><script>alert(2)</script></svg>'
    expect(describeSource(toUtf8(svg))).toEqual({ kind: 'text', text: svg, cut: false })
    const card = '{"p":"brc-20","op":"mint","tick":"ordi","amt":"1000"}'
    expect(describeSource(toUtf8(card))).toEqual({ kind: 'text', text: card, cut: false })
    expect(describeSource(new Uint8Array([0xff, 0xfe]))).toEqual({
      kind: 'placeholder',
      why: 'damaged',
    })
  })

  it('says that nothing is there', () => {
    const empty = { contentType: 'text/plain', bytes: new Uint8Array() }
    expect(describeContent(empty, false)).toEqual({ kind: 'placeholder', why: 'empty' })
  })

  it('says why there is no picture', () => {
    const why = (name: string) => {
      const content = hostileContents.find(one => one.name === name)
      if (!content) throw new Error(`No ${name}`)
      const shown = describeContent(content, false)
      return shown.kind === 'placeholder' && shown.why
    }
    expect(why('svg with a script')).toBe('unsupported')
    expect(why('a PNG of 65,535 by 65,535')).toBe('too-many-pixels')
    expect(why('a GIF with a huge screen')).toBe('too-many-pixels')
    expect(why('a JPEG of 65,535 by 65,535')).toBe('too-many-pixels')
    expect(why('an AVIF of 65,536 by 65,536')).toBe('too-many-pixels')
    expect(why('an AVIF whose stream is larger than it says')).toBe('too-many-pixels')
    expect(why('a WebP of a larger picture than it says')).toBe('damaged')
    expect(why('html as PNG')).toBe('damaged')
    expect(why('text of more')).toBe('too-large')
  })
})
