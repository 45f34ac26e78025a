import { describe, expect, it } from 'vitest'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import {
  etch,
  etchingDraft,
  index,
  listEtchings,
  MATURITY,
  NAME,
  takeName,
} from './testing/etching-world.ts'
import { confirm, refund, startJobs, wait } from './testing/job-world.ts'

describe('a name', () => {
  it('that somebody has is refused before anything is signed', async () => {
    const { world, worker } = await startJobs()
    const txid = takeName(world)
    await expect(worker.ui('planRuneEtching', etchingDraft())).rejects.toMatchObject({
      code: -32000,
      data: { reason: 'NAME_TAKEN', name: NAME, etching: txid },
    })
  })

  it('that somebody takes between plan and approval is refused, and nothing is sent', async () => {
    const { world, worker } = await startJobs()
    const plan = await worker.ui('planRuneEtching', etchingDraft())
    takeName(world)
    await expect(confirm(worker, plan)).rejects.toMatchObject({ data: { reason: 'NAME_TAKEN' } })
    expect(world.chain.broadcasts).toEqual([])
    expect(await worker.ui('getJobs', null)).toEqual([])
  })

  it('that this wallet is etching is not begun twice, whatever its spacers', async () => {
    const { worker } = await startJobs(100_000n, 100_000n)
    const plan = await worker.ui('planRuneEtching', etchingDraft())
    await etch(worker)
    const again = worker.ui('planRuneEtching', etchingDraft({ name: 'SATCHELTESTRUNES' }))
    await expect(again).rejects.toMatchObject({ data: { reason: 'NAME_TAKEN' } })
    await expect(confirm(worker, plan)).rejects.toMatchObject({ code: -32000 })
  })

  it('that nobody can tell of is not begun', async () => {
    const { world, worker } = await startJobs()
    world.assets.faults.unreachable = true
    await expect(worker.ui('planRuneEtching', etchingDraft())).rejects.toMatchObject({
      data: { reason: 'BACKEND_UNAVAILABLE' },
    })
  })

  it('of which an index without runes cannot tell is not begun', async () => {
    const { world, worker } = await startJobs()
    const { source } = world.assets
    source.fetchTip = async () => {
      throw new BackendUnavailableError({
        ...{ kind: 'nonsense', host: 'index.test', detail: 'no runes', retryInMs: null },
      })
    }
    await expect(worker.ui('planRuneEtching', etchingDraft())).rejects.toMatchObject({
      data: { reason: 'BACKEND_UNAVAILABLE' },
    })
  })

  it('that this wallet has etched is taken', async () => {
    const { world, worker } = await startJobs(100_000n, 100_000n)
    const { jobId } = await etch(worker)
    world.chain.mine(MATURITY)
    await wait(world, worker, jobId)
    world.chain.mine()
    const [{ txid } = { txid: '' }] = listEtchings(world)
    index(world, txid)
    await wait(world, worker, jobId)
    await expect(worker.ui('planRuneEtching', etchingDraft())).rejects.toMatchObject({
      data: { reason: 'NAME_TAKEN', etching: txid },
    })
  })

  it('that somebody takes while the commit matures stops the etching, which says so, and its money comes back', async () => {
    const { world, worker, account } = await startJobs()
    const { jobId } = await etch(worker)
    world.chain.mine(MATURITY)
    const by = takeName(world)
    const job = await wait(world, worker, jobId)
    expect(job).toMatchObject({
      ...{ state: 'stuck', problem: { kind: 'name-taken', detail: by }, etching: { takenBy: by } },
      can: { bump: null, refund: { leastFeeRate: 1 } },
    })
    expect(listEtchings(world)).toEqual([])
    // Nor does trying again send it.
    await worker.ui('resumeJob', { jobId })
    expect(listEtchings(world)).toEqual([])
    const review = await refund(worker, jobId, 2)
    expect(review).toMatchObject({ purpose: 'refund', etching: { name: NAME } })
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({
      ...{ state: 'refunded', problem: null, locked: '0' },
    })
    const refunded = parseTransaction(
      world.chain.get(world.chain.broadcasts.at(-1) ?? '') ?? new Uint8Array(),
    )
    expect(refunded.outputs).toHaveLength(1)
    expect(account.address).toBe(review.receiver)
  })

  it('that is free again after a reorganisation is etched', async () => {
    const { world, worker } = await startJobs()
    const { jobId } = await etch(worker)
    world.chain.mine(MATURITY)
    takeName(world)
    await wait(world, worker, jobId)
    const { source } = world.assets
    source.fetchRune = async () => null
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'waiting', problem: null })
    expect(listEtchings(world)).toHaveLength(1)
  })

  it('of which an index says nothing keeps the etching back until it does', async () => {
    const { world, worker } = await startJobs()
    const { jobId } = await etch(worker)
    world.chain.mine(MATURITY)
    world.assets.faults.unreachable = true
    expect(await wait(world, worker, jobId)).toMatchObject({ problem: { kind: 'unanswered' } })
    expect(listEtchings(world)).toEqual([])
    world.assets.faults.unreachable = false
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'waiting', problem: null })
    expect(listEtchings(world)).toHaveLength(1)
  })

  it('keeps the etching back while the index has not read all blocks', async () => {
    const { world, worker } = await startJobs()
    const { jobId } = await etch(worker)
    world.chain.mine(MATURITY)
    world.assets.faults.lagBlocks = 1
    expect(await wait(world, worker, jobId)).toMatchObject({
      problem: { kind: 'unanswered', detail: expect.stringContaining('The index is at block') },
    })
    expect(listEtchings(world)).toEqual([])
    world.assets.faults.lagBlocks = 0
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'waiting', problem: null })
    expect(listEtchings(world)).toHaveLength(1)
  })

  it('that somebody else gets into a block first is told, also once the own etching is in one', async () => {
    const { world, worker } = await startJobs()
    const { jobId } = await etch(worker)
    world.chain.mine(MATURITY)
    await wait(world, worker, jobId)
    const by = takeName(world)
    expect(await wait(world, worker, jobId)).toMatchObject({
      ...{ problem: { kind: 'name-taken' }, can: { refund: expect.anything() } },
    })
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({
      ...{ state: 'done', problem: { kind: 'name-taken', detail: by } },
    })
  })
})
