import { beforeEach, describe, expect, it } from 'vitest'
import { startInscribed } from '../testing/inscribed-wallet.ts'
import { startWorker, type Worker, type World } from '../testing/test-wallet.ts'
import type { AccountView } from '../views/account-views.ts'

let world: World
let worker: Worker
let account: AccountView
let ids: string[]
let outpoints: string[]

const TRANSFER = '{"p":"brc-20","op":"transfer","tick":"MEME","amt":"5"}'

beforeEach(async () => {
  const coins = [
    { sats: 546n, with: [{ body: TRANSFER }] },
    { sats: 546n, with: [{ body: 'gm' }] },
  ]
  ;({ world, worker, account, ids, outpoints } = await startInscribed(coins))
})

const list = async () => (await worker.ui('getBrc20', null)).balances

describe('the tokens of an account', () => {
  it('are all that the server lists', async () => {
    world.brc20.credit(account.address, 'ordi', '1.5', '2')
    world.brc20.credit(account.address, 'gone', '0')
    expect(await worker.ui('getBrc20', null)).toEqual({
      server: '127.0.0.1:18480',
      height: world.chain.tip(),
      behind: false,
      problem: null,
      balances: [{ tick: 'ordi', available: '1.5', transferable: '2', followed: false }],
    })
  })

  it('are asked for by name where the server lists none: followed, named by inscriptions, seen before', async () => {
    world.brc20.credit(account.address, 'seen', '1')
    await list()
    world.brc20.faults.listsNone = true
    world.brc20.credit(account.address, 'meme', '2')
    world.brc20.credit(account.address, 'rare', '3')
    expect((await list()).map(({ tick }) => tick)).toEqual(['meme', 'seen'])
    await worker.ui('followBrc20', { tick: 'RARE', followed: true })
    expect(await list()).toEqual([
      { tick: 'meme', available: '2', transferable: '0', followed: false },
      { tick: 'rare', available: '3', transferable: '0', followed: true },
      { tick: 'seen', available: '1', transferable: '0', followed: false },
    ])
  })

  it('are found in an inscription once', async () => {
    const contents = () => world.assets.asked.filter(one => one.startsWith('content')).length
    await list()
    const first = contents()
    await list()
    expect([first, contents()]).toEqual([2, 2])
  })

  it('include those that are followed, with nothing in them, also for the next worker', async () => {
    await worker.ui('followBrc20', { tick: 'wait', followed: true })
    await worker.ui('followBrc20', { tick: 'WAIT', followed: true })
    const next = startWorker(world)
    expect((await next.ui('getBrc20', null)).balances).toEqual([
      { tick: 'wait', available: '0', transferable: '0', followed: true },
    ])
    await next.ui('followBrc20', { tick: 'Wait', followed: false })
    expect((await next.ui('getBrc20', null)).balances).toEqual([])
  })

  it('are not known without a server, and while it does not answer', async () => {
    world.brc20.faults.unreachable = true
    expect(await worker.ui('getBrc20', null)).toMatchObject({
      height: null,
      problem: { kind: 'unreachable' },
      balances: [],
    })
    await worker.ui('selectNetwork', { network: 'signet' })
    world.brc20.faults.none = true
    expect(await worker.ui('getBrc20', null)).toEqual({
      server: null,
      height: null,
      behind: false,
      problem: null,
      balances: [],
    })
  })

  it('are those of an older block where the server is behind by more than the newest', async () => {
    world.brc20.faults.lagBlocks = 1
    expect(await worker.ui('getBrc20', null)).toMatchObject({ behind: false })
    world.brc20.faults.lagBlocks = 2
    expect(await worker.ui('getBrc20', null)).toMatchObject({ behind: true })
    world.chain.faults.unreachable = true
    expect(await worker.ui('getBrc20', null)).toMatchObject({ behind: false, problem: null })
  })

  it('are told also while the index of inscriptions does not answer', async () => {
    world.brc20.credit(account.address, 'ordi', '1')
    world.assets.faults.unreachable = true
    expect(await list()).toHaveLength(1)
  })
})

describe('a token', () => {
  it('is told with its terms, its transferables and where they are', async () => {
    const elsewhere = `${'cd'.repeat(32)}i0`
    const [id = ''] = ids
    world.brc20.deploy('meme', { max: '100', lim: '5', decimals: 2, minted: '0', deploy: id })
    world.brc20.credit(account.address, 'meme', '2', '8')
    world.brc20.note(account.address, 'meme', id, '5')
    world.brc20.note(account.address, 'meme', elsewhere, '3')
    world.brc20.note(account.address, 'ordi', ids[1] ?? '', '1')
    expect(await worker.ui('getBrc20Token', { tick: 'MEME' })).toEqual({
      server: '127.0.0.1:18480',
      tick: 'meme',
      available: '2',
      transferable: '8',
      followed: false,
      token: {
        decimals: 2,
        supply: '100',
        limit: '5',
        minted: '0',
        selfMint: false,
        deploy: id,
      },
      transferables: [
        { id, amount: '5', outpoint: outpoints[0] },
        { id: elsewhere, amount: '3', outpoint: null },
      ],
      problem: null,
    })
  })

  it('is not known without a server', async () => {
    await worker.ui('selectNetwork', { network: 'signet' })
    world.brc20.faults.none = true
    expect(await worker.ui('getBrc20Token', { tick: 'meme' })).toEqual({
      server: null,
      tick: 'meme',
      available: '0',
      transferable: '0',
      followed: false,
      token: null,
      transferables: [],
      problem: null,
    })
  })

  it('may be none, and the server may not be able to say', async () => {
    expect(await worker.ui('getBrc20Token', { tick: 'none' })).toMatchObject({ token: 'none' })
    world.brc20.faults.tokensUnknown = true
    expect(await worker.ui('getBrc20Token', { tick: 'none' })).toMatchObject({ token: null })
    world.brc20.faults.unreachable = true
    expect(await worker.ui('getBrc20Token', { tick: 'none' })).toMatchObject({
      token: null,
      problem: { kind: 'unreachable' },
    })
  })

  it.each([['abc'], ['abcdefg'], ['abc\0'], [4], ['ääää']])('is not called %j', async tick => {
    const wrong = expect.objectContaining({ code: -32602 })
    await expect(worker.ui('getBrc20Token', { tick: tick as string })).rejects.toEqual(wrong)
    await expect(
      worker.ui('followBrc20', { tick: tick as string, followed: true }),
    ).rejects.toEqual(wrong)
  })

  it('is one of fifty that are followed at most', async () => {
    for (let at = 0; at < 50; at++) {
      await worker.ui('followBrc20', { tick: `t${100 + at}`, followed: true })
    }
    const more = worker.ui('followBrc20', { tick: 'more', followed: true })
    await expect(more).rejects.toMatchObject({ code: -32602 })
  })
})

describe('an account that is removed', () => {
  it('leaves nothing of the tokens that it had', async () => {
    const watched = await worker.ui('watchAddress', {
      address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
      name: 'Watched',
    })
    await worker.ui('selectAccount', { accountId: watched.id })
    world.brc20.credit(watched.address, 'ordi', '1')
    expect(await list()).toHaveLength(1)
    await worker.ui('removeAccount', { accountId: watched.id })
    expect(await world.local.get('brc20Seen')).toEqual({})
  })
})
