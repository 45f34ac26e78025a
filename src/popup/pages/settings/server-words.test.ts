import { describe, expect, it } from 'vitest'
import { nameHost } from '../../ui/text/names.ts'
import { describeAnswer, isServerAddress } from './server-words.ts'

describe('the address of a server', () => {
  it.each([
    'https://mempool.space/api',
    'https://node.example:3002',
    'http://127.0.0.1:18480/api',
    'http://localhost:3000',
  ])('%s may be asked', text => expect(isServerAddress(text)).toBe(true))

  it.each([
    '',
    'mempool.space',
    'http://mempool.space/api',
    'http://127.0.0.1.example/api',
    'ftp://127.0.0.1/',
    'javascript:alert(1)',
    'https://',
  ])('%j may not', text => expect(isServerAddress(text)).toBe(false))

  it('is shown by its host and port', () => {
    expect(nameHost('https://node.example:3002/api')).toBe('node.example:3002')
    expect(nameHost('no address')).toBe('no address')
  })
})

describe('what a server answered', () => {
  it('is told without what is not known', () => {
    expect(describeAnswer({ height: 812345, latencyMs: 84.6 })).toBe(
      'Block 812,345\u00a0· 85\u00a0ms',
    )
    expect(describeAnswer({ height: null, latencyMs: 12 })).toBe('12\u00a0ms')
    expect(describeAnswer({ height: null, latencyMs: null })).toBe('')
  })
})
