import { describe, expect, it } from 'vitest'
import { CONTEXT } from '../../../e2e/openrpc/example-values.ts'
import {
  keyMaterialOf,
  referenceContextHash,
} from '../../bitcoin/testing/context-hash-reference.ts'
import { inHurry } from '../testing/fast-timers.ts'
import {
  ABANDON_MNEMONIC,
  connectPage,
  createWorld,
  decideNext,
  nextApproval,
  openPage,
  PASSWORD,
  startUnlocked,
  startWorker,
  type Worker,
} from '../testing/test-wallet.ts'

const SITE = 'https://vault.babylon.example'
const APP = 'babylon-btc-vault'
const ASK = 'derive-context-hash'

/** Of the first account on regtest, whose key is at m/86'/1'/0'/0/0. */
const SECRET = referenceContextHash({
  keyMaterial: keyMaterialOf(ABANDON_MNEMONIC),
  appName: APP,
  networkName: 'bitcoin-regtest',
  publicKey: '0255355ca83c973f1d97ce0e3843c85d78905af16b4dc531bc488e57212d230116',
  context: CONTEXT,
})

describe('a secret that deriveContextHash makes', () => {
  it('is never in storage nor in the log, and nothing of the request is left once a page has it', async () => {
    const world = createWorld()
    const written: string[] = []
    for (const area of [world.session, world.local]) {
      const { set } = area
      area.set = changes => {
        written.push(JSON.stringify(changes))
        return set(changes)
      }
    }
    const worker = await startUnlocked(world)
    const page = await connectPage(worker, SITE)
    const answer = page.call('deriveContextHash', APP, CONTEXT)
    await decideNext(worker, 'approve', ASK)
    const { result } = Object(await answer)
    await untilForgotten(worker)
    expect(written.length).toBeGreaterThan(2)
    const all = [...written, JSON.stringify([world.local.dump(), worker.logged])].join()
    expect(all).toContain(CONTEXT)
    expect(all).not.toContain(result)
    expect(JSON.stringify(world.session.dump())).not.toContain(CONTEXT)
  })

  it('is asked for again when a page that had it sends the same request again', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    const first = page.send('same', 'deriveContextHash', APP, CONTEXT)
    await decideNext(worker, 'approve', ASK)
    const { result } = Object(await first)
    await untilForgotten(worker)
    const second = page.send('same', 'deriveContextHash', APP, CONTEXT)
    await decideNext(worker, 'approve', ASK)
    expect(await second).toMatchObject({ result })
  })

  it('reaches the page with one question where the worker died after the approval', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectPage(worker, SITE)
    await approveWithoutPage(worker, page)

    const next = startWorker(world)
    const shown = world.window.shown
    const again = openPage(next, SITE)
    expect(await again.send('same', 'deriveContextHash', APP, CONTEXT)).toMatchObject({
      result: SECRET,
    })
    await untilForgotten(next)
    expect(world.window.shown).toBe(shown)
  })

  it('goes on in the next worker where the last one died before the answer, once', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectPage(worker, SITE)
    void page.send('same', 'deriveContextHash', APP, CONTEXT)
    await nextApproval(worker, ASK)
    const next = startWorker(world)
    const again = openPage(next, SITE)
    const answers = [1, 2].map(() => again.send('same', 'deriveContextHash', APP, CONTEXT))
    await decideNext(next, 'approve', ASK)
    expect(await answers[1]).toMatchObject({ result: SECRET })
    await untilForgotten(next)
    expect(await next.ui('getApproval', null)).toBeNull()
  })

  it('is not made again for a page that never comes back, and what that page sent is forgotten', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const key = await approveWithoutPage(worker, await connectPage(worker, SITE))
    expect(JSON.stringify(world.session.dump())).toContain(CONTEXT)
    const next = startWorker(world)
    await inHurry(() => next.router.settleOrphans(), 5)
    expect(await next.wallet.requests.find(key)).toMatchObject({
      outcome: { error: { code: 4001 } },
    })
    expect(JSON.stringify(world.session.dump())).not.toContain(CONTEXT)
  })

  it('is not given without a question to another page, nor for other parameters under the same id', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectPage(worker, SITE)
    const key = await approveWithoutPage(worker, page)

    const inOtherTab = openPage(worker, SITE, 2)
    void inOtherTab.send('same', 'deriveContextHash', APP, CONTEXT)
    expect((await decideNext(worker, 'reject', ASK)).key).not.toBe(key)
    const back = openPage(worker, SITE)
    expect(await back.send('same', 'deriveContextHash', APP, '00')).toMatchObject({
      result: SECRET,
    })
  })

  it('needs the unlock where the wallet was locked before the page came back, and no second approval', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectPage(worker, SITE)
    await approveWithoutPage(worker, page)
    await worker.ui('lock', null)
    const again = openPage(worker, SITE).send('same', 'deriveContextHash', APP, CONTEXT)
    await nextApproval(worker, 'unlock')
    await worker.ui('unlock', { password: PASSWORD })
    expect(await again).toMatchObject({ result: SECRET })
  })
})

/** Once nothing of the request is stored any more. */
async function untilForgotten({ wallet }: Worker): Promise<void> {
  await expect
    .poll(async () => (await wallet.requests.load()).map(({ method }) => method))
    .toEqual(['connect'])
}

/** Approves a request whose page has lost its port before the answer, as at the end of a worker; resolves its key. */
async function approveWithoutPage(
  worker: Worker,
  { port, received }: ReturnType<typeof openPage>,
): Promise<string> {
  const params = [APP, CONTEXT]
  const served = worker.router.receive(port, { id: 'same', method: 'deriveContextHash', params })
  const { key, digest } = await nextApproval(worker, ASK)
  worker.pages.remove(port)
  await worker.ui('decide', { key, digest, decision: 'approve' })
  await served
  expect(JSON.stringify(received)).not.toContain('"same"')
  return key
}
