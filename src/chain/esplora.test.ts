import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fromHex } from '../bitcoin/bytes.ts'
import { BackendUnavailableError, BroadcastRejectedError } from './chain-source.ts'
import { createEsplora } from './esplora.ts'

type Answer = { status?: number; body: string; headers?: { [name: string]: string } }

const SCRIPT = new Uint8Array([0x51, 0x20, ...new Uint8Array(32).fill(7)])
const TXID = 'ab'.repeat(32)
const ADDRESS = 'bcrt1pany'

/** The coinbase transaction of Bitcoin's first block. */
const GENESIS = {
  id: '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b',
  hex: '01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000',
}

/** A server that says what a test wants it to say; every path that is not named answers 404. */
let server: Server
let base: string
let answers: { [path: string]: Answer | (() => Answer) }
let asked: string[]

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(`${request.method} ${path}`)
    const found = answers[path]
    const {
      status = 200,
      body,
      headers = {},
    } = typeof found === 'function' ? found() : (found ?? { status: 404, body: 'Not found' })
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())
beforeEach(() => {
  answers = {}
  asked = []
})

const esplora = () => createEsplora('regtest', base)

const sums = (funded: number, spent: number) => ({
  funded_txo_sum: funded,
  spent_txo_sum: spent,
})

describe('balances', () => {
  it('are what came less what went, unconfirmed ones may be negative', async () => {
    const body = JSON.stringify({ chain_stats: sums(500, 100), mempool_stats: sums(10, 60) })
    answers[`/address/${ADDRESS}`] = { body }
    expect(await esplora().fetchBalance(ADDRESS)).toEqual({ confirmed: 400n, unconfirmed: -50n })
  })

  it.each([
    ['html', '<html>502</html>'],
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['missing sums', '{"chain_stats":{},"mempool_stats":{}}'],
    ['text sums', JSON.stringify({ chain_stats: { funded_txo_sum: '5', spent_txo_sum: 0 } })],
    ['fractions', JSON.stringify({ chain_stats: sums(1.5, 0), mempool_stats: sums(0, 0) })],
    ['negative sums', JSON.stringify({ chain_stats: sums(-1, 0), mempool_stats: sums(0, 0) })],
  ])('refuse %s', async (_, body) => {
    answers[`/address/${ADDRESS}`] = { body }
    await expect(esplora().fetchBalance(ADDRESS)).rejects.toThrow(BackendUnavailableError)
  })
})

describe('unspent outputs', () => {
  const utxo = { txid: TXID, vout: 1, value: 546, status: { confirmed: true, block_height: 7 } }

  it('carry the script that the wallet knows, never one of the server', async () => {
    answers[`/address/${ADDRESS}/utxo`] = {
      body: JSON.stringify([{ ...utxo, scriptpubkey: 'f0' }]),
    }
    expect(await esplora().fetchUtxos(ADDRESS, SCRIPT)).toEqual([
      { txid: TXID, vout: 1, amount: 546n, scriptPubKey: SCRIPT, height: 7 },
    ])
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
      { value: '546' },
      { status: null },
      { status: { confirmed: 'yes' } },
      { status: { confirmed: true } },
      { status: { confirmed: true, block_height: -1 } },
    )
    const list = fc.tuple(fc.array(fc.constant(utxo), { maxLength: 3 }), wrong)
    await fc.assert(
      fc.asyncProperty(list, async ([good, change]) => {
        answers[`/address/${ADDRESS}/utxo`] = {
          body: JSON.stringify([...good, { ...utxo, ...change }]),
        }
        await expect(esplora().fetchUtxos(ADDRESS, SCRIPT)).rejects.toThrow(BackendUnavailableError)
      }),
      { numRuns: 60 },
    )
  })

  it('beyond the server’s limit are an error, not an empty list', async () => {
    answers[`/address/${ADDRESS}/utxo`] = {
      status: 400,
      body: 'Too many unspent transaction outputs (>500).',
    }
    await expect(esplora().fetchUtxos(ADDRESS, SCRIPT)).rejects.toThrow(BackendUnavailableError)
  })
})

describe('a transaction', () => {
  it('is taken when its bytes hash to its id', async () => {
    answers[`/tx/${GENESIS.id}/hex`] = { body: GENESIS.hex }
    expect(await esplora().fetchTransaction(GENESIS.id)).toEqual(fromHex(GENESIS.hex))
  })

  it.each([
    ['another transaction', () => GENESIS.hex.replace('00f2052a01', '01f2052a01')],
    ['a cut one', () => GENESIS.hex.slice(0, -8)],
    ['one with more behind it', () => `${GENESIS.hex}00`],
    ['text', () => 'Transaction not found'],
  ])('is refused when the server sends %s', async (_, body) => {
    answers[`/tx/${GENESIS.id}/hex`] = { body: body() }
    await expect(esplora().fetchTransaction(GENESIS.id)).rejects.toThrow(BackendUnavailableError)
  })
})

describe('a broadcast', () => {
  it('resolves the id of the bytes, whatever the server says it is', async () => {
    answers['/tx'] = { body: 'ff'.repeat(32) }
    expect(await esplora().broadcast(fromHex(GENESIS.hex))).toBe(GENESIS.id)
  })

  it.each(['txn-already-in-mempool', 'Transaction already in block chain', 'txn-already-known'])(
    'of a transaction that the node has (%s) is a success',
    async message => {
      const error = JSON.stringify({ code: -27, message })
      answers['/tx'] = { status: 400, body: `sendrawtransaction RPC error: ${error}` }
      expect(await esplora().broadcast(fromHex(GENESIS.hex))).toBe(GENESIS.id)
    },
  )

  it('that the node refuses carries its words', async () => {
    const error = '{"code":-26,"message":"min relay fee not met, 10 < 14"}'
    answers['/tx'] = { status: 400, body: `sendrawtransaction RPC error: ${error}` }
    const refusal = await esplora()
      .broadcast(fromHex(GENESIS.hex))
      .catch(cause => cause)
    expect(refusal).toBeInstanceOf(BroadcastRejectedError)
    expect(refusal.reason).toBe('min relay fee not met, 10 < 14')
  })

  it.each([429, 500, 502])('answered %i is not a refusal', async status => {
    answers['/tx'] = { status, body: 'try later' }
    await expect(esplora().broadcast(fromHex(GENESIS.hex))).rejects.toThrow(BackendUnavailableError)
  })
})

describe('fee rates', () => {
  it('are mempool.space’s where the server has them', async () => {
    answers['/v1/fees/precise'] = {
      body: '{"fastestFee":2.0231,"halfHourFee":1.094,"hourFee":0.502,"minimumFee":0.1}',
    }
    expect(await esplora().fetchFeeRates()).toEqual({
      fastest: 2.024,
      halfHour: 1.094,
      hour: 0.502,
      minimum: 0.1,
    })
  })

  it('are Esplora’s estimates elsewhere', async () => {
    answers['/fee-estimates'] = { body: '{"1":20,"3":10.5,"6":5,"1008":1}' }
    expect(await esplora().fetchFeeRates()).toEqual({
      fastest: 20,
      halfHour: 10.5,
      hour: 5,
      minimum: 1,
    })
  })

  it.each(['-1', '1e9', 'null', '"9"', '[]'])('of %s are refused', async value => {
    answers['/v1/fees/precise'] = {
      body: `{"fastestFee":${value},"halfHourFee":1,"hourFee":1,"minimumFee":1}`,
    }
    await expect(esplora().fetchFeeRates()).rejects.toThrow(BackendUnavailableError)
  })
})

describe('the connection', () => {
  it('follows no redirect', async () => {
    answers[`/tx/${TXID}/status`] = { status: 302, body: '', headers: { location: '/elsewhere' } }
    answers['/elsewhere'] = { body: '{"confirmed":false}' }
    await expect(esplora().fetchTransactionHeight(TXID)).rejects.toThrow(BackendUnavailableError)
    expect(asked).toEqual([`GET /tx/${TXID}/status`])
  })

  it('stops reading an answer without end', async () => {
    answers[`/address/${ADDRESS}`] = { body: ' '.repeat(9_000_000) }
    await expect(esplora().fetchBalance(ADDRESS)).rejects.toThrow(/longer than/)
  })

  it('to nobody is BackendUnavailable, with the host named', async () => {
    const nobody = createEsplora('regtest', 'http://127.0.0.1:9')
    await expect(nobody.fetchBalance(ADDRESS)).rejects.toThrow(/127\.0\.0\.1/)
  })
})
