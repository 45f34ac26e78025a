import { describe, expect, it } from 'vitest'
import {
  connectPage,
  createWorld,
  decideNext,
  openPage,
  startUnlocked,
} from '../testing/test-wallet.ts'

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
      Array.from({ length: 1000 }, (_, index) => page.call('signMessage', `message ${index}`)),
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
    expect(codes.filter(code => code === -32002)).toHaveLength(2985)
  })

  it('of one site is rate limited while another is served', async () => {
    const worker = await startUnlocked()
    const page = openPage(worker, SITE)
    const answers = await Promise.all(Array.from({ length: 3000 }, () => page.call('getAccounts')))
    expect(
      answers.filter(answer => 'error' in answer && answer.error.code === -32005),
    ).toHaveLength(1000)
    expect(await openPage(worker, OTHER, 2).call('getAccounts')).toMatchObject({ result: [] })
  })
})
