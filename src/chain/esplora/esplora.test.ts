import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import type { Network } from '../../bitcoin/network.ts'
import {
  BackendUnavailableError,
  BroadcastRejectedError,
  TransactionNotFoundError,
} from '../chain-source.ts'
import { GENESIS_HASH } from '../genesis.ts'
import { asJson, type ScriptedServer, startScriptedServer } from '../testing/scripted-server.ts'
import { createTestAccess, problemOf } from '../testing/server-access.ts'
import { createEsplora } from './esplora.ts'

const SCRIPT = new Uint8Array([0x51, 0x20, ...new Uint8Array(32).fill(7)])
const TXID = 'ab'.repeat(32)
const ADDRESS = 'bcrt1pany'

/** The coinbase transaction of Bitcoin's first block. */
const GENESIS = {
  id: '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b',
  hex: '01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000',
}

let server: ScriptedServer

beforeAll(async () => {
  server = await startScriptedServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

const esplora = (network: Network = 'regtest') =>
  createEsplora(network, server.url, createTestAccess())

const sums = (funded: number, spent: number) => ({
  funded_txo_sum: funded,
  spent_txo_sum: spent,
  tx_count: 2,
})

const MINED = { confirmed: true, block_height: 7, block_hash: 'cd'.repeat(32), block_time: 1_600 }

/** One input of 1,000 sats, one output of 900 to the wallet's script, a fee of 100. */
const TX = {
  txid: TXID,
  version: 2,
  locktime: 0,
  weight: 401,
  fee: 100,
  vin: [{ txid: 'ef'.repeat(32), vout: 3, prevout: { scriptpubkey: '51', value: 1000 } }],
  vout: [{ scriptpubkey: toHex(SCRIPT), value: 900 }],
  status: MINED,
}

describe('the network', () => {
  it('of a server is looked at once, before anything else is asked', async () => {
    server.say({
      [`/address/${ADDRESS}`]: asJson({ chain_stats: sums(1, 0), mempool_stats: sums(0, 0) }),
    })
    const source = esplora()
    await source.fetchBalance(ADDRESS)
    await source.fetchBalance(ADDRESS)
    expect(server.asked).toEqual([
      'GET /block-height/0',
      `GET /address/${ADDRESS}`,
      `GET /address/${ADDRESS}`,
    ])
  })

  it.each(['mainnet', 'testnet4', 'signet'] as const)(
    'is a problem when the server follows regtest instead of %s: it learns nothing',
    async network => {
      const source = esplora(network)
      for (const ask of [
        () => source.fetchBalance(ADDRESS),
        () => source.fetchUtxos(ADDRESS, SCRIPT),
        () => source.broadcast(fromHex(GENESIS.hex)),
      ]) {
        expect(await problemOf(ask())).toMatchObject({ kind: 'wrong-network', host: server.host })
      }
      expect(new Set(server.asked)).toEqual(new Set(['GET /block-height/0']))
    },
  )

  it('is asked for again after a wrong answer: a server can be put right', async () => {
    server.say({ '/block-height/0': { body: GENESIS_HASH.mainnet } })
    const source = esplora()
    expect(await problemOf(source.fetchTip())).toMatchObject({ kind: 'wrong-network' })
    server.reset()
    server.say({
      '/blocks/tip/hash': { body: TXID },
      [`/block/${TXID}`]: asJson({ id: TXID, height: 9, timestamp: 1_700 }),
    })
    expect(await source.fetchTip()).toEqual({ height: 9, hash: TXID, at: 1_700_000 })
  })
})

describe('the newest block', () => {
  it('is asked for once, as long as its hash is the newest', async () => {
    const hashes = ['ab'.repeat(32), 'cd'.repeat(32)]
    for (const [at, id] of hashes.entries())
      server.say({ [`/block/${id}`]: asJson({ id, height: 9 + at, timestamp: 1_700 + at }) })
    server.say({ '/blocks/tip/hash': { body: hashes[0] ?? '' } })
    const source = esplora()
    const tips = [await source.fetchTip(), await source.fetchTip()]
    server.say({ '/blocks/tip/hash': { body: hashes[1] ?? '' } })
    tips.push(await source.fetchTip(), await source.fetchTip())
    expect(tips.map(({ height, at }) => [height, at])).toEqual([
      [9, 1_700_000],
      [9, 1_700_000],
      [10, 1_701_000],
      [10, 1_701_000],
    ])
    const blocks = server.asked.filter(path => path.startsWith('GET /block/'))
    expect(blocks).toEqual(hashes.map(id => `GET /block/${id}`))
  })

  it.each([
    ['another block', { id: 'ee'.repeat(32), height: 9, timestamp: 1_700 }],
    ['a height below 0', { id: TXID, height: -1, timestamp: 1_700 }],
    ['no time', { id: TXID, height: 9 }],
  ])('is refused with %s', async (_, block) => {
    server.say({ '/blocks/tip/hash': { body: TXID }, [`/block/${TXID}`]: asJson(block) })
    expect(await problemOf(esplora().fetchTip())).toMatchObject({ kind: 'nonsense' })
  })
})

describe('balances', () => {
  const say = (body: string) => server.say({ [`/address/${ADDRESS}`]: { body } })

  it('are what came less what went, unconfirmed ones may be negative', async () => {
    say(JSON.stringify({ chain_stats: sums(500, 100), mempool_stats: sums(10, 60) }))
    expect(await esplora().fetchBalance(ADDRESS)).toEqual({
      confirmed: 400n,
      unconfirmed: -50n,
      transactions: 4,
    })
  })

  it.each([
    ['html', '<html>502</html>'],
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['missing sums', '{"chain_stats":{},"mempool_stats":{}}'],
    ['text sums', JSON.stringify({ chain_stats: { ...sums(0, 0), funded_txo_sum: '5' } })],
    ['fractions', JSON.stringify({ chain_stats: sums(1.5, 0), mempool_stats: sums(0, 0) })],
    ['negative sums', JSON.stringify({ chain_stats: sums(-1, 0), mempool_stats: sums(0, 0) })],
    ['less than nothing', JSON.stringify({ chain_stats: sums(1, 2), mempool_stats: sums(0, 0) })],
    [
      'more than 21 million bitcoin',
      JSON.stringify({ chain_stats: sums(2_100_000_000_000_001, 0), mempool_stats: sums(0, 0) }),
    ],
  ])('refuse %s', async (_, body) => {
    say(body)
    expect(await problemOf(esplora().fetchBalance(ADDRESS))).toMatchObject({
      kind: 'nonsense',
      host: server.host,
    })
  })
})

describe('unspent outputs', () => {
  const path = `/address/${ADDRESS}/utxo`
  const utxo = { txid: TXID, vout: 1, value: 546, status: { confirmed: true, block_height: 7 } }

  it('carry the script that the wallet knows, never one of the server', async () => {
    server.say({ [path]: asJson([{ ...utxo, scriptpubkey: 'f0' }]) })
    expect(await esplora().fetchUtxos(ADDRESS, SCRIPT)).toEqual([
      { txid: TXID, vout: 1, amount: 546n, scriptPubKey: SCRIPT, height: 7 },
    ])
  })

  it('of which a long list is on its way are read once for all who wait for it', async () => {
    server.say({ [path]: asJson([utxo]) })
    const { fetchUtxos } = esplora()
    const [one, other] = await Promise.all([1, 2].map(() => fetchUtxos(ADDRESS, SCRIPT)))
    expect([other === one, (await fetchUtxos(ADDRESS, SCRIPT)) === one]).toEqual([true, false])
  })

  it('are refused when any field of any of them is not what it must be', async () => {
    const wrong = fc.constantFrom(
      { txid: 'AB'.repeat(32) },
      { txid: null },
      { vout: -1 },
      { vout: 2 ** 32 },
      { value: 2.5 },
      { value: -1 },
      { value: 2_100_000_000_000_001 },
      { value: 2_100_000_000_000_000 },
      { value: '546' },
      { status: null },
      { status: { confirmed: 'yes' } },
      { status: { confirmed: true } },
      { status: { confirmed: true, block_height: -1 } },
      { vout: 100 },
    )
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), wrong, async (count, change) => {
        const good = Array.from({ length: count }, (_, i) => ({ ...utxo, vout: 100 + i }))
        server.say({ [path]: asJson(good) })
        expect(await esplora().fetchUtxos(ADDRESS, SCRIPT)).toHaveLength(count)
        server.say({ [path]: asJson([...good, { ...utxo, ...change }]) })
        await expect(esplora().fetchUtxos(ADDRESS, SCRIPT)).rejects.toThrow(BackendUnavailableError)
      }),
      { numRuns: 60 },
    )
  })
})

describe('a transaction', () => {
  it('is taken when its bytes hash to its id', async () => {
    server.say({ [`/tx/${GENESIS.id}/hex`]: { body: GENESIS.hex } })
    expect(await esplora().fetchTransaction(GENESIS.id)).toEqual(fromHex(GENESIS.hex))
  })

  it.each([
    ['another transaction', () => GENESIS.hex.replace('00f2052a01', '01f2052a01')],
    ['a cut one', () => GENESIS.hex.slice(0, -8)],
    ['one with more behind it', () => `${GENESIS.hex}00`],
    ['text', () => 'Transaction not found'],
  ])('is refused when the server sends %s', async (_, body) => {
    server.say({ [`/tx/${GENESIS.id}/hex`]: { body: body() } })
    await expect(esplora().fetchTransaction(GENESIS.id)).rejects.toThrow(BackendUnavailableError)
  })

  it('that the server does not have is told from a server that fails', async () => {
    await expect(esplora().fetchTransaction(TXID)).rejects.toThrow(TransactionNotFoundError)
    await expect(esplora().fetchTransactionRecord(TXID)).rejects.toThrow(TransactionNotFoundError)
    expect(await esplora().fetchTransactionHeight(TXID)).toBeUndefined()
  })

  it('is told with its amounts, scripts, size and block', async () => {
    server.say({ [`/tx/${TXID}`]: asJson(TX) })
    expect(await esplora().fetchTransactionRecord(TXID)).toEqual({
      txid: TXID,
      vsize: 101,
      fee: 100n,
      height: 7,
      blockHash: 'cd'.repeat(32),
      at: 1_600_000,
      inputs: [
        { txid: 'ef'.repeat(32), vout: 3, scriptPubKey: new Uint8Array([0x51]), amount: 1000n },
      ],
      outputs: [{ scriptPubKey: SCRIPT, amount: 900n }],
    })
  })

  it.each([
    ['of another id', { txid: 'aa'.repeat(32) }],
    ['with a fee that its amounts do not leave', { fee: 99 }],
    ['with a negative fee', { fee: -1 }],
    ['with outputs below 0', { vout: [{ scriptpubkey: '51', value: -1 }] }],
    ['with a script that is not hex', { vout: [{ scriptpubkey: 'xyz', value: 900 }] }],
    ['without size', { weight: undefined }],
    ['without a status', { status: {} }],
    ['whose inputs are no list', { vin: {} }],
  ])('%s is refused', async (_, change) => {
    server.say({ [`/tx/${TXID}`]: asJson({ ...TX, ...change }) })
    expect(await problemOf(esplora().fetchTransactionRecord(TXID))).toMatchObject({
      kind: 'nonsense',
    })
  })

  it('that spends an output is named, and null while there is none', async () => {
    server.say({
      [`/tx/${TXID}/outspend/0`]: asJson({ spent: true, txid: 'cc'.repeat(32), vin: 0 }),
      [`/tx/${TXID}/outspend/1`]: asJson({ spent: false }),
      [`/tx/${TXID}/outspend/2`]: asJson({ spent: 'no' }),
    })
    expect(await esplora().fetchSpender({ txid: TXID, vout: 0 })).toBe('cc'.repeat(32))
    expect(await esplora().fetchSpender({ txid: TXID, vout: 1 })).toBeNull()
    expect(await problemOf(esplora().fetchSpender({ txid: TXID, vout: 2 }))).toMatchObject({
      kind: 'nonsense',
    })
  })
})

describe('a block', () => {
  const hash = 'cd'.repeat(32)
  const block = { id: hash, height: 7, timestamp: 1_600, weight: 900 }
  const say = (changes: object, coinbase = TXID) =>
    server.say({
      [`/block/${hash}`]: asJson({ ...block, ...changes }),
      [`/block/${hash}/txid/0`]: { body: `${coinbase}\n` },
    })

  it('is its height, its weight and its first transaction', async () => {
    say({})
    expect(await esplora().fetchBlock(hash)).toEqual({ height: 7, weight: 900, coinbase: TXID })
  })

  it.each([
    ['another hash', { id: TXID }],
    ['no weight', { weight: undefined }],
    ['more weight than a block can have', { weight: 4_000_001 }],
  ])('with %s is nonsense', async (_, changes) => {
    say(changes)
    expect(await problemOf(esplora().fetchBlock(hash))).toMatchObject({ kind: 'nonsense' })
  })

  it('without a first transaction is nonsense', async () => {
    say({}, 'tx index out of range')
    expect(await problemOf(esplora().fetchBlock(hash))).toMatchObject({ kind: 'nonsense' })
  })

  it('holds a transaction at a place, with its branch', async () => {
    const path = `/tx/${TXID}/merkle-proof`
    server.say({ [path]: asJson({ block_height: 7, merkle: [hash, TXID], pos: 3 }) })
    expect(await esplora().fetchMerkleProof(TXID)).toEqual({ position: 3, branch: [hash, TXID] })
    for (const proof of [
      { merkle: [hash, TXID], pos: 4 },
      { merkle: [hash, TXID], pos: -1 },
      { merkle: 'hash', pos: 0 },
      { merkle: ['hash'], pos: 0 },
      { merkle: Array(21).fill(hash), pos: 0 },
    ]) {
      server.say({ [path]: asJson(proof) })
      expect(await problemOf(esplora().fetchMerkleProof(TXID))).toMatchObject({ kind: 'nonsense' })
    }
  })

  it('holds no transaction that the server has in none', async () => {
    await expect(esplora().fetchMerkleProof(TXID)).rejects.toThrow(TransactionNotFoundError)
  })
})

describe('a broadcast', () => {
  it('resolves the id of the bytes, whatever the server says it is', async () => {
    server.say({ '/tx': { body: 'ff'.repeat(32) } })
    expect(await esplora().broadcast(fromHex(GENESIS.hex))).toBe(GENESIS.id)
  })

  it.each(['txn-already-in-mempool', 'Transaction already in block chain', 'txn-already-known'])(
    'of a transaction that the node has (%s) is a success',
    async message => {
      const error = JSON.stringify({ code: -27, message })
      server.say({ '/tx': { status: 400, body: `sendrawtransaction RPC error: ${error}` } })
      expect(await esplora().broadcast(fromHex(GENESIS.hex))).toBe(GENESIS.id)
    },
  )

  it('is tried at once with a server that is given a rest', async () => {
    const source = esplora()
    server.say({ '/block-height/0': { status: 502, body: '' } })
    await expect(source.fetchTip()).rejects.toThrow(/502/)
    server.reset()
    server.say({ '/tx': { body: GENESIS.id } })
    expect(await source.broadcast(fromHex(GENESIS.hex))).toBe(GENESIS.id)
  })

  it('that the node refuses carries its words', async () => {
    const error = '{"code":-26,"message":"min relay fee not met, 10 < 14"}'
    server.say({ '/tx': { status: 400, body: `sendrawtransaction RPC error: ${error}` } })
    const refusal = await esplora()
      .broadcast(fromHex(GENESIS.hex))
      .catch(cause => cause)
    expect(refusal).toBeInstanceOf(BroadcastRejectedError)
    expect(refusal.reason).toBe('min relay fee not met, 10 < 14')
  })

  it.each([302, 403, 404, 429, 500, 502])('answered %i is not a refusal', async status => {
    server.say({ '/tx': { status, body: 'try later' } })
    await expect(esplora().broadcast(fromHex(GENESIS.hex))).rejects.toThrow(BackendUnavailableError)
  })
})

describe('the connection', () => {
  it('follows no redirect', async () => {
    server.say({
      [`/tx/${TXID}`]: { status: 302, body: '', headers: { location: '/elsewhere' } },
      '/elsewhere': asJson(TX),
    })
    await expect(esplora().fetchTransactionHeight(TXID)).rejects.toThrow(BackendUnavailableError)
    expect(server.asked).not.toContain('GET /elsewhere')
  })

  it('stops reading an answer without end', async () => {
    server.say({ [`/address/${ADDRESS}`]: { body: ' '.repeat(9_000_000) } })
    await expect(esplora().fetchBalance(ADDRESS)).rejects.toThrow(/longer than/)
  })

  it('to nobody names the host', async () => {
    const nobody = createEsplora('regtest', 'http://127.0.0.1:9', createTestAccess())
    expect(await problemOf(nobody.fetchBalance(ADDRESS))).toMatchObject({
      kind: 'unreachable',
      host: '127.0.0.1:9',
      detail: 'could not be reached',
    })
  })

  it('shows what came instead of an answer, in printable characters', async () => {
    server.say({ '/block-height/0': { status: 418, body: '<h1>tea\u202e pot</h1>\n' } })
    expect(await problemOf(esplora().fetchTip())).toMatchObject({
      kind: 'nonsense',
      detail: 'answered 418: <h1>tea pot</h1>',
    })
  })
})
