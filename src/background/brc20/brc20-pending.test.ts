import { beforeEach, describe, expect, it } from 'vitest'
import type { Brc20Operation } from '../../ordinals/brc20/brc20-operation.ts'
import { type Gate, refund, startJobs } from '../inscribing/testing/job-world.ts'
import type { Worker, World } from '../testing/test-wallet.ts'
import { fetchBrc20Share, judgeBrc20 } from './brc20.ts'
import type { Brc20Context } from './brc20-parts.ts'

let world: World
let worker: Worker
let gate: Gate
let context: Brc20Context

beforeEach(async () => {
  const started = await startJobs(100_000n, 100_000n, 100_000n)
  ;({ world, worker, gate } = started)
  context = { wallet: worker.wallet, network: 'regtest', account: started.account }
  world.brc20.deploy('ordi', { lim: '5', minted: '0' })
  world.brc20.credit(started.account.address, 'ordi', '10')
})

const UNIT = 10n ** 18n
const transfer = (amt: string): Brc20Operation => ({ op: 'transfer', tick: 'ordi', amt })
const mint = (amt: string): Brc20Operation => ({ op: 'mint', tick: 'ORDI', amt })

async function inscribe(...operations: Brc20Operation[]): Promise<string> {
  const { planId, digest } = await worker.ui('planInscribe', {
    items: operations.map(operation => ({ kind: 'brc-20', operation })),
    postage: 546,
    feeRate: 2,
    parent: null,
    metadata: null,
    label: '',
  })
  return (await worker.ui('confirmInscribe', { planId, digest })).jobId
}

const judge = async (operation: Brc20Operation) => (await judgeBrc20(context, [operation]))[0]

describe('what was inscribed and no index has counted yet', () => {
  it('counts with what comes next, so that nothing is inscribed in vain', async () => {
    await inscribe(transfer('6'), mint('1'))
    expect(await judge(transfer('4'))).toMatchObject({
      checked: true,
      obstacles: [],
      before: { available: '5', transferable: '6' },
      after: { available: '1', transferable: '10' },
    })
    expect(await judge(transfer('6'))).toMatchObject({ obstacles: ['order'], before: null })
    expect(await judge(transfer('12'))).toMatchObject({ obstacles: ['insufficient'] })
  })

  it('adds nothing that can be spent before it is in a block', async () => {
    await inscribe(mint('5'))
    expect(await judge(transfer('15'))).toMatchObject({
      obstacles: ['order'],
      before: { available: '15', transferable: '0' },
      after: null,
    })
    expect(await fetchBrc20Share(context, 'ORDI')).toMatchObject({ available: 10n * UNIT })
    world.chain.mine()
    world.brc20.faults.lagBlocks = 1
    expect(await judge(transfer('15'))).toMatchObject({
      obstacles: [],
      after: { available: '0', transferable: '15' },
    })
    expect(await fetchBrc20Share(context, 'ORDI')).toMatchObject({ available: 15n * UNIT })
  })

  it('that fits in one order only leaves open what there is', async () => {
    await inscribe(transfer('6'), transfer('5'))
    expect(await judge(transfer('1'))).toMatchObject({ obstacles: ['order'], before: null })
    expect(await fetchBrc20Share(context, 'ordi')).toMatchObject({ available: 0n })
    world.chain.mine()
    world.brc20.faults.lagBlocks = 1
    expect(await judge(transfer('1'))).toMatchObject({ obstacles: ['order'], before: null })
    world.brc20.faults.lagBlocks = 0
    world.brc20.credit(context.account.address, 'ordi', '5', '5')
    expect(await judge(transfer('1'))).toMatchObject({ obstacles: [] })
  })

  it('makes a token once it is in a block', async () => {
    const terms = { max: '100', lim: null, dec: null, selfMint: false }
    await inscribe({ op: 'deploy', tick: 'new1', ...terms })
    const first: Brc20Operation = { op: 'mint', tick: 'NEW1', amt: '100' }
    expect(await judge(first)).toMatchObject({ checked: true, obstacles: ['order'] })
    const again: Brc20Operation = { op: 'deploy', tick: 'New1', ...terms }
    expect(await judge(again)).toMatchObject({ obstacles: ['order'] })
    world.chain.mine()
    world.brc20.faults.lagBlocks = 1
    expect(await judge(first)).toMatchObject({ obstacles: [], after: { available: '100' } })
    expect(await judge(again)).toMatchObject({ obstacles: ['already-deployed'] })
  })

  it('no longer counts once the index has its block', async () => {
    await inscribe(transfer('6'))
    world.chain.mine()
    world.brc20.faults.lagBlocks = 1
    expect(await judge(transfer('1'))).toMatchObject({ before: { available: '4' } })
    world.brc20.faults.lagBlocks = 0
    world.brc20.credit(context.account.address, 'ordi', '4', '6')
    expect(await judge(transfer('1'))).toMatchObject({
      before: { available: '4', transferable: '6' },
    })
  })

  it('counts while it cannot be handed over, and not once it is discarded', async () => {
    world.chain.faults.refuse = 'min relay fee not met'
    const jobId = await inscribe(transfer('6'))
    expect(world.chain.broadcasts).toEqual([])
    expect(await judge(transfer('1'))).toMatchObject({ before: { available: '4' } })
    await worker.ui('discardJob', { jobId })
    expect(await judge(transfer('1'))).toMatchObject({ before: { available: '10' } })
  })

  it('counts while the node refuses the reveal alone, which is tried again, and not once it is taken back', async () => {
    gate.refuse = () => (world.chain.broadcasts.length > 0 ? 'too-long-mempool-chain' : null)
    const jobId = await inscribe(transfer('6'))
    expect(await worker.ui('getJob', { jobId })).toMatchObject({ items: [{ state: 'refused' }] })
    expect(await judge(transfer('5'))).toMatchObject({ obstacles: ['order'] })
    gate.refuse = () => null
    await refund(worker, jobId, 3)
    expect(await judge(transfer('5'))).toMatchObject({
      obstacles: [],
      before: { available: '10', transferable: '0' },
    })
  })

  it('of other accounts is theirs', async () => {
    await inscribe(transfer('6'))
    const other = await worker.ui('addAccount', { addressType: 'p2wpkh', name: 'Other' })
    world.brc20.credit(other.address, 'ordi', '3')
    const [effect] = await judgeBrc20({ ...context, account: other }, [transfer('1')])
    expect(effect).toMatchObject({ before: { available: '3', transferable: '0' } })
  })
})
