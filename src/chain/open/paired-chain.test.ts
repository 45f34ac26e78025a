import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import { BroadcastRejectedError, TransactionNotFoundError } from '../chain-source.ts'
import {
  type Answer,
  type Answers,
  asJson,
  type ScriptedServer,
  startScriptedServer,
} from '../testing/scripted-server.ts'
import { createTestAccess, problemOf } from '../testing/server-access.ts'
import { openChain } from './open-chain.ts'

const ADDRESS = 'bcrt1pany'
const SCRIPT = new Uint8Array([0x51])
const TXID = 'ab'.repeat(32)
const RAW =
  '0200000001aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa0000000000ffffffff01e803000000000000015100000000'
const AWAY: Answer = { status: 503, body: 'down' }
const REFUSAL: Answer = {
  status: 400,
  body: 'sendrawtransaction RPC error: {"code":-26,"message":"min relay fee not met"}',
}

/** The second block of mainnet, as Esplora tells of it. */
const BLOCK_1 = {
  id: '00000000839a8e6886ab5951d76f411475428afc90947ee320161bbf18eb6048',
  height: 1,
  version: 1,
  timestamp: 1_231_469_665,
  bits: 0x1d00ffff,
  nonce: 2_573_394_689,
  merkle_root: '0e3e2357e806b6cdb1f70b54c3a3a17b6714ee1f0e68bebb44a74b1efd512098',
  previousblockhash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
}

let first: ScriptedServer
let second: ScriptedServer

beforeAll(async () => {
  first = await startScriptedServer()
  second = await startScriptedServer()
})
afterAll(() => Promise.all([first.close(), second.close()]))
beforeEach(() => {
  first.reset()
  second.reset()
})

const open = (more: { fees?: string; price?: string } = {}) =>
  openChain(
    'regtest',
    { chain: first.url, secondChain: second.url, fees: '', price: '', ...more },
    createTestAccess(),
  )

const utxos = (...values: number[]) =>
  asJson(values.map((value, vout) => ({ txid: TXID, vout, value, status: { confirmed: false } })))

const balance = (funded: number) => {
  const stats = (sum: number) => ({ funded_txo_sum: sum, spent_txo_sum: 0, tx_count: 1 })
  return asJson({ chain_stats: stats(funded), mempool_stats: stats(0) })
}

const tip = (height: number): Answers => {
  const id = height.toString(16).padStart(64, '0')
  return {
    '/blocks/tip/hash': { body: id },
    [`/block/${id}`]: asJson({ id, height, timestamp: 1_700 }),
  }
}

describe('two chain servers', () => {
  it('answer with the second where the first is away', async () => {
    first.say({ [`/address/${ADDRESS}`]: AWAY })
    second.say({ [`/address/${ADDRESS}`]: balance(7) })
    expect(await open().fetchBalance(ADDRESS)).toMatchObject({ confirmed: 7n })
  })

  it('answer with the second where the first follows another network', async () => {
    first.say({ '/block-height/0': { body: '00'.repeat(32) } })
    second.say({ [`/address/${ADDRESS}`]: balance(7), [`/address/${ADDRESS}/utxo`]: utxos(7) })
    expect(await open().fetchBalance(ADDRESS)).toMatchObject({ confirmed: 7n })
    expect(await open().fetchUtxos(ADDRESS, SCRIPT)).toMatchObject([{ amount: 7n }])
    expect(new Set(first.asked)).toEqual(new Set(['GET /block-height/0']))
  })

  it('name the problem of the first when both are away', async () => {
    first.say({ '/block-height/0': AWAY })
    second.say({ '/block-height/0': { status: 429, body: '' } })
    expect(await problemOf(open().fetchBalance(ADDRESS))).toMatchObject({ host: first.host })
    expect(await problemOf(open().fetchUtxos(ADDRESS, SCRIPT))).toMatchObject({ host: first.host })
  })

  it('tell of blocks, and the second one where the first has none', async () => {
    const hash = 'cd'.repeat(32)
    const block = { id: hash, height: 7, weight: 900, timestamp: 1_600 }
    second.say({
      [`/block/${hash}`]: asJson(block),
      [`/block/${hash}/txid/0`]: { body: TXID },
      [`/block/${hash}/header`]: { body: '00'.repeat(80) },
      [`/tx/${TXID}/merkle-proof`]: asJson({ block_height: 7, merkle: [hash], pos: 1 }),
      '/blocks/1': asJson([BLOCK_1]),
    })
    const chain = open()
    expect(await chain.fetchBlockHeaders(1)).toHaveLength(1)
    expect(await chain.fetchBlock(hash)).toEqual({ height: 7, weight: 900, coinbase: TXID })
    expect(await chain.fetchBlockHeader(hash)).toEqual(new Uint8Array(80))
    expect(await chain.fetchMerkleProof(TXID)).toEqual({ position: 1, branch: [hash] })
  })

  it('can be asked each alone, by names that differ also on one host', async () => {
    const openAt = (chain: string, secondChain: string) =>
      openChain('regtest', { chain, secondChain, fees: '', price: '' }, createTestAccess())
    const hosts = (chain: string, secondChain: string) =>
      openAt(chain, secondChain).servers.map(({ host }) => host)
    expect(hosts(first.url, '')).toEqual([first.host])
    expect(hosts(first.url, second.url)).toEqual([first.host, second.host])
    expect(hosts(`${first.url}/api`, `${first.url}/other`)).toEqual([
      ...[`${first.host}/api`, `${first.host}/other`],
    ])
    second.say(tip(9))
    const [one, other] = openAt(first.url, second.url).servers
    first.say(tip(7))
    expect(await one?.source.fetchTip()).toMatchObject({ height: 7 })
    expect(await other?.source.fetchTip()).toMatchObject({ height: 9 })
  })

  it('agree on the higher block', async () => {
    first.say(tip(7))
    second.say(tip(9))
    expect(await open().fetchTip()).toMatchObject({ height: 9 })
  })

  it('lack a transaction only when both say so', async () => {
    await expect(open().fetchTransaction(TXID)).rejects.toThrow(TransactionNotFoundError)
    second.say({ [`/tx/${TXID}/hex`]: AWAY })
    expect(await problemOf(open().fetchTransaction(TXID))).toMatchObject({
      kind: 'unreachable',
      host: second.host,
    })
  })
})

describe('the coins of an address', () => {
  const path = `/address/${ADDRESS}/utxo`

  it('are the first server’s where the second knows fewer or others', async () => {
    first.say({ [path]: utxos(1000, 2000) })
    second.say({ [path]: utxos(1000) })
    expect(await open().fetchUtxos(ADDRESS, SCRIPT)).toHaveLength(2)
  })

  it('are nobody’s while the servers say two amounts for one of them', async () => {
    first.say({ [path]: utxos(1000, 2000) })
    second.say({ [path]: utxos(1000, 2001) })
    expect(await problemOf(open().fetchUtxos(ADDRESS, SCRIPT))).toEqual({
      kind: 'disagreement',
      host: `${first.host}, ${second.host}`,
      detail: `say 2000 and 2001 sats of the coin ${TXID}:1`,
      retryInMs: null,
    })
  })

  it('are the second server’s while the first is away', async () => {
    first.say({ [path]: AWAY })
    second.say({ [path]: utxos(1000) })
    expect(await open().fetchUtxos(ADDRESS, SCRIPT)).toMatchObject([{ amount: 1000n }])
  })
})

describe('a broadcast to two servers', () => {
  it.each<[string, Answer, Answer]>([
    ['both take it', { body: '' }, { body: '' }],
    ['one takes it and the other refuses', REFUSAL, { body: '' }],
    ['one takes it and the other is away', { body: '' }, AWAY],
  ])('is sent when %s', async (_, one, other) => {
    first.say({ '/tx': one })
    second.say({ '/tx': other })
    expect(await open().broadcast(fromHex(RAW))).toMatch(/^[0-9a-f]{64}$/)
    expect(first.asked).toContain('POST /tx')
    expect(second.asked).toContain('POST /tx')
  })

  it('is refused when both refuse', async () => {
    first.say({ '/tx': REFUSAL })
    second.say({ '/tx': REFUSAL })
    await expect(open().broadcast(fromHex(RAW))).rejects.toThrow(BroadcastRejectedError)
  })

  it.each<[string, Answer, Answer]>([
    ['the second', REFUSAL, AWAY],
    ['the first', AWAY, REFUSAL],
  ])('may be on its way when %s does not answer and the other refuses', async (_, one, other) => {
    first.say({ '/tx': one })
    second.say({ '/tx': other })
    expect(await problemOf(open().broadcast(fromHex(RAW)))).toMatchObject({ kind: 'unreachable' })
  })
})

describe('fee rates of two servers', () => {
  const rates = (fastest: number, minimum: number) =>
    asJson({ fastestFee: fastest, halfHourFee: 5, hourFee: 2, minimumFee: minimum })

  it('are the lower ones: one that asks too much changes nothing', async () => {
    first.say({ '/v1/fees/precise': rates(9000, 1) })
    second.say({ '/v1/fees/precise': rates(10, 2) })
    expect(await open().fetchFeeRates()).toEqual({ fastest: 10, halfHour: 5, hour: 2, minimum: 1 })
    expect(await open().fetchOtherFastest()).toBeNull()
  })

  it('are those of the one that answers', async () => {
    first.say({ '/v1/fees/precise': AWAY })
    second.say({ '/v1/fees/precise': rates(10, 1) })
    expect(await open().fetchFeeRates()).toMatchObject({ fastest: 10 })
  })

  it('come from the server for fees where there is one, and else from the chain servers', async () => {
    const fees = await startScriptedServer()
    try {
      fees.say({ '/v1/fees/precise': rates(3, 1), '/v1/prices': asJson({ USD: 5 }) })
      first.say({ '/v1/fees/precise': rates(10, 1) })
      const chain = open({ fees: fees.url, price: fees.url })
      expect(await chain.fetchFeeRates()).toMatchObject({ fastest: 3 })
      expect(await chain.fetchPrices()).toEqual({ USD: 5 })
      expect(await chain.fetchOtherFastest()).toBe(10)
      fees.say({ '/v1/fees/precise': { body: '<html>' } })
      expect(await chain.fetchFeeRates()).toMatchObject({ fastest: 10 })
    } finally {
      await fees.close()
    }
  })
})
