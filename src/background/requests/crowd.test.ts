import { describe, expect, it } from 'vitest'
import type { Response } from '../../provider/envelope.ts'
import {
  connectPage,
  createWorld,
  decideNext,
  openPage,
  startUnlocked,
} from '../testing/test-wallet.ts'
import { measureParams } from './page-message.ts'

const SITE = 'https://dapp.example'
const OTHER = 'https://other.example'

describe('a page that cannot be stored', () => {
  it('breaks nothing for others', async () => {
    const world = createWorld()
    const { session } = world
    const small = {
      ...world,
      session: {
        ...session,
        async set(entries: { [key: string]: unknown }) {
          if (JSON.stringify(entries).length > 200_000) throw new Error('Quota exceeded')
          await session.set(entries)
        },
      },
    }
    const worker = await startUnlocked(small)
    const page = await connectPage(worker, SITE)
    const evil = openPage(worker, OTHER, 2)
    const connecting = evil.call('connect', 'x'.repeat(300_000))
    await decideNext(worker, 'approve', 'connect')
    expect(await connecting).toHaveProperty('result')
    expect(
      await evil.call('sendBitcoin', 'a', 1000, { more: 'x'.repeat(5_000_000) }),
    ).toMatchObject({
      error: { code: -32602 },
    })
    expect(await evil.call('sendBitcoin', 'a', 1000, { more: 'x'.repeat(300_000) })).toMatchObject({
      error: { code: -32603 },
    })
    const answer = page.call('signMessage', 'hello')
    await decideNext(worker, 'approve', 'sign-message')
    expect(await answer).toHaveProperty('result')
  })

  it('or that leaves before it is asked about gets no question', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = openPage(worker, SITE)
    void page.call('connect')
    await page.leave()
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(await worker.ui('getApproval', null)).toBeNull()
    expect(world.window.shown).toBe(0)
  })
})

describe('a flood', () => {
  it('of requests that ask leaves five a site waiting and refuses the rest at once', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const pages = [SITE, OTHER, 'https://third.example'].map((origin, tab) =>
      openPage(worker, origin, tab),
    )
    for (const page of pages) {
      const answer = page.call('connect')
      await decideNext(worker, 'approve', 'connect')
      await answer
    }
    const answers = pages.flatMap(page =>
      Array.from({ length: 400 }, (_, index) => page.call('signMessage', `message ${index}`)),
    )
    const settled: unknown[] = []
    for (const answer of answers) void answer.then(value => settled.push(value))
    while (settled.length < answers.length - 15) await new Promise(r => setTimeout(r, 1))
    expect((await worker.ui('getState', null)).pendingApprovals).toBe(15)
    await worker.wallet.approvals.rejectAll()
    const codes = (await Promise.all(answers)).map(answer =>
      'error' in answer ? answer.error.code : 0,
    )
    expect(codes.filter(code => code === 4001)).toHaveLength(15)
    expect(codes.filter(code => code === -32002)).toHaveLength(1185)
  })

  it('of one site is rate limited while another is served', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectPage(worker, SITE)
    // Room for what connecting took.
    world.clock.now += 1000
    const answers = await Promise.all(Array.from({ length: 3000 }, () => page.call('getAccounts')))
    expect(answers.filter(answer => codeOf(answer) === -32005)).toHaveLength(1000)
    expect(await openPage(worker, OTHER, 2).call('getAccounts')).toMatchObject({ result: [] })
  })

  it('of a site that was never connected is refused after 200 calls, which says when to come again', async () => {
    const world = createWorld()
    const page = openPage(await startUnlocked(world), SITE)
    const answers = await Promise.all(Array.from({ length: 300 }, () => page.call('getAccounts')))
    const refused = answers.filter(answer => codeOf(answer) === -32005)
    expect(refused).toHaveLength(100)
    expect(refused.at(-1)).toMatchObject({ error: { data: { retryAfter: 1 } } })
    world.clock.now += 1000
    expect(await page.call('getAccounts')).toMatchObject({ result: [] })
  })

  it('of large calls of a connected site is limited by what they hold', async () => {
    const page = await connectPage(await startUnlocked(), SITE)
    const text = 'x'.repeat(4_000_000)
    const codes: number[] = []
    for (let turn = 0; turn < 10; turn++) codes.push(codeOf(await page.call('signMessage', text)))
    // 2,000 times 16 kB: eight batches of 4 MB.
    expect(codes).toEqual([...Array(8).fill(-32602), -32005, -32005])
  })
})

describe('what a page that was never connected sends', () => {
  /** Throws when anybody looks at what is at its places. */
  function createUntouchable(length: number): unknown[] {
    const list = Array(length).fill('x')
    Object.defineProperty(list, '0', {
      get() {
        throw new Error('looked at')
      },
    })
    return list
  }

  it.each([
    'signPsbts',
    'sendPsbt',
    'pushTx',
    'unisat.signPsbts',
    'satsConnect.signPsbt',
    'leather.signPsbt',
  ])('to %s is not parsed', async method => {
    const page = openPage(await startUnlocked(), SITE)
    // A megabyte of what is no PSBT is an error by name once somebody reads it.
    const answer = await page.call(method, ['zz'.repeat(500_000)])
    expect(answer).toMatchObject({ error: { code: 4100 } })
  })

  it.each([
    ['one long text', () => ['x'.repeat(20_000_000)]],
    ['many texts', () => Array(50).fill('x'.repeat(400_000))],
    ['many values', () => [Array(2_000_000).fill(0)]],
    ['many names', () => [Object.fromEntries(Array.from({ length: 500_000 }, (_, n) => [n, 0]))]],
    ['lists in lists', () => [JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`)]],
  ])('is refused for its size at once: %s', async (_, build) => {
    const worker = await startUnlocked()
    const page = openPage(worker, SITE)
    const params = build()
    const stringify = JSON.stringify
    let written = 0
    JSON.stringify = ((value: unknown, ...rest: []) => {
      const text = stringify(value, ...rest)
      written = Math.max(written, text?.length ?? 0)
      return text
    }) as typeof JSON.stringify
    try {
      await worker.router.receive(page.port, { id: 'large', method: 'signPsbts', params })
    } finally {
      JSON.stringify = stringify
    }
    expect(page.received.at(-1)).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('params: expected at most') },
    })
    expect(written).toBeLessThan(10_000)
  })

  it('is not read beyond the limit', async () => {
    expect(() =>
      measureParams([Array(30).fill('x'.repeat(200_000)), createUntouchable(1)]),
    ).toThrow('params: expected at most 4800000 characters of JSON')
  })
})

const codeOf = (answer: Response): number => ('error' in answer ? answer.error.code : 0)
