import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LOOPBACK_PATTERNS, readChangeableHost } from './page-origin.ts'

describe('pages that anybody on the way can change', () => {
  it.each([
    ['http://dapp.example', 'dapp.example'],
    ['http://dapp.example:8080', 'dapp.example'],
    ['http://192.168.0.1', '192.168.0.1'],
    ['http://localhost.example', 'localhost.example'],
    ['http://notlocalhost', 'notlocalhost'],
    ['http://127.0.0.1.example', '127.0.0.1.example'],
    ['http://127.0.0.2', '127.0.0.2'],
    ['http://0.0.0.0:3000', '0.0.0.0'],
    ['http://[::2]', '[::2]'],
    ['http://[2001:db8::1]:80', '[2001:db8::1]'],
    // A trailing dot makes it another name, which only some resolvers know.
    ['http://localhost.', 'localhost.'],
  ])('are those of %s', (origin, host) => {
    expect(readChangeableHost(origin)).toBe(host)
  })

  it.each([
    'https://dapp.example',
    'http://localhost',
    'http://localhost:3000',
    'http://app.localhost:8080',
    'http://127.0.0.1:5173',
    'http://[::1]:5173',
    'null',
    '',
  ])('are not those of %s', origin => {
    expect(readChangeableHost(origin)).toBeNull()
  })

  it('have no code of the wallet: its scripts are for https and for this computer', () => {
    const { content_scripts: scripts } = JSON.parse(readFileSync('manifest.json', 'utf8'))
    expect(scripts).toHaveLength(2)
    for (const { matches } of scripts)
      expect(matches).toEqual(['https://*/*', ...LOOPBACK_PATTERNS])
  })
})
