import { beforeEach, describe, expect, it } from 'vitest'
import type { Brc20Operation } from '../ordinals/brc20-operation.ts'
import { type Brc20Context, judgeBrc20 } from './brc20.ts'
import { startFunded } from './testing/funded-wallet.ts'
import type { Worker, World } from './testing/test-wallet.ts'

let world: World
let worker: Worker
let context: Brc20Context

beforeEach(async () => {
  const started = await startFunded(100_000n, 100_000n, 100_000n)
  ;({ world, worker } = started)
  context = { wallet: worker.wallet, network: 'regtest', account: started.account }
  world.brc20.deploy('ordi', { lim: '5', minted: '0' })
  world.brc20.credit(started.account.address, 'ordi', '10')
})

const transfer = (amt: string): Brc20Operation => ({ op: 'transfer', tick: 'ordi', amt })

async function inscribe(...operations: Brc20Operation[]): Promise<string> {
  const { planId, digest } = await worker.ui('planInscribe', {
    items: operations.map(operation => ({ kind: 'brc-20', operation })),
    postage: 546,
    feeRate: 2,
    parent: null,
    label: '',
  })
  return (await worker.ui('confirmInscribe', { planId, digest })).jobId
}

const judge = async (operation: Brc20Operation) => (await judgeBrc20(context, [operation]))[0]

describe('what was inscribed and no index has counted yet', () => {
  it('counts before what comes next, so that nothing is inscribed in vain', async () => {
    await inscribe(transfer('6'), { op: 'mint', tick: 'ORDI', amt: '1' })
    expect(await judge(transfer('6'))).toMatchObject({
      checked: true,
      obstacles: ['insufficient'],
      before: { available: '5', transferable: '6' },
    })
    await inscribe(transfer('5'))
    expect(await judge(transfer('1'))).toMatchObject({
      obstacles: ['insufficient'],
      before: { available: '0', transferable: '11' },
    })
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

  it('of other accounts is theirs', async () => {
    await inscribe(transfer('6'))
    const other = await worker.ui('addAccount', { addressType: 'p2wpkh', name: 'Other' })
    world.brc20.credit(other.address, 'ordi', '3')
    const [effect] = await judgeBrc20({ ...context, account: other }, [transfer('1')])
    expect(effect).toMatchObject({ before: { available: '3', transferable: '0' } })
  })
})
