import { getProviderById, getProviders } from '@sats-connect/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createPageWallet } from './page-wallet.ts'
import { createAnnouncement } from './wbip004.ts'

type Page = { btc_providers?: unknown; wbip_providers?: unknown; satchel?: unknown }

const LISTS = ['btc_providers', 'wbip_providers'] as const
const other = { id: 'other.provider', name: 'Other' }

function announceProvider(page: object): void {
  const deps = { post() {}, page, announce: () => true }
  createAnnouncement(page, () => createPageWallet(deps))()
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the lists of providers', () => {
  it('are made where they are missing, and found by sats-connect', () => {
    const satsConnect = { request: () => {} }
    const page = { satchel: { satsConnect } }
    announceProvider(page)
    vi.stubGlobal('window', page)
    const [entry] = getProviders()
    expect(entry).toMatchObject({ id: 'satchel.satsConnect', name: 'Satchel' })
    expect(getProviderById(entry?.id ?? '')).toBe(satsConnect)
    expect(entry?.methods).toContain('wallet_connect')
    expect((page as Page).wbip_providers).toEqual([entry])
  })

  it('show an icon of less than 700 bytes that is an SVG', () => {
    const page: Page = {}
    announceProvider(page)
    const [{ icon }] = page.btc_providers as [{ icon: string }]
    expect(icon.length).toBeLessThan(700)
    const [, base64 = ''] = icon.split('data:image/svg+xml;base64,')
    const svg = Buffer.from(base64, 'base64').toString()
    expect(svg).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 64 64">.*<\/svg>$/,
    )
    expect(svg).not.toMatch(/script|href|url|on\w+=/)
  })

  it.each(LISTS)('keep what %s has, and their place', name => {
    const list = [other]
    const page: Page = { [name]: list }
    announceProvider(page)
    expect(page[name]).toBe(list)
    expect(list.map(({ id }) => id)).toEqual(['other.provider', 'satchel.satsConnect'])
  })

  it('have the wallet once, however often it comes', () => {
    const page: Page = { btc_providers: [null, undefined, other] }
    announceProvider(page)
    announceProvider(page)
    expect(page.btc_providers).toHaveLength(4)
    expect(page.wbip_providers).toHaveLength(1)
  })

  it.each([
    ['a frozen list', () => Object.freeze([other])],
    ['a text', () => 'providers'],
    ['an object', () => Object.freeze({ length: 1 })],
    ['false', () => false],
    [
      'a list that throws',
      () =>
        new Proxy([], {
          get() {
            throw new Error('trap')
          },
        }),
    ],
  ])('stay as they are where one is %s, and the other gets the wallet', (_, make) => {
    const value = make()
    const page: Page = { btc_providers: value }
    announceProvider(page)
    expect(page.btc_providers).toBe(value)
    expect(page.wbip_providers).toEqual([expect.objectContaining({ name: 'Satchel' })])
  })

  it('survive an accessor that throws, a setter, and a page that takes no new names', () => {
    const page = Object.defineProperties(
      {},
      {
        btc_providers: {
          get() {
            throw new Error('getter')
          },
        },
        wbip_providers: { get: () => undefined, set: () => expect.unreachable() },
      },
    )
    expect(() => announceProvider(page)).not.toThrow()
    expect(() => announceProvider(Object.freeze({}))).not.toThrow()
  })

  it('get the wallet again where another replaced them', () => {
    const page: Page = {}
    announceProvider(page)
    const list = [other]
    page.btc_providers = list
    announceProvider(page)
    expect(page.btc_providers).toBe(list)
    expect(list.map(({ id }) => id)).toEqual(['other.provider', 'satchel.satsConnect'])
    page.btc_providers = []
    expect(page.btc_providers).toEqual([])
  })
})
