import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Devnet, startDevnet } from '../start-devnet.ts'
import { type Client, createClient } from '../testing/devnet-client.ts'
import { coinOf, createTestWallet } from '../testing/test-wallet.ts'
import type { BlockJson, TransactionJson, UtxoJson } from './shapes.ts'

let devnet: Devnet
let client: Client

beforeAll(async () => {
  devnet = await startDevnet()
  client = createClient(devnet)
})
afterAll(() => devnet?.stop())

const sha256d = (bytes: Uint8Array) =>
  createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest()

describe('an address', () => {
  it('with more than 500 unspent outputs is refused in the words of Esplora', async () => {
    const wallet = createTestWallet('many outputs')
    const coin = await client.fund(wallet, 1_000_000n)
    const outputs = (count: number) =>
      Array.from({ length: count }, () => ({ script: wallet.script, value: 1000n }))
    const tx = wallet.spend([coin], [...outputs(499), { script: wallet.script, value: 450_000n }])
    expect(await client.broadcast(tx.toHex())).toBe(tx.getId())
    const path = `/api/address/${wallet.address}/utxo`
    expect(await client.getJson<UtxoJson[]>(path)).toHaveLength(500)
    await devnet.mine(1)
    const two = wallet.spend(
      [coinOf(tx, 499)],
      [...outputs(1), { script: wallet.script, value: 448_000n }],
    )
    expect(await client.broadcast(two.toHex())).toBe(two.getId())
    const { status, body } = await client.request(path)
    expect(status).toBe(400)
    expect(body).toBe(
      'Too many unspent transaction outputs (>500). Contact support to raise limits.',
    )
  })

  it('pages its history by 25, newest first, with the unconfirmed in front', async () => {
    const wallet = createTestWallet('long history')
    const txids: string[] = []
    for (let i = 0; i < 60; i++) {
      txids.unshift(await devnet.faucet(wallet.address, 1000n + BigInt(i), i % 7 === 0))
    }
    await devnet.mine(1)
    const unconfirmed = await devnet.faucet(wallet.address, 5000n, false)
    const page = async (path: string) =>
      (await client.getJson<TransactionJson[]>(`/api/address/${wallet.address}${path}`)).map(
        ({ txid }) => txid,
      )
    const first = await page('/txs')
    expect(first).toHaveLength(26)
    expect(first[0]).toBe(unconfirmed)
    expect(await page('/txs/mempool')).toEqual([unconfirmed])
    expect(await page('/txs/chain')).toEqual(first.slice(1))
    const second = await page(`/txs/chain/${first[25]}`)
    const third = await page(`/txs/chain/${second[24]}`)
    expect([second.length, third.length]).toEqual([25, 10])
    expect(await page(`/txs/chain/${third[9]}`)).toEqual([])
    expect(await page(`/txs?after_txid=${first[25]}`)).toEqual(second)
    const all = [...first.slice(1), ...second, ...third]
    expect(new Set(all)).toEqual(new Set(txids))
    const heights = await Promise.all(
      all.map(async txid => {
        const { status } = await client.getJson<TransactionJson>(`/api/tx/${txid}`)
        return status.confirmed ? status.block_height : 0
      }),
    )
    expect(heights).toEqual(heights.toSorted((a, b) => b - a))
  })

  it('of another network, or none, is refused', async () => {
    for (const address of ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'bcrt1qnonsense', 'x']) {
      const { status, body } = await client.request(`/api/address/${address}`)
      expect([status, body]).toEqual([400, 'Invalid Bitcoin address'])
    }
  })

  it('is also found by the hash of its script', async () => {
    const wallet = createTestWallet('by hash')
    await devnet.faucet(wallet.address, 12_345n)
    const hash = createHash('sha256').update(wallet.script).digest('hex')
    const byAddress = await client.getJson(`/api/address/${wallet.address}/utxo`)
    expect(await client.getJson(`/api/scripthash/${hash}/utxo`)).toEqual(byAddress)
    expect(byAddress).toMatchObject([{ value: 12_345, status: { confirmed: true } }])
  })
})

describe('a transaction', () => {
  it('is described as the node describes it', async () => {
    const wallet = createTestWallet('described')
    const coin = await client.fund(wallet, 100_000n)
    const data = { script: Uint8Array.of(0x6a, 2, 0xca, 0xfe), value: 0n }
    const tx = wallet.spend([coin], [{ script: wallet.script, value: 99_000n }, data], {
      locktime: 3,
    })
    await client.broadcast(tx.toHex())
    const [hash = ''] = await devnet.mine(1)
    const json = await client.getJson<TransactionJson>(`/api/tx/${tx.getId()}`)
    const node = await devnet.rpc<{
      txid: string
      size: number
      weight: number
      fee: number
      locktime: number
      vout: { scriptPubKey: { hex: string; address: string } }[]
      hex: string
    }>('getrawtransaction', [tx.getId(), 2])
    expect(json).toMatchObject({
      txid: node.txid,
      size: node.size,
      weight: node.weight,
      fee: Math.round(node.fee * 1e8),
      locktime: node.locktime,
      vin: [{ txid: coin.txid, vout: coin.vout, is_coinbase: false, prevout: { value: 100_000 } }],
      status: { confirmed: true, block_hash: hash },
    })
    expect(json.vout[0]?.scriptpubkey).toBe(node.vout[0]?.scriptPubKey.hex)
    expect(json.vout[0]?.scriptpubkey_address).toBe(node.vout[0]?.scriptPubKey.address)
    expect(json.vout[1]).toEqual({
      scriptpubkey: '6a02cafe',
      scriptpubkey_asm: 'OP_RETURN OP_PUSHBYTES_2 cafe',
      scriptpubkey_type: 'op_return',
      value: 0,
    })
    expect((await client.request(`/api/tx/${tx.getId()}/hex`)).body).toBe(node.hex)
    const raw = await fetch(`${devnet.esploraUrl}/tx/${tx.getId()}/raw`)
    expect(Buffer.from(await raw.arrayBuffer()).toString('hex')).toBe(node.hex)
  })

  it('has a merkle proof that leads to the root in the header', async () => {
    const wallet = createTestWallet('proof')
    const txids = []
    for (let i = 0; i < 6; i++) txids.push(await devnet.faucet(wallet.address, 2000n, false))
    const [hash = ''] = await devnet.mine(1)
    const { body: header } = await client.request(`/api/block/${hash}/header`)
    expect(
      Buffer.from(sha256d(Buffer.from(header, 'hex')))
        .reverse()
        .toString('hex'),
    ).toBe(hash)
    for (const txid of txids) {
      const proof = await client.getJson<{ block_height: number; merkle: string[]; pos: number }>(
        `/api/tx/${txid}/merkle-proof`,
      )
      let node = Buffer.from(txid, 'hex').reverse()
      for (const [depth, sibling] of proof.merkle.entries()) {
        const other = Buffer.from(sibling, 'hex').reverse()
        const isRight = ((proof.pos >> depth) & 1) === 1
        node = Buffer.from(sha256d(Buffer.concat(isRight ? [other, node] : [node, other])))
      }
      expect(node.toString('hex')).toBe(header.slice(72, 136))
    }
    const unconfirmed = await devnet.faucet(wallet.address, 2000n, false)
    expect((await client.request(`/api/tx/${unconfirmed}/merkle-proof`)).status).toBe(404)
    await devnet.mine(1)
  })

  it('knows who spends its outputs', async () => {
    const wallet = createTestWallet('outspends')
    const coin = await client.fund(wallet, 100_000n)
    const outspend = () => client.getJson(`/api/tx/${coin.txid}/outspend/${coin.vout}`)
    expect(await outspend()).toEqual({ spent: false })
    const tx = wallet.spend([coin], [{ script: wallet.script, value: 99_000n }])
    await client.broadcast(tx.toHex())
    const spent = { spent: true, txid: tx.getId(), vin: 0 }
    expect(await outspend()).toEqual({ ...spent, status: { confirmed: false } })
    await devnet.mine(1)
    expect(await outspend()).toMatchObject({ ...spent, status: { confirmed: true } })
    const all = await client.getJson<unknown[]>(`/api/tx/${coin.txid}/outspends`)
    expect(all[coin.vout]).toMatchObject(spent)
    const both = await client.getJson<unknown[][]>(
      `/api/v1/txs/outspends?txids=${coin.txid},${tx.getId()}`,
    )
    expect(both).toEqual([all, [{ spent: false }]])
  })

  it('that does not exist is not found, but has a status', async () => {
    const txid = '00'.repeat(32)
    expect(await client.request(`/api/tx/${txid}`)).toMatchObject({
      status: 404,
      body: 'Transaction not found',
    })
    expect(await client.request('/api/tx/xyz')).toMatchObject({ status: 400 })
    expect(await client.getJson(`/api/tx/${txid}/status`)).toEqual({ confirmed: false })
  })
})

describe('blocks', () => {
  it('are described as the node describes them', async () => {
    const [hash = ''] = await devnet.mine(1)
    const node = await devnet.rpc<{
      height: number
      version: number
      time: number
      mediantime: number
      nTx: number
      size: number
      weight: number
      merkleroot: string
      previousblockhash: string
      nonce: number
      bits: string
      difficulty: number
    }>('getblock', [hash, 1])
    const block = await client.getJson<BlockJson>(`/api/block/${hash}`)
    expect(block).toMatchObject({
      id: hash,
      height: node.height,
      version: node.version,
      timestamp: node.time,
      mediantime: node.mediantime,
      tx_count: node.nTx,
      size: node.size,
      weight: node.weight,
      merkle_root: node.merkleroot,
      previousblockhash: node.previousblockhash,
      nonce: node.nonce,
      bits: Number.parseInt(node.bits, 16),
    })
    expect(block.difficulty).toBeCloseTo(node.difficulty, 20)
    const at = await client.request(`/api/block-height/${node.height}`)
    expect(at.body).toBe(hash)
    expect((await client.request('/api/blocks/tip/hash')).body).toBe(hash)
    expect((await client.request('/api/blocks/tip/height')).body).toBe(String(node.height))
    const raw = await fetch(`${devnet.esploraUrl}/block/${hash}/raw`)
    const rawHex = await devnet.rpc('getblock', [hash, 0])
    expect(Buffer.from(await raw.arrayBuffer()).toString('hex')).toBe(rawHex)
    const newest = await client.getJson<BlockJson[]>('/api/blocks')
    expect(newest.map(({ height }) => height)).toEqual(
      Array.from({ length: 10 }, (_, i) => node.height - i),
    )
  })

  it('beyond the tip are not found', async () => {
    expect(await client.request('/api/block-height/999999')).toMatchObject({ status: 404 })
    expect(await client.request(`/api/block/${'0'.repeat(64)}`)).toMatchObject({ status: 404 })
  })
})

describe('fees', () => {
  it('are offered in the shapes of Esplora and of mempool.space, and can be set', async () => {
    await client.post('/devnet/fees', { fastestFee: 12.345, minimumFee: 0.5 })
    expect(await client.getJson('/api/v1/fees/precise')).toEqual({
      fastestFee: 12.345,
      halfHourFee: 3,
      hourFee: 2,
      economyFee: 1,
      minimumFee: 0.5,
    })
    expect(await client.getJson('/api/v1/fees/recommended')).toMatchObject({
      fastestFee: 13,
      minimumFee: 1,
    })
    const estimates = await client.getJson<Record<string, number>>('/api/fee-estimates')
    expect(estimates['1']).toBe(12.345)
    expect(Object.keys(estimates)).toHaveLength(28)
    expect(await client.post('/devnet/fees', { fastestFee: -1 })).toMatchObject({ status: 400 })
  })

  it('of the waiting transactions are summed up in projected blocks', async () => {
    expect(await client.getJson('/api/v1/fees/mempool-blocks')).toEqual([])
    const txid = await devnet.faucet(createTestWallet('projected').address, 1000n, false)
    const { fee, weight } = await client.getJson<TransactionJson>(`/api/tx/${txid}`)
    expect(await client.getJson('/api/v1/fees/mempool-blocks')).toMatchObject([
      { nTx: 1, totalFees: fee, blockVSize: weight / 4 },
    ])
    expect(await client.getJson('/api/mempool')).toMatchObject({ count: 1, total_fee: fee })
    await devnet.mine(1)
  })
})

describe('prices', () => {
  it('are what was last set, in mempool.space’s shape', async () => {
    expect(await client.getJson('/api/v1/prices')).toMatchObject({ USD: 100_000, EUR: 90_000 })
    await client.post('/devnet/prices', { USD: 43_753, EUR: -1 })
    const { time } = await client.getJson<{ time: number }>('/devnet/clock')
    const prices = await client.getJson<{ [currency: string]: number }>('/api/v1/prices')
    expect(prices).toMatchObject({ USD: 43_753, EUR: -1, JPY: 15_000_000 })
    expect(prices.time).toBeGreaterThanOrEqual(time - 5)
    for (const wrong of [{ USD: 0 }, { USD: '1' }, { XXX: 1 }]) {
      expect(await client.post('/devnet/prices', wrong)).toMatchObject({ status: 400 })
    }
  })

  it('of the past come to that of now, newest first, in one currency or all', async () => {
    type History = { prices: { [name: string]: number }[]; exchangeRates: object }
    await client.post('/devnet/prices', { USD: 100_000, EUR: 90_000 })
    const { prices, exchangeRates } = await client.getJson<History>(
      '/api/v1/historical-price?currency=EUR',
    )
    expect(exchangeRates).toMatchObject({ USDEUR: 0.9, USDJPY: 150 })
    expect(Object.keys(prices[0] ?? {})).toEqual(['time', 'EUR', 'USD'])
    const times = prices.map(({ time = 0 }) => time)
    expect(times).toEqual([...new Set(times)].sort((a, b) => b - a))
    const { time: now } = await client.getJson<{ time: number }>('/devnet/clock')
    expect(now - (times[0] ?? 0)).toBeLessThan(3600)
    expect(now - (times.at(-1) ?? 0)).toBeGreaterThan(365 * 24 * 3600)
    for (const { EUR = 0, USD = 0 } of prices) expect(EUR / USD).toBeCloseTo(0.9, 3)
    expect(Math.abs((prices[0]?.EUR ?? 0) - 90_000)).toBeLessThan(3_000)
    const again = await client.getJson<History>('/api/v1/historical-price')
    expect(again.prices[0]?.EUR).toBeCloseTo(prices[0]?.EUR ?? 0, -3)
    expect(Object.keys(again.prices[0] ?? {})).toContain('JPY')
    const none = await client.request('/api/v1/historical-price?currency=XXX')
    expect(none).toMatchObject({ status: 200, body: '' })
  })

  it('fail on purpose like every other answer', async () => {
    await client.post('/devnet/faults', { endpoint: '/api/v1/prices', status: 503, times: 1 })
    expect(await client.request('/api/v1/prices')).toMatchObject({ status: 503 })
    expect(await client.request('/api/v1/prices')).toMatchObject({ status: 200 })
  })
})
