import { describe, expect, it } from 'vitest'
import { createSeededRandom } from '../testing/seeded-random.ts'
import type { Worker } from '../testing/test-wallet.ts'
import { refreshJobs } from './job-run.ts'
import {
  confirm,
  FIVE,
  mintTexts,
  readChain,
  restart,
  startJobs,
  wait,
} from './testing/job-world.ts'

const ROUNDS = 12
const SORTED = FIVE.toSorted()

describe('whatever happens to a mint', () => {
  it.each([...Array.from({ length: 16 }, (_, seed) => seed), 95])(
    'its money ends in inscriptions or with the account, each text at most once (seed %i)',
    async seed => {
      const random = createSeededRandom(seed)
      const { world, worker, gate } = await startJobs(200_000n, 150_000n, 120_000n)
      // No reorganisation reaches the coins themselves.
      world.chain.mine(30)
      const { jobId } = await mintTexts(worker)
      let wantsBack = false
      for (let round = 0; round < ROUNDS; round++) await happen(random.below(11))
      Object.assign(gate, { refuse: () => null, lose: () => null, lie: () => false })
      // An honest server, and a person who asks for what was left half done.
      for (let turn = 0; turn < 4; turn++) {
        const job = await wait(world, worker, jobId)
        if (job.can.resume) await worker.ui('resumeJob', { jobId })
        if (job.state === 'stuck' && job.can.refund) await attempt('planJobRefund')
        world.chain.mine()
      }
      const job = await wait(world, worker, jobId)
      const { texts } = readChain(world)
      expect(job).toMatchObject({ locked: '0', problem: null })
      expect(job.state).toBe(texts.length === 5 ? 'done' : 'refunded')
      if (!wantsBack) expect(texts).toEqual(SORTED)
      expect(new Set(texts).size).toBe(texts.length)
      expect(job.items.filter(({ state }) => state === 'confirmed')).toHaveLength(texts.length)
      expect(world.chain.list().filter(({ txid }) => txid === job.commit.txid)).toHaveLength(1)

      async function happen(what: number): Promise<void> {
        const waiting = world.chain.list().filter(({ height }) => height === null)
        if (what === 0) world.chain.mine()
        if (what === 1) world.chain.reorg(1)
        if (what === 2 && waiting.length > 0)
          world.chain.evict(waiting[random.below(waiting.length)]?.txid ?? '')
        if (what === 3) gate.refuse = () => (random.below(2) === 0 ? 'min relay fee not met' : null)
        if (what === 4) gate.refuse = () => null
        if (what === 5) gate.lie = () => random.below(3) === 0
        if (what === 6) gate.lie = () => false
        if (what === 7) await refreshJobs(restart(world, { keepsSession: false }).wallet)
        if (what === 8) await attempt('planJobBump')
        if (what === 9) wantsBack = (await attempt('planJobRefund')) || wantsBack
        if (what === 10) await wait(world, worker, jobId)
      }

      /** Whether it was signed; what cannot be done then is refused with its reason. */
      async function attempt(method: 'planJobBump' | 'planJobRefund'): Promise<boolean> {
        const { can } = await worker.ui('getJob', { jobId })
        const way = method === 'planJobBump' ? can.bump : can.refund
        if (!way) return false
        return change(worker, method, jobId, way.leastFeeRate)
      }
    },
    60_000,
  )
})

async function change(
  worker: Worker,
  method: 'planJobBump' | 'planJobRefund',
  jobId: string,
  feeRate: number,
): Promise<boolean> {
  try {
    await confirm(worker, await worker.ui(method, { jobId, feeRate }))
    return true
  } catch (error) {
    expect(error).toMatchObject({
      code: expect.toSatisfy(code => code === -32000 || code === -32602),
    })
    return false
  }
}
