import { describe, expect, it } from 'vitest'
import { createWorld, startUnlocked, startWorker, type World } from '../testing/test-wallet.ts'

const EVERY_SITE = ['http://*.localhost/*', 'http://127.0.0.1/*', 'https://*/*']

/** Until what was started, and nobody waits for, is done. */
const settle = () => new Promise(resolve => setTimeout(resolve, 10))

async function startHere(...allowed: string[]) {
  const world = createWorld()
  allow(world, ...allowed)
  const worker = await startUnlocked(world)
  return { world, ...worker }
}

function allow(world: World, ...patterns: string[]): void {
  for (const pattern of patterns) world.scripting.allowed.add(pattern)
}

/** What the browser runs before page code. */
const scriptsOf = (world: World) => world.scripting.dump()

describe('the scripts by which aliases are there before page code', () => {
  it('are none while the switches are off, whatever the browser allows', async () => {
    const { world } = await startHere(...EVERY_SITE)
    await settle()
    expect(world.scripting.changes).toBe(0)
  })

  it('are one for all sites that are switched on and allowed, in the world of the page, for good', async () => {
    const { world, ui } = await startHere('https://a.example/*', 'https://b.example/*')
    for (const name of ['a', 'b', 'c'])
      await ui('setOkxAlias', { origin: `https://${name}.example`, on: true })
    expect(world.scripting.list()).toEqual([
      {
        id: 'default-port',
        js: ['aliases-default-port.js'],
        matches: ['https://b.example/*', 'https://a.example/*'],
        runAt: 'document_start',
        world: 'MAIN',
        persistAcrossSessions: true,
      },
    ])
    await ui('setOkxAlias', { origin: 'https://a.example', on: false })
    expect(scriptsOf(world)).toEqual({ 'aliases-default-port.js': ['https://b.example/*'] })
    await ui('setOkxAlias', { origin: 'https://b.example', on: false })
    expect(scriptsOf(world)).toEqual({})
  })

  it('name the port of a site that has one, and never take in a whole host for it', async () => {
    const { world, ui } = await startHere('http://localhost/*', 'https://a.example/*')
    await ui('setOkxAlias', { origin: 'http://localhost:3000', on: true })
    await ui('setOkxAlias', { origin: 'https://a.example:8443', on: true })
    await ui('setOkxAlias', { origin: 'https://a.example:443', on: true })
    expect(scriptsOf(world)).toEqual({
      'aliases.js': ['http://localhost:3000/*', 'https://a.example:8443/*'],
      'aliases-default-port.js': ['https://a.example/*'],
    })
  })

  it('are for every site when that is switched on and allowed, else for those one by one', async () => {
    const { world, ui } = await startHere('https://a.example/*')
    await ui('setOkxAlias', { origin: 'https://a.example', on: true })
    await ui('setOkxAlias', { everywhere: true })
    expect(scriptsOf(world)).toEqual({ 'aliases-default-port.js': ['https://a.example/*'] })
    allow(world, ...EVERY_SITE)
    await world.scripting.onChanged()
    expect(scriptsOf(world)).toEqual({ 'aliases.js': EVERY_SITE })
    await ui('setOkxAlias', { everywhere: false })
    expect(scriptsOf(world)).toEqual({ 'aliases-default-port.js': ['https://a.example/*'] })
  })

  it('come and go when the person allows and takes back in the browser', async () => {
    const { world, ui } = await startHere()
    await ui('setOkxAlias', { origin: 'https://a.example', on: true })
    expect(scriptsOf(world)).toEqual({})
    allow(world, 'https://a.example/*')
    await world.scripting.onChanged()
    expect(scriptsOf(world)).toEqual({ 'aliases-default-port.js': ['https://a.example/*'] })
    world.scripting.allowed.clear()
    await world.scripting.onChanged()
    expect(scriptsOf(world)).toEqual({})
    expect((await ui('getOkxAlias', null)).origins).toEqual(['https://a.example'])
  })

  it('are there again after the browser forgot them for an update', async () => {
    const { world, ui } = await startHere('https://a.example/*')
    await ui('setOkxAlias', { origin: 'https://a.example', on: true })
    world.scripting.forget()
    startWorker(world)
    await settle()
    expect(scriptsOf(world)).toEqual({ 'aliases-default-port.js': ['https://a.example/*'] })
  })

  it('go at the next start where a worker died between the record and them', async () => {
    const { world, ui } = await startHere('https://a.example/*')
    await ui('setOkxAlias', { origin: 'https://a.example', on: true })
    await world.local.remove('okxAlias')
    startWorker(world)
    await settle()
    expect(scriptsOf(world)).toEqual({})
  })

  it('are left alone by a worker that finds them right', async () => {
    const { world, ui } = await startHere('https://a.example/*', 'https://b.example/*')
    await ui('setOkxAlias', { origin: 'https://a.example', on: true })
    await ui('setOkxAlias', { origin: 'https://b.example:81', on: true })
    const { changes } = world.scripting
    startWorker(world)
    await settle()
    expect(world.scripting.changes).toBe(changes)
  })

  it('go with the wallet', async () => {
    const { world, ui } = await startHere(...EVERY_SITE)
    await ui('setOkxAlias', { everywhere: true })
    await ui('resetWallet', { confirmation: 'erase' })
    expect(scriptsOf(world)).toEqual({})
  })

  it('are in no plain http page: where one is allowed, the aliases come later', async () => {
    const { world, ui } = await startHere('http://a.example/*', 'https://b.example/*')
    await ui('setHttpSite', { origin: 'http://a.example', on: true })
    await ui('setOkxAlias', { origin: 'http://a.example', on: true })
    await ui('setOkxAlias', { origin: 'https://b.example', on: true })
    const { 'aliases-default-port.js': matches } = scriptsOf(world)
    expect(matches).toEqual(['https://b.example/*'])
  })

  it('leave out a host that the browser has no pattern for, and keep the others', async () => {
    const { world, ui } = await startHere('https://a.example/*')
    await ui('setOkxAlias', { origin: 'https://a.example', on: true })
    await ui('setOkxAlias', { origin: 'http://[::1]:3000', on: true })
    expect(scriptsOf(world)).toEqual({ 'aliases-default-port.js': ['https://a.example/*'] })
  })

  it('that the browser refuses leave the switch on, for the slower way', async () => {
    const { world, ui, logged } = await startHere(...EVERY_SITE)
    world.scripting.fault = new Error('No room')
    expect(await ui('setOkxAlias', { everywhere: true })).toMatchObject({ everywhere: true })
    expect(logged).toEqual([['Background', world.scripting.fault]])
    expect(world.local.dump()).toMatchObject({ okxAlias: { everywhere: true } })
    world.scripting.fault = null
    startWorker(world)
    await settle()
    expect(scriptsOf(world)).toEqual({ 'aliases.js': EVERY_SITE })
  })

  it('are right after many switches and changes of leave at once', async () => {
    const { world, ui } = await startHere()
    const sites = Array.from({ length: 30 }, (_, at) => `https://site-${at}.example`)
    await Promise.all(
      sites.flatMap((origin, at) => [
        ui('setOkxAlias', { origin, on: true }),
        (async () => {
          allow(world, `${origin}/*`)
          await world.scripting.onChanged()
        })(),
        ...(at % 2 ? [ui('setOkxAlias', { origin, on: false })] : []),
      ]),
    )
    const on = sites.filter((_, at) => at % 2 === 0).map(origin => `${origin}/*`)
    expect(scriptsOf(world)).toEqual({ 'aliases-default-port.js': on.sort() })
  })
})
