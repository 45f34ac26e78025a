import { describe, expect, it } from 'vitest'
import type { Response } from '../../provider/envelope.ts'
import { chooseFirst, grantsOf, putWatched } from '../methods/connecting/testing/choosing.ts'
import { dieAfter, SITE } from '../testing/funded-wallet.ts'
import {
  createWorld,
  decideNext,
  nextApproval,
  openPage,
  startUnlocked,
  startWorker,
  type Worker,
} from '../testing/test-wallet.ts'

/** More than a connection writes: from the request to its answer. */
const MOMENTS = Array.from({ length: 18 }, (_, moment) => moment)

const WAYS: { [name: string]: { use?(worker: Worker): Promise<unknown>; approve: Approve } } = {
  'the account in use': { approve: worker => decideNext(worker, 'approve', 'connect') },
  'a chosen account': { use: putWatched, approve: worker => chooseFirst(worker) },
}
type Approve = (worker: Worker) => Promise<unknown>

const CALLS = [
  ['connect'],
  ['requestAccounts'],
  ['unisat.requestAccounts'],
  ['satsConnect.wallet_connect', null],
] as const

/** Of the site, of its account, and of all sites. */
const REVOCATIONS: ((worker: Worker) => Promise<unknown>)[] = [
  worker => worker.ui('revokeSite', { origin: SITE, grant: null }),
  async worker => {
    const [account] = (await worker.ui('getState', null)).accounts
    const grant = { accountId: account?.id ?? '', network: 'regtest' as const }
    return worker.ui('revokeSite', { origin: SITE, grant })
  },
  worker => worker.ui('revokeAllSites', null),
]

/** The page's call again: its answer, or the question that the person is asked. */
async function ask(worker: Worker, [method, ...params]: (typeof CALLS)[number]) {
  let answer: Response | null = null
  void openPage(worker, SITE)
    .send('ask', method, ...params)
    .then(response => {
      answer = response
    })
  for (;;) {
    const end = answer ?? (await worker.ui('getApproval', null))
    if (end) return end
    await new Promise(resolve => setTimeout(resolve, 1))
  }
}

const isAsked = (one: Awaited<ReturnType<typeof ask>>) => 'review' in one

describe.each(Object.entries(WAYS))('a connection to %s', (_, { use, approve }) => {
  it('that was taken back is not made again by a call from before, wherever the worker died on the way', async () => {
    const ends = new Set<string>()
    for (const moment of MOMENTS) {
      const call = CALLS[moment % CALLS.length] ?? CALLS[0]
      const takeBack = REVOCATIONS[(moment + (use ? 1 : 0)) % REVOCATIONS.length]
      const world = createWorld()
      const first = await startUnlocked(world)
      await use?.(first)
      const watched = dieAfter(world, moment)
      const dying = startWorker(watched)
      const [method, ...params] = call
      const lost = openPage(dying, SITE).send('ask', method, ...params)
      void approve(dying).catch(() => {})
      await Promise.race([watched.died, lost])

      const next = startWorker(world)
      await takeBack?.(next)
      const end = await ask(next, call)
      ends.add(isAsked(end) ? 'asked' : 'refused')
      if (!isAsked(end)) expect(end, `${moment}`).toMatchObject({ error: { code: 4100 } })
      expect(await grantsOf(next), `${moment}`).toEqual([])
    }
    expect([...ends].sort()).toEqual(['asked', 'refused'])
  }, 120_000)
})

describe('a site that was disconnected', () => {
  it.each(CALLS)('gets no answer from before, but a question: %s', async (...call) => {
    const worker = await startUnlocked()
    const [method, ...params] = call
    const page = openPage(worker, SITE)
    const answer: Promise<Response> = page.send('ask', method, ...params)
    await decideNext(worker, 'approve', 'connect')
    expect(await answer).toHaveProperty('result')
    await worker.ui('revokeSite', { origin: SITE, grant: null })
    expect(isAsked(await ask(worker, call as (typeof CALLS)[number]))).toBe(true)
  })
})

it('a site that was disconnected by a worker that died on the way gets no answer from before', async () => {
  const ends = new Set<string>()
  for (let moment = 0; moment < 8; moment++) {
    const world = createWorld()
    const first = await startUnlocked(world)
    const answer = openPage(first, SITE).send('ask', 'connect')
    await decideNext(first, 'approve', 'connect')
    await answer
    const watched = dieAfter(world, moment)
    const revoked = startWorker(watched).ui('revokeSite', { origin: SITE, grant: null })
    await Promise.race([watched.died, revoked])

    const next = startWorker(world)
    const isConnected = (await grantsOf(next)).length > 0
    const end = await ask(next, ['connect'])
    ends.add(isAsked(end) ? 'asked' : 'answered')
    expect(isAsked(end), `${moment}`).toBe(!isConnected)
  }
  expect([...ends].sort()).toEqual(['answered', 'asked'])
})

it('a connection that is approved in the moment in which all are taken back is not made after that', async () => {
  const worker = await startUnlocked()
  const answer = openPage(worker, SITE).send('ask', 'connect')
  const { key, digest } = await nextApproval(worker, 'connect')
  const approved = worker.ui('decide', { key, digest, decision: 'approve' })
  await worker.ui('revokeAllSites', null)
  await approved
  expect(await answer).toMatchObject({ error: { code: 4100 } })
  expect(await grantsOf(worker)).toEqual([])
})
