import { describe, expect, it } from 'vitest'
import { fromHex, toUtf8 } from '../../bitcoin/bytes.ts'
import { parseAtomicalFile } from './atomical-file.ts'
import { type CborValue, decodePayload } from './atomical-payload.ts'

const [ONE, TWO] = [Uint8Array.of(1), Uint8Array.of(2)]

function fileOf(...entries: [CborValue, CborValue][]) {
  return parseAtomicalFile(new Map(entries))
}

describe('the file of a mint', () => {
  it('is bytes under their name', () => {
    // { "args": { "time": 1 }, "image.png": h'0102' }
    const payload = decodePayload(fromHex('a26461726773a16474696d650169696d6167652e706e67420102'))
    expect(payload && parseAtomicalFile(payload)).toEqual({
      name: 'image.png',
      contentType: 'image/png',
      bytes: Uint8Array.of(1, 2),
    })
  })

  it.each(['$b', '$d'])('is bytes under %s with a content type', key => {
    const file = new Map<CborValue, CborValue>([
      ['$ct', 'Image/WebP; q=1'],
      [key, ONE],
    ])
    expect(fileOf(['picture', file])).toEqual({
      name: 'picture',
      contentType: 'image/webp',
      bytes: ONE,
    })
  })

  it.each([
    ['a.JPG', 'image/jpeg'],
    ['a.b.svg', 'image/svg+xml'],
    ['read.me.txt', 'text/plain'],
    ['song.mp3', 'audio/mpeg'],
    ['png', null],
    ['a.constructor', null],
    ['', null],
  ])('named %s is of type %s where none is told', (name, contentType) => {
    expect(fileOf([name, ONE])).toEqual({ name, contentType, bytes: ONE })
    const nonsense = new Map<CborValue, CborValue>([
      ['$ct', 'no type'],
      ['$b', ONE],
    ])
    expect(fileOf([name, nonsense])?.contentType).toBe(contentType)
  })

  it('is what the arguments call main, else the first picture, else the first file', () => {
    const files: [CborValue, CborValue][] = [
      ['a.txt', toUtf8('a')],
      ['b.png', ONE],
      ['c.gif', TWO],
    ]
    const main = (name: CborValue): [CborValue, CborValue] => ['args', new Map([['main', name]])]
    expect(fileOf(...files)?.name).toBe('b.png')
    expect(fileOf(...files.slice(0, 1))?.name).toBe('a.txt')
    expect(fileOf(main('c.gif'), ...files)?.name).toBe('c.gif')
    expect(fileOf(main('d.gif'), ...files)?.name).toBe('b.png')
  })

  it('is none of other things', () => {
    expect(fileOf()).toBeNull()
    expect(fileOf(['args', ONE], ['meta', ONE], ['ctx', ONE], ['init', ONE])).toBeNull()
    expect(fileOf([1n, ONE], [ONE, ONE], ['a.png', 'text'], ['b.png', [ONE]])).toBeNull()
    expect(fileOf(['a.png', new Map([['$ct', 'image/png']])])).toBeNull()
    expect(fileOf([`${'a'.repeat(252)}.png`, ONE])).toBeNull()
    const many = Array.from({ length: 100 }, (_, i): [CborValue, CborValue] => [BigInt(i), ONE])
    expect(fileOf(...many, ['a.png', ONE])).toBeNull()
  })
})
