import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AddressType } from '../../src/bitcoin/address.ts'
import { equalBytes, toHex } from '../../src/bitcoin/bytes.ts'
import { feeForVsize } from '../../src/bitcoin/fee-rate.ts'
import { signPayment } from '../../src/bitcoin/payments/payment.ts'
import { ADDRESS_TYPES } from '../../src/bitcoin/testing/spending.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { type Client, createClient } from '../../src/devnet/testing/devnet-client.ts'
import { createFundedAccount } from '../../src/devnet/testing/funded-account.ts'
import { createOrdClient, type OrdClient } from '../../src/devnet/testing/ord-client.ts'
import { createTestWallet } from '../../src/devnet/testing/test-wallet.ts'
import type { EnvelopeContent } from '../../src/ordinals/inscriptions/envelope-script.ts'
import {
  bumpReveals,
  leastBumpFeeRate,
  signFeeBumpedReveals,
} from '../../src/ordinals/inscriptions/fee-bumped-reveals.ts'
import {
  buildInscribing,
  type Inscribing,
  leastRebuildFeeRate,
  type ParentCoin,
  rebuildInscribing,
} from '../../src/ordinals/inscriptions/inscribing.ts'
import {
  type SignedInscribing,
  signInscribing,
} from '../../src/ordinals/inscriptions/inscribing-signature.ts'
import {
  buildRefund,
  leastRefundFeeRate,
  signRefund,
} from '../../src/ordinals/inscriptions/refund.ts'
import { noise } from '../../src/ordinals/testing/noise.ts'
import { buildTransfer } from '../../src/ordinals/transfers/transfer.ts'

let devnet: Devnet
let client: Client
let ord: OrdClient

beforeAll(async () => {
  devnet = await startDevnet()
  client = createClient(devnet)
  ord = createOrdClient(devnet, client, createTestWallet('inscribing').address)
})
afterAll(() => devnet?.stop())

let made = 0

/** An account that inscribes at 546 sats of postage. */
async function createInscriber(addressType: AddressType, amounts: readonly bigint[]) {
  const name = `inscriber ${made++}`
  const account = await createFundedAccount({ devnet, client }, addressType, name, amounts)
  const { privateKey, own, previous } = account
  const keys = [{ privateKey, addressType }]
  return {
    ...account,
    keys,
    async build(items: readonly EnvelopeContent[], feeRate: number, parent?: ParentCoin) {
      const utxos = (await account.listCoins()).filter(isClean)
      const rest = { utxos, own, feeRate, seed: name, postage: 546n }
      return buildInscribing({ ...rest, items, parent: parent ?? null })
    },
    sign: (inscribing: Inscribing) => signInscribing(inscribing, { own, keys }, previous),
  }
}

/** Nothing is inscribed on other amounts here. */
const isClean = ({ amount }: { amount: bigint }) => amount !== 546n

type Account = Awaited<ReturnType<typeof createInscriber>>

/** Has devnet take each, which asks the node behind it as well. */
async function send(...signed: readonly { rawTx: Uint8Array; txid: string }[]): Promise<void> {
  for (const { rawTx, txid } of signed) expect(await client.broadcast(toHex(rawTx))).toBe(txid)
}

async function inscribe(account: Account, items: readonly EnvelopeContent[], parent?: ParentCoin) {
  const inscribing = await account.build(items, 1.5, parent)
  const signed = account.sign(inscribing)
  await send(signed.commit, ...signed.reveals)
  await devnet.mine(1)
  return { inscribing, signed }
}

const mempool = () => client.getJson<string[]>('/api/mempool/txids')
const idOf = ({ txid }: { txid: string }) => `${txid}i0`
const texts = (...bodies: string[]): EnvelopeContent[] =>
  bodies.map(body => ({ contentType: 'text/plain', body: new TextEncoder().encode(body) }))

/** Indexed, without a curse, on the first sat of its own output, with this very content. */
async function expectInscribed(
  reveals: readonly { txid: string }[],
  items: readonly EnvelopeContent[],
  address: string,
): Promise<void> {
  for (const [k, { body = new Uint8Array() }] of items.entries()) {
    const txid = reveals[k]?.txid
    const found = await ord.get(`/inscription/${txid}i0`)
    expect(found).toMatchObject({ charms: [], address, value: 546, satpoint: `${txid}:0:0` })
    expect(found.number).toBeGreaterThanOrEqual(0)
    const response = await fetch(`${devnet.ordUrl}/content/${txid}i0`)
    expect(equalBytes(new Uint8Array(await response.arrayBuffer()), body)).toBe(true)
  }
}

/** What the transactions really pay, by the server's word. */
async function expectExactFees({ commit, reveals }: SignedInscribing, feeRate: number) {
  for (const { txid } of [commit, ...reveals]) {
    const { fee, weight } = await client.getJson<{ fee: number; weight: number }>(`/api/tx/${txid}`)
    expect(BigInt(fee)).toBe(feeForVsize(Math.ceil(weight / 4), feeRate))
  }
}

describe.each(ADDRESS_TYPES)('inscribing of a %s account', addressType => {
  it('is indexed as not cursed and with identical content, whatever its size', async () => {
    const account = await createInscriber(addressType, [300_000n])
    const items = [0, 1, 75, 76, 255, 256, 519, 520, 521, 1040, 1041].map(size => ({
      contentType: 'application/octet-stream',
      body: noise(size, size),
    }))
    const { signed } = await inscribe(account, items)
    await expectExactFees(signed, 1.5)
    await expectInscribed(signed.reveals, items, account.address)
  })

  it('puts children below a parent of its own, whose coin comes back whole each time', async () => {
    const account = await createInscriber(addressType, [200_000n, 200_000n])
    const { signed } = await inscribe(account, texts('parent'))
    const [reveal] = signed.reveals
    if (!reveal) expect.fail('no reveal')
    const isParent = ({ txid }: { txid: string }) => txid === reveal.txid
    const coin = (await account.listCoins()).find(isParent)
    if (!coin) expect.fail('no coin of the parent')
    const parent = { id: idOf(reveal), coin }
    const items = texts('first', 'second', 'third')
    const children = (await inscribe(account, items, parent)).signed
    await expectInscribed(children.reveals, items, account.address)
    for (const child of children.reveals)
      expect(await ord.get(`/inscription/${idOf(child)}`)).toMatchObject({ parents: [parent.id] })
    expect(await ord.get(`/inscription/${parent.id}`)).toMatchObject({
      satpoint: `${children.reveals[2]?.txid}:1:0`,
      value: 546,
      children: children.reveals.map(idOf),
    })
  })

  it('can be built anew, fee-bumped and taken back', async () => {
    const account = await createInscriber(addressType, [90_000n, 80_000n, 70_000n, 60_000n])
    const items = texts('a', 'b', 'c')
    const before = await account.build(items, 1)
    const old = account.sign(before)
    await send(old.commit, ...old.reveals.slice(0, 2))
    const evictedFee = [before.commit, ...before.reveals.slice(0, 2)].reduce(
      (sum, { fee }) => sum + fee,
      0n,
    )
    const { own, privateKey } = account
    const utxos = (await account.listCoins()).filter(({ txid }) => txid !== old.commit.txid)
    const anew = { before, evictedFee, utxos, own, seed: '' }
    const inscribing = rebuildInscribing({ ...anew, feeRate: leastRebuildFeeRate(before) })
    const { commit, reveals } = account.sign(inscribing)
    await send(commit)
    expect(await mempool()).toEqual([commit.txid])
    await devnet.mine(1)

    const [first, second] = reveals
    if (!first || !second) expect.fail('no reveals')
    await send(first, second)
    const replaced = inscribing.reveals.map((sent, k) => (k < 2 ? sent : null))
    const waiting = [0, 1, 2]
    const clean = (await account.listCoins()).filter(isClean)
    const bumped = bumpReveals({
      inscribing,
      commitTxid: commit.txid,
      waiting,
      replaced,
      parentCoin: null,
      utxos: clean,
      own,
      feeRate: leastBumpFeeRate(inscribing, replaced),
    })
    const higher = signFeeBumpedReveals(bumped, account)
    await send(...higher.slice(0, 2))
    expect(new Set(await mempool())).toEqual(new Set(higher.slice(0, 2).map(({ txid }) => txid)))
    await devnet.mine(1)
    await expectInscribed(higher, items.slice(0, 2), account.address)

    const refund = buildRefund({
      inscribing,
      commitTxid: commit.txid,
      left: [2],
      replaced: [],
      own,
      feeRate: 1,
    })
    const back = signRefund(refund, privateKey)
    await send(back)
    await devnet.mine(1)
    const found = (await account.listCoins()).find(({ txid }) => txid === back.txid)
    expect(found?.amount).toBe((inscribing.reveals[2]?.amount ?? 0n) - refund.fee)
    expect(await client.broadcast(toHex(higher[2]?.rawTx ?? new Uint8Array()))).toContain(
      'bad-txns-inputs-missingorspent',
    )
  })
})

describe.each(['p2wpkh', 'p2sh-p2wpkh'] as const)('an account that pays from %s', type => {
  it('inscribes onto its taproot address, with a parent that lies there, and sends the child on', async () => {
    const pay = await createFundedAccount({ devnet, client }, type, `pays ${type}`, [300_000n])
    const held = await createFundedAccount({ devnet, client }, 'p2tr', `holds ${type}`, [90_000n])
    const own = { ...pay.own, assetScript: held.script }
    const keys = [pay, held].map(one => ({ ...one.own, privateKey: one.privateKey }))
    const run = async (items: EnvelopeContent[], parent: ParentCoin | null) => {
      const utxos = [...(await pay.listCoins()), ...(await held.listCoins()).filter(isClean)]
      const terms = { own, utxos, parent, feeRate: 1.5, seed: '', postage: 546n, required: utxos }
      const previous = new Map([...pay.previous, ...held.previous])
      const signed = signInscribing(buildInscribing({ ...terms, items }), { own, keys }, previous)
      await send(signed.commit, ...signed.reveals)
      await devnet.mine(1)
      await expectExactFees({ ...signed, reveals: parent ? [] : signed.reveals }, 1.5)
      await expectInscribed(signed.reveals, items, held.address)
      return signed.reveals
    }
    const [first] = await run(texts('parent'), null)
    const coin = (await held.listCoins()).find(({ amount }) => amount === 546n)
    if (!first || !coin) expect.fail('no parent')
    const [child] = await run(texts('child'), { id: idOf(first), coin })
    const isChild = (one: { txid: string; vout: number }) => one.txid === child?.txid && !one.vout
    const childCoin = (await held.listCoins()).find(isChild)
    if (!child || !childCoin) expect.fail('no child')
    const receiver = createTestWallet(`receives of ${type}`)
    const asset = { kind: 'inscription' as const, id: idOf(child), offset: 0n }
    const payment = buildTransfer({
      coins: [{ ...childCoin, assets: [asset] }],
      asked: new Map([[asset.id, receiver.script]]),
      ...{ utxos: await pay.listCoins(), own, feeRate: 2, seed: '' },
    })
    await send(signPayment(payment, keys, new Map([...pay.previous, ...held.previous])))
    await devnet.mine(1)
    expect(await ord.get(`/inscription/${asset.id}`)).toMatchObject({ address: receiver.address })
  })
})

describe('inscribing', () => {
  it('takes content of 390,000 bytes', async () => {
    const account = await createInscriber('p2tr', [300_000n])
    const items = [{ contentType: 'image/png', body: noise(390_000, 1) }]
    const { signed } = await inscribe(account, items)
    await expectInscribed(signed.reveals, items, account.address)
  })

  it('takes every byte as the only one of the last push, 24 to a commit that is in no block', async () => {
    const account = await createInscriber('p2tr', [500_000n])
    for (let from = 0; from < 256; from += 24) {
      const bytes = Array.from({ length: Math.min(24, 256 - from) }, (_, i) => from + i)
      const items = bytes.map(last => ({
        contentType: 'text/plain',
        body: noise(521, last).fill(last, -1),
      }))
      const { signed } = await inscribe(account, items)
      await expectInscribed(signed.reveals, items, account.address)
    }
  }, 400_000)

  it('of 24 children, each of which takes the parent from the one before, hangs on one commit', async () => {
    const account = await createInscriber('p2tr', [300_000n, 300_000n])
    const { signed } = await inscribe(account, texts('parent'))
    const [coin] = (await account.listCoins()).filter(({ amount }) => amount === 546n)
    const [reveal] = signed.reveals
    if (!coin || !reveal) expect.fail('no parent')
    const items = Array.from({ length: 24 }, (_, i) => ({ body: noise(i, i) }))
    const parent = { id: idOf(reveal), coin }
    const children = (await inscribe(account, items, parent)).signed
    await expectInscribed(children.reveals, items, account.address)
    expect(await ord.get(`/inscription/${parent.id}`)).toMatchObject({
      satpoint: `${children.reveals[23]?.txid}:1:0`,
    })
  })

  it('with a parent fee-bumped takes all reveals with it, from where the parent lies', async () => {
    const account = await createInscriber('p2wpkh', [300_000n, 90_000n, 80_000n])
    const { signed } = await inscribe(account, texts('parent'))
    const [reveal] = signed.reveals
    const [coin] = (await account.listCoins()).filter(({ amount }) => amount === 546n)
    if (!coin || !reveal) expect.fail('no parent')
    const items = texts('a', 'b', 'c')
    const inscribing = await account.build(items, 1, { id: idOf(reveal), coin })
    const { commit, reveals } = account.sign(inscribing)
    const [first, ...others] = reveals
    if (!first) expect.fail('no reveal')
    await send(commit, first)
    await devnet.mine(1)
    await send(...others)
    const bumped = bumpReveals({
      inscribing,
      commitTxid: commit.txid,
      waiting: [1, 2],
      replaced: inscribing.reveals.slice(1),
      parentCoin: { ...coin, txid: first.txid, vout: 1 },
      utxos: (await account.listCoins()).filter(isClean),
      own: account.own,
      feeRate: 5,
    })
    const higher = signFeeBumpedReveals(bumped, account)
    await send(...higher)
    expect(new Set(await mempool())).toEqual(new Set(higher.map(({ txid }) => txid)))
    await devnet.mine(1)
    await expectInscribed([first, ...higher], items, account.address)
    expect(await ord.get(`/inscription/${idOf(reveal)}`)).toMatchObject({
      satpoint: `${higher[1]?.txid}:1:0`,
    })
  })

  it('fee-bumped with one coin for two that wait in the mempool: nodes refuse the second, and the first one goes on', async () => {
    const account = await createInscriber('p2tr', [60_000n])
    const items = texts('a', 'b')
    const inscribing = await account.build(items, 1)
    const { commit, reveals } = account.sign(inscribing)
    await send(commit)
    await devnet.mine(1)
    await send(...reveals)
    const bumped = bumpReveals({
      inscribing,
      commitTxid: commit.txid,
      waiting: [0, 1],
      replaced: inscribing.reveals,
      parentCoin: null,
      utxos: (await account.listCoins()).filter(isClean),
      own: account.own,
      feeRate: 5,
    })
    const [higher, next] = signFeeBumpedReveals(bumped, account)
    const [, second] = reveals
    if (!higher || !next || !second) expect.fail('nothing was bumped')
    await send(higher)
    expect(await client.broadcast(toHex(next.rawTx))).toContain('replacement-adds-unconfirmed')
    await devnet.mine(1)
    await expectInscribed([higher, second], items, account.address)
  })

  it('is taken back before any block has its commit, in place of the reveals in the mempool', async () => {
    const account = await createInscriber('p2tr', [60_000n])
    const inscribing = await account.build(texts('a', 'b'), 1)
    const { commit, reveals } = account.sign(inscribing)
    const [first] = reveals
    if (!first) expect.fail('no reveal')
    await send(commit, first)
    const refund = buildRefund({
      inscribing,
      commitTxid: commit.txid,
      left: [0, 1],
      replaced: inscribing.reveals.slice(0, 1),
      own: account.own,
      feeRate: 3,
    })
    const back = signRefund(refund, account.privateKey)
    await send(back)
    expect(new Set(await mempool())).toEqual(new Set([commit.txid, back.txid]))
    await devnet.mine(1)
    const coins = await account.listCoins()
    const held = coins.reduce((sum, { amount }) => sum + amount, 0n)
    expect(held).toBe(60_000n - inscribing.commit.fee - refund.fee)
  })

  it('built anew and taken back is taken by the node’s own mempool as well, which may refuse envelopes', async () => {
    const submit = async ({ rawTx, txid }: { rawTx: Uint8Array; txid: string }) =>
      expect(await devnet.rpc('sendrawtransaction', [toHex(rawTx)])).toBe(txid)
    const held = async () => new Set(await devnet.rpc<string[]>('getrawmempool'))
    const account = await createInscriber('p2wpkh', [9_000n, 70_000n])
    const { own, privateKey } = account
    const before = await account.build(texts('a', 'b', 'c'), 1)
    await submit(account.sign(before).commit)
    const inscribing = rebuildInscribing({
      before,
      evictedFee: before.commit.fee,
      utxos: await account.listCoins(),
      own,
      feeRate: leastRebuildFeeRate(before),
      seed: '',
    })
    const { commit } = account.sign(inscribing)
    await submit(commit)
    const base = { inscribing, commitTxid: commit.txid, left: [0, 1, 2], own }
    const first = buildRefund({ ...base, replaced: [], feeRate: leastRefundFeeRate([]) })
    await submit(signRefund(first, privateKey))
    const again = buildRefund({
      ...base,
      replaced: [first],
      feeRate: leastRefundFeeRate([first]),
    })
    const back = signRefund(again, privateKey)
    await submit(back)
    expect(await held()).toEqual(new Set([commit.txid, back.txid]))
    // The node's mempool is empty again for whoever comes next.
    await send(commit, back)
    await devnet.mine(1)
    expect(await held()).toEqual(new Set())
  })
})
