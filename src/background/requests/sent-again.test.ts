import { describe, expect, it } from 'vitest'
import { inHurry } from '../testing/fast-timers.ts'
import { RECIPIENT, SITE, selectedAccount } from '../testing/funded-wallet.ts'
import {
  connectPage,
  createWorld,
  decideNext,
  fund,
  nextApproval,
  openPage,
  startUnlocked,
  startWorker,
} from '../testing/test-wallet.ts'

const HELLO = { message: 'hello' }

/** Calls that ask the person, of this wallet and in the words of another. */
const CALLS = [
  ['signMessage', 'hello'],
  ['leather.signMessage', HELLO],
] as const

/** A connected page that has asked for something, and then asked for more than it may. */
async function askTooMuch(method: string, param: unknown) {
  const world = createWorld()
  const worker = await startUnlocked(world)
  const page = await connectPage(worker, SITE)
  const answer = page.send('ask', method, param)
  await nextApproval(worker, 'sign-message')
  const flood = await Promise.all(Array.from({ length: 2100 }, () => page.call('getAccounts')))
  expect(flood.at(-1)).toMatchObject({ error: { code: -32005 } })
  return { world, worker, page, answer }
}

const turns = () => new Promise(resolve => setTimeout(resolve, 20))

describe('a call that was accepted before its site was rate limited', () => {
  it.each(CALLS)(
    'goes on where it comes again by another connection: %s',
    async (method, param) => {
      const { worker, page } = await askTooMuch(method, param)
      const again = openPage(worker, SITE)
      const answer = again.send('ask', method, param)
      await turns()
      await page.leave()
      await turns()
      await decideNext(worker, 'approve', 'sign-message')
      expect(await answer).toHaveProperty('result')
    },
  )

  it.each(CALLS)(
    'has its answer where that was there before the connection: %s',
    async (method, param) => {
      const { worker, page } = await askTooMuch(method, param)
      await page.leave()
      const again = openPage(worker, SITE)
      expect(await again.send('ask', method, param)).toMatchObject({ error: { code: 4001 } })
    },
  )

  it('is refused where it comes again and again', async () => {
    const { worker, page } = await askTooMuch('signMessage', 'hello')
    await page.leave()
    const again = openPage(worker, SITE)
    const codes: number[] = []
    for (let turn = 0; turn < 100; turn++) {
      const { error } = (await again.send('ask', 'signMessage', 'hello')) as {
        error: { code: number }
      }
      codes.push(error.code)
    }
    expect([codes[0], codes.at(-1)]).toEqual([4001, -32005])
  })

  it('makes room for no other', async () => {
    const { worker, page } = await askTooMuch('signMessage', 'hello')
    const again = openPage(worker, SITE)
    void again.send('ask', 'signMessage', 'hello')
    for (const from of [page, again])
      expect(await from.send('as', 'signMessage', 'hello')).toMatchObject({
        error: { code: -32005 },
      })
  })
})

describe('a call in another wallet’s words that comes again to a worker, and is refused there', () => {
  it('leaves no question of what it had asked the worker before', async () => {
    const world = createWorld()
    const first = await startUnlocked(world)
    fund(world, (await selectedAccount(first)).address, 50_000n)
    const page = await connectPage(first, SITE)
    const params = [RECIPIENT, 5_000, { memo: 'hello' }]
    void page.send('ask', 'unisat.sendBitcoin', ...params)
    await nextApproval(first, 'payment')
    await first.ui('lock', null)
    const worker = startWorker(world)
    const answer = openPage(worker, SITE).send('ask', 'unisat.sendBitcoin', ...params)
    await nextApproval(worker, 'unlock')
    await inHurry(() => worker.router.settleOrphans(), 5)
    await turns()
    const asked = (await worker.wallet.requests.load()).find(
      ({ review }) => review?.kind === 'unlock',
    )
    await worker.ui('decide', { key: asked?.key ?? '', digest: '', decision: 'reject' })
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    await turns()
    expect(await worker.ui('getApproval', null)).toBeNull()
    expect((await worker.ui('getState', null)).pendingApprovals).toBe(0)
  })
})
