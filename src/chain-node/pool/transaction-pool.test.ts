import { describe, expect, it } from 'vitest'
import { TransactionError } from '../engine/engine.ts'
import { addressAt, createTransfer } from '../testing/ledger.ts'
import { PoolError } from './pool.ts'
import {
  addAll,
  createTransfers,
  ETHER,
  GWEI,
  listNonces,
  setUpPool,
} from './testing/pool-setup.ts'

const TRANSFER_COST = 21_000n * GWEI

describe('what is refused', () => {
  const cases = [
    ['oversized data', { padding: 128 * 1024 }],
    ['exceeds block gas limit', { gas: 30_000_001n }],
    ['max priority fee per gas higher than max fee per gas', { maxPriorityFeePerGas: 2n * GWEI }],
    ['nonce has max value', { nonce: 2n ** 64n - 1n }],
    ['intrinsic gas too low', { gas: 20_999n }],
    ['intrinsic gas too low', { gas: 52_999n, to: null }],
    ['transaction underpriced', { gasPrice: GWEI / 10n - 1n }],
    ['insufficient funds for gas * price + value', { value: ETHER - TRANSFER_COST + 1n }],
    ['insufficient funds for gas * price + value', { from: addressAt(5000) }],
  ] as const

  it.each(cases)('%s', async (text, fields) => {
    const { pool } = await setUpPool({ minGasPrice: GWEI / 10n })
    await expect(pool.add(createTransfer(fields), 'remote')).rejects.toThrow(new PoolError(text))
    expect([pool.countPending(), pool.countQueued()]).toEqual([0, 0])
  })

  it('what the engine’s rules forbid, with their text', async () => {
    const { pool } = await setUpPool()
    const transaction = createTransfer({
      to: null,
      gas: 10_000_000n,
      input: new Uint8Array(49_153),
    })
    await expect(pool.add(transaction, 'local')).rejects.toThrow(
      new TransactionError('max initcode size exceeded'),
    )
  })

  it('nonce too low', async () => {
    const { pool, ledger } = await setUpPool()
    await ledger.appendWith({ [addressAt(0)]: { nonce: 3n } })
    await expect(pool.add(createTransfer({ nonce: 2n }), 'remote')).rejects.toThrow(
      new PoolError('nonce too low'),
    )
  })

  it('already known, pending or queued', async () => {
    const { pool } = await setUpPool()
    for (const transaction of createTransfers(0, [0, 2])) {
      await pool.add(transaction, 'remote')
      await expect(pool.add(transaction, 'local')).rejects.toThrow(new PoolError('already known'))
    }
  })

  it('takes local ones for less than the least price', async () => {
    const { pool } = await setUpPool({ minGasPrice: GWEI })
    await pool.add(createTransfer({ gasPrice: 0n }), 'local')
    expect(pool.countPending()).toBe(1)
  })

  it('asks for no more than the base fee where there is one', async () => {
    const { pool } = await setUpPool({ minGasPrice: GWEI, baseFee: 7n })
    await pool.add(createTransfer({ gasPrice: 8n, maxPriorityFeePerGas: 1n }), 'remote')
    expect(pool.countPending()).toBe(1)
  })

  it('what goes beyond the balance together with what is pending', async () => {
    const { pool } = await setUpPool()
    const half = { value: ETHER / 2n, from: addressAt(0) }
    await pool.add(createTransfer({ ...half, value: ETHER / 2n - TRANSFER_COST }), 'remote')
    await expect(pool.add(createTransfer({ ...half, nonce: 1n }), 'remote')).rejects.toThrow(
      new PoolError('insufficient funds for gas * price + value'),
    )
    await pool.add(
      createTransfer({ ...half, nonce: 1n, value: ETHER / 2n - TRANSFER_COST }),
      'remote',
    )
    expect(pool.countPending()).toBe(2)
  })
})

describe('pending and queued', () => {
  it('fills gaps in whatever order the nonces come', async () => {
    const { pool, announced } = await setUpPool()
    const [first, second, third, fourth] = createTransfers(0, [0, 1, 2, 3])
    if (!first || !second || !third || !fourth) throw new Error('four are made')
    await addAll(pool, [fourth, second])
    expect(listNonces(pool.queued())).toEqual({ 0: [1, 3] })
    expect(pool.nextNonce(addressAt(0))).toBe(0n)
    await pool.add(first, 'remote')
    expect(listNonces(pool.pending())).toEqual({ 0: [0, 1] })
    expect(pool.nextNonce(addressAt(0))).toBe(2n)
    await pool.add(third, 'remote')
    expect(listNonces(pool.pending())).toEqual({ 0: [0, 1, 2, 3] })
    expect(pool.countQueued()).toBe(0)
    expect(announced).toEqual([first, second, third, fourth])
  })

  it('drops what is mined, and promotes what waited for it', async () => {
    const { pool, ledger, announced } = await setUpPool()
    const [, second, fourth] = createTransfers(0, [0, 1, 3])
    if (!second || !fourth) throw new Error('three are made')
    await addAll(pool, createTransfers(0, [0, 1, 3]))
    // The nonces 0 to 2 are used by transactions that the pool never saw.
    await ledger.appendWith({ [addressAt(0)]: { nonce: 3n } }, [second])
    expect(listNonces(pool.pending())).toEqual({ 0: [3] })
    expect(pool.find(second.hash)).toBeNull()
    expect(pool.find(fourth.hash)).toEqual(fourth)
    expect(announced.at(-1)).toEqual(fourth)
  })

  it('queues what follows on one that is dropped', async () => {
    const { pool, announced } = await setUpPool()
    const transactions = createTransfers(0, [0, 1, 2, 3])
    await addAll(pool, transactions)
    pool.drop(transactions[1]?.hash ?? '0x')
    expect(listNonces(pool.pending())).toEqual({ 0: [0] })
    expect(listNonces(pool.queued())).toEqual({ 0: [2, 3] })
    const [other] = createTransfers(0, [1], 5n)
    if (!other) throw new Error('one is made')
    await pool.add(other, 'remote')
    expect(listNonces(pool.pending())).toEqual({ 0: [0, 1, 2, 3] })
    // Each is told of once, also when it becomes pending again.
    expect(announced).toEqual([...transactions, other])
  })

  it('queues what the balance does not cover any more, until it does', async () => {
    const { pool, ledger } = await setUpPool()
    await addAll(pool, createTransfers(0, [0, 1, 2]))
    const payment = createTransfer({ from: addressAt(7), to: addressAt(0) })
    await ledger.appendWith({ [addressAt(0)]: { balance: 2n * TRANSFER_COST } }, [payment])
    expect(listNonces(pool.pending())).toEqual({ 0: [0, 1] })
    expect(listNonces(pool.queued())).toEqual({ 0: [2] })
    // Paid by a contract: no transaction of the block names the account.
    await ledger.appendWith({ [addressAt(0)]: { balance: 3n * TRANSFER_COST } })
    expect(listNonces(pool.pending())).toEqual({ 0: [0, 1, 2] })
  })

  it('sees when next sending that a contract has paid the account', async () => {
    const { pool, ledger } = await setUpPool()
    await pool.add(createTransfer({ value: ETHER - TRANSFER_COST }), 'remote')
    await ledger.appendWith({ [addressAt(0)]: { balance: 2n * ETHER } })
    await pool.add(createTransfer({ nonce: 1n, value: ETHER / 2n }), 'remote')
    expect(pool.countPending()).toBe(2)
  })

  it('lets go of what a lower gas limit has no room for', async () => {
    const { pool, ledger } = await setUpPool()
    await addAll(pool, [createTransfer({ gas: 1_000_000n }), ...createTransfers(1, [0])])
    const { head, append } = ledger.chain
    const header = {
      ...head(),
      parentHash: head().hash,
      hash: addressAt(1),
      number: 1n,
      gasLimit: 999_999n,
    }
    await append({
      block: { header, transactions: [], uncles: [], rlp: new Uint8Array() },
      receipts: [],
      writes: [],
    })
    expect(listNonces(pool.pending())).toEqual({ 1: [0] })
  })

  it('gives the nonce of an account that has nothing here', async () => {
    const { pool, ledger } = await setUpPool()
    await ledger.appendWith({ [addressAt(0)]: { nonce: 9n } })
    expect(pool.nextNonce(addressAt(0))).toBe(9n)
    expect(pool.nextNonce(addressAt(4000))).toBe(0n)
  })
})

describe('replacement', () => {
  const legacy = (gasPrice: bigint) => createTransfer({ gasPrice, value: gasPrice })
  const typed = (gasPrice: bigint, maxPriorityFeePerGas: bigint) =>
    createTransfer({ gasPrice, maxPriorityFeePerGas })

  it.each([
    ['a legacy price', legacy(1000n), legacy(1099n), legacy(1100n)],
    ['the highest fee', typed(1000n, 500n), typed(1099n, 550n), typed(1100n, 550n)],
    ['the tip', typed(1000n, 500n), typed(1100n, 549n), typed(1100n, 550n)],
    ['both of a legacy price', typed(1000n, 500n), legacy(1099n), legacy(1100n)],
    ['a price so small that a tenth of it is nothing', legacy(1n), legacy(1n), legacy(2n)],
  ])('needs a tenth more of %s', async (_, old, tooCheap, enough) => {
    const { pool } = await setUpPool()
    await pool.add(old, 'remote')
    if (tooCheap.hash !== old.hash) {
      await expect(pool.add(tooCheap, 'remote')).rejects.toThrow(
        new PoolError('replacement transaction underpriced'),
      )
    }
    await pool.add(enough, 'remote')
    expect([...pool.pending().values()]).toEqual([[enough]])
    expect(pool.find(old.hash)).toBeNull()
    expect(pool.countPending()).toBe(1)
  })

  it('holds for queued ones', async () => {
    const { pool, announced } = await setUpPool()
    const [old] = createTransfers(0, [4])
    const [next] = createTransfers(0, [4], 2n)
    if (!old || !next) throw new Error('two are made')
    await addAll(pool, [old, next])
    expect([...pool.queued().values()]).toEqual([[next]])
    expect(announced).toEqual([])
  })

  it('of a pending one is told of, and must be paid for', async () => {
    const { pool, announced } = await setUpPool()
    await addAll(pool, createTransfers(0, [0, 1, 2]))
    const next = createTransfer({ nonce: 1n, gasPrice: 2n * GWEI })
    await pool.add(next, 'remote')
    expect(listNonces(pool.pending())).toEqual({ 0: [0, 1, 2] })
    expect(announced.at(-1)).toEqual(next)
    await expect(
      pool.add(createTransfer({ nonce: 1n, gasPrice: 4n * GWEI, value: ETHER }), 'remote'),
    ).rejects.toThrow(new PoolError('insufficient funds for gas * price + value'))
  })
})

describe('candidates', () => {
  it('are by price, then by when they came, and each sender’s in order', async () => {
    const { pool } = await setUpPool()
    await addAll(pool, createTransfers(2, [0], 5n))
    await addAll(pool, createTransfers(0, [0], 1n))
    await addAll(pool, createTransfers(0, [1], 9n))
    await addAll(pool, createTransfers(1, [0, 1], 5n))
    expect(
      [...pool.candidates()].map(({ from, nonce }) => [Number(BigInt(from)) - 1, nonce]),
    ).toEqual([
      [2, 0n],
      [1, 0n],
      [1, 1n],
      [0, 0n],
      [0, 1n],
    ])
  })

  it('go by what is left above the base fee, and stop where it is not covered', async () => {
    const { pool, ledger } = await setUpPool({ baseFee: 10n })
    const typed = (account: number, nonce: bigint, gasPrice: bigint, tip: bigint) =>
      createTransfer({ from: addressAt(account), nonce, gasPrice, maxPriorityFeePerGas: tip })
    const high = typed(0, 0n, 100n, 2n)
    const legacy = createTransfer({ from: addressAt(1), gasPrice: 15n })
    const low = typed(2, 0n, 9n, 9n)
    const follower = typed(2, 1n, 90n, 90n)
    await addAll(pool, [high, legacy, low, follower])
    expect(pool.countPending()).toBe(4)
    expect([...pool.candidates()]).toEqual([legacy, high])
    ledger.setBaseFee(9n)
    expect([...pool.candidates()]).toEqual([legacy, high, low, follower])
  })

  it('are those of the moment in which they are asked for', async () => {
    const { pool } = await setUpPool()
    await addAll(pool, createTransfers(0, [0, 1]))
    const candidates = pool.candidates()
    await addAll(pool, createTransfers(0, [2]))
    pool.drop([...pool.pending().values()][0]?.[0]?.hash ?? '0x')
    expect([...candidates]).toHaveLength(2)
  })
})
