import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { asJson, type ScriptedServer, startScriptedServer } from '../testing/scripted-server.ts'
import { createTestAccess, problemOf } from '../testing/server-access.ts'
import { createEsplora } from './esplora.ts'

const SCRIPT = new Uint8Array([0x51, 0x20, ...new Uint8Array(32).fill(7)])
const ADDRESS = 'bcrt1pany'

const MINED = { confirmed: true, block_height: 7, block_hash: 'cd'.repeat(32), block_time: 1_600 }

/** One input of 1,000 sats, one output of 900 to the wallet's script, a fee of 100. */
const TX = {
  txid: 'ab'.repeat(32),
  weight: 401,
  fee: 100,
  vin: [{ txid: 'ef'.repeat(32), vout: 3, prevout: { scriptpubkey: '51', value: 1000 } }],
  vout: [{ scriptpubkey: toHex(SCRIPT), value: 900 }],
  status: MINED,
}

let server: ScriptedServer

beforeAll(async () => {
  server = await startScriptedServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

const esplora = () => createEsplora('regtest', server.url, createTestAccess())

const sums = (funded: number, spent: number) => ({
  funded_txo_sum: funded,
  spent_txo_sum: spent,
  tx_count: 2,
})

describe('a list of coins', () => {
  it('may have a hundred thousand of one address', async () => {
    const coins = Array.from({ length: 100_000 }, (_, at) => ({
      ...{ txid: at.toString(16).padStart(64, '0'), vout: 4_294_967_295, value: 12_345_678 },
      status: { ...MINED, block_height: 900_000, block_time: 1_780_000_000 },
    }))
    server.say({ [`/address/${ADDRESS}/utxo`]: asJson(coins) })
    const utxos = await esplora().fetchUtxos(ADDRESS, SCRIPT)
    expect([utxos.length, utxos.at(-1)?.txid]).toEqual([100_000, coins.at(-1)?.txid])
  })
})

describe('a history', () => {
  const path = `/address/${ADDRESS}/txs`
  const page = (first: number, count: number, status: object = MINED) =>
    Array.from({ length: count }, (_, i) => ({ ...TX, txid: hash(first + i), status }))
  const hash = (n: number) => n.toString(16).padStart(64, '0')

  it('goes on after the last confirmed transaction of a page until a page is short', async () => {
    server.say({
      [path]: asJson([...page(1, 2, { confirmed: false }), ...page(3, 25)]),
      [`${path}/chain/${hash(27)}`]: asJson(page(28, 3)),
    })
    const first = await esplora().fetchHistory(ADDRESS, null)
    expect(first.transactions.map(({ height }) => height).slice(0, 3)).toEqual([null, null, 7])
    expect(first.next).toBe(hash(27))
    const second = await esplora().fetchHistory(ADDRESS, first.next)
    expect(second.transactions.map(({ txid }) => txid)).toEqual([28, 29, 30].map(hash))
    expect(second.next).toBeNull()
  })

  it('with a page full of unconfirmed transactions goes on with the confirmed ones', async () => {
    server.say({
      [path]: asJson(page(1, 50, { confirmed: false })),
      [`${path}/chain`]: asJson(page(51, 1)),
    })
    const first = await esplora().fetchHistory(ADDRESS, null)
    const second = await esplora().fetchHistory(ADDRESS, first.next)
    expect(second.transactions.map(({ txid }) => txid)).toEqual([hash(51)])
  })

  describe('stands in for the coins of an address with more than the server lists', () => {
    const tooMany = { status: 400, body: 'Too many unspent transaction outputs (>500).' }
    const stats = (sats: number) =>
      asJson({ chain_stats: sums(sats, 0), mempool_stats: sums(0, 0) })

    it('as its outputs that nothing spends, asked for once while nothing changes', async () => {
      const spender = {
        ...TX,
        txid: hash(99),
        vin: [{ txid: hash(30), vout: 0, prevout: { scriptpubkey: toHex(SCRIPT), value: 900 } }],
        vout: [{ scriptpubkey: '51', value: 800 }],
      }
      server.say({
        [`${path.replace('/txs', '/utxo')}`]: tooMany,
        [`/address/${ADDRESS}`]: stats(900 * 27),
        [path]: asJson([spender, ...page(3, 24)]),
        [`${path}/chain/${hash(26)}`]: asJson(page(27, 4)),
      })
      const source = esplora()
      const utxos = await source.fetchUtxos(ADDRESS, SCRIPT)
      expect(utxos.map(({ txid }) => txid)).toEqual(
        Array.from({ length: 27 }, (_, i) => hash(3 + i)),
      )
      expect(utxos[0]).toEqual({
        txid: hash(3),
        vout: 0,
        amount: 900n,
        scriptPubKey: SCRIPT,
        height: 7,
      })
      server.asked.length = 0
      expect(await source.fetchUtxos(ADDRESS, SCRIPT)).toEqual(utxos)
      expect(server.asked).not.toContain(`GET ${path}/chain/${hash(26)}`)
    })

    it('unless it contradicts the balance', async () => {
      server.say({
        [`${path.replace('/txs', '/utxo')}`]: tooMany,
        [`/address/${ADDRESS}`]: stats(900 * 3),
        [path]: asJson(page(1, 2)),
      })
      expect(await problemOf(esplora().fetchUtxos(ADDRESS, SCRIPT))).toMatchObject({
        kind: 'too-many-coins',
        host: server.host,
      })
    })

    it('unless that list is too long to be taken, which is said at once', async () => {
      server.say({ [`${path.replace('/txs', '/utxo')}`]: { body: ' '.repeat(27_000_001) } })
      expect(await problemOf(esplora().fetchUtxos(ADDRESS, SCRIPT))).toMatchObject({
        kind: 'too-many-coins',
        detail: expect.stringContaining('27000000 bytes'),
      })
      expect(server.asked).not.toContain(`GET ${path}`)
    })

    it('unless it has no end', async () => {
      server.say({
        [`${path.replace('/txs', '/utxo')}`]: tooMany,
        [`/address/${ADDRESS}`]: stats(900),
        [path]: asJson(page(1, 25)),
        [`${path}/chain/${hash(25)}`]: asJson(page(1, 25)),
      })
      const problem = await problemOf(esplora().fetchUtxos(ADDRESS, SCRIPT))
      expect(problem).toMatchObject({ kind: 'too-many-coins' })
      expect(problem.detail).toMatch(/>500/)
      expect(server.asked.length).toBeLessThan(70)
    })
  })
})
