import { describe, expect, it } from 'vitest'
import { decodeTransaction, parseTransaction } from '../../bitcoin/transaction.ts'
import { parseEnvelopes } from '../../ordinals/inscriptions/envelope.ts'
import { etchElsewhere } from '../../ordinals/testing/etching-oracle.ts'
import { findCoin } from '../testing/funded-wallet.ts'
import { refreshJobs } from './job-run.ts'
import { stateOf } from './job-state.ts'
import { etch, etchingDraft, index, listEtchings, MATURITY, NAME } from './testing/etching-world.ts'
import { bump, confirm, readChain, refund, restart, startJobs, wait } from './testing/job-world.ts'

describe('an etching', () => {
  it('is shown with all that it is and costs before anything is signed', async () => {
    const { world, worker, account } = await startJobs()
    const { review } = await worker.ui('planRuneEtching', etchingDraft())
    expect(review).toMatchObject({
      ...{ kind: 'inscribe', purpose: 'inscribe', items: [], receiver: account.address },
      etching: {
        ...{ name: NAME, symbol: '⧉', divisibility: 2, premine: '1000.5' },
        terms: { amount: '10', cap: '500', offset: { start: null, end: 1_000 } },
        // 1000.5 and 500 times 10.
        ...{ supply: '6000.5', turbo: false, isInscribed: false, blocks: 6 },
      },
    })
    // What it costs are all fees, and the sats that stay on the premine's coin.
    expect(BigInt(review.cost)).toBe(BigInt(review.totalFee) + 546n)
    // Taking back is one taproot input, by its key, and one output: 111 vB at 5 sat/vB.
    expect(review.etching?.refundFee).toBe('555')
    expect(world.chain.broadcasts).toEqual([])
  })

  it('waits until its commit has five confirmations, then is in the block of the sixth', async () => {
    const { world, worker } = await startJobs()
    const { jobId } = await etch(worker)
    const commitTxid = world.chain.broadcasts[0] ?? ''
    expect(await wait(world, worker, jobId)).toMatchObject({
      ...{ state: 'maturing', problem: null, etching: { confirmations: 0, needed: 6 } },
    })
    for (let blocks = 1; blocks < MATURITY; blocks++) {
      world.chain.mine()
      expect(await wait(world, worker, jobId)).toMatchObject({
        ...{ state: 'maturing', problem: null, etching: { confirmations: blocks } },
      })
    }
    expect(world.chain.broadcasts).toEqual([commitTxid])
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'waiting', problem: null })
    world.chain.mine()
    const [made, ...others] = listEtchings(world)
    expect(others).toEqual([])
    const { txid = '', rawTx = new Uint8Array() } = made ?? {}
    const commitHeight = world.chain.heightOf(commitTxid) ?? 0
    const height = world.chain.heightOf(txid) ?? 0
    expect(height - commitHeight + 1).toBe(6)
    const commit = world.chain.get(commitTxid) ?? new Uint8Array()
    const told = await etchElsewhere({ commit, reveal: rawTx }, { commitHeight, height })
    expect(told.etchings).toMatchObject([
      {
        ...{ runeName: NAME, symbol: '⧉', divisibility: 2, premine: 100_050n },
        terms: { amount: 1_000n, cap: 500n, offset: { end: 1_000n } },
      },
    ])
    expect(told.balances).toEqual([{ vout: 0, amount: 100_050n }])
    index(world, txid)
    expect(await wait(world, worker, jobId)).toMatchObject({
      ...{
        state: 'done',
        problem: null,
        locked: '0',
        etching: { confirmations: 6, takenBy: null },
      },
    })
    const { entries } = await worker.ui('getActivity', { offset: 0, limit: 10 })
    expect(entries.map(({ kind, status }) => `${kind} ${status}`)).toEqual(
      expect.arrayContaining(['etching confirmed', 'commit confirmed']),
    )
    const { runes } = await worker.ui('getRunes', { offset: 0, limit: 10 })
    expect(runes).toMatchObject([{ name: NAME, amount: '1000.5', coins: 1 }])
    expect(await findCoin(worker, `${txid}:0`)).toMatchObject({ held: 'runic', sats: '546' })
  })

  it('holds the coin of its premine until an index has told what is on it', async () => {
    const { world, worker } = await startJobs()
    const { jobId } = await etch(worker)
    world.chain.mine(MATURITY)
    await wait(world, worker, jobId)
    const [{ txid } = { txid: '' }] = listEtchings(world)
    expect(await findCoin(worker, `${txid}:0`)).toMatchObject({ held: 'unconfirmed' })
    world.assets.faults.lagBlocks = 1
    world.chain.mine()
    expect(await findCoin(worker, `${txid}:0`)).toMatchObject({ held: 'unknown' })
  })

  it('inscribes what comes with it on the first output, and has the premine on the second', async () => {
    const { world, worker, account } = await startJobs()
    const inscription = { kind: 'text', text: 'A rune has a poem' } as const
    const plan = await worker.ui('planRuneEtching', etchingDraft({ inscription }))
    expect(plan.review.items).toMatchObject([{ kind: 'text', contentLength: 17 }])
    expect(BigInt(plan.review.cost)).toBe(BigInt(plan.review.totalFee) + 2n * 546n)
    const { jobId } = await confirm(worker, plan)
    world.chain.mine(MATURITY)
    await wait(world, worker, jobId)
    const [{ rawTx } = { rawTx: new Uint8Array() }] = listEtchings(world)
    expect(readChain(world).texts).toEqual(['A rune has a poem'])
    const { outputs } = parseTransaction(rawTx)
    expect(outputs.map(({ amount }) => amount)).toEqual([546n, 546n, 0n])
    const [envelope] = parseEnvelopes(decodeTransaction(rawTx).ins.map(({ witness }) => witness))
    expect(envelope?.fields.rune).not.toBeNull()
    world.chain.mine()
    const job = await wait(world, worker, jobId)
    expect(job).toMatchObject({ state: 'done', items: [{ kind: 'text', state: 'confirmed' }] })
    expect(account.address).toBe(plan.review.receiver)
  })

  it('without a premine has no output but the account’s and the runestone', async () => {
    const { world, worker } = await startJobs()
    const { jobId, review } = await etch(worker, { premine: '' })
    expect(review.etching).toMatchObject({ premine: '0', supply: '5000' })
    world.chain.mine(MATURITY)
    await wait(world, worker, jobId)
    const [{ rawTx } = { rawTx: new Uint8Array() }] = listEtchings(world)
    expect(parseTransaction(rawTx).outputs.map(({ amount }) => amount)).toEqual([546n, 0n])
  })

  it('goes on while the wallet is locked, in a browser that was closed meanwhile', async () => {
    const { world, worker } = await startJobs()
    const { jobId } = await etch(worker)
    world.chain.mine(MATURITY)
    const next = restart(world, { keepsSession: false })
    world.clock.now += 60_000
    await refreshJobs(next.wallet)
    expect(listEtchings(world)).toHaveLength(1)
    expect((await next.wallet.jobs.find(jobId))?.problem).toBeNull()
  })

  it('can be paid more for while it matures, and as long as no block has it', async () => {
    const { world, worker } = await startJobs(100_000n, 100_000n, 100_000n)
    const { jobId } = await etch(worker)
    const first = world.chain.broadcasts[0] ?? ''
    expect(await bump(worker, jobId, 9)).toMatchObject({ purpose: 'bump', etching: { name: NAME } })
    const commit = world.chain.broadcasts.at(-1) ?? ''
    expect(commit).not.toBe(first)
    world.chain.mine(MATURITY)
    await bump(worker, jobId, 20)
    await wait(world, worker, jobId)
    await bump(worker, jobId, 40)
    world.chain.mine()
    const [{ txid, rawTx } = { txid: '', rawTx: new Uint8Array() }] = listEtchings(world)
    const { inputs, vsize } = parseTransaction(rawTx)
    expect(inputs[0]).toMatchObject({ txid: commit, sequence: 5 })
    expect(vsize).toBeGreaterThan(150)
    index(world, txid)
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'done', problem: null })
  })
})

describe('a bump of the commit that the network refuses', () => {
  it('is told, and the etching goes on with the commit that it has', async () => {
    const { world, worker, gate } = await startJobs()
    const { jobId } = await etch(worker)
    const [first = ''] = world.chain.broadcasts
    gate.refuse = () => 'insufficient fee'
    await bump(worker, jobId, 9)
    gate.refuse = () => null
    const refused = await worker.wallet.jobs.find(jobId)
    expect(refused?.problem).toMatchObject({ kind: 'refused', detail: 'insufficient fee' })
    expect(refused && stateOf(refused)).toBe('maturing')
    world.chain.evict(first)
    world.chain.mine()
    await wait(world, worker, jobId)
    world.chain.mine(MATURITY)
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'waiting', problem: null })
    expect(listEtchings(world)).toHaveLength(1)
  })
})

describe('a reorganisation', () => {
  it('that undoes the commit makes the etching wait for six confirmations anew', async () => {
    const { world, worker } = await startJobs()
    const { jobId } = await etch(worker)
    world.chain.mine(MATURITY - 1)
    await wait(world, worker, jobId)
    world.chain.reorg(MATURITY)
    expect(await wait(world, worker, jobId)).toMatchObject({
      ...{ state: 'maturing', etching: { confirmations: 0 } },
    })
    world.chain.mine(MATURITY - 1)
    await wait(world, worker, jobId)
    expect(listEtchings(world)).toEqual([])
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'waiting' })
    expect(listEtchings(world)).toHaveLength(1)
  })

  it('that undoes both etches once more, after the name was committed to again', async () => {
    const { world, worker } = await startJobs()
    const { jobId } = await etch(worker)
    const commitTxid = world.chain.broadcasts[0] ?? ''
    world.chain.mine(MATURITY)
    await wait(world, worker, jobId)
    const [{ txid } = { txid: '' }] = listEtchings(world)
    world.chain.mine()
    await wait(world, worker, jobId)
    world.chain.reorg(MATURITY + 1)
    // Nodes drop what is locked again (`removeForReorg` in Bitcoin Core).
    world.chain.evict(txid)
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'maturing' })
    world.chain.mine(MATURITY)
    await wait(world, worker, jobId)
    world.chain.mine()
    expect(listEtchings(world).map(one => one.txid)).toEqual([txid])
    const depth = (world.chain.heightOf(txid) ?? 0) - (world.chain.heightOf(commitTxid) ?? 0) + 1
    expect(depth).toBe(6)
    index(world, txid)
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'done', problem: null })
  })
})

describe('a refund', () => {
  it('before the commit is old enough ends the etching', async () => {
    const { world, worker } = await startJobs()
    const { jobId } = await etch(worker)
    world.chain.mine()
    await wait(world, worker, jobId)
    await refund(worker, jobId, 2)
    world.chain.mine(MATURITY + 1)
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'refunded', problem: null })
    expect(listEtchings(world)).toEqual([])
    // The name can be tried again.
    await expect(worker.ui('planRuneEtching', etchingDraft())).resolves.toBeDefined()
  })

  it('takes the place of an etching that waits for its block', async () => {
    const { world, worker } = await startJobs()
    const { jobId } = await etch(worker)
    world.chain.mine(MATURITY)
    const job = await wait(world, worker, jobId)
    await refund(worker, jobId, job.can.refund?.leastFeeRate ?? 0)
    expect(listEtchings(world)).toEqual([])
    world.chain.mine()
    expect(await wait(world, worker, jobId)).toMatchObject({ state: 'refunded', locked: '0' })
  })
})
