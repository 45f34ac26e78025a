import { describe, expect, it } from 'vitest'
import { elsewhere, MINT_RUNE, mintRunes, offerRune } from '../backup/testing/full-wallet.ts'
import { refreshJobs } from '../inscribing/job-run.ts'
import {
  bump,
  confirm,
  mintTexts,
  refund,
  restart,
  textDraft,
} from '../inscribing/testing/job-world.ts'
import { refreshMints } from '../minting/mint-run.ts'
import { dieAfter } from '../testing/funded-wallet.ts'
import { fund, startWorker, type Worker, type World } from '../testing/test-wallet.ts'
import {
  addressAt,
  balance,
  listChangePaid,
  listChangePaidTwice,
  pay,
  startWithMany,
  wait,
} from './testing/many-addresses.ts'

type Act<T> = (worker: Worker, prepared: T) => Promise<unknown>

/**
 * Runs an act in a worker that dies before its first write to storage, then before its second, and so on until it lives to its end.
 * After each death the next worker goes on, does the act again and pays, as a person would.
 */
async function dieAtEachWrite<T>(
  prepare: (worker: Worker, world: World) => Promise<T>,
  act: Act<T>,
  again: Act<T> = act,
): Promise<number> {
  for (let writes = 0; ; writes++) {
    const { world, worker } = await startWithMany()
    for (let at = 0; at < 5; at++) fund(world, addressAt('p2wpkh', 0, at), 60_000n)
    await balance(worker)
    const prepared = await prepare(worker, world)
    wait(world)
    const dying = dieAfter(world, writes)
    const lived = act(startWorker(dying), prepared).then(() => true)
    if (await Promise.race([lived, dying.died.then(() => false)])) return writes
    const next = restart(world, { keepsSession: true })
    world.clock.now += 60_000
    await refreshJobs(next.wallet)
    await refreshMints(next.wallet)
    // What was signed and stored is there already; the plan of what was not may be outdated, as its address counts as used.
    await again(next, prepared).catch(error => {
      if (error.data?.reason !== 'PLAN_OUTDATED') throw error
    })
    wait(world)
    for (let at = 0; at < 2; at++) {
      await pay(next, '3000')
      wait(world)
    }
    expect(listChangePaidTwice(world)).toEqual([])
    await assertFound(world, next)
  }
}

/** Another wallet with the phrase alone has as much as this one. */
async function assertFound(world: World, worker: Worker): Promise<void> {
  world.chain.mine()
  wait(world)
  const { worker: there } = await startWithMany('p2wpkh', elsewhere(world))
  expect(await balance(there)).toEqual(await balance(worker))
}

const DRAFT = textDraft(['one', 'two'], { postage: 2_000 })

describe('a worker that dies at any write uses no address for change twice and loses none', () => {
  it('while it inscribes', async () => {
    const deaths = await dieAtEachWrite(worker => worker.ui('planInscribe', DRAFT), confirm)
    expect(deaths).toBeGreaterThan(6)
  }, 120_000)

  it('while it mints a rune several times', async () => {
    const deaths = await dieAtEachWrite(
      async (worker, world) => {
        offerRune(world)
        const draft = { rune: MINT_RUNE, count: 3, feeRate: 2, label: '' }
        return worker.ui('planRuneMint', draft)
      },
      (worker, plan) => worker.ui('confirmRuneMint', plan),
    )
    expect(deaths).toBeGreaterThan(5)
  }, 120_000)

  it('while it pays more for a commit', async () => {
    const deaths = await dieAtEachWrite(
      async worker => (await mintTexts(worker, ['one'])).jobId,
      (worker, jobId) => bump(worker, jobId, 30),
      async () => {},
    )
    expect(deaths).toBeGreaterThan(6)
  }, 120_000)

  it('while it takes money back', async () => {
    const deaths = await dieAtEachWrite(
      async worker => (await mintTexts(worker, ['one'], { postage: 9_000 })).jobId,
      (worker, jobId) => refund(worker, jobId, 30),
      async () => {},
    )
    expect(deaths).toBeGreaterThan(5)
  }, 120_000)
})

describe('an account whose transactions are refused again and again', () => {
  it('goes no further with its change than other wallets look', async () => {
    const { world, worker } = await startWithMany()
    for (let at = 0; at < 30; at++) fund(world, addressAt('p2wpkh', 0, 0), 20_000n)
    world.chain.faults.refuse = 'not today'
    for (let at = 0; at < 14; at++) {
      await mintTexts(worker, [`refused ${at}`])
      await worker
        .ui('discardJob', { jobId: (await worker.wallet.jobs.list())[0]?.id ?? '' })
        .catch(() => {})
      wait(world)
      await pay(worker, String(1_000 + at)).catch(() => {})
      wait(world)
    }
    await mintRunes(worker, world, { count: 2 })
    delete world.chain.faults.refuse
    wait(world)
    const { txid } = await pay(worker, '5000')
    expect(listChangePaid(world, txid)).toEqual(['1/19'])
    await assertFound(world, worker)
  })
})
