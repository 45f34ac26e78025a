import { beforeEach, describe, expect, it } from 'vitest'
import { RECIPIENT, selectedAccount } from '../testing/funded-wallet.ts'
import { move } from '../testing/moves.ts'
import {
  createWorld,
  fund,
  startUnlocked,
  startWorker,
  type Worker,
  type World,
} from '../testing/test-wallet.ts'

let world: World
let worker: Worker
let address: string

beforeEach(async () => {
  world = createWorld()
  worker = await startUnlocked(world)
  address = (await selectedAccount(worker)).address
})

const list = (offset = 0, limit = 60) => worker.ui('getInscriptions', { offset, limit })

describe('the list of inscriptions', () => {
  it('tells what sits where, by the index, and that nobody checked it yet', async () => {
    const outpoint = `${fund(world, address, 546n)}:0`
    const id = world.assets.inscribe(outpoint, { body: 'hello', offset: 5n, number: 42 })
    expect(await list()).toEqual({
      total: 1,
      hidden: 0,
      spam: 0,
      unchecked: { count: 0, why: null },
      runes: 0,
      inscriptions: [
        {
          id,
          number: 42,
          kind: 'text',
          contentType: 'text/plain;charset=utf-8',
          contentLength: 5,
          outpoint,
          offset: '5',
          sats: '546',
          height: 100,
          at: world.chain.blockTime(100),
          companions: [],
          held: null,
          pending: false,
          proof: 'server',
        },
      ],
    })
  })

  it('begins with the newest arrivals, and is the same list page by page', async () => {
    const ids: string[] = []
    for (let block = 0; block < 7; block++) {
      ids.unshift(world.assets.inscribe(`${fund(world, address, 600n)}:0`))
      world.chain.mine()
    }
    const { total, inscriptions } = await list()
    expect(total).toBe(7)
    expect(inscriptions.map(({ id }) => id)).toEqual(ids)
    const pages = [await list(0, 3), await list(3, 3), await list(6, 3), await list(9, 3)]
    expect(pages.flatMap(page => page.inscriptions.map(({ id }) => id))).toEqual(ids)
    expect(pages.map(page => page.total)).toEqual([7, 7, 7, 7])
  })

  it('asks the index for what a page shows, and not for all', async () => {
    for (let i = 0; i < 5; i++) world.assets.inscribe(`${fund(world, address, 600n)}:0`)
    const { inscriptions } = await list(0, 2)
    const asked = world.assets.asked.filter(question => question.startsWith('inscriptions'))
    expect(asked).toEqual([`inscriptions ${inscriptions.map(({ id }) => id).join(' ')}`])
  })

  it('goes on as it began for a minute, without asking for all coins with each page', async () => {
    for (let i = 0; i < 3; i++) world.assets.inscribe(`${fund(world, address, 600n)}:0`)
    const [first] = (await list(0, 1)).inscriptions
    if (!first) throw new Error('Nothing listed')
    move(world, [first.outpoint], [[RECIPIENT, 600n]])
    expect((await list(1, 2)).inscriptions).toHaveLength(2)
    world.clock.now += 60_000
    expect((await list(1, 2)).inscriptions).toHaveLength(1)
    expect((await list(0, 3)).total).toBe(2)
  })

  it('shows those that share a coin one after the other, with their companions', async () => {
    const outpoint = `${fund(world, address, 10_000n)}:0`
    const first = world.assets.inscribe(outpoint, { body: 'a', number: 1 })
    const second = world.assets.inscribe(outpoint, { body: 'b', offset: 700n, number: 2 })
    world.assets.etch(outpoint, { name: 'A•RUNE', amount: 1_050n, divisibility: 2, symbol: '¤' })
    const rune = { kind: 'rune', name: 'A•RUNE', amount: '10.5', symbol: '¤' }
    const { inscriptions } = await list()
    expect(inscriptions).toMatchObject([
      { id: first, offset: '0', companions: [{ id: second, number: 2 }, rune] },
      { id: second, offset: '700', companions: [{ id: first, number: 1 }, rune] },
    ])
  })

  it('says how many coins nobody could say anything of, and why', async () => {
    world.assets.inscribe(`${fund(world, address, 546n)}:0`, { body: 'mine' })
    fund(world, address, 700n, { confirmed: false })
    expect(await list()).toMatchObject({
      total: 1,
      unchecked: { count: 1, why: 'unconfirmed' },
    })
  })

  it('says of coins that the person locked that they are', async () => {
    const outpoint = `${fund(world, address, 546n)}:0`
    world.assets.inscribe(outpoint)
    await worker.ui('setCoinChoice', { outpoint, choice: 'locked' })
    expect((await list()).inscriptions).toMatchObject([{ outpoint, held: 'locked' }])
  })

  it('loses what went away, and holds what came', async () => {
    const mine = `${fund(world, address, 546n)}:0`
    const theirs = `${fund(world, RECIPIENT, 546n)}:0`
    world.assets.inscribe(mine, { body: 'goes' })
    const id = world.assets.inscribe(theirs, { body: 'comes' })
    move(world, [mine], [[RECIPIENT, 546n]])
    const outpoint = `${move(world, [theirs], [[address, 546n]])}:0`
    expect((await list()).inscriptions).toMatchObject([{ id, outpoint, offset: '0' }])
  })

  it('is empty again after a reorganisation that takes the reveal away', async () => {
    const txid = fund(world, address, 546n)
    const id = world.assets.inscribe(`${txid}:0`, { body: 'hello' })
    expect((await list()).total).toBe(1)
    world.chain.reorg()
    world.chain.evict(txid)
    expect(await list()).toMatchObject({ total: 0, unchecked: { count: 0 } })
    await expect(worker.ui('getInscription', { id })).rejects.toMatchObject({ code: -32602 })
  })

  it('goes on without those that the index knows nothing more of', async () => {
    const known = world.assets.inscribe(`${fund(world, address, 546n)}:0`)
    const outpoint = `${fund(world, address, 546n)}:0`
    const id = `${'ab'.repeat(32)}i0`
    world.assets.lie(outpoint, { known: true, assets: [{ kind: 'inscription', id, offset: null }] })
    const { total, inscriptions } = await list()
    expect(total).toBe(2)
    expect(inscriptions.map(one => one.id)).toEqual([known])
  })

  it('is cut where a content type has thousands of characters', async () => {
    const contentType = 'x'.repeat(500)
    world.assets.inscribe(`${fund(world, address, 546n)}:0`, { contentType, body: 'a' })
    const [one] = (await list()).inscriptions
    expect(one?.contentType).toBe('x'.repeat(127))
    expect(one?.kind).toBe('other')
  })

  it('fails with the name of the index that does not answer', async () => {
    world.assets.inscribe(`${fund(world, address, 546n)}:0`)
    await list()
    world.assets.faults.unreachable = true
    await expect(list()).rejects.toMatchObject({
      code: -32000,
      data: { reason: 'BACKEND_UNAVAILABLE', host: 'index.memory.test' },
    })
  })

  it('still says after a restart what was checked', async () => {
    const id = world.assets.inscribe(`${fund(world, address, 546n)}:0`, { body: 'hello' })
    await worker.ui('getInscription', { id })
    worker = startWorker(world)
    expect((await list()).inscriptions).toMatchObject([{ id, proof: 'verified' }])
  })

  it.each([
    { offset: -1, limit: 1 },
    { offset: 0, limit: 0 },
    { offset: 0, limit: 201 },
    { offset: 0.5, limit: 1 },
    { offset: '0', limit: 1 },
  ])('is not given for $offset and $limit', async page => {
    const asked = worker.ui('getInscriptions', page as { offset: number; limit: number })
    await expect(asked).rejects.toMatchObject({ code: -32602 })
  })

  it('needs an open wallet, as all that it shows does', async () => {
    const id = world.assets.inscribe(`${fund(world, address, 546n)}:0`, { body: 'hello' })
    await worker.ui('lock', null)
    await expect(list()).rejects.toMatchObject({ code: 4100 })
    await expect(worker.ui('getInscription', { id })).rejects.toMatchObject({ code: 4100 })
    const content = worker.ui('getInscriptionContent', { id, preview: true })
    await expect(content).rejects.toMatchObject({ code: 4100 })
  })
})
