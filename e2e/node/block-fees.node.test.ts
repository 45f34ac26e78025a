import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { averageFeeRate, parsePaidBlock } from '../../src/bitcoin/headers/block-fees.ts'
import { openChain } from '../../src/chain/open/open-chain.ts'
import { createTestAccess } from '../../src/chain/testing/server-access.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { type Client, createClient } from '../../src/devnet/testing/devnet-client.ts'
import { createTestWallet } from '../../src/devnet/testing/test-wallet.ts'

let devnet: Devnet
let client: Client

beforeAll(async () => {
  devnet = await startDevnet()
  client = createClient(devnet)
})
afterAll(() => devnet?.stop())

const open = () =>
  openChain(
    'regtest',
    { chain: devnet.esploraUrl, secondChain: '', fees: '', price: '' },
    createTestAccess(),
  )

type Stats = {
  height: number
  totalfee: number
  avgfeerate: number
  total_weight: number
  txs: number
}

const statsOf = (hash: string) =>
  devnet.rpc<Stats>('getblockstats', [
    hash,
    ['height', 'totalfee', 'avgfeerate', 'total_weight', 'txs'],
  ])

/** A block with so many payments, each with another fee. Its miner is the node itself, for devnet's own takes no fees. */
async function minePayments(count: number): Promise<string> {
  for (let at = 0; at < count; at++) {
    const wallet = createTestWallet(`payer ${at} of ${count}`)
    const coin = await client.fund(wallet, 100_000n)
    await devnet.mine()
    const value = 100_000n - 500n * BigInt(at + 1)
    const payment = wallet.spend([coin], [{ script: wallet.script, value }])
    await devnet.rpc('sendrawtransaction', [payment.toHex()])
  }
  const { address } = createTestWallet('miner')
  const [hash = ''] = await devnet.rpc<string[]>('generatetoaddress', [1, address])
  // Devnet hears of it with its own next block.
  await devnet.mine()
  return hash
}

describe('what the wallet works out for a block of a real node', () => {
  it.each([1, 2, 5])('with %i payments is what getblockstats says', async count => {
    const chain = open()
    const hash = await minePayments(count)
    const stats = await statsOf(hash)
    const { height, weight, coinbase: txid } = await chain.fetchBlock(hash)
    const header = await chain.fetchBlockHeader(hash)
    const { branch, position } = await chain.fetchMerkleProof(txid)
    const coinbase = await chain.fetchTransaction(txid)
    const paid = parsePaidBlock('regtest', { hash, height, weight, header, coinbase, branch })
    expect(position).toBe(0)
    expect(paid?.fees).toBe(BigInt(stats.totalfee))
    expect(paid && paid.vsize * 4).toBe(stats.total_weight)
    const average = paid && averageFeeRate(paid)
    // Cut to a whole number by the node.
    expect(Math.floor(average ?? 0)).toBe(stats.avgfeerate)
    const [newest, before] = await chain.fetchRecentBlocks()
    expect(newest?.feeRate).toBeNull()
    expect(before).toMatchObject({ hash, feeRate: average })
  })

  it('without payments is that it was paid nothing', async () => {
    await devnet.mine()
    const blocks = await open().fetchRecentBlocks()
    expect(blocks).toHaveLength(3)
    expect(blocks[0]?.feeRate).toBeNull()
  })
})
