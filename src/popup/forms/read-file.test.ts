import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contentTypeOf, pack, readFile } from './read-file.ts'

/** What streams of files hand over at once, at most. */
const PIECE = 65_536

const TEXT = new TextEncoder().encode('grüezi')

describe('a file that is inscribed', () => {
  it('is read byte for byte, and tells how far it is until all of it is there', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200_000 }), async bytes => {
        const shares: number[] = []
        expect(await readFile(new Blob([bytes]), share => shares.push(share))).toEqual(bytes)
        expect(shares.at(-1)).toBe(1)
        expect(shares).toEqual([...shares].sort((a, b) => a - b))
        if (bytes.length > PIECE) expect(shares.length).toBeGreaterThan(1)
      }),
      { numRuns: 20 },
    )
  })

  it('is compressed where that makes it smaller', async () => {
    const text = new TextEncoder().encode('to be or not to be, '.repeat(1000))
    const packed = await pack(text)
    expect(packed?.length).toBeLessThan(500)
    expect(new Uint8Array(gunzipSync(packed ?? new Uint8Array()))).toEqual(text)
    expect(await pack(new Uint8Array(randomBytes(1000)))).toBeNull()
  })

  it('has the type that the browser knows, in its plain form', () => {
    expect(contentTypeOf({ name: 'a.bin', type: 'image/PNG' }, TEXT)).toBe('image/png')
  })

  it('has the type of its ending where the browser knows none', () => {
    expect(contentTypeOf({ name: 'Model.GLB', type: '' }, TEXT)).toBe('model/gltf-binary')
    expect(contentTypeOf({ name: 'what.is-this', type: '' }, TEXT)).toBe('application/octet-stream')
    expect(contentTypeOf({ name: 'constructor', type: '' }, TEXT)).toBe('application/octet-stream')
  })

  it('says that text is UTF-8 only where it is', () => {
    expect(contentTypeOf({ name: 'a.txt', type: 'text/plain' }, TEXT)).toBe(
      'text/plain;charset=utf-8',
    )
    const latin = Uint8Array.of(0x67, 0x72, 0xfc)
    expect(contentTypeOf({ name: 'a.txt', type: 'text/plain' }, latin)).toBe('text/plain')
  })
})
