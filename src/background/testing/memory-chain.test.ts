import { Transaction } from 'bitcoinjs-lib'
import { beforeEach, describe, expect, it } from 'vitest'
import { addressOfScript } from '../../bitcoin/address.ts'
import { fromHex } from '../../bitcoin/bytes.ts'
import { BroadcastRejectedError, TransactionNotFoundError } from '../../chain/chain-source.ts'
import { createMemoryChain, type MemoryChain } from './memory-chain.ts'

const MINE = fromHex(`0014${'11'.repeat(20)}`)
const YOURS = fromHex(`0014${'22'.repeat(20)}`)
const addressOf = (script: Uint8Array) => addressOfScript(script, 'regtest') ?? ''

let memory: MemoryChain
let coins = 0

beforeEach(() => {
  memory = createMemoryChain('regtest', { fastest: 4, halfHour: 3, hour: 2, minimum: 1 })
})

/** Spends outpoints to one output; without any, coins from nowhere. */
function pay(script: Uint8Array, sats: bigint, ...spends: string[]): Uint8Array {
  const transaction = new Transaction()
  transaction.version = 2
  if (spends.length === 0) transaction.addInput(new Uint8Array(32).fill(1), coins++)
  for (const txid of spends) transaction.addInput(fromHex(txid).reverse(), 0)
  transaction.addOutput(script, sats)
  return transaction.toBuffer()
}

describe('the chain that the background is tested on', () => {
  it('tells what came, went and waits', async () => {
    const { chain } = memory
    const first = memory.add(pay(MINE, 1000n))
    memory.mine()
    const second = memory.receive(pay(MINE, 500n))
    const spend = await chain.broadcast(pay(YOURS, 900n, first))
    expect(await chain.fetchBalance(addressOf(MINE))).toEqual({
      confirmed: 1000n,
      unconfirmed: -500n,
      transactions: 3,
    })
    expect(await chain.fetchUtxos(addressOf(MINE), MINE)).toMatchObject([
      { txid: second, amount: 500n, height: null },
    ])
    const { transactions } = await chain.fetchHistory(addressOf(MINE), null)
    expect(transactions.map(({ txid }) => txid)).toEqual([spend, second, first])
    expect(transactions[0]).toMatchObject({ fee: 100n, height: null, inputs: [{ amount: 1000n }] })
    expect(await chain.fetchSpender({ txid: first, vout: 0 })).toBe(spend)
    expect(memory.broadcasts).toEqual([spend])
  })

  it('mines what waits, and lets it wait again when its block is undone', async () => {
    const { chain } = memory
    const txid = memory.receive(pay(MINE, 1000n))
    const before = await chain.fetchTip()
    expect(memory.mine(2)).toBe(before.height + 2)
    const { blockHash, height } = await chain.fetchTransactionRecord(txid)
    expect(height).toBe(before.height + 1)
    memory.reorg(2)
    expect(await chain.fetchTransactionHeight(txid)).toBeNull()
    expect((await chain.fetchTip()).height).toBe(before.height + 3)
    memory.mine()
    expect((await chain.fetchTransactionRecord(txid)).blockHash).not.toBe(blockHash)
  })

  it('refuses a second spend unless it pays more, and then drops the first with its children', async () => {
    const { chain } = memory
    const coin = memory.add(pay(MINE, 1000n))
    const first = await chain.broadcast(pay(YOURS, 900n, coin))
    const child = await chain.broadcast(pay(MINE, 800n, first))
    await expect(chain.broadcast(pay(YOURS, 850n, coin))).rejects.toThrow(BroadcastRejectedError)
    const second = await chain.broadcast(pay(YOURS, 700n, coin))
    for (const txid of [first, child]) {
      await expect(chain.fetchTransaction(txid)).rejects.toThrow(TransactionNotFoundError)
    }
    memory.mine()
    expect(await chain.fetchTransactionHeight(second)).toBe(101)
    await expect(chain.broadcast(pay(YOURS, 1n, coin))).rejects.toThrow(BroadcastRejectedError)
  })

  it('lets a block decide against the mempool, and forgets what it evicts', async () => {
    const { chain } = memory
    const coin = memory.add(pay(MINE, 1000n))
    const lost = await chain.broadcast(pay(YOURS, 100n, coin))
    const won = memory.add(pay(YOURS, 999n, coin))
    expect(await chain.fetchTransactionHeight(lost)).toBeUndefined()
    expect(await chain.fetchSpender({ txid: coin, vout: 0 })).toBe(won)
    const evicted = memory.receive(pay(MINE, 7n))
    memory.evict(evicted)
    expect(await chain.fetchTransactionHeight(evicted)).toBeUndefined()
  })

  it('pages its history by 25', async () => {
    const { chain } = memory
    const txids = Array.from({ length: 30 }, () => memory.add(pay(YOURS, 1n))).reverse()
    const first = await chain.fetchHistory(addressOf(YOURS), null)
    const second = await chain.fetchHistory(addressOf(YOURS), first.next)
    expect(second.next).toBeNull()
    expect([...first.transactions, ...second.transactions].map(({ txid }) => txid)).toEqual(txids)
  })
})
