import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Devnet, startDevnet } from '../start-devnet.ts'
import { type Brc20Client, createBrc20Client } from '../testing/brc20-client.ts'
import { type Client, createClient } from '../testing/devnet-client.ts'
import { createTestWallet } from '../testing/test-wallet.ts'

let devnet: Devnet
let client: Client
let brc20: Brc20Client
const alice = createTestWallet('brc20 alice')
const bob = createTestWallet('brc20 bob')
const UNITS = '0'.repeat(18)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hex = (script: Uint8Array) => Buffer.from(script).toString('hex')

beforeAll(async () => {
  devnet = await startDevnet()
  client = createClient(devnet)
  brc20 = createBrc20Client(devnet, client)
})
afterAll(() => devnet?.stop())

const height = () => client.getJson<number>('/api/blocks/tip/height')
const balanceOf = (address: string, ticker: string) =>
  brc20.opi('get_current_balance_of_wallet', { address, ticker })

async function unisat(path: string) {
  const { status, body } = await brc20.unisat(path)
  expect(status).toBe(200)
  return JSON.parse(body)
}

/** Sends the inscription on an output of Alice's. */
async function move(outpoint: string | undefined, script: Uint8Array): Promise<string> {
  const [txid = '', vout] = (outpoint ?? '').split(':')
  const fuel = await client.fund(alice, 10_000n)
  const coins = [{ txid, vout: Number(vout), value: 546n }, fuel]
  const sent = await client.broadcast(alice.spend(coins, [{ script, value: 546n }]).toHex())
  await devnet.mine(1)
  return sent
}

describe('a token', () => {
  it('is deployed, minted, made transferable and moved, as both servers tell', async () => {
    const { ids: deploys } = await brc20.inscribe(alice.address, [
      { op: 'deploy', tick: 'Ordi', max: '21000000', lim: '1000' },
    ])
    const { ids: mints } = await brc20.inscribe(alice.address, [
      { op: 'mint', tick: 'ORDI', amt: '1000' },
      { op: 'mint', tick: 'ordi', amt: '0.5' },
    ])
    const { ids, outpoints } = await brc20.inscribe(alice.address, [
      { op: 'transfer', tick: 'ordi', amt: '400.25' },
    ])
    const block = await height()
    expect(await balanceOf(alice.address, 'ORDI')).toEqual({
      status: 200,
      error: null,
      result: {
        overall_balance: `10005${UNITS.slice(1)}`,
        available_balance: `60025${UNITS.slice(2)}`,
        block_height: block,
      },
    })
    const script = hex(alice.script)
    const byScript = await brc20.opi('get_current_balance_of_wallet', {
      pkscript: script,
      ticker: 'ordi',
    })
    expect(byScript).toEqual(await balanceOf(alice.address, 'ordi'))
    expect(
      await brc20.opi('get_valid_tx_notes_of_wallet', { address: alice.address }),
    ).toMatchObject({
      result: {
        unused_txes: [
          {
            tick: 'ordi',
            inscription_id: ids[0],
            amount: `40025${UNITS.slice(2)}`,
            genesis_height: block,
          },
        ],
        block_height: block,
      },
    })
    expect((await unisat(`address/${alice.address}/brc20/summary`)).data).toEqual({
      height: block,
      start: 0,
      total: 1,
      detail: [
        {
          ticker: 'Ordi',
          overallBalance: '1000.5',
          transferableBalance: '400.25',
          availableBalance: '600.25',
        },
      ],
    })
    expect(
      (await unisat(`address/${alice.address}/brc20/ordi/transferable-inscriptions`)).data,
    ).toMatchObject({
      start: 0,
      total: 1,
      detail: [
        {
          inscriptionId: ids[0],
          satoshi: 546,
          confirmations: 1,
          data: { op: 'transfer', tick: 'ordi', amt: '400.25', decimal: '18' },
        },
      ],
    })

    await move(outpoints[0], bob.script)
    expect((await balanceOf(bob.address, 'ordi')).result).toMatchObject({
      overall_balance: `40025${UNITS.slice(2)}`,
    })
    expect(
      await brc20.opi('get_valid_tx_notes_of_wallet', { address: alice.address }),
    ).toMatchObject({ status: 400, error: 'no unused tx found' })
    expect((await brc20.opi('holders', { ticker: 'ordi' })).result.unused_txes).toEqual([
      {
        pkscript: script,
        wallet: alice.address,
        overall_balance: `60025${UNITS.slice(2)}`,
        available_balance: `60025${UNITS.slice(2)}`,
      },
      {
        pkscript: hex(bob.script),
        wallet: bob.address,
        overall_balance: `40025${UNITS.slice(2)}`,
        available_balance: `40025${UNITS.slice(2)}`,
      },
    ])
    expect((await unisat('brc20/oRDI/info')).data).toMatchObject({
      ticker: 'Ordi',
      selfMint: false,
      inscriptionId: deploys[0],
      max: '21000000',
      limit: '1000',
      minted: '1000.5',
      decimal: 18,
      creator: alice.address,
      holdersCount: 2,
      historyCount: 5,
      mintTimes: 2,
      txid: deploys[0]?.slice(0, 64),
    })

    const { result: activity } = await brc20.opi('activity_on_block', { block_height: `${block}` })
    expect(activity).toEqual([
      {
        event_type: 'transfer-inscribe',
        inscription_id: ids[0],
        source_pkScript: script,
        source_wallet: alice.address,
        tick: 'ordi',
        original_tick: 'ordi',
        amount: `40025${UNITS.slice(2)}`,
      },
    ])
    const { result: life } = await brc20.opi('event', { inscription_id: ids[0] ?? '' })
    expect(life).toMatchObject([
      { event_type: 'transfer-inscribe' },
      { event_type: 'transfer-transfer', spent_pkScript: hex(bob.script) },
    ])
    expect((await brc20.opi('event', { inscription_id: mints[0] ?? '' })).result).toMatchObject([
      { event_type: 'mint-inscribe', original_tick: 'ORDI', parent_id: '' },
    ])
  })

  it('of five bytes is minted by who holds its deploy', async () => {
    const { ids } = await brc20.inscribe(null, [
      { op: 'deploy', tick: 'vault', max: '0', lim: '10', self_mint: 'true' },
    ])
    const mint = { op: 'mint', tick: 'vault', amt: '10' }
    await brc20.inscribe(alice.address, [mint])
    expect((await balanceOf(alice.address, 'vault')).error).toBe('no balance found')
    await brc20.inscribe(alice.address, [mint, mint], ids[0])
    expect((await balanceOf(alice.address, 'vault')).result.overall_balance).toBe(`20${UNITS}`)
    expect((await unisat('brc20/vault/info')).data).toMatchObject({
      selfMint: true,
      max: '18446744073709551615',
      totalMinted: '20',
    })
    expect((await brc20.opi('ticker_info', { ticker: 'Vault' })).result).toMatchObject({
      tick: 'vault',
      is_self_mint: true,
      deploy_inscription_id: ids[0],
    })
  })

  it('whose ticker fits no path is found by its hex', async () => {
    await brc20.inscribe(alice.address, [{ op: 'deploy', tick: 'a/b!', max: '5' }])
    const found = await unisat(`brc20/${Buffer.from('A/B!').toString('hex')}/info`)
    expect(found.data).toMatchObject({ ticker: 'a/b!', limit: '5' })
  })

  it('that nobody deployed is not there', async () => {
    expect(await unisat('brc20/none/info')).toMatchObject({ code: -1, data: null })
    expect(await brc20.opi('ticker_info', { ticker: 'none' })).toMatchObject({
      status: 400,
      error: 'no ticker found',
    })
    expect(await brc20.opi('holders', { ticker: 'none' })).toMatchObject({ status: 400 })
    expect(await brc20.opi('get_current_balance_of_wallet', { address: 'x' })).toMatchObject({
      status: 500,
      error: 'internal error',
    })
  })
})

describe('the servers', () => {
  it('follow a reorg: what the lost block did is undone, and done again where it is mined again', async () => {
    await brc20.inscribe(alice.address, [{ op: 'deploy', tick: 'fork', max: '100' }])
    await brc20.inscribe(alice.address, [{ op: 'mint', tick: 'fork', amt: '100' }])
    await devnet.reorg(1)
    expect((await balanceOf(alice.address, 'fork')).error).toBe('no balance found')
    await devnet.mine(1)
    expect((await balanceOf(alice.address, 'fork')).result.overall_balance).toBe(`100${UNITS}`)
  })

  it('can be made to lag', async () => {
    await brc20.inscribe(bob.address, [{ op: 'deploy', tick: 'late', max: '7' }])
    await brc20.inscribe(bob.address, [{ op: 'mint', tick: 'late', amt: '7' }])
    const tip = await height()
    expect(JSON.parse((await client.request('/opi/v1/brc20/block_height')).body)).toBe(tip)
    await client.post('/devnet/faults', { endpoint: '/opi/*', staleBlocks: 1 })
    await client.post('/devnet/faults', { endpoint: '/unisat/*', staleBlocks: 1 })
    expect(JSON.parse((await client.request('/opi/v1/brc20/block_height')).body)).toBe(tip - 1)
    expect((await balanceOf(bob.address, 'late')).error).toBe('no balance found')
    expect((await unisat('brc20/bestheight')).data.height).toBe(tip - 1)
    await client.post('/devnet/faults/clear', {})
    expect((await balanceOf(bob.address, 'late')).result.overall_balance).toBe(`7${UNITS}`)
  })

  it('hash what happened as OPI does', async () => {
    const { ids: deploys } = await brc20.inscribe(bob.address, [
      { op: 'deploy', tick: 'Hash', max: '50', dec: '2' },
    ])
    const { ids: mints } = await brc20.inscribe(bob.address, [
      { op: 'mint', tick: 'haSh', amt: '1.5' },
    ])
    const block = await height()
    const at = async (block_height: number) =>
      (await brc20.opi('get_hash_of_all_activity', { block_height: `${block_height}` })).result
    const [before, deployed, minted] = [await at(block - 2), await at(block - 1), await at(block)]
    const script = hex(bob.script)
    expect(deployed.block_event_hash).toBe(
      sha256(`deploy-inscribe;${deploys[0]};${script};hash;Hash;50.00;2;50.00;false`),
    )
    expect(minted.block_event_hash).toBe(
      sha256(`mint-inscribe;${mints[0]};${script};hash;haSh;1.50;`),
    )
    expect([deployed, minted].map(({ cumulative_event_hash }) => cumulative_event_hash)).toEqual([
      sha256(before.cumulative_event_hash + deployed.block_event_hash),
      sha256(deployed.cumulative_event_hash + minted.block_event_hash),
    ])
    expect((await at(0)).cumulative_event_hash).toBe(sha256(''))
    const later = await brc20.opi('get_hash_of_all_activity', { block_height: `${block + 1}` })
    expect(later).toMatchObject({ status: 400, error: 'block not indexed yet' })
  })

  it('UniSat’s wants its key, and lets pages of every origin send it', async () => {
    for (const key of [null, '', 'wrong']) {
      expect((await brc20.unisat('blockchain/info', key)).status).toBe(401)
    }
    const preflight = await fetch(`${devnet.unisatUrl}/v1/indexer/blockchain/info`, {
      method: 'OPTIONS',
      headers: { 'access-control-request-headers': 'authorization' },
    })
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization')
    const header = await devnet.rpc<{ chainwork: string; mediantime: number; hash: string }>(
      'getblockheader',
      [await devnet.rpc<string>('getbestblockhash')],
    )
    expect((await unisat('blockchain/info')).data).toMatchObject({
      chain: 'regtest',
      blocks: await height(),
      bestBlockHash: header.hash,
      medianTime: header.mediantime,
      chainwork: header.chainwork,
    })
  })

  it('UniSat’s answers in pages, and leaves out what is not asked for', async () => {
    const list = async (query: string) =>
      (await unisat(`address/${alice.address}/brc20/summary?${query}`)).data
    const all = await list('start=0&limit=100')
    const rest = await list('start=1&limit=1')
    expect(rest).toMatchObject({ start: 1, total: all.total, detail: [all.detail[1]] })
    const tickers = async (query: string) =>
      (await list(query)).detail.map(({ ticker }: { ticker: string }) => ticker)
    expect(await tickers('tick_filter=16')).toEqual(['vault'])
    expect(await tickers('tick_filter=8&exclude_zero=true')).not.toContain('vault')
  })
})
