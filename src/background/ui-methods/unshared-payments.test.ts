import { describe, expect, it } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { payFromPopup, RECIPIENT, startFunded } from '../testing/funded-wallet.ts'
import { createMemoryChain } from '../testing/memory-chain.ts'
import { PASSWORD, startWorker, type World } from '../testing/test-wallet.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const FEES = { fastest: 10, halfHour: 5, hour: 2, minimum: 1 }

/** A second server that hears of what the first one does not keep to itself. */
function addSecond(world: World) {
  const second = createMemoryChain('regtest', FEES)
  const asked: string[] = []
  const source = {
    ...second.chain,
    async fetchTransactionHeight(txid: string) {
      asked.push(txid)
      return second.chain.fetchTransactionHeight(txid)
    },
  }
  world.chain.servers.push({ host: 'second.test', source })
  return { second, asked }
}

async function startPaid() {
  const started = await startFunded(100_000n)
  const { world, worker } = started
  const { txid } = await payFromPopup(worker)
  const raw = world.chain.get(txid) ?? new Uint8Array()
  const look = () => worker.ui('getUnsharedPayments', null)
  const wait = async (minutes: number) => {
    world.clock.now += minutes * MINUTE
    await worker.ui('unlock', { password: PASSWORD })
  }
  return { ...started, txid, raw, look, wait }
}

describe('a payment that one server keeps to itself', () => {
  it('is told of two minutes after it was sent, with who has it and who has not', async () => {
    const { world, txid, raw, look, wait } = await startPaid()
    addSecond(world)
    expect(await look()).toEqual({ payments: [], askAgainInMs: MINUTE })
    await wait(1)
    expect(await look()).toEqual({ payments: [], askAgainInMs: MINUTE })
    await wait(1)
    const told = { txid, rawTx: toHex(raw), knows: ['memory.test'], lacks: ['second.test'] }
    expect(await look()).toEqual({ payments: [told], askAgainInMs: 2 * MINUTE })
    const next = startWorker(world)
    expect(await next.ui('getUnsharedPayments', null)).toMatchObject({ payments: [told] })
  })

  it('is not told of any more once the other has it, or a block', async () => {
    const { world, worker, raw, look, wait } = await startPaid()
    const { second } = addSecond(world)
    await wait(2)
    await look()
    await wait(1)
    expect((await look()).payments).toHaveLength(1)
    second.receive(raw)
    await wait(2)
    expect(await look()).toEqual({ payments: [], askAgainInMs: HOUR })
    const { txid } = await payFromPopup(worker)
    for (let minutes = 0; minutes < 3; minutes++) {
      await wait(1)
      await look()
    }
    expect(await look()).toMatchObject({ payments: [{ txid }] })
    world.chain.mine(1)
    await worker.ui('getOverview', null)
    expect(await look()).toEqual({ payments: [], askAgainInMs: null })
  })

  it('costs a question a few times a day, and fewer and fewer', async () => {
    const { world, raw, look, wait } = await startPaid()
    const { second, asked } = addSecond(world)
    const listPauses = async (count: number) => {
      const pauses: number[] = []
      while (pauses.length < count) {
        const minutes = ((await look()).askAgainInMs ?? 0) / MINUTE
        pauses.push(minutes)
        await wait(minutes - 0.5)
        asked.length = 0
        expect((await look()).askAgainInMs).toBe(MINUTE / 2)
        expect(asked).toEqual([])
        await wait(0.5)
      }
      return pauses
    }
    expect(await listPauses(13)).toEqual([1, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440])
    second.receive(raw)
    expect(await listPauses(7)).toEqual([60, 120, 240, 480, 960, 1440, 1440])
  })

  it('is no news while the other server does not answer, and is looked for later', async () => {
    const { world, txid, look, wait } = await startPaid()
    const { second } = addSecond(world)
    second.faults.unreachable = true
    for (let minutes = 0; minutes < 9; minutes++) {
      await wait(1)
      expect((await look()).payments).toEqual([])
    }
    second.faults.unreachable = false
    await wait(16)
    expect((await look()).payments).toMatchObject([{ txid, lacks: ['second.test'] }])
  })

  it('is handed to the other server, and looked for there once more', async () => {
    const { world, worker, txid, look, wait } = await startPaid()
    const { second } = addSecond(world)
    await wait(1)
    await look()
    await wait(1)
    await look()
    await worker.ui('shareTransaction', { txid })
    expect(second.broadcasts).toEqual([txid])
    expect((await look()).payments).toEqual([])
    second.evict(txid)
    await wait(1)
    expect((await look()).payments).toMatchObject([{ txid }])
  })

  it('is handed over after those that it spends, the first of them first', async () => {
    const { world, worker, txid, look, wait } = await startPaid()
    const parent = await payFromPopup(worker)
    const child = await payFromPopup(worker)
    const { second } = addSecond(world)
    for (const minutes of [2, 1]) {
      await wait(minutes)
      await look()
    }
    expect((await look()).payments.map(one => one.txid)).toEqual([
      ...[txid, parent.txid, child.txid],
    ])
    await worker.ui('shareTransaction', { txid: child.txid })
    expect(second.broadcasts).toEqual([txid, parent.txid, child.txid])
  })

  it('is handed over after what it spends itself, too, where that comes before the rest', async () => {
    const { world, worker, account, txid, look, wait } = await startPaid()
    const pay = async (to: string, coins: string[]) =>
      (await payFromPopup(worker, { recipients: [{ to, sats: '1000' }], coins })).txid
    const [change] = await worker.ui('getCoins', null)
    const first = await pay(account.address, [change?.outpoint ?? ''])
    const second = await pay(RECIPIENT, [`${first}:1`])
    const third = await pay(RECIPIENT, [`${second}:1`])
    const last = await pay(RECIPIENT, [`${first}:0`, `${third}:1`])
    const { second: other } = addSecond(world)
    for (const minutes of [2, 1, 1]) {
      await wait(minutes)
      await look()
    }
    await worker.ui('shareTransaction', { txid: last })
    expect(other.broadcasts).toEqual([txid, first, second, third, last])
  })

  it('is looked for with four others at once, the oldest first', async () => {
    const { world, worker, txid, look, wait } = await startPaid()
    const txids = [txid]
    while (txids.length < 7) {
      const recipients = [{ to: RECIPIENT, sats: '1000' }]
      txids.push((await payFromPopup(worker, { recipients })).txid)
    }
    const { asked } = addSecond(world)
    await wait(1)
    await look()
    expect(asked).toEqual(txids.slice(0, 5))
    await look()
    expect(asked).toEqual(txids)
  })

  it('is told of when a reorganisation has it wait again', async () => {
    const { world, worker, txid, look, wait } = await startPaid()
    world.chain.mine(1)
    await worker.ui('getOverview', null)
    world.chain.reorg(1)
    await worker.ui('getOverview', null)
    addSecond(world)
    for (let minutes = 0; minutes < 2; minutes++) {
      await wait(1)
      await look()
    }
    expect((await look()).payments).toMatchObject([{ txid }])
  })

  it('is looked for at once where another server is set', async () => {
    const { world, txid, look, wait } = await startPaid()
    await wait(1)
    expect(await look()).toEqual({ payments: [], askAgainInMs: HOUR })
    const { asked } = addSecond(world)
    expect(await look()).toEqual({ payments: [], askAgainInMs: MINUTE })
    expect(asked).toEqual([txid])
  })

  it('stays news where the other server refuses it, in the words of its node, or does not answer', async () => {
    const { world, worker, txid, look, wait } = await startPaid()
    const { second } = addSecond(world)
    for (const minutes of [1, 1]) {
      await wait(minutes)
      await look()
    }
    second.faults.refuse = 'min relay fee not met'
    await expect(worker.ui('shareTransaction', { txid })).rejects.toMatchObject({
      data: { reason: 'BROADCAST_REJECTED', node: 'min relay fee not met' },
    })
    delete second.faults.refuse
    second.faults.unreachable = true
    await expect(worker.ui('shareTransaction', { txid })).rejects.toMatchObject({
      data: { reason: 'BACKEND_UNAVAILABLE' },
    })
    expect((await look()).payments).toMatchObject([{ txid }])
  })
})

describe('a payment that the only server took', () => {
  it('is asked about once where the server has it', async () => {
    const { look, wait } = await startPaid()
    await wait(1)
    expect(await look()).toEqual({ payments: [], askAgainInMs: HOUR })
  })

  it('is looked for again, an hour later', async () => {
    const { world, txid, look, wait } = await startPaid()
    await wait(1)
    await look()
    world.chain.evict(txid)
    await wait(60)
    expect(await look()).toEqual({ payments: [], askAgainInMs: MINUTE })
    await wait(1)
    expect(await look()).toMatchObject({ payments: [{ txid, lacks: ['memory.test'] }] })
  })

  it('is told of where it has it no more, however often it takes it again', async () => {
    const { world, worker, txid, look, wait } = await startPaid()
    for (let minutes = 0; minutes < 3; minutes++) {
      world.chain.evict(txid)
      await worker.ui('getOverview', null)
      world.chain.evict(txid)
      await wait(1)
      await look()
    }
    expect(world.chain.broadcasts).toEqual([txid, txid, txid, txid])
    expect(await look()).toMatchObject({
      payments: [{ txid, knows: [], lacks: ['memory.test'] }],
    })
    await worker.ui('shareTransaction', { txid })
    expect(world.chain.broadcasts.at(-1)).toBe(txid)
    await wait(1)
    expect(await look()).toEqual({ payments: [], askAgainInMs: HOUR })
  })

  it('is not handed over where no server lacks it, nor what is no payment of the account', async () => {
    const { worker, txid, look, wait } = await startPaid()
    await wait(1)
    await look()
    for (const id of [txid, 'ab'.repeat(32), 'nonsense'])
      await expect(worker.ui('shareTransaction', { txid: id })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('txid'),
      })
  })
})
