import { describe, expect, it } from 'vitest'
import { createWorld, decideNext, nextApproval, startUnlocked } from '../testing/test-wallet.ts'
import type { PagePort } from './pages.ts'
import { connectFrom } from './testing/browser-port.ts'

const SITE = 'https://dapp.example'

/** A site that is connected, on a connection of its own. */
async function connectSite() {
  const worker = await startUnlocked(createWorld())
  const page = connectFrom(worker, SITE)
  page.say({ id: 'connect', method: 'connect', params: [] })
  await decideNext(worker, 'approve', 'connect')
  await expect.poll(() => page.posted.at(-1)).toMatchObject({ id: 'connect', result: {} })
  page.posted.length = 0
  return { worker, page }
}

const call = (id: string, method = 'getAccounts', params: unknown[] = []) => ({
  id,
  method,
  params,
})

/** Each message as the ids of the answers in it. */
const idsOf = (posted: readonly unknown[]) =>
  posted.map(message => [message].flat().map(each => Object(each).id))

describe('calls that come in one message', () => {
  it('are answered in one where all answers are there at the same time', async () => {
    const router = {
      connect: () => {},
      disconnect: async () => {},
      receive: async (port: PagePort, message: unknown) =>
        port.post({ id: Object(message).id, result: null }),
    }
    const page = connectFrom({ router, wallet: { httpSites: { admits: async () => true } } }, SITE)
    page.say([call('1'), call('2'), call('3')])
    await expect.poll(() => idsOf(page.posted)).toEqual([['1', '2', '3']])
  })

  it('are asked about one by one, and one that waits for the person holds up no other', async () => {
    const { worker, page } = await connectSite()
    page.say([call('1'), call('2', 'signMessage', ['Hello']), call('3')])
    await nextApproval(worker, 'sign-message')
    await expect.poll(() => page.posted.flat()).toHaveLength(2)
    expect(idsOf(page.posted).flat()).toEqual(['1', '3'])
    await decideNext(worker, 'reject', 'sign-message')
    await expect.poll(() => page.posted.at(-1)).toMatchObject({ id: '2', error: { code: 4001 } })
  })

  it('are served beside what is no call', async () => {
    const { page } = await connectSite()
    page.say([null, 5, [], [call('0')], { id: 7 }, call('1'), 'text'])
    await expect.poll(() => idsOf(page.posted)).toEqual([['1']])
  })

  it('are read up to as many as a content script puts together', async () => {
    const { page } = await connectSite()
    page.say(Array.from({ length: 300 }, (_, at) => call(String(at))))
    await expect.poll(() => page.posted.flat(), { timeout: 20_000 }).toHaveLength(256)
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(page.posted.flat()).toHaveLength(256)
  })
})
