import { describe, expect, it } from 'vitest'
import { addressAt, createTransfer } from '../testing/ledger.ts'
import { PoolError } from './pool.ts'
import {
  addAll,
  createTransfers,
  fundAccounts,
  GWEI,
  listNonces,
  setUpPool,
} from './testing/pool-setup.ts'

const range = (length: number, start = 0) => Array.from({ length }, (_, index) => start + index)

describe('a full pool', () => {
  const limits = { pending: 4, queued: 2 }

  it('pushes the cheapest remote one out, and of equals the last of an account', async () => {
    const { pool } = await setUpPool({ limits })
    await addAll(pool, createTransfers(0, [0, 1], 2n))
    await addAll(pool, createTransfers(1, [0, 1], 2n))
    await addAll(pool, createTransfers(2, [0], 3n))
    await addAll(pool, createTransfers(3, [0], 3n))
    await addAll(pool, createTransfers(4, [0], 4n))
    expect(listNonces(pool.pending())).toEqual({ 0: [0, 1], 1: [0], 2: [0], 3: [0], 4: [0] })
  })

  it('refuses what pays no more than the cheapest', async () => {
    const { pool } = await setUpPool({ limits })
    for (const account of range(6)) await addAll(pool, createTransfers(account, [0], 2n))
    await expect(addAll(pool, createTransfers(6, [0], 2n))).rejects.toThrow(
      new PoolError('transaction underpriced'),
    )
    expect(pool.countPending()).toBe(6)
  })

  it('never pushes local ones out, and takes them beyond its limits', async () => {
    const { pool } = await setUpPool({ limits })
    for (const account of range(8)) await addAll(pool, createTransfers(account, [0], 1n), 'local')
    expect(pool.countPending()).toBe(8)
    await expect(addAll(pool, createTransfers(8, [0], 100n))).rejects.toThrow(
      new PoolError('txpool is full'),
    )
    expect(pool.countPending()).toBe(8)
  })

  it('does not give up what is pending for what has a gap before it', async () => {
    const { pool } = await setUpPool({ limits })
    for (const account of range(6)) await addAll(pool, createTransfers(account, [0], 2n))
    await expect(addAll(pool, createTransfers(6, [3], 50n))).rejects.toThrow(
      new PoolError('future transaction tries to replace pending'),
    )
    expect(pool.countPending()).toBe(6)
    // Nothing was lost by the attempt.
    await addAll(pool, createTransfers(6, [0], 3n))
    expect(pool.countPending()).toBe(6)
  })

  it('goes by what is left above the base fee of the time', async () => {
    const { pool, ledger } = await setUpPool({ limits, baseFee: 10n })
    const typed = (account: number, gasPrice: bigint, tip: bigint) =>
      createTransfer({ from: addressAt(account), gasPrice, maxPriorityFeePerGas: tip })
    for (const account of range(5)) await pool.add(typed(account, 100n, 20n), 'remote')
    await pool.add(typed(5, 50n, 40n), 'remote')
    await pool.add(typed(6, 100n, 30n), 'remote')
    expect(pool.find(typed(4, 100n, 20n).hash)).toBeNull()
    ledger.setBaseFee(45n)
    await pool.add(typed(7, 100n, 30n), 'remote')
    expect(pool.find(typed(5, 50n, 40n).hash)).toBeNull()
  })

  it('counts long ones for each 32 KiB', async () => {
    const { pool } = await setUpPool({ limits })
    const long = createTransfer({ padding: 100 * 1024, gasPrice: 9n * GWEI })
    await pool.add(long, 'remote')
    await addAll(pool, createTransfers(1, [0], 1n))
    await addAll(pool, createTransfers(2, [0], 2n))
    await addAll(pool, createTransfers(3, [0], 3n))
    expect(listNonces(pool.pending())).toEqual({ 0: [0], 2: [0], 3: [0] })
  })

  it('takes from the accounts with the most when too many are pending', async () => {
    const { pool } = await setUpPool({ limits: { accountPending: 2, pending: 8, queued: 100 } })
    await addAll(pool, createTransfers(0, range(6)))
    await addAll(pool, createTransfers(1, range(2)))
    await addAll(pool, createTransfers(2, range(2), 5n))
    expect(listNonces(pool.pending())).toEqual({ 0: range(4), 1: range(2), 2: range(2) })
    await expect(addAll(pool, createTransfers(0, [4], 9n))).rejects.toThrow(
      new PoolError('txpool is full'),
    )
    // Down to what every account keeps, and not below.
    for (const account of [3, 4]) await addAll(pool, createTransfers(account, range(2)))
    expect(listNonces(pool.pending())).toEqual({
      0: range(2),
      1: range(2),
      2: range(2),
      3: range(2),
      4: range(2),
    })
  })
})

describe('the queue', () => {
  it('holds 64 of an account, the lowest nonces', async () => {
    const { pool } = await setUpPool()
    await addAll(pool, createTransfers(0, range(64, 2)))
    await expect(addAll(pool, createTransfers(0, [66]))).rejects.toThrow(
      new PoolError('account limit exceeded'),
    )
    await addAll(pool, createTransfers(0, [1]))
    expect(listNonces(pool.queued())).toEqual({ 0: range(64, 1) })
    await addAll(pool, createTransfers(1, range(70, 1)), 'local')
    expect(pool.countQueued()).toBe(134)
  })

  it('lets the accounts give first that wait for longest', async () => {
    const { pool, wait } = await setUpPool({ limits: { queued: 4 } })
    await addAll(pool, createTransfers(0, [1, 2]))
    wait(1)
    await addAll(pool, createTransfers(1, [1, 2]))
    wait(1)
    await addAll(pool, createTransfers(2, [1]))
    expect(listNonces(pool.queued())).toEqual({ 0: [1], 1: [1, 2], 2: [1] })
  })

  it('is kept for three hours after something of it was pending, but local ones for ever', async () => {
    const { pool, wait } = await setUpPool()
    const hour = 60 * 60 * 1000
    await addAll(pool, createTransfers(0, [0, 5]))
    await addAll(pool, createTransfers(1, [5]))
    await addAll(pool, createTransfers(2, [5]), 'local')
    wait(2 * hour)
    await addAll(pool, createTransfers(0, [1]))
    wait(hour - 1)
    expect(listNonces(pool.queued())).toEqual({ 0: [5], 1: [5], 2: [5] })
    wait(1)
    expect(listNonces(pool.queued())).toEqual({ 0: [5], 2: [5] })
    expect(pool.countQueued()).toBe(2)
    wait(2 * hour)
    expect(listNonces(pool.queued())).toEqual({ 2: [5] })
    expect(listNonces(pool.pending())).toEqual({ 0: [0, 1] })
  })
})

describe('many transactions', () => {
  it('are taken in random order from 64 senders at once, and none is lost', async () => {
    const senders = 64
    const each = 60
    const { pool } = await setUpPool({
      limits: { queued: senders * each },
      balances: fundAccounts(senders),
    })
    const transactions = range(senders).flatMap(account => createTransfers(account, range(each)))
    // A fixed order without any pattern: by the hashes.
    transactions.sort((a, b) => (a.hash < b.hash ? -1 : 1))
    await Promise.all(transactions.map(transaction => pool.add(transaction, 'remote')))
    expect([pool.countPending(), pool.countQueued()]).toEqual([senders * each, 0])
    const next = new Map<string, bigint>()
    for (const { nonce, from } of pool.candidates()) {
      expect(nonce).toBe(next.get(from) ?? 0n)
      next.set(from, nonce + 1n)
    }
    expect([...next.values()]).toEqual(range(senders).map(() => BigInt(each)))
  })

  it('cost no more each when there are twenty times as many', async () => {
    const limits = { pending: 30_000, queued: 30_000, accountQueued: 30_000 }
    const time = async (count: number) => {
      const { pool } = await setUpPool({ limits, balances: fundAccounts(64) })
      const transactions = range(count).map(index =>
        createTransfer({ from: addressAt(index % 64), nonce: BigInt(Math.floor(index / 64)) }),
      )
      transactions.sort((a, b) => (a.hash < b.hash ? -1 : 1))
      const start = performance.now()
      await Promise.all(transactions.map(transaction => pool.add(transaction, 'local')))
      expect(pool.countPending()).toBe(count)
      return (performance.now() - start) / count
    }
    await time(300)
    const few = await time(300)
    const many = Math.min(await time(6000), await time(6000), await time(6000))
    expect(many).toBeLessThan(10 * few + 0.05)
  })
})
