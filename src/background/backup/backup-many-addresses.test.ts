import { describe, expect, it } from 'vitest'
import {
  addressAt,
  listChangePaid,
  listChangePaidTwice,
  pay,
  receiveAddress,
  startWithMany,
} from '../accounts/testing/many-addresses.ts'
import { confirm, readChain, textDraft } from '../inscribing/testing/job-world.ts'
import { fund } from '../testing/test-wallet.ts'
import { createBackup, elsewhere, mintRunes, restore, startFresh } from './testing/full-wallet.ts'

/** An account of many addresses with coins on some of them and none on the first. */
async function startSpread() {
  const started = await startWithMany()
  const { world, worker } = started
  for (const [branch, index, sats] of [
    [0, 18, 40_000n],
    [0, 30, 30_000n],
    [1, 7, 20_000n],
  ] as const)
    fund(world, addressAt('p2wpkh', branch, index), sats)
  const { balance } = await worker.ui('getOverview', { retry: true })
  expect(BigInt(balance?.confirmed ?? 0)).toBe(90_000n)
  await receiveAddress(worker)
  return started
}

describe('a backup of an account of many addresses', () => {
  it('has what is being inscribed with the coins of further ones, and it goes on there', async () => {
    const { world, worker } = await startSpread()
    world.chain.faults.refuse = 'not now'
    const draft = textDraft(['hello'], { postage: 10_000, feeRate: 180 })
    const { planId, digest, review } = await worker.ui('planInscribe', draft)
    expect(review.commit?.inputs).toHaveLength(2)
    const { jobId } = await worker.ui('confirmInscribe', { planId, digest })
    const file = await createBackup(worker)
    const there = await startFresh(elsewhere(world))
    const restored = await restore(there, file)
    expect(restored.sections.map(({ leftOut }) => leftOut)).toEqual(restored.sections.map(() => 0))
    const jobs = await there.wallet.jobs.list()
    expect(jobs.map(({ id }) => id)).toEqual([jobId])
    delete world.chain.faults.refuse
    world.clock.now += 61_000
    await there.ui('selectNetwork', { network: 'regtest' })
    await there.ui('selectAccount', { accountId: jobs[0]?.accountId ?? '' })
    await there.ui('resumeJob', { jobId })
    expect(readChain(world).texts).toEqual(['hello'])
  })

  it('keeps the change addresses of what waits for the network for that alone', async () => {
    const { world, worker } = await startSpread()
    world.chain.faults.refuse = 'not now'
    const draft = textDraft(['hello'], { postage: 600, feeRate: 3 })
    const { jobId } = await confirm(worker, await worker.ui('planInscribe', draft))
    const mintId = await mintRunes(worker, world, { count: 3, feeRate: 3 })
    const there = await startFresh(elsewhere(world))
    await restore(there, await createBackup(worker))
    delete world.chain.faults.refuse
    world.clock.now += 61_000
    const [job] = await there.wallet.jobs.list()
    await there.ui('selectNetwork', { network: 'regtest' })
    await there.ui('selectAccount', { accountId: job?.accountId ?? '' })
    await there.ui('getOverview', null)
    // The commit has 1/8, and the mints 1/9 and 1/10.
    expect(listChangePaid(world, (await pay(there, '2000')).txid)).toEqual(['1/11'])
    world.clock.now += 61_000
    await there.ui('resumeJob', { jobId })
    await there.ui('resumeRuneMint', { mintId })
    const paid = world.chain.broadcasts.flatMap(txid => listChangePaid(world, txid))
    expect(new Set(paid)).toEqual(new Set(['1/8', '1/9', '1/10', '1/11']))
    expect(listChangePaidTwice(world)).toEqual([])
  })

  it('has the mints that spend them', async () => {
    const { world, worker } = await startSpread()
    world.chain.faults.refuse = 'not now'
    const mintId = await mintRunes(worker, world, { count: 4, feeRate: 80 })
    const file = await createBackup(worker)
    const there = await startFresh(elsewhere(world))
    const restored = await restore(there, file)
    expect(restored.sections.map(({ leftOut }) => leftOut)).toEqual(restored.sections.map(() => 0))
    expect((await there.wallet.mints.list()).map(({ id }) => id)).toEqual([mintId])
  })
})
