import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createRemote, DEFAULT_REMOTE_LIMITS } from './remote.ts'

const URL_WITH_KEY = new URL('https://node.example/v3/0123456789abcdef')
const LIMITS = { ...DEFAULT_REMOTE_LIMITS, pause: 1, time: 50 }

/** @param answer - what the server does with each body */
function open(
  answer: (body: never, count: number) => Response | Promise<Response>,
  limits: Partial<typeof LIMITS> = {},
) {
  let count = 0
  const send = (async (_: URL, { body, signal }: { body: string; signal: AbortSignal }) => {
    count++
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
    return Promise.race([answer(JSON.parse(body) as never, count), aborted])
  }) as unknown as typeof fetch
  return {
    remote: createRemote(URL_WITH_KEY, { ...LIMITS, ...limits }, send),
    count: () => count,
  }
}

const json = (value: unknown, status = 200) => new Response(JSON.stringify(value), { status })
const call = (method: string) => ({ method, params: [] })

describe('a remote node', () => {
  it('is asked several things in one request, whatever the order of its answers', async () => {
    const { remote, count } = open((body: { id: number; method: string }[]) =>
      json(body.map(({ id, method }) => ({ id, result: method })).reverse()),
    )
    expect(await remote.ask(['a', 'b', 'c'].map(call))).toEqual(
      ['a', 'b', 'c'].map(result => ({ result })),
    )
    expect(count()).toBe(1)
  })

  it('that takes no batches is asked one by one from then on', async () => {
    const { remote, count } = open((body: { id: number; method: string } | unknown[]) =>
      Array.isArray(body)
        ? json({ id: null, error: { code: -32600, message: 'no batches' } })
        : json({ id: body.id, result: body.method }),
    )
    const both = [{ result: 'a' }, { result: 'b' }]
    expect(await remote.ask([call('a'), call('b')])).toEqual(both)
    expect(await remote.ask([call('a'), call('b')])).toEqual(both)
    expect(count()).toBe(5)
  })

  it('is tried twice, and no more', async () => {
    const flaky = open((_, count) => (count === 1 ? json({}, 503) : json({ id: 1, result: 7 })))
    expect(await flaky.remote.request('a', [])).toBe(7)
    const down = open(() => json({}, 429))
    await expect(down.remote.request('a', [])).rejects.toThrow(
      'the remote node https://node.example answers with HTTP status 429',
    )
    expect(down.count()).toBe(2)
  })

  it('has a time to answer', async () => {
    const { remote } = open(() => new Promise<never>(() => {}))
    await expect(remote.request('a', [])).rejects.toThrow('has not answered within 0.05 s')
  })

  it('gets at most eight requests at once', async () => {
    let running = 0
    let most = 0
    const { remote } = open(
      async () => {
        most = Math.max(most, ++running)
        await wait(2)
        running--
        return json({ id: 1, result: 1 })
      },
      { batch: 1 },
    )
    await remote.ask(Array.from({ length: 40 }, () => call('a')))
    expect(most).toBe(8)
  })

  it.each([
    ['no JSON', () => new Response('<html>'), 'answers with what is not JSON'],
    ['neither result nor error', () => json({ id: 1 }), 'no result and no error'],
    ['an error of no code', () => json({ id: 1, error: 'no' }), 'an error without code'],
    ['a page', () => new Response('not here', { status: 404 }), 'HTTP status 404'],
    ['too much', () => json('x'.repeat(2_000)), 'answers with more than 1000 bytes'],
  ])('that answers with %s is not believed', async (_, answer, text) => {
    const { remote } = open(answer, { bytes: 1_000 })
    await expect(remote.request('a', [])).rejects.toThrow(text)
  })

  it('passes its own errors on, without the key that they may name', async () => {
    const message = 'project 0123456789abcdef has no rights'
    const { remote } = open(() => json({ id: 1, error: { code: 3, message, data: '0x01' } }))
    await expect(remote.request('a', [])).rejects.toMatchObject({
      code: 3,
      message: 'project *** has no rights',
      data: '0x01',
    })
  })

  it('ends what it is asked when the node stops', async () => {
    const { remote, count } = open(() => new Promise<never>(() => {}), { time: 60_000 })
    const asked = remote.request('a', [])
    await wait(1)
    remote.close()
    await expect(asked).rejects.toThrow('this node is stopping')
    await expect(remote.request('a', [])).rejects.toThrow('this node is stopping')
    expect(count()).toBe(1)
  })
})
