import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import { nonceOfCommit } from '../../ordinals/inscriptions/inscribing-key.ts'
import { outputsOf, readBroadcast } from '../testing/funded-wallet.ts'
import { loadInscribing } from './job-content.ts'
import fixture from './testing/job-of-random-nonce.json' with { type: 'json' }
import { bump, readChain, refund, startJobs, wait } from './testing/job-world.ts'

/**
 * A wallet that has a job of an earlier version in its storage, whose nonce was drawn at random: the network has its commit, and the
 * node refused both reveals.
 */
async function startWithOldJob() {
  const started = await startJobs(1_000_000n)
  const { world, account } = started
  const stored: typeof fixture.stored = JSON.parse(
    JSON.stringify(fixture.stored).replaceAll(fixture.stored.jobs[0]?.accountId ?? '', account.id),
  )
  const [job] = stored.jobs
  if (!job) throw new Error('no job')
  world.chain.add(fromHex(fixture.coin))
  await world.local.set(stored)
  const bytes = stored[`job.${job.id}.0` as 'job.e486a88c112171c61421dbc67f483d83.0']
  world.chain.receive(fromHex(Object.values(bytes.raw)[0] ?? ''))
  return { ...started, jobId: job.id, commitTxid: job.commitTxid }
}

describe('a job that an earlier version stored with a random nonce', () => {
  it('has a nonce that is not of its commit', async () => {
    const { worker, jobId } = await startWithOldJob()
    const job = await worker.wallet.jobs.find(jobId)
    if (!job) throw new Error('no job')
    const { nonce, commit } = await loadInscribing(worker.wallet, job, 0)
    expect(nonce).not.toEqual(nonceOfCommit(commit.inputs[0] ?? { txid: '', vout: 0 }))
  })

  it('reveals what it is to reveal', async () => {
    const { world, worker, jobId } = await startWithOldJob()
    await worker.ui('resumeJob', { jobId })
    expect(readChain(world).texts).toEqual(['one', 'two'])
  })

  it('is paid more for with the same leaves, whatever its commit spends beside', async () => {
    const { world, worker, jobId } = await startWithOldJob()
    await bump(worker, jobId, 800)
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'done' })
    expect(readChain(world).texts).toEqual(['one', 'two'])
  })

  it('is paid more for once a block has its commit', async () => {
    const { world, worker, jobId } = await startWithOldJob()
    world.chain.mine()
    await bump(worker, jobId, 20)
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'done' })
    expect(readChain(world).texts).toEqual(['one', 'two'])
  })

  it('gives its money back', async () => {
    const { world, worker, account, jobId, commitTxid } = await startWithOldJob()
    await refund(worker, jobId, 2)
    const [back = ''] = readChain(world).spendersOf(`${commitTxid}:0`)
    expect(outputsOf(readBroadcast(world, back))).toMatchObject([{ address: account.address }])
  })
})
