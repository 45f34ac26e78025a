import { describe, expect, it } from 'vitest'
import { InvalidServerUrlError, parseServerUrl } from './http.ts'

describe('a server address', () => {
  it.each([
    ['https://mempool.space/api', 'https://mempool.space/api'],
    [' https://mempool.space/api/ ', 'https://mempool.space/api'],
    ['http://127.0.0.1:18480/api', 'http://127.0.0.1:18480/api'],
    ['http://localhost:3000', 'http://localhost:3000'],
  ])('%s is taken', (text, url) => {
    expect(parseServerUrl(text)).toBe(url)
  })

  it.each([
    'mempool.space',
    'http://mempool.space/api',
    'http://127.0.0.1.evil.example/api',
    'http://127.0.0.1@evil.example/api',
    'https://user:secret@mempool.space/api',
    'https://mempool.space/api?key=1',
    'https://mempool.space/api#part',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'ftp://mempool.space',
    '',
  ])('%s is refused', text => {
    expect(() => parseServerUrl(text)).toThrow(InvalidServerUrlError)
  })
})
