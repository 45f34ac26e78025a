import { describe, expect, it } from 'vitest'
import {
  connectPage,
  createWorld,
  nextApproval,
  openPage,
  startUnlocked,
  startWorker,
} from '../testing/test-wallet.ts'

const ask = async (origin: string, used?: string) => {
  const worker = await startUnlocked()
  if (used) await connectPage(worker, used)
  void openPage(worker, origin, 2).call('connect')
  return nextApproval(worker, 'connect')
}

describe('the question of a site that has no connection', () => {
  it('says that the site is new', async () => {
    expect((await ask('https://dapp.example')).unfamiliar).toEqual({ looksLike: null })
  })

  it.each(['https://magicedem.io', 'https://magiceden.io.dapp.example'])(
    'says that %s looks like a known site',
    async origin => {
      expect((await ask(origin)).unfamiliar).toEqual({ looksLike: 'magiceden.io' })
    },
  )

  it('says that it looks like one that the person uses', async () => {
    const { unfamiliar } = await ask('https://quiet-thing.example', 'https://quiet-things.example')
    expect(unfamiliar).toEqual({ looksLike: 'quiet-things.example' })
  })

  it('says nothing of it once the site is connected', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, 'https://magicedem.io')
    void page.call('signMessage', 'hello')
    expect(await nextApproval(worker, 'sign-message')).not.toHaveProperty('unfamiliar')
  })
})

describe('an approval', () => {
  const SITE = 'https://dapp.example'

  async function askForMessage() {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectPage(worker, SITE)
    const answer = page.call('signMessage', 'hello')
    const { key, digest } = await nextApproval(worker, 'sign-message')
    const approve = (of = worker) => of.ui('decide', { key, digest, decision: 'approve' })
    return { world, worker, page, answer, approve }
  }

  it('counts while the request waits, and still does when the screen asks again', async () => {
    const { world, answer, approve } = await askForMessage()
    expect(await approve()).toBe(true)
    expect(await approve(startWorker(world))).toBe(true)
    expect(await answer).toHaveProperty('result')
    expect(await approve()).toBe(true)
  })

  it('of a request that has ended meanwhile counts for nothing, which the screen is told', async () => {
    const { page, approve } = await askForMessage()
    await page.leave()
    expect(await approve()).toBe(false)
  })

  it('of a request that nobody knows any more counts for nothing', async () => {
    const { worker, approve } = await askForMessage()
    await worker.wallet.requests.clear()
    expect(await approve()).toBe(false)
  })
})
