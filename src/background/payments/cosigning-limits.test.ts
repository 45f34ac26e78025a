import { describe, expect, it } from 'vitest'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import { inHurry } from '../testing/fast-timers.ts'
import { draft, RECIPIENT } from '../testing/funded-wallet.ts'
import { createWorld, PASSWORD, startWorker, type Worker } from '../testing/test-wallet.ts'
import { startCosigned } from './testing/cosigners.ts'

const pay = async (worker: Worker, sats: string) =>
  worker.ui('planPayment', draft({ recipients: [{ to: RECIPIENT, sats }], feeRate: 5 }))

/** A wallet with 50 payments that one signer has signed, the most that are kept: copies of one, with the ages that are told. */
async function startFull() {
  const started = await startCosigned('p2wsh', 100_000n, 90_000n, 80_000n)
  const { worker, cosigners } = started
  const { planId, digest } = await pay(worker, '30000')
  const { psbt } = await worker.ui('getCosigning', { planId, digest })
  await worker.ui('addCosignature', { planId, digest, returned: cosigners.sign(0, psbt) })
  const { plans } = worker.wallet
  const [signed] = await plans.listCosigned()
  if (!signed) throw new Error('nothing is kept')
  for (let at = 1; at < 50; at++) {
    const { plan } = signed
    const review = { ...plan.review, sats: String(at) }
    const copy = { ...plan, review, at: plan.at - (at === 7 ? 1_000 : 0) }
    await plans.putCosigned({
      ...signed,
      id: `copy-${at}`,
      label: at === 7 ? 'Rent' : '',
      plan: copy,
    })
  }
  return { ...started, first: { planId, digest } }
}

describe('payments of several signers, more than are kept', () => {
  it('are refused while all others have signatures, with the oldest named, and none of those is lost', async () => {
    const { worker, cosigners, first } = await startFull()
    const kept = await worker.ui('listCosignings', null)
    expect(kept).toHaveLength(50)
    const further = await pay(worker, '10000')
    const opening = worker.ui('getCosigning', { planId: further.planId, digest: further.digest })
    await expect(opening).rejects.toMatchObject({
      code: -32000,
      data: {
        reason: 'TOO_MANY_PAYMENTS',
        most: 50,
        planId: 'copy-7',
        ...{ sats: '7', label: 'Rent', account: 'Family' },
      },
    })
    expect(await worker.ui('listCosignings', null)).toEqual(kept)
    // Those that are kept go on.
    const { psbt } = await worker.ui('getCosigning', first)
    const returned = cosigners.sign(1, psbt)
    expect(await worker.ui('addCosignature', { ...first, returned })).toMatchObject({ signed: 2 })
    await worker.ui('dropCosigning', { planId: 'copy-7' })
    const { planId, digest } = further
    expect(await worker.ui('getCosigning', { planId, digest })).toMatchObject({ signed: 0 })
    expect(await worker.ui('listCosignings', null)).toHaveLength(50)
  })

  it('take the place of one that nobody has signed, which cannot be signed any more then', async () => {
    const { worker, cosigners } = await startFull()
    await worker.ui('dropCosigning', { planId: 'copy-7' })
    const begin = async (sats: string) => {
      const { planId, digest } = await pay(worker, sats)
      const { psbt } = await worker.ui('getCosigning', { planId, digest })
      return { planId, digest, psbt }
    }
    const unsigned = await begin('10000')
    const { psbt, ...next } = await begin('10001')
    const ids = (await worker.ui('listCosignings', null)).map(({ planId }) => planId)
    expect(ids).toContain(next.planId)
    expect(ids).not.toContain(unsigned.planId)
    await worker.ui('addCosignature', { ...next, returned: cosigners.sign(0, psbt) })
    const third = await pay(worker, '10002')
    const refused = worker.ui('getCosigning', { planId: third.planId, digest: third.digest })
    await expect(refused).rejects.toMatchObject({ data: { reason: 'TOO_MANY_PAYMENTS' } })
  })
})

describe('a payment of several signers that the network refuses', () => {
  /** One that both signers have signed, and what it is sent with. */
  async function startSigned() {
    const started = await startCosigned('p2wsh', 100_000n)
    const { worker, cosigners } = started
    const { planId, digest } = await pay(worker, '30000')
    const shown = { planId, digest }
    let { psbt } = await worker.ui('getCosigning', shown)
    for (const signer of [2, 0]) {
      const returned = cosigners.sign(signer, psbt)
      psbt = (await worker.ui('addCosignature', { ...shown, returned })).psbt
    }
    return { ...started, shown }
  }

  /** The same wallet once the browser was started again. */
  async function restart({ world }: Pick<Awaited<ReturnType<typeof startSigned>>, 'world'>) {
    const worker = startWorker({ ...world, session: createWorld().session })
    await worker.ui('unlock', { password: PASSWORD })
    return worker
  }

  it('is kept with its signatures, and sent when it is taken', async () => {
    const started = await startSigned()
    const { world, worker, shown } = started
    world.chain.faults.refuse = 'min relay fee not met'
    await expect(worker.ui('sendCosigned', shown)).rejects.toMatchObject({
      data: { reason: 'BROADCAST_REJECTED' },
    })
    const later = await restart(started)
    expect(await later.ui('listCosignings', null)).toMatchObject([{ ...shown, signed: 2 }])
    const coins = await later.ui('getCoins', null)
    expect(coins.map(({ held }) => held)).toEqual(['reserved'])
    delete world.chain.faults.refuse
    expect(await later.ui('sendCosigned', shown)).toMatchObject({ outcome: 'sent' })
    expect(await later.ui('listCosignings', null)).toEqual([])
    expect(world.chain.broadcasts).toHaveLength(1)
  })

  it('is kept also where nobody answered at first, and it is refused when it is tried again', async () => {
    const started = await startSigned()
    const { world, worker, shown } = started
    const { chain } = world.chain
    const { broadcast } = chain
    chain.broadcast = async () => {
      const problem = { kind: 'unreachable', host: 'memory.test', detail: '' } as const
      throw new BackendUnavailableError({ ...problem, retryInMs: null })
    }
    const sent = await inHurry(() => worker.ui('sendCosigned', shown), 0.5)
    expect(sent).toMatchObject({ outcome: 'unknown' })
    expect(await worker.ui('listCosignings', null)).toEqual([])
    chain.broadcast = broadcast
    world.chain.faults.refuse = 'min relay fee not met'
    world.clock.now += 60_000
    await worker.ui('getOverview', null)
    const later = await restart(started)
    expect(await later.ui('listCosignings', null)).toMatchObject([{ ...shown, signed: 2 }])
    delete world.chain.faults.refuse
    await later.ui('sendCosigned', shown)
    expect(await later.ui('listCosignings', null)).toEqual([])
    expect(world.chain.broadcasts).toHaveLength(1)
  })
})
