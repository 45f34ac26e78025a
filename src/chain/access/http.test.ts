import { describe, expect, it } from 'vitest'
import { asJson, startScriptedServer } from '../testing/scripted-server.ts'
import { AnswerTooLongError, parseServerUrl, sendRequest } from './http.ts'
import { InvalidServerUrlError } from './invalid-server-url.ts'

describe('a request', () => {
  it('carries the headers that it is given, and otherwise plain text', async () => {
    const server = await startScriptedServer()
    try {
      server.say({
        '/': (body, { accept, 'content-type': type }) => asJson({ accept, type, body }),
      })
      const send = async (request: object) =>
        JSON.parse((await sendRequest(server.url, request)).body)
      const json = 'application/json'
      expect(await send({ accept: json })).toEqual({ accept: json, body: '' })
      expect(await send({ method: 'POST', body: '[]', contentType: json })).toMatchObject({
        type: json,
        body: '[]',
      })
      expect(await send({ method: 'POST', body: '00' })).toMatchObject({ type: 'text/plain' })
    } finally {
      await server.close()
    }
  })

  it('is answered with bytes, their type and their text, up to its limit', async () => {
    const server = await startScriptedServer()
    try {
      const bytes = Uint8Array.of(0xc3, 0xa4, 0xff)
      server.say({ '/': { body: bytes, headers: { 'content-type': 'image/gif' } } })
      const answer = await sendRequest(server.url, { maxBytes: 3 })
      expect(answer).toMatchObject({ bytes, body: 'ä\ufffd', contentType: 'image/gif' })
      await expect(sendRequest(server.url, { maxBytes: 2 })).rejects.toThrow(AnswerTooLongError)
    } finally {
      await server.close()
    }
  })
})

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
