import { describe, expect, it } from 'vitest'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import { createSeededRandom } from '../testing/seeded-random.ts'
import type { World } from '../testing/test-wallet.ts'
import { refreshJobs } from './job-run.ts'
import { etch, listEtchings, takeName } from './testing/etching-world.ts'
import { confirm, restart, startJobs, wait } from './testing/job-world.ts'

const ROUNDS = 24
/** Blocks in which all comes to an end: the commit's, five more, and one for the reveal or the refund of each try. */
const TURNS = 16
const SEEDS = Array.from({ length: 24 }, (_, seed) => seed).concat(278, 304)
const ends = new Set<string>()

describe('whatever happens to an etching', () => {
  it.each(SEEDS)(
    'its money ends with the account and the rune is etched once, in time, or not at all (seed %i)',
    async seed => {
      const random = createSeededRandom(seed)
      const { world, worker, gate } = await startJobs(200_000n, 150_000n, 120_000n)
      // No reorganisation reaches the coins themselves.
      world.chain.mine(30)
      const { jobId } = await etch(worker)
      let wantsBack = false
      let isTaken = false
      for (let round = 0; round < ROUNDS; round++) await happen(random.below(14))
      Object.assign(gate, { refuse: () => null, lose: () => null, lie: () => false })
      Object.assign(world.assets.faults, { unreachable: false, lagBlocks: 0 })
      // An honest server, and a person who asks for what was left half done.
      for (let turn = 0; turn < TURNS; turn++) {
        await worker.ui('touch', null)
        const job = await wait(world, worker, jobId)
        if (job.can.resume) await worker.ui('resumeJob', { jobId })
        if (job.state === 'stuck' && job.can.refund) await attempt('planJobRefund')
        world.chain.mine()
      }
      const job = await wait(world, worker, jobId)
      const etchings = listEtchings(world)
      expect(job.locked).toBe('0')
      expect(job.state).toBe(etchings.length === 1 ? 'done' : 'refunded')
      expect(job.problem).toEqual(
        isTaken && etchings.length === 1 ? expect.objectContaining({ kind: 'name-taken' }) : null,
      )
      if (!wantsBack && !isTaken) expect(etchings).toHaveLength(1)
      for (const { txid, rawTx } of etchings) {
        const [leaf] = parseTransaction(rawTx).inputs
        const committed = world.chain.heightOf(leaf?.txid ?? '') ?? 0
        expect((world.chain.heightOf(txid) ?? 0) - committed + 1).toBeGreaterThanOrEqual(6)
      }
      ends.add(`${job.state}${isTaken ? ' taken' : ''}`)

      async function happen(what: number): Promise<void> {
        await worker.ui('touch', null)
        const waiting = world.chain.list().filter(({ height }) => height === null)
        if (what <= 2) world.chain.mine()
        if (what === 3) reorganise(world, 1 + random.below(3))
        if (what === 4 && waiting.length > 0)
          world.chain.evict(waiting[random.below(waiting.length)]?.txid ?? '')
        if (what === 5) gate.refuse = () => (random.below(2) === 0 ? 'min relay fee not met' : null)
        if (what === 6) Object.assign(gate, { refuse: () => null, lie: () => false })
        if (what === 7) gate.lie = () => random.below(3) === 0
        if (what === 8) await refreshJobs(restart(world, { keepsSession: false }).wallet)
        if (what === 9) await attempt('planJobBump')
        if (what === 10 && random.below(3) === 0)
          wantsBack = (await attempt('planJobRefund')) || wantsBack
        if (what === 11) world.assets.faults.unreachable = random.below(2) === 0
        if (what === 12 && random.below(4) === 0 && !isTaken) {
          takeName(world)
          isTaken = true
        }
        if (what >= 12) await wait(world, worker, jobId)
      }

      /** Whether it was signed; what cannot be done then is refused with its reason. */
      async function attempt(method: 'planJobBump' | 'planJobRefund'): Promise<boolean> {
        const { can } = await worker.ui('getJob', { jobId })
        const way = method === 'planJobBump' ? can.bump : can.refund
        if (!way) return false
        try {
          await confirm(worker, await worker.ui(method, { jobId, feeRate: way.leastFeeRate }))
          return true
        } catch (error) {
          expect(error).toMatchObject({
            code: expect.toSatisfy(code => code === -32000 || code === -32602),
          })
          return false
        }
      }
    },
    60_000,
  )

  it('has every end among these', () => {
    for (const end of ['done', 'refunded', 'refunded taken']) expect(ends).toContain(end)
  })
})

/** Takes blocks off; nodes drop what is locked again then (`removeForReorg` in Bitcoin Core). */
function reorganise({ chain }: World, depth: number): void {
  chain.reorg(depth)
  for (const { txid, inputs, height } of chain.list())
    if (height === null && inputs.some(input => isLocked(input.txid, input.sequence)))
      chain.evict(txid)

  function isLocked(txid: string, sequence: number): boolean {
    if (sequence >= 0x80000000) return false
    const height = chain.heightOf(txid)
    return height === null || chain.tip() + 1 - height < sequence
  }
}
