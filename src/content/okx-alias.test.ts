import { describe, expect, it } from 'vitest'
import { wantsAliases } from './okx-alias.ts'

const origin = 'https://dapp.example'

describe('whether a page is to have the aliases', () => {
  it.each([
    [{ everywhere: true, origins: [] }],
    [{ everywhere: false, origins: [origin] }],
    [{ everywhere: false, origins: ['https://a.example', origin] }],
    // Of an earlier version.
    [{ everywhere: true, origins: [], child: null }],
    [{ everywhere: false, origins: [origin], child: 'bitcoinSignet' }],
  ])('%j: it is', record => {
    expect(wantsAliases(record, origin)).toBe(true)
  })

  it.each([
    [undefined],
    [null],
    ['okx'],
    [[]],
    [{}],
    [{ everywhere: false, origins: [] }],
    [{ everywhere: false, origins: ['https://dapp.example:8443'] }],
    [{ everywhere: false, origins: ['http://dapp.example'] }],
    [{ everywhere: false, origins: ['https://sub.dapp.example'] }],
    [{ everywhere: false, origins: origin }],
    [{ everywhere: 1, origins: [origin] }],
    [{ everywhere: true, origins: { length: 1 } }],
    [{ everywhere: true }],
  ])('%j: it is not', record => {
    expect(wantsAliases(record, origin)).toBe(false)
  })
})
