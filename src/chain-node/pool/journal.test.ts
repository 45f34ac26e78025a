import { describe, expect, it } from 'vitest'
import { addressAt, createTransfer } from '../testing/ledger.ts'
import { createMemoryStore } from '../testing/memory-store.ts'
import { createJournal } from './journal.ts'
import { PoolError } from './pool.ts'
import { addAll, createTransfers, ETHER, listNonces, setUpPool } from './testing/pool-setup.ts'

describe('after a restart', () => {
  it('the pool holds what it held, pending and queued, with its order and origin', async () => {
    const { pool, restart } = await setUpPool({ limits: { pending: 2, queued: 2 } })
    await addAll(pool, createTransfers(1, [0], 3n))
    await addAll(pool, createTransfers(0, [1, 0, 5], 3n), 'local')
    const before = [...pool.candidates()]
    const later = await restart()
    expect(listNonces(later.pending())).toEqual({ 0: [0, 1], 1: [0] })
    expect(listNonces(later.queued())).toEqual({ 0: [5] })
    expect([...later.candidates()]).toEqual(before)
    // The remote one alone can be pushed out.
    await addAll(later, createTransfers(2, [0], 4n))
    expect(listNonces(later.pending())).toEqual({ 0: [0, 1], 2: [0] })
  })

  it('what is mined, replaced, dropped or expired is not there', async () => {
    const { pool, ledger, restart, wait, store } = await setUpPool()
    const [mined, dropped] = [createTransfers(0, [0])[0], createTransfers(1, [0])[0]]
    if (!mined || !dropped) throw new Error('two are made')
    await addAll(pool, [mined, dropped, ...createTransfers(3, [0])], 'local')
    await addAll(pool, createTransfers(3, [0], 2n), 'local')
    await addAll(pool, createTransfers(4, [7]))
    await ledger.appendWith({ [addressAt(0)]: { nonce: 1n } }, [mined])
    pool.drop(dropped.hash)
    wait(3 * 60 * 60 * 1000)
    expect(pool.countQueued()).toBe(0)
    const later = await restart()
    expect([...later.pending().values()]).toEqual([createTransfers(3, [0], 2n)])
    expect(later.countQueued()).toBe(0)
    expect(store.entries.size).toBe(1)
  })

  it('what became stale while the node was down is removed from the disk', async () => {
    const { pool, ledger, restart, store } = await setUpPool()
    await addAll(pool, createTransfers(0, [0, 1]), 'local')
    await pool.close()
    await ledger.appendWith({ [addressAt(0)]: { nonce: 1n } })
    await store.write([{ key: Buffer.from('71ffffffffff000000', 'hex'), value: Buffer.alloc(30) }])
    const later = await restart()
    expect(listNonces(later.pending())).toEqual({ 0: [1] })
    await later.close()
    expect(store.entries.size).toBe(1)
  })

  it('what is not paid for waits', async () => {
    const { pool, ledger, restart } = await setUpPool()
    await pool.add(createTransfer({ value: ETHER / 2n }), 'local')
    await ledger.appendWith({ [addressAt(0)]: { balance: 0n } })
    const later = await restart()
    expect([later.countPending(), later.countQueued()]).toEqual([0, 1])
    await ledger.appendWith({ [addressAt(0)]: { balance: ETHER } })
    expect([later.countPending(), later.countQueued()]).toEqual([1, 0])
  })
})

describe('the journal', () => {
  it('writes what comes together as one, in a part of the store of its own', async () => {
    const { pool, store } = await setUpPool()
    const transactions = createTransfers(0, [...Array(200).keys()])
    await Promise.all(transactions.map(transaction => pool.add(transaction, 'local')))
    expect(store.countWrites()).toBeLessThan(4)
    expect([...store.entries.keys()].every(key => key.startsWith('71'))).toBe(true)
  })

  it('has it on the disk when the transaction is taken', async () => {
    const { pool, store } = await setUpPool()
    await pool.add(createTransfer({}), 'local')
    expect(store.entries.size).toBe(1)
  })

  it('that cannot be written is told to who sends, and is written as soon as it can be', async () => {
    const { pool, store, faults, restart } = await setUpPool()
    const [first, second, third, fourth] = createTransfers(0, [0, 1, 2, 3])
    if (!first || !second || !third || !fourth) throw new Error('four are made')
    await pool.add(first, 'local')
    const full = new Error('no space left on device')
    const refusal = 'the transaction is in the pool, but not on the disk: no space left on device'
    store.breakDisk(full)
    await expect(pool.add(second, 'local')).rejects.toEqual(new PoolError(refusal))
    await expect(pool.add(third, 'local')).rejects.toEqual(new PoolError(refusal))
    expect(pool.countPending()).toBe(3)
    pool.drop(third.hash)
    expect(faults).toEqual([full, full])
    store.breakDisk(null)
    await pool.add(fourth, 'local')
    expect(store.entries.size).toBe(3)
    const later = await restart()
    expect(listNonces(later.pending())).toEqual({ 0: [0, 1] })
    expect(listNonces(later.queued())).toEqual({ 0: [3] })
    expect(faults).toHaveLength(2)
  })

  it('does not write what is gone before its turn', async () => {
    const store = createMemoryStore()
    const journal = createJournal(store, error => {
      throw error
    })
    const kept = journal.keep(createTransfer({}), 'local')
    journal.forget(createTransfer({}).hash)
    await kept
    expect(store.countWrites()).toBe(0)
  })
})

it('keeps what still waits for its block when the pool is closed', async () => {
  const setup = await setUpPool()
  const [transaction] = createTransfers(0, [0])
  if (!transaction) throw new Error('one is made')
  void setup.pool.add(transaction, 'remote', () => new Promise(() => {}))
  await setup.pool.close()
  expect((await setup.restart()).find(transaction.hash)?.hash).toBe(transaction.hash)
})
