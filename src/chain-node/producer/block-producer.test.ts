import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Production } from '../config/config.ts'
import type { Transaction } from '../engine/transaction.ts'
import {
  addAll,
  createTransfers,
  ETHER,
  fundAccounts,
  GWEI,
  listNonces,
  setUpPool,
} from '../pool/testing/pool-setup.ts'
import { addressAt, createTransfer } from '../testing/ledger.ts'
import { createProducer, type ProducerParts } from './block-producer.ts'

async function setUp(
  production: Production,
  options: Parameters<typeof setUpPool>[0] &
    Partial<Pick<ProducerParts, 'now' | 'untilDecoded'>> = {},
) {
  const setup = await setUpPool(options)
  const faults: unknown[] = []
  const refused: [Transaction, string][] = []
  const produced: number[] = []
  const producer = createProducer({
    engine: setup.ledger.engine,
    chain: setup.ledger.chain,
    pool: setup.pool,
    production,
    miner: addressAt(9999),
    onFault: error => faults.push(error),
    onRefused: (transaction, reason) => refused.push([transaction, reason]),
    onProduced: (_, transactions) => produced.push(transactions),
    ...(options.now && { now: options.now }),
    ...(options.untilDecoded && { untilDecoded: options.untilDecoded }),
  })
  onTestFinished(() => producer.stop())
  return { ...setup, producer, faults, refused, produced }
}

const AUTOMINE: Production = { mode: 'automine' }
const range = (length: number) => Array.from({ length }, (_, index) => index)

describe('a node that makes blocks as transactions come', () => {
  it('takes all that came together into one block', async () => {
    const { pool, producer, ledger, produced } = await setUp(AUTOMINE)
    await Promise.all(
      range(64).flatMap(account =>
        createTransfers(account, [2, 0, 1]).map(transaction => pool.add(transaction, 'remote')),
      ),
    )
    await producer.settle()
    expect(pool.countPending()).toBe(0)
    expect(ledger.nonce(addressAt(63))).toBe(3n)
    expect(produced.reduce((sum, count) => sum + count)).toBe(192)
    expect(produced.length).toBeLessThanOrEqual(2)
  })

  it('waits for those that are on their way to the pool', async () => {
    const [now, late] = [await createTransfers(0, [0]), await createTransfers(1, [0])]
    let untilDecoded: Promise<void> | null = null
    const { pool, producer, produced } = await setUp(AUTOMINE, {
      untilDecoded: () => untilDecoded,
    })
    untilDecoded = sleep(30).then(() => {
      untilDecoded = null
      for (const transaction of late) void pool.add(transaction, 'remote')
    })
    for (const transaction of now) void pool.add(transaction, 'remote')
    await producer.settle()
    expect(produced).toEqual([2])
  })

  it('makes none without transactions', async () => {
    const { ledger, producer } = await setUp(AUTOMINE)
    await producer.settle()
    await sleep(20)
    expect(ledger.blocks).toHaveLength(0)
  })

  it('begins with what was pending when the node started', async () => {
    const first = await setUpPool()
    await addAll(first.pool, createTransfers(0, [0, 1]), 'local')
    const { ledger } = first
    const producer = createProducer({
      engine: ledger.engine,
      chain: ledger.chain,
      pool: await first.restart(),
      production: AUTOMINE,
      miner: addressAt(9999),
      onFault: () => {},
      onRefused: () => {},
    })
    await producer.settle()
    await producer.stop()
    expect(ledger.nonce(addressAt(0))).toBe(2n)
  })

  it('leaves nothing and loses nothing with 64 senders at once, and needs few blocks', async () => {
    const each = 30
    const { pool, producer, ledger, produced, faults, refused } = await setUp(AUTOMINE, {
      balances: fundAccounts(64),
    })
    await Promise.all(
      range(64).map(async account => {
        // Each in an order and a rhythm of its own.
        const transactions = createTransfers(account, range(each)).sort((a, b) =>
          a.hash < b.hash ? -1 : 1,
        )
        for (const [index, transaction] of transactions.entries()) {
          await pool.add(transaction, 'local')
          if (index % 7 === account % 7) await producer.settle(transaction)
          if (index % 5 === account % 5) await setImmediate()
        }
      }),
    )
    await producer.settle()
    expect(range(64).map(account => ledger.nonce(addressAt(account)))).toEqual(
      range(64).map(() => BigInt(each)),
    )
    expect([pool.countPending(), pool.countQueued(), faults, refused]).toEqual([0, 0, [], []])
    const mined = ledger.blocks.flatMap(({ block }) => block.transactions.map(({ hash }) => hash))
    expect([mined.length, new Set(mined).size]).toEqual([64 * each, 64 * each])
    expect(produced.length).toBeLessThan((64 * each) / 10)
  })

  it('never misses one that comes at whatever moment of a block', async () => {
    const { pool, producer, ledger } = await setUp(AUTOMINE)
    for (const nonce of range(200)) {
      const [transaction] = createTransfers(0, [nonce])
      if (!transaction) throw new Error('one is made')
      await pool.add(transaction, 'local')
      for (let turns = 0; turns < nonce % 23; turns++) await null
      if (nonce % 3 === 0) await setImmediate()
    }
    await producer.settle()
    expect(ledger.nonce(addressAt(0))).toBe(200n)
  })

  it('settles one at once that cannot be in a block, and others after their block', async () => {
    const { pool, producer, ledger } = await setUp(AUTOMINE)
    const [first, gapped] = createTransfers(0, [0, 5])
    if (!first || !gapped) throw new Error('two are made')
    await addAll(pool, [first, gapped])
    await producer.settle(gapped)
    expect(ledger.nonce(addressAt(0))).toBe(0n)
    await producer.settle(first)
    expect(ledger.nonce(addressAt(0))).toBe(1n)
    expect(listNonces(pool.queued())).toEqual({ 0: [5] })
  })

  it('makes as many blocks as the gas limit asks for', async () => {
    const { pool, producer, produced } = await setUp(AUTOMINE, { gasLimit: 21_000n * 3n })
    await addAll(pool, createTransfers(0, range(8)))
    await producer.settle()
    expect(produced).toEqual([3, 3, 2])
  })

  it('does not wait for what is below the base fee, and takes it when it is not any more', async () => {
    const { pool, producer, ledger, produced } = await setUp(AUTOMINE, { baseFee: 2n * GWEI })
    const [low] = createTransfers(0, [0], 1n)
    if (!low) throw new Error('one is made')
    await pool.add(low, 'remote')
    await producer.settle(low)
    expect(produced).toEqual([])
    ledger.setBaseFee(GWEI)
    await addAll(pool, createTransfers(1, [0], 1n))
    await producer.settle()
    expect(produced).toEqual([2])
  })

  it('pays one account with what another has sent it in the block before', async () => {
    const { pool, producer, ledger } = await setUp(AUTOMINE, {
      balances: { [addressAt(0)]: ETHER, [addressAt(1)]: 0n },
    })
    const gift = createTransfer({ to: addressAt(1), value: ETHER / 2n })
    await pool.add(gift, 'remote')
    await producer.settle(gift)
    const onwards = createTransfer({ from: addressAt(1), value: ETHER / 4n })
    await pool.add(onwards, 'remote')
    await producer.settle(onwards)
    expect(ledger.nonce(addressAt(1))).toBe(1n)
  })
})

describe('a fault', () => {
  it('is reported once, and the next transaction tries again', async () => {
    const { pool, producer, ledger, faults } = await setUp(AUTOMINE)
    const full = new Error('no space left on device')
    ledger.breakDisk(full)
    const [first] = createTransfers(0, [0])
    if (!first) throw new Error('one is made')
    await pool.add(first, 'local')
    await producer.settle(first)
    await sleep(30)
    expect(faults).toEqual([full])
    expect(pool.countPending()).toBe(1)
    ledger.breakDisk(null)
    await addAll(pool, createTransfers(1, [0]))
    await producer.settle()
    expect([ledger.nonce(addressAt(0)), ledger.nonce(addressAt(1))]).toEqual([1n, 1n])
    expect(faults).toHaveLength(1)
  })

  it('is told until it is mended, of which nobody has to remind the node', async () => {
    const { pool, producer, ledger } = await setUp(AUTOMINE)
    expect(producer.fault()).toBeNull()
    ledger.breakDisk(new Error('no space left on device'))
    await addAll(pool, createTransfers(0, [0]))
    await producer.settle()
    expect(producer.fault()).toBe('no space left on device')
    ledger.breakDisk(null)
    await expect.poll(() => ledger.nonce(addressAt(0)), { timeout: 5000 }).toBe(1n)
    expect(producer.fault()).toBeNull()

    // What cannot be in a block any more is no fault of the node.
    ledger.breakDisk(new Error('no space left on device'))
    const [gone] = createTransfers(0, [1])
    if (!gone) throw new Error('one is made')
    await pool.add(gone, 'local')
    await producer.settle(gone)
    expect(producer.fault()).not.toBeNull()
    pool.drop(gone.hash)
    await expect.poll(() => producer.fault(), { timeout: 5000 }).toBeNull()
  })

  it('does not stop the clock of blocks', async () => {
    const { ledger, faults } = await setUp({ mode: 'interval', seconds: 0.05 })
    ledger.breakDisk(new Error('no space left on device'))
    while (faults.length < 2) await sleep(5)
    ledger.breakDisk(null)
    while (ledger.blocks.length < 2) await sleep(5)
    expect(ledger.blocks[1]?.block.header.number).toBe(2n)
  })

  it('of a block that was asked for is told to who asked', async () => {
    const { ledger, producer, faults } = await setUp({ mode: 'manual' })
    ledger.breakDisk(new Error('no space left on device'))
    await expect(producer.produce()).rejects.toThrow('no space left on device')
    ledger.breakDisk(null)
    expect((await producer.produce()).number).toBe(1n)
    expect(faults).toEqual([])
  })
})

describe('a node with a clock for blocks', () => {
  it('makes them also without transactions, until it is stopped', async () => {
    const { ledger, pool, producer } = await setUp({ mode: 'interval', seconds: 0.05 })
    await addAll(pool, createTransfers(0, [0]))
    await producer.settle()
    expect(ledger.blocks).toHaveLength(0)
    while (ledger.blocks.length < 3) await sleep(5)
    expect(ledger.blocks.map(({ block }) => block.transactions.length).slice(0, 3)).toEqual([
      1, 0, 0,
    ])
    await producer.stop()
    const count = ledger.blocks.length
    await sleep(120)
    expect(ledger.blocks).toHaveLength(count)
    await expect(producer.produce()).rejects.toThrow('the node makes no blocks any more')
  })
})

describe('a node that makes blocks when asked', () => {
  it('makes one, empty too, and none otherwise', async () => {
    const { ledger, pool, producer } = await setUp({ mode: 'manual' })
    await addAll(pool, createTransfers(0, [0, 1]))
    await producer.settle()
    await sleep(20)
    expect(ledger.blocks).toHaveLength(0)
    const headers = await Promise.all([producer.produce(), producer.produce()])
    expect(headers.map(({ number }) => number)).toEqual([1n, 2n])
    expect(ledger.blocks.map(({ block }) => block.transactions.length)).toEqual([2, 0])
  })
})

describe('what the engine refuses', () => {
  it('leaves the pool, and what follows on it waits', async () => {
    const { pool, producer, ledger, refused } = await setUp({ mode: 'manual' })
    const transactions = createTransfers(0, [0, 1, 2])
    await addAll(pool, [...transactions, ...createTransfers(1, [0])])
    // The account pays by itself, as EIP-7702 allows, and no transaction of the block tells.
    await ledger.appendWith({ [addressAt(0)]: { balance: 0n } })
    await producer.produce()
    expect(refused).toEqual([[transactions[0], 'insufficient funds for gas * price + value']])
    expect(listNonces(pool.queued())).toEqual({ 0: [1, 2] })
    expect(pool.countPending()).toBe(0)
    expect(ledger.nonce(addressAt(1))).toBe(1n)
  })

  it('is no block of a node that makes them as transactions come', async () => {
    const first = await setUpPool()
    await addAll(first.pool, createTransfers(0, [0]))
    await first.ledger.appendWith({ [addressAt(0)]: { balance: 0n } })
    const refused: string[] = []
    const producer = createProducer({
      engine: first.ledger.engine,
      chain: first.ledger.chain,
      pool: first.pool,
      production: AUTOMINE,
      miner: addressAt(9999),
      onFault: error => refused.push(String(error)),
      onRefused: (_, reason) => refused.push(reason),
    })
    await producer.settle()
    await producer.stop()
    expect(refused).toEqual(['insufficient funds for gas * price + value'])
    expect(first.ledger.blocks).toHaveLength(1)
  })
})

describe('the time of a block', () => {
  it('is the clock’s, and a second after its parent’s where the clock is not', async () => {
    let clock = 1_700_000_000_999
    const { producer } = await setUp({ mode: 'manual' }, { now: () => clock })
    const times: bigint[] = []
    for (const step of [0, 0, 0, 5000, -60_000, 0]) {
      clock += step
      times.push((await producer.produce()).timestamp)
    }
    const first = 1_700_000_000n
    expect(times).toEqual([first, first + 1n, first + 2n, first + 5n, first + 6n, first + 7n])
  })
})
