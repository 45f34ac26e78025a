import { describe, expect, it } from 'vitest'
import { parseOkxAlias } from './okx-alias.ts'

const origin = 'https://dapp.example'

describe('what a page is told of window.okxwallet', () => {
  it.each([
    [{ everywhere: true, origins: [], child: null }, { child: null }],
    [{ everywhere: true, origins: [], child: 'bitcoinSignet' }, { child: 'bitcoinSignet' }],
    [{ everywhere: false, origins: [origin], child: null }, { child: null }],
    [
      { everywhere: false, origins: ['https://a.example', origin], child: 'bitcoinTestnet' },
      { child: 'bitcoinTestnet' },
    ],
  ])('%j: it is wanted here', (record, alias) => {
    expect(parseOkxAlias(record, origin)).toEqual(alias)
  })

  it.each([
    [undefined],
    [null],
    ['okx'],
    [[]],
    [{}],
    [{ everywhere: false, origins: [], child: null }],
    [{ everywhere: false, origins: ['https://dapp.example:8443'], child: null }],
    [{ everywhere: false, origins: ['http://dapp.example'], child: null }],
    [{ everywhere: false, origins: ['https://sub.dapp.example'], child: null }],
    [{ everywhere: false, origins: origin, child: null }],
    [{ everywhere: 1, origins: [origin], child: null }],
    [{ everywhere: true, origins: { length: 1 }, child: null }],
    [{ everywhere: true, origins: [] }],
    [{ everywhere: true, origins: [], child: 'bitcoin' }],
  ])('%j: nothing', record => {
    expect(parseOkxAlias(record, origin)).toBe(null)
  })
})
