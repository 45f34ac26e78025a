import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AddressStats, UtxoJson } from '../esplora/shapes.ts'
import { type Devnet, startDevnet } from '../start-devnet.ts'
import { type Client, createClient } from '../testing/devnet-client.ts'
import { coinOf, createTestWallet } from '../testing/test-wallet.ts'

let devnet: Devnet
let client: Client

beforeAll(async () => {
  devnet = await startDevnet()
  client = createClient(devnet)
})
afterAll(() => devnet?.stop())

const height = async () => Number((await client.request('/api/blocks/tip/height')).body)

describe('a reorg', () => {
  it('puts the transactions of the old branch back into the pool and makes the chain longer', async () => {
    const wallet = createTestWallet('reorg')
    const coin = await client.fund(wallet, 100_000n)
    const parent = wallet.spend([coin], [{ script: wallet.script, value: 99_000n }])
    await client.broadcast(parent.toHex())
    const [parentBlock = ''] = await devnet.mine(1)
    const child = wallet.spend([coinOf(parent, 0)], [{ script: wallet.script, value: 98_000n }])
    await client.broadcast(child.toHex())
    await devnet.mine(1)
    const grandchild = wallet.spend([coinOf(child, 0)], [{ script: wallet.script, value: 97_000n }])
    await client.broadcast(grandchild.toHex())
    const before = await height()

    const { disconnected, connected } = await devnet.reorg(2)
    expect(disconnected[1]).toBe(parentBlock)
    expect(connected).toHaveLength(3)
    expect(await height()).toBe(before + 1)
    expect((await client.request('/api/blocks/tip/hash')).body).toBe(connected[2])
    expect((await client.request(`/api/block/${parentBlock}`)).status).toBe(404)
    expect(await client.getJson<string[]>('/api/mempool/txids')).toEqual([
      parent.getId(),
      child.getId(),
      grandchild.getId(),
    ])
    expect(await client.getJson(`/api/tx/${parent.getId()}/status`)).toEqual({ confirmed: false })
    const utxos = await client.getJson<UtxoJson[]>(`/api/address/${wallet.address}/utxo`)
    expect(utxos).toEqual([
      { txid: grandchild.getId(), vout: 0, status: { confirmed: false }, value: 97_000 },
    ])
    const stats = await client.getJson<{ chain_stats: AddressStats; mempool_stats: AddressStats }>(
      `/api/address/${wallet.address}`,
    )
    expect(stats.chain_stats).toMatchObject({ funded_txo_sum: 100_000, spent_txo_sum: 0 })
    expect(stats.mempool_stats).toMatchObject({ funded_txo_sum: 294_000, spent_txo_sum: 297_000 })

    const [hash = ''] = await devnet.mine(1)
    const { tx } = await devnet.rpc<{ tx: string[] }>('getblock', [hash])
    expect(tx.slice(1)).toEqual([parent.getId(), child.getId(), grandchild.getId()])
  })

  it('drops what spent a block reward that is gone', async () => {
    const miner = createTestWallet('reorg miner')
    const [hash = ''] = await devnet.mine(1, miner.address)
    await devnet.mine(99)
    const { tx, height: rewardHeight } = await devnet.rpc<{ tx: string[]; height: number }>(
      'getblock',
      [hash],
    )
    const out = await devnet.rpc<{ value: number }>('gettxout', [tx[0], 0])
    const value = BigInt(Math.round(out.value * 1e8))
    const reward = { txid: tx[0] ?? '', vout: 0, value }
    const spend = miner.spend([reward], [{ script: miner.script, value: value - 1000n }])
    expect(await client.broadcast(spend.toHex())).toBe(spend.getId())
    // One block less, and the reward is not old enough.
    await devnet.reorg(1, 0)
    expect(await height()).toBe(rewardHeight + 98)
    expect(await client.getJson<string[]>('/api/mempool/txids')).not.toContain(spend.getId())
    await devnet.mine(1)
    expect(await client.broadcast(spend.toHex())).toBe(spend.getId())
    await devnet.mine(1)
  })

  it('made by someone else through the node is followed too', async () => {
    const wallet = createTestWallet('outside')
    const coin = await client.fund(wallet, 100_000n)
    const tip = await devnet.rpc<string>('getbestblockhash')
    await devnet.rpc('invalidateblock', [tip])
    const hashes = await devnet.rpc<string[]>('generatetodescriptor', [2, 'raw(51)'])
    await expect
      .poll(async () => (await client.request('/api/blocks/tip/hash')).body, { timeout: 10_000 })
      .toBe(hashes[1])
    expect((await client.request(`/api/tx/${coin.txid}`)).status).toBe(200)
  })

  it('of more blocks than there are is refused with the name of the field', async () => {
    const { status, body } = await client.post('/devnet/reorg', { depth: 100_000 })
    expect(status).toBe(400)
    expect(body).toMatch(/^depth: /)
  })
})

describe('the index after all of this', () => {
  it('holds the same unspent outputs as the node', async () => {
    await devnet.mine(1)
    const info = await devnet.rpc<{ txouts: number; total_amount: number; height: number }>(
      'gettxoutsetinfo',
      ['none'],
    )
    let count = 0
    let sats = 0
    const scripts = new Set<string>()
    for (let at = 1; at <= info.height; at++) {
      const hash = await devnet.rpc<string>('getblockhash', [at])
      const block = await devnet.rpc<{
        tx: { vout: { scriptPubKey: { hex: string; type: string } }[] }[]
      }>('getblock', [hash, 2])
      for (const { vout } of block.tx) {
        for (const { scriptPubKey } of vout) {
          if (scriptPubKey.type !== 'nulldata') scripts.add(scriptPubKey.hex)
        }
      }
    }
    const { createHash } = await import('node:crypto')
    for (const script of scripts) {
      const key = createHash('sha256').update(Buffer.from(script, 'hex')).digest('hex')
      const utxos = await client.getJson<UtxoJson[]>(`/api/scripthash/${key}/utxo`)
      count += utxos.length
      sats += utxos.reduce((sum, { value }) => sum + value, 0)
    }
    expect(count).toBe(info.txouts)
    expect(sats).toBe(Math.round(info.total_amount * 1e8))
  })
})
