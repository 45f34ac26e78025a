import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { formatOutpoint } from '../../src/bitcoin/outpoint.ts'
import { createAtomicals } from '../../src/chain/atomicals/atomicals.ts'
import type { AtomicalsSource } from '../../src/chain/atomicals-source.ts'
import { openAssets } from '../../src/chain/open/open-assets.ts'
import { openChain } from '../../src/chain/open/open-chain.ts'
import { createTestAccess, problemOf } from '../../src/chain/testing/server-access.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { type Client, createClient } from '../../src/devnet/testing/devnet-client.ts'
import { createTestWallet, type TestWallet } from '../../src/devnet/testing/test-wallet.ts'

let devnet: Devnet
let client: Client

beforeAll(async () => {
  devnet = await startDevnet()
  client = createClient(devnet)
})
afterEach(() => client.post('/devnet/faults/clear', {}))
afterAll(() => devnet?.stop())

type Minted = { id: string; revealTxid: string; outpoint: string }

const CLEAN = { known: true, assets: [] }
const NOBODY = `${'00'.repeat(31)}01i0`

const open = (network: 'regtest' | 'mainnet' = 'regtest'): AtomicalsSource =>
  createAtomicals(network, devnet.atomicalsUrl, { access: createTestAccess().access })

async function mint(wallet: TestWallet, options: object): Promise<Minted> {
  const { status, body } = await client.post('/devnet/atomicals/mint', {
    address: wallet.address,
    ...options,
  })
  if (status !== 200) throw new Error(`mint: ${status} ${body}`)
  return JSON.parse(body)
}

/** The coins of a test wallet as the wallet's chain source lists them. */
async function listCoins(wallet: TestWallet) {
  const urls = { chain: devnet.esploraUrl, secondChain: '', fees: '', price: '' }
  const utxos = await openChain('regtest', urls, createTestAccess()).fetchUtxos(
    wallet.address,
    wallet.script,
  )
  return utxos.map(utxo => ({ ...utxo, outpoint: formatOutpoint(utxo) }))
}

describe('the wallet’s source of Atomicals on a real network', () => {
  it('follows the chain that it is told to, and no other', async () => {
    const height = await devnet.rpc<number>('getblockcount')
    expect(await open().fetchTip()).toEqual({ height })
    expect(await problemOf(open('mainnet').fetchTip())).toMatchObject({ kind: 'wrong-network' })
  })

  it('finds NFTs and tokens where they were minted, with their names, and the rest clean', async () => {
    const wallet = createTestWallet('atomicals')
    const clean = await client.fund(wallet, 20_000n)
    const realm = await mint(wallet, { kind: 'nft', realm: 'satchel', sats: 1000 })
    const token = await mint(wallet, { kind: 'ft', ticker: 'beans', sats: 5000 })
    const coins = await listCoins(wallet)
    const told = await open().fetchAtomicals(coins)
    expect(told.get(formatOutpoint(clean))).toEqual(CLEAN)
    expect(told.get(realm.outpoint)).toMatchObject({
      assets: [{ kind: 'atomical', id: realm.id, type: 'nft', name: 'satchel', amount: 1n }],
    })
    expect(told.get(token.outpoint)).toMatchObject({
      assets: [{ kind: 'atomical', id: token.id, type: 'ft', name: 'beans', amount: 5000n }],
    })
    const facts = await open().fetchFacts([realm.id, token.id, NOBODY])
    expect([...facts.values()]).toMatchObject([
      { id: realm.id, type: 'nft', subtype: 'realm', name: 'satchel' },
      { id: token.id, type: 'ft', subtype: 'direct', name: 'beans' },
    ])
    expect(facts.get(token.id)?.reveal.txid).toBe(token.revealTxid)
    const { access, clock } = createTestAccess()
    const urls = { assets: devnet.ordUrl, secondAssets: '', atomicals: devnet.atomicalsUrl }
    const joined = openAssets('regtest', urls, { access, now: () => clock.now })
    expect(await joined.fetchAssets(coins)).toEqual(told)
  })

  it('foresees where a transaction brings them, and still lists what only the mempool spends', async () => {
    const wallet = createTestWallet('foreseen atomicals')
    const token = await mint(wallet, { kind: 'ft', ticker: 'foreseen', sats: 5000 })
    const [coin] = (await listCoins(wallet)).filter(one => one.outpoint === token.outpoint)
    if (!coin) throw new Error('no coin')
    const fee = await client.fund(wallet, 20_000n)
    const tx = wallet.spend(
      [{ ...coin, value: coin.amount }, fee],
      [
        { script: wallet.script, value: 3000n },
        { script: wallet.script, value: 1500n },
        { script: wallet.script, value: 10_000n },
      ],
    )
    const rawTx = Uint8Array.from(tx.toBuffer())
    expect(await open().foresee(rawTx)).toEqual({
      outputs: [3000n, 1500n, 500n].map((amount, output) => ({
        output,
        id: token.id,
        type: 'ft',
        amount,
      })),
      burned: [],
    })
    const before = await open().fetchAtomicals([coin])
    expect(await client.broadcast(tx.toHex())).toBe(tx.getId())
    expect(await open().fetchAtomicals([coin])).toEqual(before)
    await devnet.mine(1)
    expect([...(await open().fetchAtomicals([coin])).values()]).toEqual([
      { known: false, why: 'unanswered' },
    ])
    const landed = await open().fetchAtomicals(await listCoins(wallet))
    expect(landed.get(`${tx.getId()}:2`)).toMatchObject({ assets: [{ amount: 500n }] })
  })

  it('does not believe an index of an older block about a coin of a newer one', async () => {
    const wallet = createTestWallet('young coins')
    const { txid, vout } = await client.fund(wallet, 20_000n)
    await client.post('/devnet/faults', { endpoint: '/atomicals/*', staleBlocks: 1 })
    const told = await open().fetchAtomicals(await listCoins(wallet))
    expect(told.get(`${txid}:${vout}`)).toEqual({ known: false, why: 'behind' })
  })
})
