import { describe, expect, it } from 'vitest'
import { fromHex, toBase64, toUtf8 } from '../../../bitcoin/bytes.ts'
import { readPsbtFile, readPsbtText } from './read-psbt.ts'

const HEX = `70736274ff${'01'.repeat(40)}`
const BYTES = fromHex(HEX)

describe('a file', () => {
  it.each([
    ['binary', BYTES],
    ['base64', toUtf8(toBase64(BYTES))],
    ['base64 in lines', toUtf8(toBase64(BYTES).replace(/.{10}/g, '$&\r\n'))],
    ['hex in capitals', toUtf8(` ${HEX.toUpperCase()}\n`)],
  ])('of a PSBT is read: %s', (_, bytes) => {
    expect(readPsbtFile(bytes)).toBe(HEX)
  })

  it.each([
    ['nothing', new Uint8Array()],
    ['a text', toUtf8('hello')],
    ['bytes that are no text', Uint8Array.of(0xff, 0xfe, 0)],
  ])('of something else is none: %s', (_, bytes) => {
    expect(readPsbtFile(bytes)).toBeNull()
  })
})

it('a text that only looks like base64 is no PSBT', () => {
  expect(readPsbtText('cHNid!!!')).toBeNull()
  expect(readPsbtText('70736274f')).toBeNull()
})
