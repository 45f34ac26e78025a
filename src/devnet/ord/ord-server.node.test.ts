import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Devnet, startDevnet } from '../start-devnet.ts'
import { type Client, createClient } from '../testing/devnet-client.ts'
import { createOrdClient, type OrdClient } from '../testing/ord-client.ts'
import { createTestWallet } from '../testing/test-wallet.ts'

let devnet: Devnet
let client: Client
let ord: OrdClient
const wallet = createTestWallet('ord server tests')

beforeAll(async () => {
  devnet = await startDevnet()
  client = createClient(devnet)
  ord = createOrdClient(devnet, client, wallet.address)
})
afterAll(() => devnet?.stop())

describe('an output', () => {
  it('answers as ord does: unconfirmed, inscribed, spent in the mempool and in a block', async () => {
    const { ids, outpoints, revealTxids } = await ord.broadcastInscription({ body: 'Hello' })
    const [outpoint = ''] = outpoints
    const shape = {
      address: wallet.address,
      outpoint,
      runes: {},
      sat_ranges: null,
      script_pubkey: Buffer.from(wallet.script).toString('hex'),
      transaction: revealTxids[0],
      value: 546,
    }
    const unconfirmed = { confirmations: 0, indexed: false, inscriptions: [], spent: false }
    expect(await ord.get(`/output/${outpoint}`)).toEqual({ ...shape, ...unconfirmed })
    await devnet.mine(1)
    const confirmed = { confirmations: 1, indexed: true, inscriptions: ids, spent: false }
    expect(await ord.get(`/output/${outpoint}`)).toEqual({ ...shape, ...confirmed })
    expect(await ord.get(`/r/utxo/${outpoint}`)).toEqual({
      inscriptions: ids,
      runes: {},
      sat_ranges: null,
      value: 546,
    })

    const fee = await client.fund(wallet, 10_000n)
    const [txid = '', vout] = outpoint.split(':')
    const coin = { txid, vout: Number(vout), value: 546n }
    const spend = wallet.spend([coin, fee], [{ script: wallet.script, value: 10_000n }])
    await client.broadcast(spend.toHex())
    const inPool = { confirmations: 2, indexed: true, inscriptions: ids, spent: true }
    expect(await ord.get(`/output/${outpoint}`)).toEqual({ ...shape, ...inPool })
    await devnet.mine(1)
    const gone = { confirmations: 3, indexed: false, inscriptions: [], spent: true }
    expect(await ord.get(`/output/${outpoint}`)).toEqual({ ...shape, ...gone })
    expect(await ord.get(`/output/${spend.getId()}:0`)).toMatchObject({ inscriptions: ids })
    expect((await ord.ask(`/r/utxo/${outpoint}`)).status).toBe(404)
  })

  it('that is not known is 404, alone and among others', async () => {
    const unknown = `${'ab'.repeat(32)}:0`
    expect(await ord.ask(`/output/${unknown}`)).toMatchObject({
      status: 404,
      body: `output ${unknown} not found`,
    })
    const { outpoints } = await ord.inscribe({ body: 'a' })
    expect(await ord.post('/outputs', outpoints)).toMatchObject({
      status: 200,
      body: [{ outpoint: outpoints[0], indexed: true }],
    })
    expect((await ord.post('/outputs', [...outpoints, unknown])).status).toBe(404)
    expect((await ord.ask('/output/nonsense')).status).toBe(400)
  })

  it('is a page where JSON is not the only thing accepted', async () => {
    const { outpoints } = await ord.inscribe({ body: 'a' })
    const { headers, body } = await client.request(`/ord/output/${outpoints[0]}`, {
      headers: { accept: 'application/json, */*' },
    })
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(body).toContain('<html')
  })
})

describe('the index', () => {
  it('follows reorganisations', async () => {
    const { ids, outpoints } = await ord.inscribe({ body: 'reorg' })
    await devnet.reorg(1, 1)
    expect((await ord.ask(`/inscription/${ids[0]}`)).status).toBe(404)
    expect(await ord.get(`/output/${outpoints[0]}`)).toMatchObject({
      indexed: false,
      confirmations: 0,
    })
    await devnet.mine(1)
    expect(await ord.get(`/inscription/${ids[0]}`)).toMatchObject({ satpoint: `${outpoints[0]}:0` })
  })

  it('answers with staleBlocks as if the newest blocks had not been read', async () => {
    const { ids, outpoints } = await ord.inscribe({ body: 'stale' })
    const { height } = await ord.get('/status')
    await client.post('/devnet/faults', { endpoint: '/ord/*', staleBlocks: 1 })
    expect(await ord.get('/status')).toMatchObject({ height: Number(height) - 1, chain: 'regtest' })
    expect((await ord.ask('/blockheight')).body).toBe(String(Number(height) - 1))
    expect(await ord.get(`/output/${outpoints[0]}`)).toMatchObject({
      confirmations: 1,
      indexed: false,
      inscriptions: [],
      runes: {},
    })
    expect((await ord.ask(`/inscription/${ids[0]}`)).status).toBe(404)
    expect((await ord.get(`/address/${wallet.address}`)).inscriptions).not.toContain(ids[0])
    await client.post('/devnet/faults/clear', {})
    expect(await ord.get(`/output/${outpoints[0]}`)).toMatchObject({ inscriptions: ids })
    expect(await ord.get('/status')).toMatchObject({ height })
  })

  it('reports its state with the fields of ord 0.27', async () => {
    const { height, ...status } = await ord.get('/status')
    expect(height).toBe(await client.getJson<number>('/api/blocks/tip/height'))
    expect(status).toEqual({
      address_index: true,
      blessed_inscriptions: expect.any(Number),
      chain: 'regtest',
      cursed_inscriptions: 0,
      initial_sync_time: { secs: 0, nanos: 0 },
      inscription_index: true,
      inscriptions: status.blessed_inscriptions,
      json_api: true,
      // The node's blocks claim no fees.
      lost_sats: expect.any(Number),
      minimum_rune_for_next_block: expect.stringMatching(/^Z[A-Z]{11}$/),
      rune_index: true,
      runes: expect.any(Number),
      sat_index: false,
      started: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      transaction_index: false,
      unrecoverably_reorged: false,
      uptime: { secs: expect.any(Number), nanos: expect.any(Number) },
    })
    expect(await ord.ask('/r/sat/0/at/-1')).toMatchObject({
      status: 404,
      body: 'this server has no sat index',
    })
  })
})

describe('a transaction', () => {
  it('is told raw, in parts and decoded', async () => {
    const { ids, revealTxids } = await ord.inscribe({ body: 'Hi' })
    const [txid = ''] = revealTxids
    const hex = (await client.request(`/api/tx/${txid}/hex`)).body
    expect(JSON.parse((await ord.ask(`/r/tx/${txid}`)).body)).toBe(hex)
    expect(await ord.get(`/tx/${txid}`)).toMatchObject({
      chain: 'regtest',
      etching: null,
      inscription_count: 1,
      transaction: { version: 2, lock_time: 0, output: [{ value: 546 }] },
      txid: ids[0]?.slice(0, 64),
    })
    expect(await ord.get(`/decode/${txid}`)).toMatchObject({
      inscriptions: [{ input: 0, offset: 0, payload: { body: [0x48, 0x69] }, pushnum: false }],
      runestone: null,
    })
    expect(await ord.get('/r/blockinfo/0')).toMatchObject({
      hash: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
      target: '7fffff0000000000000000000000000000000000000000000000000000000000',
      height: 0,
    })
  })
})
