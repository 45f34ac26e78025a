import { beforeEach, describe, expect, it } from 'vitest'
import type { Brc20Operation } from '../../ordinals/brc20/brc20-operation.ts'
import { startInscribed } from '../testing/inscribed-wallet.ts'
import type { World } from '../testing/test-wallet.ts'
import { findDeployParent, validateBrc20 } from './brc20.ts'
import type { Brc20Context } from './brc20-parts.ts'

let world: World
let context: Brc20Context
let deployId: string

beforeEach(async () => {
  const started = await startInscribed([{ sats: 546n, with: [{ body: 'the deploy of a token' }] }])
  const { worker, account, ids } = started
  world = started.world
  context = { wallet: worker.wallet, network: 'regtest', account }
  deployId = ids[0] ?? ''
})

const mint = (tick: string, amt: string): Brc20Operation => ({ op: 'mint', tick, amt })
const transfer = (tick: string, amt: string): Brc20Operation => ({ op: 'transfer', tick, amt })
const deploy = (tick: string, changes: object = {}): Brc20Operation => ({
  op: 'deploy',
  tick,
  max: '1000',
  lim: '100',
  dec: '2',
  selfMint: false,
  ...changes,
})

const judge = (...operations: Brc20Operation[]) => validateBrc20(context, operations)
const amounts = (available: string, transferable = '0') => ({ available, transferable })

describe('what a mint does', () => {
  beforeEach(() => {
    world.brc20.deploy('ordi', { max: '21000000', lim: '1000', decimals: 2, minted: '20998500' })
    world.brc20.credit(context.account.address, 'ordi', '7', '3')
  })

  it('is added to what is available, one after the other', async () => {
    expect(await judge(mint('ORDI', '1000'), mint('ordi', '500'))).toEqual([
      {
        operation: mint('ORDI', '1000'),
        checked: true,
        obstacles: [],
        gets: null,
        before: amounts('7', '3'),
        after: amounts('1007', '3'),
      },
      {
        operation: mint('ordi', '500'),
        checked: true,
        obstacles: [],
        gets: null,
        before: amounts('1007', '3'),
        after: amounts('1507', '3'),
      },
    ])
  })

  it('is less where no more is left, and nothing where nothing is', async () => {
    const terms = { max: '21000000', lim: '1000' }
    world.brc20.deploy('rest', { ...terms, minted: '20999500' })
    expect(await judge(mint('rest', '1000'))).toMatchObject([
      { checked: true, obstacles: [], gets: '500', before: amounts('0'), after: amounts('500') },
    ])
    world.brc20.deploy('gone', { ...terms, minted: '21000000' })
    expect(await judge(mint('gone', '1001'))).toMatchObject([
      { obstacles: ['over-limit', 'minted-out'] },
    ])
    expect(await judge(mint('gone', '1'))).toMatchObject([
      { checked: true, obstacles: ['minted-out'], gets: null, after: amounts('0') },
    ])
  })

  it('depends on which comes first where several want more than is left', async () => {
    const order = { checked: true, obstacles: ['order'], gets: null, after: null }
    expect(await judge(mint('ordi', '1000'), mint('ordi', '501'))).toMatchObject([order, order])
  })

  it.each<[string, Brc20Operation, string[]]>([
    ['of more than the limit', mint('ordi', '1000.01'), ['over-limit']],
    ['with more digits than the token has', mint('ordi', '1.500'), ['too-precise']],
    ['with both', mint('ordi', '1000.001'), ['too-precise', 'over-limit']],
    ['of a token that nobody deployed', mint('none', '1'), ['not-deployed']],
  ])('%s is nothing', async (_, operation, obstacles) => {
    const [effect] = await judge(operation)
    expect(effect).toMatchObject({ checked: true, obstacles, gets: null })
    expect(effect?.after).toEqual(effect?.before)
  })
})

describe('what a transfer inscription does', () => {
  beforeEach(() => {
    world.brc20.deploy('ordi', { decimals: 2, minted: '15' })
    world.brc20.credit(context.account.address, 'ordi', '10', '5')
  })

  it('takes from what is available', async () => {
    const effects = await judge(
      transfer('ordi', '6'),
      transfer('ordi', '4'),
      transfer('ordi', '11'),
    )
    expect(effects.map(({ obstacles, after }) => [obstacles, after])).toEqual([
      [[], amounts('4', '11')],
      [[], amounts('0', '15')],
      [['insufficient'], amounts('0', '15')],
    ])
  })

  it('depends on which comes first where several want more than is available together', async () => {
    const effects = await judge(transfer('ordi', '6'), transfer('ordi', '5'))
    expect(effects).toMatchObject([
      { obstacles: ['order'], before: amounts('10', '5'), after: null },
      { obstacles: ['order'], after: null },
    ])
  })

  it('of what is minted with it counts only after that', async () => {
    expect(await judge(mint('ordi', '3'), transfer('ordi', '13'))).toMatchObject([
      { obstacles: [], before: amounts('10', '5'), after: null },
      { obstacles: ['order'], after: null },
    ])
    expect(await judge(mint('ordi', '3'), transfer('ordi', '14'))).toMatchObject([
      { obstacles: [], after: amounts('13', '5') },
      { obstacles: ['insufficient'], after: amounts('13', '5') },
    ])
  })

  it('of a token that nobody deployed is nothing', async () => {
    expect(await judge(transfer('none', '1'))).toMatchObject([{ obstacles: ['not-deployed'] }])
  })
})

describe('what a deploy does', () => {
  it('is a token of which one can mint, within its terms, once it is in a block', async () => {
    const effects = await judge(deploy('new1'), mint('new1', '100'), mint('NEW1', '100.5'))
    expect(effects).toMatchObject([
      { checked: true, obstacles: [], before: null, after: null },
      { obstacles: ['order'], before: amounts('0'), after: null },
      { obstacles: ['over-limit'] },
    ])
  })

  it('is what a transfer of it needs, too, with a mint between them', async () => {
    const all = [deploy('new1'), mint('new1', '100'), transfer('new1', '100')]
    const effects = [...(await judge(...all)), ...(await judge(deploy('new1'), ...all.slice(2)))]
    expect(effects.map(({ obstacles }) => obstacles)).toEqual([
      [],
      ['order'],
      ['order'],
      [],
      ['insufficient'],
    ])
  })

  it('of one that is there is nothing, and of two in a batch the later one', async () => {
    world.brc20.deploy('ordi')
    const effects = await judge(deploy('ORDI'), deploy('new1'), deploy('NEW1'))
    expect(effects.map(({ obstacles }) => obstacles)).toEqual([
      ['already-deployed'],
      ['order'],
      ['order'],
    ])
  })

  it('of a self-mint token leaves its mints to the block after it', async () => {
    const terms = { max: '0', lim: null, selfMint: true }
    expect(await judge(deploy('pizza', terms), mint('pizza', '5'))).toMatchObject([
      { obstacles: [] },
      { obstacles: ['not-deployer'] },
    ])
  })
})

describe('a self-mint token', () => {
  it('is minted by whoever holds its deploy inscription', async () => {
    world.brc20.deploy('pizza', { selfMint: true, minted: '0', deploy: deployId })
    expect(await judge(mint('pizza', '5'))).toMatchObject([{ checked: true, obstacles: [] }])
    expect(await findDeployParent(context, 'PIZZA')).toBe(deployId)
  })

  it('is not minted by anybody else', async () => {
    world.brc20.deploy('pizza', { selfMint: true, minted: '0', deploy: deployId })
    world.assets.misreport(deployId, { address: 'bcrt1qelsewhere' })
    expect(await judge(mint('pizza', '5'))).toMatchObject([{ obstacles: ['not-deployer'] }])
    expect(await findDeployParent(context, 'pizza')).toBeNull()
  })

  it('of which no server tells takes what the account holds that says that it deploys it', async () => {
    const body = '{"p":"brc-20","op":"deploy","tick":"Pizza","max":"0","self_mint":"true"}'
    const { worker, account, ids, ...started } = await startInscribed([
      { sats: 546n, with: [{ body }] },
      { sats: 546n, with: [{ body: body.replace('deploy', 'mint') }] },
    ])
    const own: Brc20Context = { wallet: worker.wallet, network: 'regtest', account }
    for (const fault of ['tokensUnknown', 'unreachable', 'none'] as const) {
      Object.assign(started.world.brc20.faults, { [fault]: true })
      expect(await findDeployParent(own, 'pIZZA')).toBe(ids[0])
      expect(await findDeployParent(own, 'other')).toBeNull()
    }
    started.world.assets.faults.unreachable = true
    expect(await findDeployParent(own, 'pizza')).toBeNull()
  })

  it('alone has a parent', async () => {
    world.brc20.deploy('ordi', { deploy: deployId })
    expect(await findDeployParent(context, 'ordi')).toBeNull()
    expect(await findDeployParent(context, 'none')).toBeNull()
  })
})

describe('a server', () => {
  const unchecked = { checked: false, obstacles: [], gets: null, before: null, after: null }

  it.each<[string, 'brc20' | 'chain', object]>([
    ['that does not answer', 'brc20', { unreachable: true }],
    ['that lags behind', 'brc20', { lagBlocks: 2 }],
    ['that nobody named', 'brc20', { none: true }],
    ['where the chain does not answer', 'chain', { unreachable: true }],
  ])('%s leaves all unchecked', async (_, which, faults) => {
    world.brc20.deploy('ordi')
    Object.assign(world[which].faults, faults)
    expect(await judge(mint('ordi', '1'), transfer('ordi', '1'))).toEqual([
      { operation: mint('ordi', '1'), ...unchecked },
      { operation: transfer('ordi', '1'), ...unchecked },
    ])
  })

  it('may lack the newest block', async () => {
    world.brc20.deploy('ordi')
    world.brc20.faults.lagBlocks = 1
    expect(await judge(transfer('ordi', '1'))).toMatchObject([{ checked: true }])
  })

  it('that knows no tokens still knows whether enough is there', async () => {
    world.brc20.credit(context.account.address, 'ordi', '10')
    world.brc20.faults.tokensUnknown = true
    const effects = await judge(
      transfer('ordi', '4'),
      transfer('ordi', '0.5'),
      transfer('ordi', '12'),
      mint('ordi', '1'),
      deploy('ordi'),
    )
    expect(effects.map(({ checked, obstacles }) => [checked, obstacles])).toEqual([
      [true, []],
      [false, []],
      [true, ['insufficient']],
      [false, []],
      [false, []],
    ])
    expect(await judge(transfer('ordi', '11'), mint('ordi', '1'))).toMatchObject([
      { checked: true, obstacles: ['order'] },
      { checked: false },
    ])
  })

  it('that does not say how much was minted leaves a mint unchecked', async () => {
    world.brc20.deploy('ordi', { lim: '5', minted: null })
    expect(await judge(mint('ordi', '1'), mint('ordi', '6'))).toMatchObject([
      { checked: false, obstacles: [] },
      { checked: true, obstacles: ['over-limit'] },
    ])
  })

  it('is asked nothing where there is no BRC-20', async () => {
    expect(await judge()).toEqual([])
    expect(world.brc20.asked).toEqual([])
  })
})
