import { describe, expect, it } from 'vitest'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createWorld, openPage, startUnlocked, type World } from '../testing/test-wallet.ts'
import { createOkxAlias } from './okx-alias.ts'

const recordOf = (world: World) => world.local.dump().okxAlias

/** Until what was announced, and nobody waits for, is done. */
const settle = () => new Promise(resolve => setTimeout(resolve, 10))

async function startHere() {
  const world = createWorld()
  const worker = await startUnlocked(world)
  return { world, ...worker }
}

describe('answering in the place of OKX Wallet', () => {
  it('is off, and then nothing is stored for pages to find', async () => {
    const { world, ui } = await startHere()
    expect(await ui('getOkxAlias', null)).toEqual({ everywhere: false, origins: [] })
    expect(world.local.dump()).not.toHaveProperty('okxAlias')
  })

  it('is switched on for a site by any address of it, once, the newest first', async () => {
    const { world, ui } = await startHere()
    await ui('setOkxAlias', { origin: 'https://App.Example:443/swap?from=btc#top', on: true })
    await ui('setOkxAlias', { origin: 'http://localhost:3000', on: true })
    await ui('setOkxAlias', { origin: 'http://[0:0:0:0:0:0:0:1]:8080/', on: true })
    await ui('setOkxAlias', { origin: 'https://bücher.example', on: true })
    const origins = [
      'https://xn--bcher-kva.example',
      'http://[::1]:8080',
      'http://localhost:3000',
      'https://app.example',
    ]
    expect(recordOf(world)).toEqual({ everywhere: false, origins })
    expect(await ui('getOkxAlias', null)).toEqual({ everywhere: false, origins })
    const again = await ui('setOkxAlias', { origin: 'https://app.example/other', on: true })
    expect(again.origins).toHaveLength(4)
    expect(again.origins[0]).toBe('https://app.example')
  })

  it('keeps http and https, and every port, apart', async () => {
    const { ui } = await startHere()
    const given = ['http://app.example', 'https://app.example', 'https://app.example:8443']
    for (const origin of given) await ui('setOkxAlias', { origin, on: true })
    const { origins } = await ui('setOkxAlias', { origin: 'http://app.example/', on: false })
    expect(origins).toEqual(['https://app.example:8443', 'https://app.example'])
  })

  it('leaves no record when the last site and every site are switched off', async () => {
    const { world, ui } = await startHere()
    await ui('setOkxAlias', { origin: 'https://app.example', on: true })
    await ui('setOkxAlias', { everywhere: true })
    const kept = { everywhere: true, origins: ['https://app.example'] }
    expect(recordOf(world)).toEqual(kept)
    await ui('setOkxAlias', { everywhere: false })
    expect(recordOf(world)).toEqual({ ...kept, everywhere: false })
    await ui('setOkxAlias', { origin: 'https://app.example', on: false })
    expect(recordOf(world)).toBeUndefined()
  })

  it.each([
    'app.example',
    'ftp://app.example',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'blob:https://app.example/1',
    'chrome-extension://abcdef/',
    'null',
    'https://',
    '*',
    '',
    null,
    7,
    ['https://app.example'],
  ])('refuses %j as a site, and names the field', async origin => {
    const { world, ui } = await startHere()
    const setting = ui('setOkxAlias', { origin: origin as string, on: true })
    await expect(setting).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('origin'),
    })
    expect(recordOf(world)).toBeUndefined()
  })

  it('refuses switches that are neither on nor off', async () => {
    const { world, ui } = await startHere()
    await expect(ui('setOkxAlias', { everywhere: 'yes' as never })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('everywhere'),
    })
    const site = { origin: 'https://app.example', on: 1 as never }
    await expect(ui('setOkxAlias', site)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/\bon\b/),
    })
    expect(recordOf(world)).toBeUndefined()
  })

  it('takes a thousand sites and not one more, and still lets them go', async () => {
    const world = createWorld()
    const origins = Array.from({ length: 1000 }, (_, at) => `https://site-${at}.example`)
    await world.local.set({ okxAlias: { everywhere: false, origins } })
    const { ui } = await startUnlocked(world)
    const oneMore = ui('setOkxAlias', { origin: 'https://one-more.example', on: true })
    await expect(oneMore).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('origin'),
      data: { mostSites: 1000 },
    })
    expect((await ui('getOkxAlias', null)).origins).toEqual(origins)
    // One that is there already is not one more.
    await ui('setOkxAlias', { origin: 'https://site-999.example', on: true })
    await ui('setOkxAlias', { origin: 'https://site-0.example', on: false })
    const after = await ui('setOkxAlias', { origin: 'https://one-more.example', on: true })
    expect(after.origins).toHaveLength(1000)
  })

  it('loses none of many switches that are pressed at once', async () => {
    const { world, ui } = await startHere()
    const sites = Array.from({ length: 50 }, (_, at) => `https://site-${at}.example`)
    await Promise.all([
      ...sites.map(origin => ui('setOkxAlias', { origin, on: true })),
      ui('setOkxAlias', { everywhere: true }),
    ])
    const { everywhere, origins } = Object(recordOf(world))
    expect(everywhere).toBe(true)
    expect(new Set(origins)).toEqual(new Set(sites))
  })

  it('connects no site: a page that is named still has to ask', async () => {
    const worker = await startUnlocked()
    await worker.ui('setOkxAlias', { origin: 'https://app.example', on: true })
    await worker.ui('setOkxAlias', { everywhere: true })
    const page = openPage(worker, 'https://app.example')
    expect(await page.call('getAccounts')).toMatchObject({ result: [] })
    expect(await page.call('signMessage', 'hello')).toMatchObject({ error: { code: 4100 } })
    expect(await worker.ui('getSites', null)).toEqual([])
  })
})

describe('a record that is there', () => {
  it('costs no write while it is right', async () => {
    const written: string[] = []
    const local = createMemoryArea({}, key => written.push(key))
    const scripts = { follow: async () => {} }
    const hint = { follow: async () => {} }
    const alias = createOkxAlias({ local, hint, scripts, report: expect.unreachable })
    await alias.follow()
    expect(written).toEqual([])
    await alias.setEverywhere(true)
    await alias.follow()
    await alias.setEverywhere(true)
    expect(written).toEqual(['okxAlias'])
  })

  it('of an earlier version still counts, without what that kept besides', async () => {
    const world = createWorld()
    const kept = { everywhere: false, origins: ['https://app.example'] }
    await world.local.set({ okxAlias: { ...kept, child: 'bitcoinSignet' } })
    const { ui } = await startUnlocked(world)
    expect(await ui('getOkxAlias', null)).toEqual(kept)
    await settle()
    expect(recordOf(world)).toEqual(kept)
  })

  it('goes with the wallet, even while another network is being chosen', async () => {
    const { world, ui } = await startHere()
    await ui('setOkxAlias', { origin: 'https://app.example', on: true })
    await Promise.all([
      ui('selectNetwork', { network: 'testnet4' }),
      ui('resetWallet', { confirmation: 'erase' }),
    ])
    await settle()
    expect(recordOf(world)).toBeUndefined()
    expect(await ui('getOkxAlias', null)).toEqual({ everywhere: false, origins: [] })
  })

  it.each([
    ['nonsense', 'yes'],
    ['nothing', null],
    ['a list', [true]],
    ['fields of other types', { everywhere: 'true', origins: 'https://app.example' }],
    ['only what is no site', { everywhere: 1, origins: ['app.example', 'ftp://x', null, {}] }],
  ])('counts as off and is removed when it is %s', async (_, okxAlias) => {
    const world = createWorld()
    await world.local.set({ okxAlias })
    const { ui } = await startUnlocked(world)
    expect(await ui('getOkxAlias', null)).toEqual({ everywhere: false, origins: [] })
    await settle()
    expect(world.local.dump()).not.toHaveProperty('okxAlias')
  })

  it('is read without what cannot be an origin and without doubles', async () => {
    const world = createWorld()
    const good = ['https://b.example', 'http://localhost:3000']
    const origins = [good[0], 'https://b.example/path', 'b.example', good[0], 5, good[1]]
    await world.local.set({ okxAlias: { everywhere: true, origins } })
    const { ui } = await startUnlocked(world)
    expect(await ui('getOkxAlias', null)).toEqual({ everywhere: true, origins: good })
    await settle()
    expect(recordOf(world)).toEqual({ everywhere: true, origins: good })
  })
})
