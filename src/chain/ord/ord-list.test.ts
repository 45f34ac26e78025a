import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { coinAt, ordOutput, sayOrd } from '../testing/scripted-ord.ts'
import { asJson, type ScriptedServer, startScriptedServer } from '../testing/scripted-server.ts'
import { createTestAccess, problemOf } from '../testing/server-access.ts'
import { createOrd } from './ord.ts'

let server: ScriptedServer

beforeAll(async () => {
  server = await startScriptedServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

function openOrd() {
  const { access, clock } = createTestAccess()
  return createOrd('regtest', server.url, { access, now: () => clock.now })
}

describe('many coins', () => {
  const coins = Array.from({ length: 600 }, (_, index) => coinAt(index))
  const told = () => Object.fromEntries(coins.map(coin => [coin.outpoint, ordOutput(coin)]))
  const classifyAll = async (ord = openOrd(), some = coins) => {
    const found = await ord.fetchAssets(some)
    return some.map(({ outpoint }) => {
      const one = found.get(outpoint)
      return one?.known ? 'known' : one?.why
    })
  }

  it('are asked for in lists of 250', async () => {
    sayOrd(server, told())
    expect(new Set(await classifyAll())).toEqual(new Set(['known']))
    expect(server.asked).toEqual(['GET /status', ...Array(3).fill('POST /outputs')])
  })

  it('are known but for those that the index does not have', async () => {
    const { [coins[7]?.outpoint ?? '']: _, [coins[599]?.outpoint ?? '']: __, ...others } = told()
    sayOrd(server, others)
    const answers = await classifyAll()
    expect(answers.filter(one => one === 'known')).toHaveLength(598)
    expect([answers[7], answers[599]]).toEqual(['not-indexed', 'not-indexed'])
    expect(server.asked.length).toBeLessThan(50)
  })

  it.each([404, 405])('are asked for one by one where lists are refused with %i', async status => {
    sayOrd(server, told())
    server.say({ '/outputs': { status, body: 'no such route' } })
    const ord = openOrd()
    expect(new Set(await classifyAll(ord, coins.slice(0, 260)))).toEqual(new Set(['known']))
    const refused = server.asked.filter(path => path.startsWith('POST')).length
    expect(refused).toBeLessThanOrEqual(4)
    await classifyAll(ord, coins.slice(0, 10))
    expect(server.asked.filter(path => path.startsWith('POST'))).toHaveLength(refused)
  })

  it('are known as far as they were told one by one when the server has enough', async () => {
    sayOrd(server, told())
    const refused = coins[50]?.outpoint ?? ''
    server.say({
      '/outputs': { status: 405, body: '' },
      [`/output/${encodeURIComponent(refused)}`]: { status: 429, body: '' },
    })
    const answers = await classifyAll(openOrd(), coins.slice(0, 60))
    expect(new Set(answers.slice(0, 40))).toEqual(new Set(['known']))
    expect(answers[50]).toBe('unanswered')
  })

  it('leave the one unknown of which one by one nonsense comes', async () => {
    const [one, other] = [coinAt(1), coinAt(2)]
    sayOrd(server, { [one.outpoint]: ordOutput(other), [other.outpoint]: ordOutput(other) })
    server.say({ '/outputs': { status: 405, body: '' } })
    const found = await openOrd().fetchAssets([one, other])
    expect([...found.values()]).toEqual([
      { known: false, why: 'unanswered' },
      { known: true, assets: [] },
    ])
  })

  it.each<[string, (entries: object[]) => unknown]>([
    ['too few', entries => entries.slice(1)],
    ['too many', entries => [...entries, ordOutput(coinAt(9999))]],
    ['one twice instead of another', entries => [entries[1], ...entries.slice(1)]],
    ['another order', entries => entries.toReversed()],
    ['one of another coin', entries => [ordOutput(coinAt(9999)), ...entries.slice(1)]],
    ['null among them', entries => [null, ...entries.slice(1)]],
    ['an object', entries => ({ ...entries })],
    ['null', () => null],
  ])('of which a list holds %s stay unknown, all others are known', async (_, change) => {
    sayOrd(server, told())
    server.say({
      '/outputs': sent => {
        const outpoints: string[] = JSON.parse(sent)
        const entries = coins.filter(({ outpoint }) => outpoints.includes(outpoint)).map(ordOutput)
        return asJson(outpoints.includes(coins[0]?.outpoint ?? '') ? change(entries) : entries)
      },
    })
    const answers = await classifyAll()
    expect(new Set(answers.slice(0, 250))).toEqual(new Set(['unanswered']))
    expect(new Set(answers.slice(250))).toEqual(new Set(['known']))
  })

  it.each([
    ['a page', { body: '<html>' }],
    ['half an answer', { body: '[{"outpoint":"' }],
    ['a lone digit string', { body: `"${'1'.repeat(100)}` }],
    ['a bad request', { status: 400, body: 'bad' }],
    ['a gateway that is down', { status: 502, body: '' }],
    ['too many requests', { status: 429, body: '' }],
  ])('of which all lists are %s are a problem that names the server', async (_, answer) => {
    sayOrd(server, told())
    server.say({ '/outputs': answer })
    expect(await problemOf(classifyAll())).toMatchObject({ host: server.host })
  })

  it('have shorter lists where the answer would be too long', async () => {
    sayOrd(server, told())
    const padding = 'x'.repeat(90_000)
    server.say({
      '/outputs': sent => {
        const outpoints: string[] = JSON.parse(sent)
        const entries = coins.filter(({ outpoint }) => outpoints.includes(outpoint))
        return asJson(entries.map(coin => ({ ...ordOutput(coin), padding })))
      },
    })
    const some = coins.slice(0, 200)
    expect(new Set(await classifyAll(openOrd(), some))).toEqual(new Set(['known']))
  })

  it('are known but for the one that nobody could read to its end', async () => {
    sayOrd(server, told())
    const heavy = coins[3]?.outpoint ?? ''
    const padding = 'x'.repeat(17_000_000)
    server.say({
      '/outputs': sent => {
        const outpoints: string[] = JSON.parse(sent)
        const entries = coins.filter(({ outpoint }) => outpoints.includes(outpoint))
        return asJson(
          entries.map(coin => ({
            ...ordOutput(coin),
            ...(coin.outpoint === heavy && { padding }),
          })),
        )
      },
    })
    const answers = await classifyAll(openOrd(), coins.slice(0, 20))
    expect(answers.filter(one => one === 'known')).toHaveLength(19)
    expect(answers[3]).toBe('unanswered')
  })

  it('of which the index has next to none are not searched for to the last one', async () => {
    sayOrd(server, Object.fromEntries(Object.entries(told()).slice(0, 2)))
    const answers = await classifyAll()
    expect(server.asked.length).toBeLessThan(200)
    expect(answers.slice(0, 2)).toEqual(['known', 'known'])
    expect(new Set(answers.slice(2))).toEqual(new Set(['not-indexed', 'unanswered']))
  })

  it('do not take time beyond measure to read, whatever the server sends', async () => {
    sayOrd(server, told())
    const body = `[${'"\\"'.repeat(1_000_000)}${'1'.repeat(1_000_000)}]`
    server.say({ '/outputs': { body } })
    await problemOf(classifyAll())
  })
})
