import { describe, expect, it } from 'vitest'
import {
  createWorld,
  decideNext,
  nextApproval,
  startUnlocked,
  startWorker,
  type World,
} from '../testing/test-wallet.ts'
import { connectFrom } from './testing/browser-port.ts'

const SITE = 'http://dapp.example'

/** Until what was started, and nobody waits for, is done. */
const settle = () => new Promise(resolve => setTimeout(resolve, 10))

async function startHere() {
  const world = createWorld()
  const worker = await startUnlocked(world)
  return { world, worker }
}

const connectCall = { id: '1', method: 'connect', params: [] }

describe('a plain http page', () => {
  it.each([SITE, `${SITE}:8080`, 'http://192.168.0.10', 'http://127.0.0.1.example'])(
    'of %s is refused by the background, whatever its renderer sends, and nobody is asked',
    async origin => {
      const { world, worker } = await startHere()
      const page = connectFrom(worker, origin)
      page.say(connectCall)
      page.leave()
      await settle()
      expect(page).toMatchObject({ isOpen: false, posted: [] })
      expect(await worker.ui('getApproval', null)).toBeNull()
      expect(world.window.shown).toBe(0)
    },
  )

  it.each([
    'https://dapp.example',
    'http://localhost:3000',
    'http://app.localhost',
    'http://127.0.0.1:8080',
    'http://[::1]:8080',
  ])('is not what %s is: the person is asked', async origin => {
    const { worker } = await startHere()
    const page = connectFrom(worker, origin)
    page.say(connectCall)
    expect((await nextApproval(worker, 'connect')).origin).toBe(origin)
    expect(page.isOpen).toBe(true)
  })

  it('is served where the person allows its host, on all ports of it and on no other host', async () => {
    const { worker } = await startHere()
    expect(await worker.ui('setHttpSite', { origin: `${SITE}/path`, on: true })).toEqual([
      'dapp.example',
    ])
    const page = connectFrom(worker, `${SITE}:8080`)
    page.say(connectCall)
    await decideNext(worker, 'approve', 'connect')
    await expect.poll(() => page.posted.at(-1)).toMatchObject({ id: '1', result: {} })
    for (const other of ['http://sub.dapp.example', 'http://dapp.example.evil.example']) {
      const refused = connectFrom(worker, other)
      await settle()
      expect(refused.isOpen).toBe(false)
    }
  })

  it('loses its grants, its waiting request and its connection when its host is no longer allowed', async () => {
    const { worker } = await startHere()
    await worker.ui('setHttpSite', { origin: SITE, on: true })
    const page = connectFrom(worker, SITE)
    page.say(connectCall)
    await decideNext(worker, 'approve', 'connect')
    await expect.poll(() => page.posted.at(-1)).toMatchObject({ id: '1' })
    page.say({ id: '2', method: 'signMessage', params: ['a'] })
    await nextApproval(worker, 'sign-message')
    expect(await worker.ui('setHttpSite', { origin: SITE, on: false })).toEqual([])
    await expect
      .poll(() => page.posted)
      .toContainEqual({
        id: '2',
        error: expect.objectContaining({ code: 4100 }),
      })
    expect(await worker.ui('getSites', null)).toEqual([])
    const told = page.posted.length
    page.say({ id: '3', method: 'getNetwork', params: [] })
    await settle()
    expect(page.isOpen).toBe(false)
    expect(page.posted).toHaveLength(told)
  })

  it('that asks to be connected is not any more when its host is no longer allowed', async () => {
    const { worker } = await startHere()
    await worker.ui('setHttpSite', { origin: SITE, on: true })
    const page = connectFrom(worker, `${SITE}:8080`)
    const secure = connectFrom(worker, 'https://dapp.example')
    page.say(connectCall)
    await nextApproval(worker, 'connect')
    secure.say(connectCall)
    await expect.poll(async () => (await nextApproval(worker)).total).toBe(2)
    await worker.ui('setHttpSite', { origin: SITE, on: false })
    const error = expect.objectContaining({ code: 4100 })
    await expect.poll(() => page.posted).toContainEqual({ id: '1', error })
    expect(await nextApproval(worker)).toMatchObject({ origin: 'https://dapp.example', total: 1 })
  })

  it('that is allowed leaves the grants of an https site of the same host alone when it no longer is', async () => {
    const { worker } = await startHere()
    const secure = connectFrom(worker, 'https://dapp.example')
    secure.say(connectCall)
    await decideNext(worker, 'approve', 'connect')
    await expect.poll(() => secure.posted.at(-1)).toMatchObject({ id: '1' })
    await worker.ui('setHttpSite', { origin: SITE, on: true })
    await worker.ui('setHttpSite', { origin: SITE, on: false })
    expect(await worker.ui('getSites', null)).toMatchObject([{ origin: 'https://dapp.example' }])
  })
})

describe('the scripts of allowed plain http sites', () => {
  const scriptsOf = (world: World) => world.scripting.dump()

  it('are both of the wallet, each in its world, for hosts that the browser allows as well', async () => {
    const { world, worker } = await startHere()
    world.scripting.allowed.add('http://dapp.example/*')
    await worker.ui('setHttpSite', { origin: SITE, on: true })
    await worker.ui('setHttpSite', { origin: 'http://other.example', on: true })
    const common = {
      matches: ['http://dapp.example/*'],
      runAt: 'document_start',
      persistAcrossSessions: true,
    }
    expect(world.scripting.list()).toEqual([
      { id: 'http-inpage', js: ['inpage.js'], world: 'MAIN', ...common },
      { id: 'http-content', js: ['content.js'], world: 'ISOLATED', ...common },
    ])
    world.scripting.allowed.add('http://other.example/*')
    await world.scripting.onChanged()
    expect(scriptsOf(world)['content.js']).toEqual([
      'http://dapp.example/*',
      'http://other.example/*',
    ])
    world.scripting.allowed.clear()
    await world.scripting.onChanged()
    expect(scriptsOf(world)).toEqual({})
  })

  it('come back after an update of the extension, and stand beside those of the aliases', async () => {
    const { world, worker } = await startHere()
    world.scripting.allowed.add('http://dapp.example/*').add('https://a.example/*')
    await worker.ui('setHttpSite', { origin: SITE, on: true })
    await worker.ui('setOkxAlias', { origin: 'https://a.example', on: true })
    const all = scriptsOf(world)
    expect(Object.keys(all).sort()).toEqual(['aliases-default-port.js', 'content.js', 'inpage.js'])
    await worker.ui('setOkxAlias', { origin: 'https://a.example', on: false })
    expect(Object.keys(scriptsOf(world)).sort()).toEqual(['content.js', 'inpage.js'])
    await worker.ui('setOkxAlias', { origin: 'https://a.example', on: true })
    world.scripting.forget()
    startWorker(world)
    await settle()
    expect(scriptsOf(world)).toEqual(all)
  })

  it('are gone with the wallet', async () => {
    const { world, worker } = await startHere()
    world.scripting.allowed.add('http://dapp.example/*')
    await worker.ui('setHttpSite', { origin: SITE, on: true })
    await worker.ui('resetWallet', { confirmation: 'erase' })
    expect(scriptsOf(world)).toEqual({})
    expect(world.local.dump()).not.toHaveProperty('httpSites')
  })
})

describe('the list of allowed plain http sites', () => {
  it.each([
    ['https://dapp.example', true],
    ['http://localhost:3000', true],
    ['http://', true],
    ['http://*', true],
    ['http://*.example', true],
    [7, true],
    [SITE, 'yes'],
  ])('refuses %j with %j as -32602', async (origin, on) => {
    const { worker } = await startHere()
    await expect(
      worker.ui('setHttpSite', { origin, on } as { origin: string; on: boolean }),
    ).rejects.toMatchObject({ code: -32602 })
    expect(await worker.ui('getHttpSites', null)).toEqual([])
  })

  it('counts a malformed record, and malformed hosts in it, as nothing', async () => {
    const { world, worker } = await startHere()
    await world.local.set({ httpSites: 'all' })
    expect(await worker.ui('getHttpSites', null)).toEqual([])
    await world.local.set({
      httpSites: ['a.example', '*', '*.b.example', 'localhost', 'b.example/x', 3, 'A.example'],
    })
    expect(await worker.ui('getHttpSites', null)).toEqual(['a.example'])
  })

  it('names each host once, the newest first, and holds a hundred', async () => {
    const { worker } = await startHere()
    for (let n = 0; n < 100; n++)
      await worker.ui('setHttpSite', { origin: `http://s${n}.example`, on: true })
    const list = await worker.ui('setHttpSite', { origin: 'http://s7.example', on: true })
    expect(list.slice(0, 2)).toEqual(['s7.example', 's99.example'])
    expect(list).toHaveLength(100)
    await expect(
      worker.ui('setHttpSite', { origin: 'http://more.example', on: true }),
    ).rejects.toMatchObject({ code: -32602, data: expect.objectContaining({ mostSites: 100 }) })
  })
})
