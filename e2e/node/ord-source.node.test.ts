import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { formatOutpoint } from '../../src/bitcoin/outpoint.ts'
import type { AssetSource } from '../../src/chain/asset-source.ts'
import { openAssets } from '../../src/chain/open/open-assets.ts'
import { openChain } from '../../src/chain/open/open-chain.ts'
import { createTestAccess, problemOf } from '../../src/chain/testing/server-access.ts'
import type { EtchAnswer, InscribeAnswer } from '../../src/devnet/ord/inscribe-routes.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { type Client, createClient } from '../../src/devnet/testing/devnet-client.ts'
import { createTestWallet, type TestWallet } from '../../src/devnet/testing/test-wallet.ts'
import type { CoinAssets, UnknownReason } from '../../src/ordinals/asset.ts'

let devnet: Devnet
let client: Client

beforeAll(async () => {
  devnet = await startDevnet()
  client = createClient(devnet)
})
afterEach(() => client.post('/devnet/faults/clear', {}))
afterAll(() => devnet?.stop())

const CLEAN: CoinAssets = { known: true, assets: [] }
const NOBODY = `${'00'.repeat(31)}01i0`
const unknown = (why: UnknownReason): CoinAssets => ({ known: false, why })

function open({ network = 'regtest' as 'regtest' | 'signet', isPaired = false } = {}): AssetSource {
  const { access, clock } = createTestAccess()
  const urls = { assets: devnet.ordUrl, secondAssets: isPaired ? devnet.ordUrl : '' }
  // Each question has a clock of its own: no height is remembered.
  return openAssets(network, urls, { access, now: () => (clock.now += 60_000) })
}

/** The coins of a test wallet as the wallet's chain source lists them. */
async function listCoins(wallet: TestWallet) {
  const urls = { chain: devnet.esploraUrl, secondChain: '', fees: '', price: '' }
  const chain = openChain('regtest', urls, createTestAccess())
  const utxos = await chain.fetchUtxos(wallet.address, wallet.script)
  return utxos.map(utxo => ({ ...utxo, outpoint: formatOutpoint(utxo) }))
}

/** What is said of one outpoint of a wallet. */
async function classify(wallet: TestWallet, outpoint: string, source = open()) {
  const told = await source.fetchAssets(await listCoins(wallet))
  return told.get(outpoint)
}

async function admin<T>(path: string, body: object): Promise<T> {
  const reply = await client.post(`/devnet/${path}`, body)
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.body}`)
  return JSON.parse(reply.body)
}

const inscribe = (wallet: TestWallet, options: object = {}) =>
  admin<InscribeAnswer>('inscribe', { address: wallet.address, ...options })

const fault = (endpoint: string, options: object) =>
  client.post('/devnet/faults', { endpoint, ...options })

describe('the wallet’s asset source on a real network', () => {
  it('follows the chain that it is told to, and no other', async () => {
    const height = await devnet.rpc<number>('getblockcount')
    expect(await open().fetchTip()).toEqual({ height })
    expect(await problemOf(open({ network: 'signet' }).fetchTip())).toMatchObject({
      kind: 'wrong-network',
    })
  })

  it('finds a coin clean that nothing was put on, once the index has its block', async () => {
    const wallet = createTestWallet('clean coins')
    const { txid, vout } = await client.fund(wallet, 20_000n, false)
    const outpoint = `${txid}:${vout}`
    expect(await classify(wallet, outpoint)).toEqual(unknown('unconfirmed'))
    await devnet.mine(1)
    await fault('/ord/*', { staleBlocks: 1 })
    expect(await classify(wallet, outpoint)).toEqual(unknown('behind'))
    await client.post('/devnet/faults/clear', {})
    expect(await classify(wallet, outpoint)).toEqual(CLEAN)
  })

  it('is not fooled by a coin of the mempool, of which ord says that nothing is there', async () => {
    const wallet = createTestWallet('coins of the mempool')
    await inscribe(wallet, { body: 'not in a block yet' })
    const [coin] = await listCoins(wallet)
    if (!coin) throw new Error('no coin')
    const told = await open().fetchAssets([{ ...coin, height: 1 }])
    expect([...told.values()]).toEqual([unknown('not-indexed')])
  })

  it('tells what is inscribed, where, and serves it', async () => {
    const wallet = createTestWallet('inscribed coins')
    const items = [{ body: 'first' }, { body: 'second', offset: 300 }]
    const { ids, outpoints } = await inscribe(wallet, { items, together: true })
    await devnet.mine(1)
    const [id = '', other = ''] = ids
    const assets = ids.map(id => ({ kind: 'inscription', id, offset: null }))
    expect(await classify(wallet, outpoints[0] ?? '')).toEqual({ known: true, assets })
    const facts = await open().fetchInscriptions([id, other, NOBODY])
    expect([...facts.keys()]).toEqual(ids)
    expect(facts.get(other)).toMatchObject({
      address: wallet.address,
      value: 546n,
      contentType: 'text/plain;charset=utf-8',
      contentLength: 6,
      satpoint: { outpoint: outpoints[0], offset: 300n },
      height: await devnet.rpc<number>('getblockcount'),
    })
    const content = await open().fetchContent(other, 6)
    expect(content?.contentType).toBe('text/plain;charset=utf-8')
    expect(new TextDecoder().decode(content?.bytes)).toBe('second')
    expect(await open().fetchContent(other, 5)).toBeNull()
    expect(await open().fetchContent(NOBODY, 100)).toBeNull()
  })

  it('counts runes exactly, also those that no number holds', async () => {
    const wallet = createTestWallet('runic coins')
    const amount = 2n ** 128n - 1n
    const request = { address: wallet.address, divisibility: 38, symbol: '🧿' }
    const { name, rune, outpoint } = await admin<EtchAnswer>('etch', {
      ...request,
      name: 'THE•LARGEST•AMOUNT',
      amount: String(amount),
    })
    expect(await classify(wallet, outpoint)).toEqual({
      known: true,
      assets: [{ kind: 'rune', name, rune: null, amount, divisibility: 38, symbol: '🧿' }],
    })
    expect(await open().fetchRune(name)).toMatchObject({
      id: rune,
      name,
      divisibility: 38,
      symbol: '🧿',
      premine: amount,
      mints: 0n,
      burned: 0n,
      terms: null,
      isMintable: false,
    })
    expect(await open().fetchRune('THE•LARGEST•AMOUNS')).toBeNull()
  })

  it('does not call clean what is spent, worth something else, or nowhere', async () => {
    const wallet = createTestWallet('spent coins')
    const coin = await client.fund(wallet, 30_000n)
    const [listed] = await listCoins(wallet)
    if (!listed) throw new Error('no coin')
    const tx = wallet.spend([coin], [{ script: wallet.script, value: 29_000n }])
    await client.broadcast(tx.toHex())
    await devnet.mine(1)
    const worth = (await listCoins(wallet)).map(one => ({ ...one, amount: one.amount + 1n }))
    const nowhere = { ...listed, outpoint: `${'ab'.repeat(32)}:0` }
    const told = await open().fetchAssets([listed, ...worth, nowhere])
    expect([...told.values()]).toEqual([
      unknown('unanswered'),
      unknown('contradicted'),
      unknown('not-indexed'),
    ])
  })

  it('follows an inscription that moves, and one whose move is undone', async () => {
    const wallet = createTestWallet('moving inscriptions')
    const { ids, outpoints } = await inscribe(wallet, { postage: 10_000 })
    await devnet.mine(1)
    const [txid = '', vout] = (outpoints[0] ?? '').split(':')
    const tx = wallet.spend(
      [{ txid, vout: Number(vout), value: 10_000n }],
      [
        { script: wallet.script, value: 600n },
        { script: wallet.script, value: 9_000n },
      ],
    )
    await client.broadcast(tx.toHex())
    await devnet.mine(1)
    const assets = [{ kind: 'inscription', id: ids[0], offset: null }]
    expect(await classify(wallet, `${tx.getId()}:0`)).toEqual({ known: true, assets })
    expect(await classify(wallet, `${tx.getId()}:1`)).toEqual(CLEAN)
    await devnet.reorg(1, 2)
    const facts = await open().fetchInscriptions(ids)
    expect(facts.get(ids[0] ?? '')?.satpoint.outpoint).toBe(outpoints[0])
  })

  it('asks one by one where lists are refused, and two as it asks one', async () => {
    const wallet = createTestWallet('one by one')
    const { ids, outpoints } = await inscribe(wallet)
    await client.fund(wallet, 20_000n)
    const coins = await listCoins(wallet)
    const expected = await open().fetchAssets(coins)
    expect([...expected.values()]).toContainEqual(CLEAN)
    expect(expected.get(outpoints[0] ?? '')).toMatchObject({ assets: [{ id: ids[0] }] })
    expect(await open({ isPaired: true }).fetchAssets(coins)).toEqual(expected)
    await fault('POST /ord/*', { status: 405 })
    expect(await open().fetchAssets(coins)).toEqual(expected)
    expect([...(await open().fetchInscriptions([...ids, NOBODY])).keys()]).toEqual(ids)
  })

  it.each<[string, object]>([
    ['rate-limited', { status: 429, body: 'slow down' }],
    ['unreachable', { drop: true }],
    ['nonsense', { truncate: true }],
    ['nonsense', { body: '<html>' }],
  ])('says that it is %s when its answers are %j', async (kind, options) => {
    const wallet = createTestWallet('coins of an index in trouble')
    await client.fund(wallet, 20_000n)
    const coins = await listCoins(wallet)
    await fault('/ord/*', options)
    expect(await problemOf(open().fetchAssets(coins))).toMatchObject({ kind })
  })
})
