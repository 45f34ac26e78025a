import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AddressType } from '../../src/bitcoin/address.ts'
import { toHex } from '../../src/bitcoin/bytes.ts'
import { formatOutpoint } from '../../src/bitcoin/outpoint.ts'
import {
  buildCancellation,
  buildReplacement,
  leastCancellationFeeRate,
} from '../../src/bitcoin/payments/fee-bump.ts'
import { type Payment, signPayment } from '../../src/bitcoin/payments/payment.ts'
import { publicKeyOf } from '../../src/bitcoin/secp256k1.ts'
import { ADDRESS_TYPES, spendOf } from '../../src/bitcoin/testing/spending.ts'
import type { Utxo } from '../../src/bitcoin/utxo.ts'
import { openAssets } from '../../src/chain/open/open-assets.ts'
import { openChain } from '../../src/chain/open/open-chain.ts'
import { createTestAccess } from '../../src/chain/testing/server-access.ts'
import { formatAddress } from '../../src/devnet/chain/script.ts'
import type { EtchAnswer, InscribeAnswer } from '../../src/devnet/ord/inscribe-routes.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { type Client, createClient } from '../../src/devnet/testing/devnet-client.ts'
import { createTestWallet } from '../../src/devnet/testing/test-wallet.ts'
import type { Asset } from '../../src/ordinals/asset.ts'
import { allTo } from '../../src/ordinals/testing/test-assets.ts'
import type { AssetCoin } from '../../src/ordinals/transfers/coin-cut.ts'
import { buildSplit } from '../../src/ordinals/transfers/split-output.ts'
import { buildTransfer } from '../../src/ordinals/transfers/transfer.ts'

let devnet: Devnet
let client: Client

beforeAll(async () => {
  devnet = await startDevnet()
  client = createClient(devnet)
})
afterAll(() => devnet?.stop())

async function admin<T>(path: string, body: object): Promise<T> {
  const reply = await client.post(`/devnet/${path}`, body)
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.body}`)
  return JSON.parse(reply.body)
}

function openServers() {
  const { access, clock } = createTestAccess()
  const urls = { assets: devnet.ordUrl, secondAssets: '' }
  const chainUrls = { chain: devnet.esploraUrl, secondChain: '', fees: '', price: '' }
  return {
    chain: openChain('regtest', chainUrls, createTestAccess()),
    // Each question has a clock of its own: no height is remembered.
    assets: openAssets('regtest', urls, { access, now: () => (clock.now += 60_000) }),
  }
}

/** An account whose coins and what sits on them are known from devnet's servers, with 200,000 clean sats in two coins. */
async function createAccount(addressType: AddressType, name: string) {
  const { privateKey } = createTestWallet(name)
  const own = { publicKey: publicKeyOf(privateKey), addressType }
  const { script } = spendOf(addressType, own.publicKey)
  const address = formatAddress(script)
  if (!address) throw new Error('no address')
  const { chain, assets } = openServers()
  const payer = createTestWallet(`payer of ${name}`)
  const funding = payer.spend(
    [await client.fund(payer, 220_000n)],
    [120_000n, 80_000n].map(value => ({ script, value })),
  )
  await client.broadcast(funding.toHex())
  await devnet.mine(1)

  async function listCoins(): Promise<(AssetCoin & { outpoint: string })[]> {
    const utxos = await chain.fetchUtxos(address ?? '', script)
    const coins = utxos.map(utxo => ({ ...utxo, outpoint: formatOutpoint(utxo) }))
    const told = await assets.fetchAssets(coins)
    return Promise.all(
      coins.map(async coin => {
        const content = told.get(coin.outpoint)
        if (!content?.known) throw new Error(`${coin.outpoint}: ${JSON.stringify(content)}`)
        return { ...coin, assets: await Promise.all(content.assets.map(place)) }
      }),
    )
  }

  async function place(asset: Asset): Promise<Asset> {
    if (asset.kind !== 'inscription') return asset
    const facts = await assets.fetchInscriptions([asset.id])
    return { ...asset, offset: facts.get(asset.id)?.satpoint.offset ?? null }
  }

  return {
    own,
    script,
    address,
    listCoins,
    /** The coins that hold these, in their order, and the clean ones. */
    async gather(ids: readonly string[]) {
      const all = await listCoins()
      const holds = ({ assets }: AssetCoin, id: string) =>
        assets.some(asset => asset.kind === 'inscription' && asset.id === id)
      const coins = ids.flatMap(id => all.find(coin => holds(coin, id)) ?? [])
      return { coins: [...new Set(coins)], utxos: all.filter(coin => coin.assets.length === 0) }
    },
    inscribe: (options: object) => admin<InscribeAnswer>('inscribe', { address, ...options }),
    /** Signs; the node and devnet's own judge take it, of the size and fee that were reckoned. */
    async send(payment: Payment): Promise<string> {
      const txids = [...new Set(payment.inputs.map(({ txid }) => txid))]
      const previous = new Map(
        await Promise.all(txids.map(async id => [id, await chain.fetchTransaction(id)] as const)),
      )
      const { rawTx, txid } = signPayment(
        payment,
        [{ privateKey: privateKey, addressType: payment.addressType }],
        previous,
      )
      const hex = toHex(rawTx)
      const [judged] = await devnet.rpc<
        { allowed: boolean; vsize: number; fees: { base: number }; 'reject-reason'?: string }[]
      >('testmempoolaccept', [[hex]])
      expect(judged?.['reject-reason']).toBeUndefined()
      expect(judged?.vsize).toBe(payment.vsize)
      expect(Math.round((judged?.fees.base ?? 0) * 1e8)).toBe(Number(payment.fee))
      expect(await client.broadcast(hex)).toBe(txid)
      return txid
    },
  }
}

const RECEIVER = createTestWallet('receiver of inscriptions')
const toReceiver = (keys: Iterable<string>) => allTo(RECEIVER.script, keys)

/** Where the index says that inscriptions are, and on whose address. */
async function whereAre(ids: readonly string[]) {
  const facts = await openServers().assets.fetchInscriptions(ids)
  return ids.map(id => {
    const { satpoint, address, value } = facts.get(id) ?? {}
    return { outpoint: satpoint?.outpoint, offset: satpoint?.offset, address, value }
  })
}

const terms = { feeRate: 3, seed: 'devnet' }

describe.each(ADDRESS_TYPES)('a %s account on a real network', type => {
  it('moves a batch: at the first sat, at one in the middle, and two of one coin', async () => {
    const account = await createAccount(type, `batch of ${type}`)
    const first = await account.inscribe({ body: 'first' })
    const middle = await account.inscribe({ body: 'middle', offset: 600, postage: 1_000 })
    const items = [{ body: 'one' }, { body: 'two', offset: 300 }]
    const both = await account.inscribe({ items, together: true, postage: 700 })
    await devnet.mine(1)
    const ids = [...middle.ids, ...both.ids, ...first.ids]
    const { coins, utxos } = await account.gather(ids)
    expect(coins).toHaveLength(3)
    const { own } = account
    const order = { coins, asked: toReceiver(ids), utxos, own, ...terms }
    const txid = await account.send(buildTransfer(order))
    await devnet.mine(1)
    const at = (vout: number, offset: bigint, value: bigint) => ({
      ...{ outpoint: `${txid}:${vout}`, offset, address: RECEIVER.address, value },
    })
    expect(await whereAre(ids)).toEqual([
      at(0, 600n, 1_000n),
      at(1, 0n, 700n),
      at(1, 300n, 700n),
      at(2, 0n, 546n),
    ])
    expect((await account.listCoins()).flatMap(({ assets }) => assets)).toEqual([])
  })

  it('cuts one out of 1 BTC, keeps its companion, and keeps both so when it is sped up or taken back', async () => {
    const account = await createAccount(type, `cut of ${type}`)
    const items = [
      { body: 'stays', offset: 40 },
      { body: 'goes', offset: 60_000_000 },
    ]
    const { ids } = await account.inscribe({ items, together: true, postage: 100_000_000 })
    await devnet.mine(1)
    const { coins, utxos } = await account.gather(ids)
    const { own, script, address } = account
    const asked = new Set(ids.slice(1))
    const sent = buildTransfer({ coins, asked: toReceiver(asked), utxos, own, ...terms })
    await account.send(sent)
    const bump = (payment: Payment) => ({
      ...{ sent: payment, own, seed: 'bump', feeRate: leastCancellationFeeRate(payment, own) },
      utxos: utxos.filter(utxo => !payment.inputs.includes(utxo)) satisfies Utxo[],
    })
    const faster = buildReplacement(bump(sent))
    const txid = await account.send(faster)
    const goes = faster.outputs.findIndex(one => toHex(one.scriptPubKey) === toHex(RECEIVER.script))
    await devnet.mine(1)
    expect(await whereAre(ids)).toMatchObject([
      { address },
      { outpoint: `${txid}:${goes}`, offset: 0n, address: RECEIVER.address, value: 546n },
    ])

    // The block is undone; the payment waits again, and is taken back.
    await devnet.reorg(1, 0)
    const back = buildCancellation(bump(faster))
    expect(back.outputs.every(one => toHex(one.scriptPubKey) === toHex(script))).toBe(true)
    await account.send(back)
    await devnet.mine(2)
    expect(await whereAre(ids)).toMatchObject([{ address }, { address, value: 546n, offset: 0n }])
  })

  it('splits a small coin, and then moves one of the two', async () => {
    const account = await createAccount(type, `split of ${type}`)
    const items = [{ body: 'left' }, { body: 'right', offset: 545 }]
    const { ids } = await account.inscribe({ items, together: true })
    await devnet.mine(1)
    const whole = await account.gather(ids)
    const [coin] = whole.coins
    if (!coin) throw new Error('no coin')
    const { own, address } = account
    await account.send(buildSplit({ coin, postage: 546n, utxos: whole.utxos, own, ...terms }))
    await devnet.mine(1)
    const [left, right] = await whereAre(ids)
    expect([left?.address, right?.address]).toEqual([address, address])
    expect(left?.outpoint).not.toBe(right?.outpoint)

    const asked = new Set(ids.slice(1))
    const { coins, utxos } = await account.gather([...asked])
    await account.send(buildTransfer({ coins, asked: toReceiver(asked), utxos, own, ...terms }))
    await devnet.mine(1)
    expect(await whereAre(ids)).toMatchObject([{ address }, { address: RECEIVER.address }])
  })
})

describe('what else may be on a coin', () => {
  it('runes go along with an inscription of a small coin', async () => {
    const account = await createAccount('p2tr', 'runic and inscribed')
    const { ids } = await admin<InscribeAnswer>('inscribe', { body: 'with runes' })
    await devnet.mine(1)
    const etching = { name: 'DEVNET•TRANSFERS•RUNE', amount: 1_000, onto: ids[0] }
    const { address, own } = account
    const { name } = await admin<EtchAnswer>('etch', { address, ...etching })
    const { coins, utxos } = await account.gather(ids)
    expect(coins[0]?.assets).toHaveLength(2)
    const asked = new Set(ids)
    const txid = await account.send(
      buildTransfer({ coins, asked: toReceiver(asked), utxos, own, ...terms }),
    )
    await devnet.mine(1)
    const { chain, assets } = openServers()
    const received = await chain.fetchUtxos(RECEIVER.address, RECEIVER.script)
    const outpoint = `${txid}:0`
    const coin = received.find(utxo => formatOutpoint(utxo) === outpoint)
    if (!coin) throw new Error('nothing received')
    const told = await assets.fetchAssets([{ ...coin, outpoint }])
    expect(told.get(outpoint)).toMatchObject({ assets: [{ id: ids[0] }, { name, amount: 1_000n }] })
    expect(await whereAre(ids)).toMatchObject([{ outpoint: `${txid}:0` }])
  })

  it('cursed and twice inscribed ones move like all others', async () => {
    const account = await createAccount('p2tr', 'cursed ones')
    const cursed = await account.inscribe({ body: 'cursed', flaw: 'pushnum' })
    const first = await admin<InscribeAnswer>('inscribe', { body: 'first on the sat' })
    await devnet.mine(1)
    const again = await account.inscribe({ body: 'again', onto: first.ids[0] })
    await devnet.mine(1)
    const ids = [...cursed.ids, ...first.ids, ...again.ids]
    const { coins, utxos } = await account.gather(ids)
    expect(coins).toHaveLength(2)
    const { own } = account
    const asked = new Set(ids)
    const txid = await account.send(
      buildTransfer({ coins, asked: toReceiver(asked), utxos, own, ...terms }),
    )
    await devnet.mine(1)
    expect((await whereAre(ids)).map(({ outpoint }) => outpoint)).toEqual([
      `${txid}:0`,
      `${txid}:1`,
      `${txid}:1`,
    ])
  })
})
