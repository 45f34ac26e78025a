import { describe, expect, it } from 'vitest'
import bip174 from '../../../bitcoin/testing/vectors/bip174.json' with { type: 'json' }
import { readReturnedFile, readReturnedText, UnreadableReturnError } from './returned-file.ts'

const base64 = bip174.psbts.find(({ verdict }) => verdict === 'valid')?.psbt ?? ''
const bytes = Buffer.from(base64, 'base64')
const hex = bytes.toString('hex')

describe('what comes back from a device', () => {
  it.each([
    ['base64', base64],
    ['hex', hex],
    ['hex in capitals', hex.toUpperCase()],
    ['lines of base64', `\n${base64.replace(/.{60}/g, '$&\r\n')}\n`],
  ])('is read from text in %s', (_, text) => {
    expect(readReturnedText(text)).toBe(hex)
  })

  it('is read from a file of bytes, of base64 and of hex', async () => {
    for (const content of [bytes, base64, `${hex}\n`])
      expect(await readReturnedFile(new Blob([content]))).toBe(hex)
  })

  it.each(['', 'hello there!', 'abc', '=====', '{"psbt": "00"}', `${'a'.repeat(8_000_001)}`])(
    'is refused where it is %.20s',
    text => {
      expect(() => readReturnedText(text)).toThrow(UnreadableReturnError)
    },
  )

  it('is refused as an empty or a huge file', async () => {
    await expect(readReturnedFile(new Blob([]))).rejects.toThrow(UnreadableReturnError)
    const huge = new Blob([new Uint8Array(8_000_001)])
    await expect(readReturnedFile(huge)).rejects.toThrow(UnreadableReturnError)
  })
})
