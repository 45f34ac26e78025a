import { domainToUnicode } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KNOWN_SITES } from './known-sites.ts'
import { findLookAlike } from './site-likeness.ts'

const letter = fc.constantFrom(...'абвгдежзйлпфцчшщabcdexyzüöäñλσ日本語한')

const asciiOf = (host: string) => new URL(`https://${host}`).hostname

describe('a site whose name looks like a known one', () => {
  it.each([
    ['m\u0430giceden.io', 'magiceden.io'],
    ['mag\u00edceden.io', 'magiceden.io'],
    ['d\u03bftswap.app', 'dotswap.app'],
    ['xv\u0435rse.app', 'xverse.app'],
    ['u\u0578isat.io', 'unisat.io'],
    ['ma\u0581iceden.io', 'magiceden.io'],
    ['0rdinalsbot.com', 'ordinalsbot.com'],
    ['magicedem.io', 'magiceden.io'],
    ['magcieden.io', 'magiceden.io'],
    ['magiceeden.io', 'magiceden.io'],
    ['magiceden.com', 'magiceden.io'],
    ['magiceden.co.uk', 'magiceden.io'],
    ['magiceden-airdrop.io', 'magiceden.io'],
    ['claim-magiceden.xyz', 'magiceden.io'],
    ['magiceden.io.evil.com', 'magiceden.io'],
    ['magiceden.evil.com', 'magiceden.io'],
    ['www.unisat.app', 'unisat.io'],
    ['mwww.agiceden.io', 'magiceden.io'],
    ['\u043ekx.com', 'okx.com'],
    ['lurninex.io', 'luminex.io'],
  ])('is %s, for %s', (host, known) => {
    expect(findLookAlike(asciiOf(host))).toBe(known)
  })

  it.each([
    'magiceden.io',
    'www.magiceden.io',
    'MAGICEDEN.io',
    'magiceden.io.',
    'testnet.magiceden.io',
    'example.com',
    'gamer.io',
    'word.io',
    'localhost',
    'magiceden.localhost',
    '127.0.0.1',
    '[::1]',
    'bitcoin-news.example',
  ])('is not %s', host => {
    expect(findLookAlike(host)).toBeNull()
  })

  it('may be like one that the person uses, and is none once it is used itself', () => {
    expect(findLookAlike('quiethings.example', ['quietthings.example'])).toBe('quietthings.example')
    expect(
      findLookAlike('quiethings.example', ['quietthings.example', 'quiethings.example']),
    ).toBeNull()
  })

  it('is none of the list itself', () => {
    for (const site of KNOWN_SITES) {
      const others = KNOWN_SITES.filter(other => other !== site)
      expect([site, findLookAlike(site, [], others)]).toEqual([site, null])
    }
  })
})

describe('whatever the host', () => {
  it('a site and its www. and subdomains never look like it', () => {
    fc.assert(
      fc.property(fc.domain(), host => {
        for (const own of [host, `www.${host}`, `app.${host}`])
          expect(findLookAlike(own, [host], [])).toBeNull()
      }),
    )
  })

  it('letters outside ASCII are read as another decoder reads them', () => {
    fc.assert(
      fc.property(fc.string({ unit: letter, minLength: 5, maxLength: 9 }), label => {
        fc.pre(URL.canParse(`https://${label}.com`))
        const host = asciiOf(`${label}.com`)
        fc.pre(host.startsWith('xn--') && host.endsWith('.com') && host.split('.').length === 2)
        // Only the ending differs: found where the decoded names are the same.
        expect(
          findLookAlike(host, [`${domainToUnicode(host).slice(0, -4)}.net`], []),
        ).not.toBeNull()
      }),
    )
  })
})
