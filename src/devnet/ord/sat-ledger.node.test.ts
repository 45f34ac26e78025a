import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Devnet, startDevnet } from '../start-devnet.ts'
import { type Client, createClient } from '../testing/devnet-client.ts'
import { createOrdClient, type OrdClient } from '../testing/ord-client.ts'
import { createTestWallet } from '../testing/test-wallet.ts'

let devnet: Devnet
let client: Client
let ord: OrdClient
const wallet = createTestWallet('sat ledger tests')

beforeAll(async () => {
  devnet = await startDevnet({ indexSats: true })
  client = createClient(devnet)
  ord = createOrdClient(devnet, client, wallet.address)
})
afterAll(() => devnet?.stop())

type Decoded = {
  vin: { txid?: string; vout: number }[]
  vout: { value: number }[]
}
type Block = { height: number; tx: (Decoded & { txid: string })[] }

const toSats = (btc: number) => BigInt(Math.round(btc * 1e8))

/**
 * The number of one sat by the node's own blocks alone, followed backwards: from its place on an output to the input that it came
 * in by, or from a coinbase to the subsidy or the fee that it was.
 */
async function numberOf(outpoint: string, offset: bigint): Promise<bigint> {
  const blocks: Block[] = []
  const tip = await devnet.rpc<number>('getblockcount')
  for (let height = 0; height <= tip; height++) {
    const hash = await devnet.rpc<string>('getblockhash', [height])
    blocks.push(await devnet.rpc<Block>('getblock', [hash, 2]))
  }
  const found = new Map(
    blocks.flatMap(block => block.tx.map(tx => [tx.txid, { tx, block }] as const)),
  )
  const satsOf = (txid: string, vout: number) => toSats(found.get(txid)?.tx.vout[vout]?.value ?? 0)
  const sumOut = (tx: Decoded) => tx.vout.reduce((sum, { value }) => sum + toSats(value), 0n)
  const sumIn = (tx: Decoded) =>
    tx.vin.reduce((sum, { txid = '', vout }) => sum + satsOf(txid, vout), 0n)

  let [txid = '', vout = '0'] = outpoint.split(':')
  let within = offset
  for (;;) {
    const place = found.get(txid)
    if (!place) throw new Error(`No transaction ${txid}`)
    let sat = within
    for (let before = 0; before < Number(vout); before++) sat += satsOf(txid, before)
    let { tx } = place
    if (tx.vin[0]?.txid === undefined) {
      if (sat < 5_000_000_000n) return BigInt(place.block.height) * 5_000_000_000n + sat
      sat -= 5_000_000_000n
      for (const other of place.block.tx.slice(1)) {
        const fee = sumIn(other) - sumOut(other)
        tx = other
        if (sat < fee) break
        sat -= fee
      }
      sat += sumOut(tx)
    }
    for (const input of tx.vin) {
      const value = satsOf(input.txid ?? '', input.vout)
      if (sat < value) {
        ;[txid, vout] = [input.txid ?? '', String(input.vout)]
        break
      }
      sat -= value
    }
    within = sat
  }
}

/** Holds the ends of each range of an output against that. */
async function checkRanges(outpoint: string): Promise<void> {
  const { sat_ranges, value } = await ord.get(`/output/${outpoint}`)
  let place = 0
  for (const [start, end] of sat_ranges as [number, number][]) {
    expect(await numberOf(outpoint, BigInt(place))).toBe(BigInt(start))
    place += end - start
    expect(await numberOf(outpoint, BigInt(place - 1))).toBe(BigInt(end) - 1n)
  }
  expect(place).toBe(value)
}

describe('ranges of sats', () => {
  it('say of every sat what following it back through the node’s blocks says, through fees and splits, and after a reorganisation', async () => {
    expect(await ord.get('/status')).toMatchObject({ sat_index: true })
    const one = await client.fund(wallet, 40_000n)
    const two = await client.fund(wallet, 70_000n)
    const parted = wallet.spend(
      [one, two],
      [25_000n, 50_000n, 34_000n].map(value => ({ script: wallet.script, value })),
    )
    await client.broadcast(parted.toHex())
    const outpoints = [0, 1, 2].map(vout => `${parted.getId()}:${vout}`)
    const coinbaseOf = async (hash = '') => {
      const block = await devnet.rpc<Block>('getblock', [hash, 2])
      return `${block.tx[0]?.txid}:0`
    }
    const [hash] = await devnet.mine(1)
    const coinbase = await coinbaseOf(hash)
    for (const outpoint of [...outpoints, coinbase]) await checkRanges(outpoint)
    await devnet.reorg(1)
    expect((await ord.get(`/output/${outpoints[0]}`)).sat_ranges).toBeNull()
    const [again] = await devnet.mine(1)
    for (const outpoint of [...outpoints, await coinbaseOf(again)]) await checkRanges(outpoint)
  }, 120_000)
})
