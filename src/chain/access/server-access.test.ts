import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Answer,
  type ScriptedServer,
  startScriptedServer,
} from '../testing/scripted-server.ts'
import { createTestAccess, problemOf } from '../testing/server-access.ts'
import { createServerAccess } from './server-access.ts'

let server: ScriptedServer

beforeAll(async () => {
  server = await startScriptedServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

const FAIL: Answer = { status: 502, body: '<html>Bad gateway</html>' }
const WELL: Answer = { body: 'well' }

describe('a server that fails', () => {
  it('is left alone for 1, 2, 4 … 60 s, and until then nobody waits for it', async () => {
    const { access, clock } = createTestAccess()
    server.say({ '/a': FAIL })
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      server.asked.length = 0
      expect(await problemOf(access.ask(`${server.url}/a`))).toEqual({
        kind: 'unreachable',
        host: server.host,
        detail: 'answered 502: <html>Bad gateway</html>',
        retryInMs: seconds * 1000,
      })
      clock.now += seconds * 1000 - 1
      expect(await problemOf(access.ask(`${server.url}/b`))).toMatchObject({
        kind: 'unreachable',
        retryInMs: 1,
      })
      expect(server.asked).toEqual(['GET /a'])
      clock.now += 1
    }
  })

  it('is asked as ever after its first success', async () => {
    const { access, clock } = createTestAccess()
    server.say({ '/a': FAIL })
    await problemOf(access.ask(`${server.url}/a`))
    clock.now += 1000
    await problemOf(access.ask(`${server.url}/a`))
    clock.now += 2000
    server.say({ '/a': WELL })
    expect(await access.ask(`${server.url}/a`)).toMatchObject({ status: 200, body: 'well' })
    server.say({ '/a': FAIL })
    expect(await problemOf(access.ask(`${server.url}/a`))).toMatchObject({ retryInMs: 1000 })
  })

  it('rests no longer where the clock is set back', async () => {
    const { access, clock } = createTestAccess()
    server.say({ '/a': FAIL, '/b': WELL })
    await problemOf(access.ask(`${server.url}/a`))
    expect(await problemOf(access.ask(`${server.url}/b`))).toMatchObject({ retryInMs: 1000 })
    clock.now -= 3_600_000
    expect(await access.ask(`${server.url}/b`)).toMatchObject({ status: 200 })
  })

  it('rests up to a quarter longer by chance, so that not all wallets come back at once', async () => {
    const access = createServerAccess({ now: () => 0, random: n => new Uint8Array(n).fill(255) })
    server.say({ '/a': FAIL })
    const { retryInMs } = await problemOf(access.ask(`${server.url}/a`))
    expect(retryInMs).toBeGreaterThan(1240)
    expect(retryInMs).toBeLessThanOrEqual(1250)
  })

  it('failing four requests at once failed once', async () => {
    const { access } = createTestAccess()
    const paths = ['/a', '/b', '/c', '/d']
    server.say(Object.fromEntries(paths.map(path => [path, FAIL])))
    await Promise.all(paths.map(path => problemOf(access.ask(server.url + path))))
    expect(await problemOf(access.ask(`${server.url}/a`))).toMatchObject({ retryInMs: 1000 })
  })

  it('is asked at once by a broadcast, where its back-off is bypassed, and after that was reset', async () => {
    const { access } = createTestAccess()
    server.say({ '/a': FAIL, '/b': { status: 404, body: '' }, '/tx': { status: 400, body: 'no' } })
    await problemOf(access.ask(`${server.url}/a`))
    expect(
      await access.ask(`${server.url}/tx`, { method: 'POST', body: '00', bypassBackoff: true }),
    ).toMatchObject({ status: 400 })
    await problemOf(access.ask(`${server.url}/a`))
    expect(await access.ask(`${server.url}/b`, { bypassBackoff: true })).toMatchObject({
      status: 404,
    })
    await problemOf(access.ask(`${server.url}/a`))
    server.say({ '/a': WELL })
    access.resetBackoff(server.url)
    expect(await access.ask(`${server.url}/a`)).toMatchObject({ status: 200 })
  })

  it('does not hold up the one beside it behind the same host of this machine', async () => {
    const { access } = createTestAccess()
    server.say({ '/ord/a': FAIL, '/ord/b': WELL, '/api/a': WELL })
    const [ord, api] = [`${server.url}/ord`, `${server.url}/api`]
    await problemOf(access.ask(`${ord}/a`, { server: ord }))
    expect(await access.ask(`${api}/a`, { server: api })).toMatchObject({ status: 200 })
    await problemOf(access.ask(`${ord}/b`, { server: ord }))
    access.resetBackoff(ord)
    expect(await access.ask(`${ord}/b`, { server: ord })).toMatchObject({ status: 200 })
  })

  it('holds up all that is behind one host elsewhere', async () => {
    const random = (n: number) => new Uint8Array(n)
    const access = createServerAccess({ now: () => 0, random, isOwnMachine: () => false })
    server.say({ '/ord/a': FAIL, '/api/a': WELL })
    const [ord, api] = [`${server.url}/ord`, `${server.url}/api`]
    await problemOf(access.ask(`${ord}/a`, { server: ord }))
    await problemOf(access.ask(`${api}/a`, { server: api }))
    expect(server.asked).toEqual(['GET /ord/a'])
  })

  it('does not hold up another server', async () => {
    const { access } = createTestAccess()
    const other = await startScriptedServer()
    try {
      server.say({ '/a': FAIL })
      other.say({ '/a': WELL })
      await problemOf(access.ask(`${server.url}/a`))
      expect(await access.ask(`${other.url}/a`)).toMatchObject({ status: 200 })
    } finally {
      await other.close()
    }
  })
})

describe('a server that is asked too often', () => {
  it.each([
    ['its seconds', '90', 90_000],
    ['its date', new Date(1_700_000_030_000).toUTCString(), 30_000],
    ['an hour at most', '999999', 3_600_000],
    ['the usual rest for nonsense', 'soon', 1000],
    ['the usual rest at least', '0', 1000],
  ])('is left alone as it wishes: %s', async (_, retryAfter, retryInMs) => {
    const { access } = createTestAccess()
    server.say({ '/a': { status: 429, body: 'slow down', headers: { 'retry-after': retryAfter } } })
    expect(await problemOf(access.ask(`${server.url}/a`))).toEqual({
      kind: 'rate-limited',
      host: server.host,
      detail: 'answered 429: slow down',
      retryInMs,
    })
  })
})

describe('a server that is slow', () => {
  it('is given up after the time limit', async () => {
    const { access } = createTestAccess()
    server.say({ '/a': () => new Promise<Answer>(() => {}) })
    expect(await problemOf(access.ask(`${server.url}/a`, { timeoutMs: 50 }))).toMatchObject({
      kind: 'unreachable',
      detail: 'did not answer within 1 s',
    })
  })

  it('has four requests at a time, and each of the others its turn', async () => {
    const { access } = createTestAccess()
    let running = 0
    let most = 0
    const paths = Array.from({ length: 12 }, (_, i) => `/${i}`)
    let tellFour = () => {}
    const four = new Promise<void>(resolve => {
      tellFour = resolve
    })
    const slow = async () => {
      most = Math.max(most, ++running)
      if (running === 4) tellFour()
      await four
      await new Promise(resolve => setTimeout(resolve, 10))
      running--
      return WELL
    }
    server.say(Object.fromEntries(paths.map(path => [path, slow])))
    const answers = await Promise.all(paths.map(path => access.ask(server.url + path)))
    expect(answers.map(({ body }) => body)).toEqual(paths.map(() => 'well'))
    expect(most).toBe(4)
  })

  it('has forty requests at once and then four a second, unless it is this machine', async () => {
    const paths = Array.from({ length: 42 }, (_, i) => `/${i}`)
    server.say(Object.fromEntries(paths.map(path => [path, WELL])))
    const takes = async (isOwn: boolean) => {
      // Its clock stands still, so that nothing is gained while the server is slow.
      const access = createServerAccess({
        now: () => 0,
        random: n => new Uint8Array(n),
        isOwnMachine: () => isOwn,
      })
      const startedAt = performance.now()
      for (const path of paths) await access.ask(server.url + path)
      return performance.now() - startedAt
    }
    const paced = await takes(false)
    expect(paced).toBeGreaterThan(740)
    expect(await takes(true)).toBeLessThan(paced)
  })

  it('waits no longer where the clock was set back', async () => {
    const clock = { now: 1_700_000_000_000 }
    const access = createServerAccess({
      now: () => clock.now,
      random: n => new Uint8Array(n),
      isOwnMachine: () => false,
    })
    server.say({ '/a': WELL, '/b': WELL })
    await access.ask(`${server.url}/a`)
    clock.now -= 3_600_000
    const startedAt = performance.now()
    await Promise.race([
      access.ask(`${server.url}/b`),
      new Promise(resolve => setTimeout(resolve, 2_000)),
    ])
    expect(performance.now() - startedAt).toBeLessThan(1_500)
    expect(server.asked).toEqual(['GET /a', 'GET /b'])
  })

  it('gets one request from all who ask the same at the same time', async () => {
    const { access } = createTestAccess()
    server.say({ '/a': WELL })
    await Promise.all([1, 2, 3].map(() => access.ask(`${server.url}/a`)))
    expect(server.asked).toEqual(['GET /a'])
    await access.ask(`${server.url}/a`)
    expect(server.asked).toEqual(['GET /a', 'GET /a'])
  })
})
