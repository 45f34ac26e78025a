import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { checkLiveFeed, openLiveFeed, type Socket } from '../../src/chain/access/live-feed.ts'
import {
  BroadcastRejectedError,
  type HistoryTransaction,
  TransactionNotFoundError,
} from '../../src/chain/chain-source.ts'
import { openChain, type WholeChain } from '../../src/chain/open/open-chain.ts'
import { createTestAccess, problemOf } from '../../src/chain/testing/server-access.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { type Client, createClient } from '../../src/devnet/testing/devnet-client.ts'
import { coinOf, createTestWallet } from '../../src/devnet/testing/test-wallet.ts'

let devnet: Devnet
let client: Client

beforeAll(async () => {
  devnet = await startDevnet()
  client = createClient(devnet)
})
afterEach(() => client.post('/devnet/faults/clear', {}))
afterAll(() => devnet?.stop())

const open = (network: 'regtest' | 'signet' = 'regtest'): WholeChain =>
  openChain(
    network,
    { chain: devnet.esploraUrl, secondChain: '', fees: '', price: '' },
    createTestAccess(),
  )

async function fetchAll(chain: WholeChain, address: string): Promise<HistoryTransaction[]> {
  const all: HistoryTransaction[] = []
  for (let after: string | null = null; ; ) {
    const page = await chain.fetchHistory(address, after)
    all.push(...page.transactions)
    if (page.next === null) return all
    after = page.next
  }
}

describe('the wallet’s chain source on a real network', () => {
  it('follows the chain that it is told to, and no other', async () => {
    const hash = await devnet.rpc<string>('getbestblockhash')
    const height = await devnet.rpc<number>('getblockcount')
    expect(await open().fetchTip()).toMatchObject({ hash, height })
    expect(await problemOf(open('signet').fetchTip())).toMatchObject({ kind: 'wrong-network' })
  })

  it('sees a payment come, be spent, be mined and be undone', async () => {
    const chain = open()
    const wallet = createTestWallet('payer of the wallet chain')
    const coin = await client.fund(wallet, 100_000n)
    const payee = createTestWallet('payee of the wallet chain')
    const tx = wallet.spend([coin], [{ script: payee.script, value: 99_000n }])
    const txid = tx.getId()
    await expect(chain.fetchTransactionRecord(txid)).rejects.toThrow(TransactionNotFoundError)
    expect(await chain.fetchTransactionHeight(txid)).toBeUndefined()
    expect(await chain.fetchSpender(coin)).toBeNull()

    expect(await chain.broadcast(tx.toBuffer())).toBe(txid)
    expect(await chain.broadcast(tx.toBuffer())).toBe(txid)
    expect(await chain.fetchTransactionHeight(txid)).toBeNull()
    expect(await chain.fetchSpender(coin)).toBe(txid)
    expect(await chain.fetchBalance(payee.address)).toEqual({
      confirmed: 0n,
      unconfirmed: 99_000n,
      transactions: 1,
    })
    const second = wallet.spend([coin], [{ script: payee.script, value: 99_500n }])
    await expect(chain.broadcast(second.toBuffer())).rejects.toThrow(BroadcastRejectedError)

    const [blockHash] = await devnet.mine()
    const height = await devnet.rpc<number>('getblockcount')
    expect(await chain.fetchTransactionRecord(txid)).toMatchObject({
      txid,
      vsize: tx.virtualSize(),
      fee: 1000n,
      height,
      blockHash,
      inputs: [{ txid: coin.txid, vout: coin.vout, amount: 100_000n, scriptPubKey: wallet.script }],
      outputs: [{ amount: 99_000n, scriptPubKey: payee.script }],
    })
    expect(await chain.fetchUtxos(payee.address, payee.script)).toMatchObject([
      { txid, vout: 0, amount: 99_000n, height },
    ])
    await devnet.reorg(1)
    expect(await chain.fetchTransactionHeight(txid)).toBeNull()
  })

  it('reads a block’s own coins, whose inputs nobody knows', async () => {
    const wallet = createTestWallet('miner of the wallet chain')
    await devnet.mine(1, wallet.address)
    const [coinbase] = await fetchAll(open(), wallet.address)
    expect(coinbase).toMatchObject({ fee: 0n, inputs: [{ amount: null, scriptPubKey: null }] })
  })

  it('pages a long history to its end', async () => {
    const wallet = createTestWallet('history of the wallet chain')
    for (let count = 0; count < 55; count++) await devnet.faucet(wallet.address, 1000, false)
    await devnet.mine()
    await devnet.faucet(wallet.address, 1000, false)
    const history = await fetchAll(open(), wallet.address)
    expect(new Set(history.map(({ txid }) => txid)).size).toBe(56)
    expect(history.map(({ height }) => height === null).indexOf(false)).toBe(1)
  })

  it('lists the coins of an address that has more than 500', async () => {
    const chain = open()
    const wallet = createTestWallet('many coins of the wallet chain')
    const coin = await client.fund(wallet, 2_000_000n)
    const outputs = (count: number) =>
      Array.from({ length: count }, () => ({ script: wallet.script, value: 1000n }))
    const rest = { script: wallet.script, value: 900_000n }
    const tx = wallet.spend([coin], [...outputs(499), rest])
    await chain.broadcast(tx.toBuffer())
    await devnet.mine()
    const more = wallet.spend([coinOf(tx, 499)], outputs(50))
    await chain.broadcast(more.toBuffer())
    const utxos = await chain.fetchUtxos(wallet.address, wallet.script)
    expect(utxos).toHaveLength(549)
    expect(utxos.filter(({ height }) => height === null)).toHaveLength(50)
    expect(utxos.every(({ amount }) => amount === 1000n)).toBe(true)
  })

  it('reads fee rates and prices', async () => {
    expect(await open().fetchFeeRates()).toEqual({ fastest: 5, halfHour: 3, hour: 2, minimum: 0.1 })
    expect(await open().fetchPrices()).toMatchObject({ USD: 100_000, JPY: 15_000_000 })
  })

  it.each<[string, object, string]>([
    ['a web page', { body: '<html>' }, 'nonsense'],
    ['half of an answer', { truncate: true }, 'nonsense'],
    ['429', { status: 429, body: 'slow' }, 'rate-limited'],
    ['nothing', { drop: true }, 'unreachable'],
    ['text for numbers', { merge: { chain_stats: { funded_txo_sum: '7' } } }, 'nonsense'],
    ['a balance below 0', { merge: { chain_stats: { spent_txo_sum: 1e15 } } }, 'nonsense'],
  ])('names the problem of a server that sends %s', async (_, fault, kind) => {
    const { address } = createTestWallet('nobody')
    await client.post('/devnet/faults', { endpoint: '/api/address/*', ...fault })
    expect(await problemOf(open().fetchBalance(address))).toMatchObject({
      kind,
      host: new URL(devnet.url).host,
    })
  })
})

describe('the wallet’s live feed on a real network', () => {
  const connect = (url: string) => new WebSocket(url) as unknown as Socket

  it('hears of a payment to its address, of its block, and of no other address', async () => {
    const mine = createTestWallet('live mine')
    const yours = createTestWallet('live yours')
    const events: string[] = []
    const feed = openLiveFeed({
      url: devnet.esploraUrl,
      addresses: [mine.address],
      connect,
      onReady: () => events.push('ready'),
      onNews: () => events.push('news'),
      onEnd: () => events.push('end'),
    })
    try {
      await expect.poll(() => events).toEqual(['ready'])
      await devnet.faucet(yours.address, 1000, false)
      await devnet.faucet(mine.address, 1000, false)
      await expect.poll(() => events).toEqual(['ready', 'news'])
      await devnet.mine()
      await expect.poll(() => events).toEqual(['ready', 'news', 'news'])
    } finally {
      feed.close()
    }
  })

  it('is known to be missing where the server refuses it', async () => {
    expect(await checkLiveFeed({ url: devnet.esploraUrl, connect })).toBe(true)
    await client.post('/devnet/faults', { endpoint: '/api/v1/ws', status: 503 })
    expect(await checkLiveFeed({ url: devnet.esploraUrl, connect })).toBe(false)
  })
})
