import { describe, expect, it } from 'vitest'
import { tagOrigin } from '../provider/okx-alias.ts'
import { isHintAt } from './okx-alias.ts'

const origin = 'https://dapp.example'

describe('whether a hint says that a page may be one with aliases', () => {
  it.each([
    ['alias.a', '*'],
    ['alias.a', [tagOrigin('alias.a', origin)]],
    ['alias.b', ['zz', tagOrigin('alias.b', origin)]],
  ])('%s: %j: it does', (key, tags) => {
    expect(isHintAt(origin, key, tags)).toBe(true)
  })

  it.each([
    ['alias.a', []],
    ['alias.a', {}],
    ['alias.a', null],
    ['alias.a', undefined],
    ['alias.a', true],
    ['alias.a', tagOrigin('alias.a', origin)],
    ['alias.b', [tagOrigin('alias.a', origin)]],
    ['alias.a', [tagOrigin('alias.a', 'https://dapp.example:8443')]],
    ['alias.a', [tagOrigin('alias.a', 'http://dapp.example')]],
  ])('%s: %j: it does not', (key, tags) => {
    expect(isHintAt(origin, key, tags)).toBe(false)
  })
})

describe('the tag of a site', () => {
  // Of the FNV authors' test suite: the 32-bit FNV-1a of these texts; a tag is its first byte and its last, exclusive-or.
  it.each([
    ['', '', 0x811c9dc5],
    ['', 'a', 0xe40c292c],
    ['foo', 'bar', 0xbf9cf968],
  ])('of %j and %j is as published', (salt, text, hash) => {
    const tag = (hash >>> 24) ^ (hash & 255)
    expect(tagOrigin(salt, text)).toBe(tag.toString(16).padStart(2, '0'))
  })

  it('is that of about every 256th other site, so that it tells of none', () => {
    const tag = tagOrigin('alias.a', origin)
    const sites = Array.from({ length: 25_600 }, (_, at) => `https://site-${at}.example`)
    const same = sites.filter(site => tagOrigin('alias.a', site) === tag)
    expect(same.length).toBeGreaterThan(50)
    expect(same.length).toBeLessThan(200)
  })
})
