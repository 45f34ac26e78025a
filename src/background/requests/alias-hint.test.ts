import { describe, expect, it } from 'vitest'
import { isHintAt } from '../../content/okx-alias.ts'
import { crashAfter, createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createWorld, startUnlocked, startWorker } from '../testing/test-wallet.ts'

const SITE = 'https://app.example'
const OTHER = 'https://other.example'
/** As a content script reads it. */
const mayHaveAliases = (hints: object, origin: string) =>
  Object.entries(hints).some(([key, tags]) => isHintAt(origin, key, tags))

const settle = () => new Promise(resolve => setTimeout(resolve, 10))

async function startHere() {
  const world = createWorld()
  const worker = await startUnlocked(world)
  return { world, ...worker }
}

describe('what content scripts can read', () => {
  it('is nothing while no site has aliases, before and after', async () => {
    const { world, ui } = await startHere()
    expect(world.sync.dump()).toEqual({})
    await ui('setOkxAlias', { origin: SITE, on: true })
    expect(Object.keys(world.sync.dump())).toHaveLength(1)
    await ui('setOkxAlias', { origin: SITE, on: false })
    expect(world.sync.dump()).toEqual({})
    expect(world.local.dump()).not.toHaveProperty('aliasHint')
  })

  it('hints at a site, without its name, and the background decides by its origin', async () => {
    const { world, ui, wallet } = await startHere()
    await ui('setOkxAlias', { origin: SITE, on: true })
    expect(mayHaveAliases(world.sync.dump(), SITE)).toBe(true)
    expect(JSON.stringify(world.sync.dump())).not.toContain('app.example')
    expect(await wallet.okxAlias.isFor(SITE)).toBe(true)
    for (const origin of [
      OTHER,
      `${SITE}:8443`,
      'null',
      undefined,
      [SITE],
      { toString: () => SITE },
    ])
      expect(await wallet.okxAlias.isFor(origin)).toBe(false)
  })

  it('does not tell in which order sites were added, nor how many beyond their tags', async () => {
    const sites = Array.from({ length: 40 }, (_, at) => `https://site-${at}.example`)
    const world = createWorld()
    await world.local.set({
      aliasHint: 'alias.00',
      okxAlias: { everywhere: false, origins: sites },
    })
    const turned = createWorld()
    const origins = [...sites].reverse()
    await turned.local.set({ aliasHint: 'alias.00', okxAlias: { everywhere: false, origins } })
    await Promise.all([
      startWorker(world).wallet.okxAlias.follow(),
      startWorker(turned).wallet.okxAlias.follow(),
    ])
    expect(world.sync.dump()).toEqual(turned.sync.dump())
  })

  it('leads to nothing when a page has written it', async () => {
    const { world, ui, wallet } = await startHere()
    await world.sync.set({ 'alias.forged': '*' })
    expect(mayHaveAliases(world.sync.dump(), OTHER)).toBe(true)
    expect(await wallet.okxAlias.isFor(OTHER)).toBe(false)
    expect(await ui('getOkxAlias', null)).toEqual({ everywhere: false, origins: [] })
  })

  it('is made good at the next start when a page has removed or changed it', async () => {
    const { world, ui } = await startHere()
    await ui('setOkxAlias', { everywhere: true })
    const right = world.sync.dump()
    for (const spoilt of [{}, { [Object.keys(right)[0] ?? '']: [] }]) {
      await world.sync.clear()
      await world.sync.set(spoilt)
      startWorker(world)
      await settle()
      expect(world.sync.dump()).toEqual(right)
    }
  })

  it('is made at the start where an earlier version stored only the record', async () => {
    const world = createWorld()
    await world.local.set({ okxAlias: { everywhere: false, origins: [SITE] } })
    startWorker(world)
    await settle()
    expect(mayHaveAliases(world.sync.dump(), SITE)).toBe(true)
    expect(world.local.dump().okxAlias).toEqual({ everywhere: false, origins: [SITE] })
  })

  it('has room for each of two computers with one account', async () => {
    const here = createWorld()
    const there = { ...createWorld(), sync: here.sync }
    const [one, two] = [await startUnlocked(here), await startUnlocked(there)]
    await one.ui('setOkxAlias', { origin: SITE, on: true })
    await two.ui('setOkxAlias', { origin: OTHER, on: true })
    expect(Object.keys(here.sync.dump())).toHaveLength(2)
    await two.ui('setOkxAlias', { origin: OTHER, on: false })
    expect(mayHaveAliases(here.sync.dump(), SITE)).toBe(true)
    expect(Object.keys(here.sync.dump())).toHaveLength(1)
  })

  it('goes with the wallet', async () => {
    const { world, ui } = await startHere()
    await ui('setOkxAlias', { everywhere: true })
    await ui('resetWallet', { confirmation: 'erase' })
    await settle()
    expect(world.sync.dump()).toEqual({})
  })

  it('has the site, or is made to, after a worker that was killed between any two writes', async () => {
    for (let writes = 0; writes < 4; writes++) {
      const crash = crashAfter(writes)
      let ready = false
      const guard = () => {
        if (ready) crash()
      }
      const plain = createWorld()
      const world = {
        ...plain,
        local: createMemoryArea({}, guard),
        sync: createMemoryArea({}, guard),
      }
      const { ui } = await startUnlocked(world)
      await settle()
      ready = true
      await ui('setOkxAlias', { origin: SITE, on: true }).catch(() => {})
      const next = {
        ...plain,
        local: createMemoryArea(world.local.dump()),
        sync: createMemoryArea(world.sync.dump()),
      }
      const { wallet } = startWorker(next)
      await settle()
      const isOn = await wallet.okxAlias.isFor(SITE)
      expect(isOn).toBe(writes >= 3)
      expect(mayHaveAliases(next.sync.dump(), SITE)).toBe(isOn)
      expect(Object.keys(next.sync.dump())).toHaveLength(isOn ? 1 : 0)
    }
  })
})
