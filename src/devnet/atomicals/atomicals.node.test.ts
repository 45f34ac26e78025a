import { Psbt } from 'bitcoinjs-lib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Devnet, startDevnet } from '../start-devnet.ts'
import { type AtomicalsClient, createAtomicalsClient } from '../testing/atomicals-client.ts'
import { type Client, createClient } from '../testing/devnet-client.ts'
import { createTestWallet, type TestCoin, type TestWallet } from '../testing/test-wallet.ts'

let devnet: Devnet
let client: Client
let wallet: TestWallet
let atomicals: AtomicalsClient

beforeAll(async () => {
  devnet = await startDevnet()
  client = createClient(devnet)
  wallet = createTestWallet('atomicals')
  atomicals = createAtomicalsClient(client, wallet.address)
})
afterEach(() => client.post('/devnet/faults/clear', {}))
afterAll(() => devnet?.stop())

const PNG = Uint8Array.from(Buffer.from('89504e470d0a1a0a', 'hex'))
const FEE = 1000n

function coinAt(outpoint: string, value: number): TestCoin {
  const [txid = '', vout] = outpoint.split(':')
  return { txid, vout: Number(vout), value: BigInt(value) }
}

/** Spends Atomicals in this order, with a coin that pays the fee behind them. */
async function buildTransfer(coins: readonly TestCoin[], values: readonly number[]) {
  const fee = await client.fund(wallet, 50_000n)
  const all = [...coins, fee]
  const spent = all.reduce((sum, { value }) => sum + value, 0n)
  const paid = values.map(value => ({ script: wallet.script, value: BigInt(value) }))
  const change = spent - paid.reduce((sum, { value }) => sum + value, 0n) - FEE
  return wallet.spend(all, [...paid, { script: wallet.script, value: change }])
}

async function height(): Promise<number> {
  return devnet.rpc<number>('getblockcount')
}

describe('what is minted', () => {
  it('an NFT with a picture: told with its file, its place and its owner', async () => {
    const minted = await atomicals.mintImage('image.png', 'image/png', PNG, 1000)
    expect(minted.id).toBe(`${minted.commitTxid}i0`)
    expect(minted.outpoint).toBe(`${minted.revealTxid}:0`)
    const { global, result } = await atomicals.ask('blockchain.atomicals.get', minted.id)
    const at = await height()
    const tip = await devnet.rpc('getbestblockhash')
    expect(global).toMatchObject({ coin: 'BitcoinRegtest', network: 'regtest', height: at })
    expect(global.block_tip).toBe(tip)
    expect(Object.keys(global.atomicals_block_hashes)).toHaveLength(10)
    expect(global.atomicals_block_hashes[at]).toBe(global.atomicals_block_tip)
    expect(result).toMatchObject({
      atomical_id: minted.id,
      atomical_number: 0,
      type: 'NFT',
      confirmed: true,
      mint_info: {
        commit_txid: minted.commitTxid,
        commit_index: 0,
        commit_location: minted.id,
        commit_height: at,
        reveal_location_txid: minted.revealTxid,
        reveal_location_index: 0,
        reveal_location_height: at,
        reveal_location_value: 1000,
        reveal_location_script: Buffer.from(wallet.script).toString('hex'),
        args: {},
        $immutable: false,
      },
      mint_data: {
        fields: {
          'image.png': {
            $ct: 'image/png',
            $b: { $b: '89504e470d0a1a0a', $len: 41, $auto: true },
          },
        },
      },
    })
    expect(result.atomical_ref).toMatch(/^[0-9a-hjkmnp-tv-z]{52}i0$/)
    const header = await devnet.rpc('getblockheader', [tip, false])
    expect(result.mint_info.reveal_location_header).toBe(header)
    expect((await atomicals.ask('blockchain.atomicals.get', 0)).result).toEqual(result)
    const location = {
      location: `${minted.revealTxid}i0`,
      txid: minted.revealTxid,
      index: 0,
      value: 1000,
      script: Buffer.from(wallet.script).toString('hex'),
    }
    const located = await atomicals.ask('blockchain.atomicals.get_location', minted.id)
    expect(located.result.location_info_obj.locations).toEqual([
      expect.objectContaining({
        ...location,
        address: wallet.address,
        atomicals_at_location: [minted.id],
      }),
    ])
    const state = await atomicals.ask('blockchain.atomicals.get_state', minted.id)
    const { args, ...kept } = result.mint_data.fields
    expect({ args, state: state.result.state.latest }).toEqual({ args: {}, state: kept })
    const there = await atomicals.ask('blockchain.atomicals.at_location', location.location)
    expect(there.location_info).toMatchObject(location)
    expect(there.atomicals).toEqual([
      {
        atomical_id: minted.id,
        atomical_number: 0,
        atomical_ref: result.atomical_ref,
        type: 'NFT',
        value: 1000,
      },
    ])
  })

  it('a realm and a container: requests first, names of their own three blocks later', async () => {
    const subtypeOf = async (id: string) => {
      const { result } = await atomicals.ask('blockchain.atomicals.get', id)
      return [result.subtype, result.$realm ?? result.$container]
    }
    const made = await atomicals.mint({ kind: 'nft', realm: 'early', confirm: false })
    await devnet.mine(1)
    expect(await subtypeOf(made.id)).toEqual(['request_realm', undefined])
    await devnet.mine(3)
    expect(await subtypeOf(made.id)).toEqual(['realm', 'early'])
    const { id } = await atomicals.mint({ kind: 'nft', container: 'box' })
    expect(await subtypeOf(id)).toEqual(['container', 'box'])
    const { result } = await atomicals.ask('blockchain.atomicals.get', made.id)
    expect(result.$request_realm_status).toMatchObject({ status: 'verified' })
    expect(result.$full_realm_name).toBe('early')
  })

  it('a direct token and one that others mint, with their supply', async () => {
    const gold = await atomicals.mintToken('gold', 21_000)
    const info = await atomicals.ask('blockchain.atomicals.get_ft_info', gold.id)
    expect(info.result).toMatchObject({
      type: 'FT',
      subtype: 'direct',
      $ticker: 'gold',
      $max_supply: 21_000,
      ft_info: {},
      location_summary: { unique_holders: 1, circulating_supply: 21_000 },
    })
    const free = await atomicals.deployToken('free', 2000, 2)
    expect(await atomicals.heldAt(free.outpoint)).toEqual({})
    const mints = [await atomicals.mintUnits('free'), await atomicals.mintUnits('free')]
    expect(mints.map(({ id }) => id)).toEqual([free.id, free.id])
    expect(await atomicals.heldAt(mints[0]?.outpoint ?? '')).toEqual({ [free.id]: 2000 })
    await expect(atomicals.mintUnits('free')).rejects.toThrow('the rules of Atomicals refuse it')
    const { result } = await atomicals.ask('blockchain.atomicals.get_ft_info', free.id)
    expect(result).toMatchObject({
      subtype: 'decentralized',
      $ticker: 'free',
      $mint_mode: 'fixed',
      $mint_amount: 2000,
      $max_mints: 2,
      $max_supply: 4000,
      dft_info: { mint_count: 2 },
      location_summary: { unique_holders: 1, circulating_supply: 4000 },
    })
  })

  it('is told from what cannot be: a name that is taken, a token that is none, a misspelt field', async () => {
    await atomicals.mintRealm('taken')
    await expect(atomicals.mintRealm('taken')).rejects.toThrow('400')
    await expect(atomicals.mintUnits('nobody')).rejects.toThrow('no token')
    const wrong = { kind: 'nft', tickre: 'x' }
    expect(await client.post('/devnet/atomicals/mint', wrong)).toMatchObject({ status: 400 })
    expect(await client.post('/devnet/atomicals/mint', { kind: 'x' })).toMatchObject({
      status: 400,
    })
  })
})

describe('what an address has', () => {
  it('coins with what lies on them, all coins when asked, and balances', async () => {
    const owner = createTestWallet('owner of atomicals')
    const own = createAtomicalsClient(client, owner.address)
    const nft = await own.mint({ kind: 'nft', realm: 'owned', sats: 700 })
    const token = await own.mintToken('silver', 5000)
    const clean = await client.fund(owner, 30_000n)
    const scripthash = own.scripthashOf(owner.address)
    const listed = await own.ask('blockchain.atomicals.listscripthash', scripthash)
    expect(listed.global.network).toBe('regtest')
    expect(listed.utxos).toEqual([
      {
        txid: nft.revealTxid,
        index: 0,
        vout: 0,
        height: (await height()) - 8,
        value: 700,
        atomicals: { [nft.id]: 700 },
      },
      expect.objectContaining({ txid: token.revealTxid, atomicals: { [token.id]: 5000 } }),
    ])
    expect(listed.atomicals).toMatchObject({
      [nft.id]: {
        atomical_id: nft.id,
        type: 'NFT',
        confirmed: 700,
        subtype: 'realm',
        realm: 'owned',
        full_realm_name: 'owned',
        request_realm_status: { status: 'verified' },
        data: { atomical_id: nft.id },
      },
      [token.id]: { type: 'FT', confirmed: 5000, subtype: 'direct', ticker: 'silver' },
    })
    const all = await own.ask('blockchain.atomicals.listscripthash', scripthash, true)
    expect(all.utxos).toHaveLength(3)
    expect(all.utxos.at(-1)).toMatchObject({ txid: clean.txid, value: 30_000, atomicals: {} })
    expect(await own.ask('blockchain.atomicals.get_ft_balances_scripthash', scripthash)).toEqual({
      balances: { [token.id]: { id: token.id, ticker: 'silver', confirmed: 5000 } },
    })
    const nfts = await own.ask('blockchain.atomicals.get_nft_balances_scripthash', scripthash)
    expect(nfts.balances[nft.id]).toMatchObject({
      id: nft.id,
      confirmed: 700,
      subtype: 'realm',
      realm: 'owned',
    })
    const waiting = await devnet.faucet(owner.address, 40_000n, false)
    const unspent = await own.ask('blockchain.scripthash.listunspent', scripthash)
    expect(unspent).toHaveLength(4)
    expect(unspent[0]).toEqual({
      ...listed.utxos[0],
      tx_hash: nft.revealTxid,
      tx_pos: 0,
    })
    expect(unspent.at(-1)).toMatchObject({ txid: waiting, value: 40_000, atomicals: {} })
    expect(unspent.at(-1).height).toBeLessThanOrEqual(0)
    await devnet.mine(1)
  })
})

describe('a transfer', () => {
  it('is foreseen before it is signed, and happens like that; a reorg takes it back', async () => {
    const nft = await atomicals.mint({ kind: 'nft', files: [{ name: 'a.txt', text: 'a' }] })
    const token = await atomicals.mintToken('bronze', 3000)
    const coins = [coinAt(nft.outpoint, 546), coinAt(token.outpoint, 3000)]
    const tx = await buildTransfer(coins, [546, 2000, 454])
    const unsigned = tx.clone()
    for (const [vin] of unsigned.ins.entries()) unsigned.setWitness(vin, [])
    const method = 'blockchain.atomicals.validate_tx_blueprint'
    const { result } = await atomicals.ask(method, unsigned.toHex())
    const landed = (blueprint: {
      outputs: Record<string, { atomicals: Record<string, unknown> }>
    }) => Object.entries(blueprint.outputs).map(([vout, { atomicals: held }]) => [vout, held])
    expect(result.tx_id).toBe(tx.getId())
    expect(result.atomicals_spent_at_inputs[0]).toEqual([
      {
        atomical_id: nft.id,
        location_id: nft.outpoint.replace(':', 'i'),
        data_value: { sat_value: 546, atomical_value: 546 },
      },
    ])
    expect(landed(result.nft_output_blueprint)).toMatchObject([
      ['0', { [nft.id]: { type: 'NFT' } }],
    ])
    expect(landed(result.ft_output_blueprint)).toMatchObject([
      ['0', { [token.id]: { type: 'FT', sat_value: 546, atomical_value: 546 } }],
      ['1', { [token.id]: { atomical_value: 2000 } }],
      ['2', { [token.id]: { atomical_value: 454 } }],
    ])
    expect(result.ft_output_blueprint).toMatchObject({
      fts_burned: {},
      cleanly_assigned: true,
      first_atomical_id: token.id,
    })
    const psbt = new Psbt()
    psbt.setVersion(tx.version)
    for (const { hash, index, sequence } of tx.ins) psbt.addInput({ hash, index, sequence })
    for (const { script, value } of tx.outs) psbt.addOutput({ script, value })
    expect(
      await atomicals.ask('blockchain.atomicals.validate_psbt_blueprint', psbt.toHex()),
    ).toEqual({ result })
    expect(await atomicals.ask('blockchain.atomicals.validate', tx.toHex())).toBe(tx.getId())
    expect(await atomicals.ask('blockchain.transaction.broadcast', tx.toHex())).toBe(tx.getId())
    const txid = tx.getId()
    expect(await atomicals.heldAt(`${txid}:0`)).toEqual({})
    await devnet.mine(1)
    const held = await Promise.all([0, 1, 2].map(vout => atomicals.heldAt(`${txid}:${vout}`)))
    expect(held).toEqual([
      { [nft.id]: 546, [token.id]: 546 },
      { [token.id]: 2000 },
      { [token.id]: 454 },
    ])
    const placesOf = async (id: string) => {
      const located = await atomicals.ask('blockchain.atomicals.get_location', id)
      const list = located.result.location_info as { location: string }[]
      return list.map(({ location }) => location.replace('i', ':'))
    }
    expect(await placesOf(nft.id)).toEqual([`${txid}:0`])
    await devnet.reorg(1)
    expect(await placesOf(nft.id)).toEqual([nft.outpoint])
    expect(await atomicals.heldAt(`${txid}:1`)).toEqual({})
    await devnet.mine(1)
    expect(await placesOf(nft.id)).toEqual([`${txid}:0`])
  })

  it('that burns units is refused, unless it is forced', async () => {
    const token = await atomicals.mintToken('copper', 40_000)
    const tx = wallet.spend(
      [coinAt(token.outpoint, 40_000)],
      [{ script: wallet.script, value: 38_000n }],
    )
    const { result } = await atomicals.ask('blockchain.atomicals.validate_tx_blueprint', tx.toHex())
    expect(result.ft_output_blueprint.fts_burned).toEqual({ [token.id]: 2000 })
    for (const method of ['blockchain.atomicals.validate', 'blockchain.transaction.broadcast']) {
      const reply = await atomicals.call(method, tx.toHex())
      expect(reply).toMatchObject({ status: 500, success: false, code: 1 })
      expect(reply.message).toContain('rejected by atomicals rules')
    }
    const force = 'blockchain.transaction.broadcast_force'
    expect(await atomicals.ask(force, tx.toHex())).toBe(tx.getId())
    await devnet.mine(1)
    expect(await atomicals.heldAt(`${tx.getId()}:0`)).toEqual({ [token.id]: 38_000 })
    const again = await atomicals.call(force, '00')
    expect(again.message).toContain('rejected by network rules')
  })
})

describe('the proxy', () => {
  it('answers GET and POST alike, and a greeting', async () => {
    const path = '/atomicals/proxy'
    const health = await client.getJson(`${path}/health`)
    expect(health).toEqual({ success: true, response: { success: true, health: true } })
    expect(await client.getJson(path)).toMatchObject({ success: true })
    const query = new URLSearchParams({ params: JSON.stringify([0]) })
    const got = await client.getJson<{ response: { result: unknown } }>(
      `${path}/blockchain.atomicals.get?${query}`,
    )
    const posted = await atomicals.ask('blockchain.atomicals.get', 0)
    expect(got.response.result).toEqual(posted.result)
    expect(devnet.atomicalsUrl).toBe(`${devnet.url}/atomicals/proxy`)
    const { global } = await atomicals.ask('blockchain.atomicals.get_global', 3)
    expect(Object.keys(global.atomicals_block_hashes)).toHaveLength(3)
  })

  it.each([
    ['blockchain.atomicals.get', [`${'0'.repeat(64)}i0`], 'not found'],
    ['blockchain.atomicals.get', [99_999], 'not found atomical'],
    ['blockchain.atomicals.get_ft_info', [0], 'not a fungible token'],
    ['blockchain.atomicals.listscripthash', ['xyz'], 'script hash'],
    ['blockchain.atomicals.at_location', ['xyz'], 'location'],
    ['blockchain.atomicals.validate_tx_blueprint', ['zz'], 'decoded'],
    ['blockchain.atomicals.nothing', [], 'unknown method'],
  ])('refuses %s of %o', async (method, params, message) => {
    const reply = await atomicals.call(method, ...params)
    expect(reply).toMatchObject({ status: 500, success: false, code: 1 })
    expect(reply.message).toContain(message)
  })

  it('can be made to lag, and to fail', async () => {
    const { outpoint } = await atomicals.mint({ kind: 'nft', fields: { a: 1 } })
    expect(Object.keys(await atomicals.coinsOf())).toContain(outpoint)
    const endpoint = '/atomicals/proxy/*'
    await client.post('/devnet/faults', { endpoint, staleBlocks: 2 })
    expect(Object.keys(await atomicals.coinsOf())).not.toContain(outpoint)
    const { global } = await atomicals.ask('blockchain.atomicals.get_global')
    expect(global.height).toBe((await height()) - 2)
    await client.post('/devnet/faults/clear', {})
    expect(Object.keys(await atomicals.coinsOf())).toContain(outpoint)
    await client.post('/devnet/faults', { endpoint, status: 503 })
    expect((await client.request('/atomicals/proxy/health')).status).toBe(503)
  })
})
