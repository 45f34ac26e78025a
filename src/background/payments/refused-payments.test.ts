import { Transaction } from 'bitcoinjs-lib'
import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import { BackendUnavailableError, BroadcastRejectedError } from '../../chain/chain-source.ts'
import { inHurry } from '../testing/fast-timers.ts'
import {
  draft,
  inputsOf,
  outputsOf,
  payFromPopup,
  RECIPIENT,
  readBroadcast,
  SECOND_RECIPIENT,
  startFunded,
} from '../testing/funded-wallet.ts'
import type { Worker, World } from '../testing/test-wallet.ts'
import type { PaymentDraft } from '../views/payment-views.ts'

const TO_SHOP = { recipients: [{ to: RECIPIENT, sats: '40000' }] }
const TO_OTHER = { recipients: [{ to: SECOND_RECIPIENT, sats: '9000' }] }

/** A wallet of two coins whose server said that it refused a payment of the first one, and kept it. */
async function startRefused() {
  const started = await startFunded(90_000n, 80_000n)
  const { world, worker, txids } = started
  world.chain.faults.refuse = 'mempool full'
  const coins = [`${txids[0]}:0`]
  await expect(payFromPopup(worker, { ...TO_SHOP, coins })).rejects.toMatchObject({
    data: { reason: 'BROADCAST_REJECTED' },
  })
  delete world.chain.faults.refuse
  const account = await worker.wallet.accounts.selected('regtest')
  const [refused] = await worker.wallet.activity.listSent('regtest', account?.id ?? '')
  return { ...started, refused: fromHex(refused?.rawTx ?? ''), coins }
}

describe('a payment that a server said it refused, and kept, is made again', () => {
  it('after another one, and can be mined once only, whichever the server publishes', async () => {
    const { world, worker, refused, txids } = await startRefused()
    const other = await payFromPopup(worker, TO_OTHER)
    expect(inputsOf(readBroadcast(world, other.txid))).toEqual([`${txids[0]}:0`])
    const again = await payFromPopup(worker, { ...TO_SHOP, coins: [`${txids[1]}:0`] })
    expect(inputsOf(readBroadcast(world, again.txid))).toContain(`${other.txid}:1`)
    // In the place of the other one, on which the second hangs.
    world.chain.add(refused)
    expect(countPaid(world)).toBe(1)
  })

  it('after several others, each of which hangs on the one before', async () => {
    const { world, worker, refused, txids } = await startRefused()
    for (let count = 0; count < 3; count++) await payFromPopup(worker, TO_OTHER)
    await payFromPopup(worker, { ...TO_SHOP, coins: [`${txids[1]}:0`] })
    world.chain.add(refused)
    expect(countPaid(world)).toBe(1)
  })

  it('with any coin once a block has what contradicts it', async () => {
    const { world, worker, txids } = await startRefused()
    await payFromPopup(worker, TO_OTHER)
    world.chain.mine()
    await worker.ui('getOverview', null)
    const coins = [`${txids[1]}:0`]
    const again = await payFromPopup(worker, { ...TO_SHOP, coins })
    expect(inputsOf(readBroadcast(world, again.txid))).toEqual(coins)
  })

  it('with any coin where what contradicts it left nothing to hang on', async () => {
    const { world, worker, coins, txids } = await startRefused()
    await payFromPopup(worker, { recipients: [{ to: SECOND_RECIPIENT, sats: 'max' }], coins })
    const again = await payFromPopup(worker, TO_SHOP)
    expect(inputsOf(readBroadcast(world, again.txid))).toEqual([`${txids[1]}:0`])
  })

  it('not by a plan that was worked out before, and hangs on nothing', async () => {
    const { world, worker, txids } = await startFunded(90_000n, 80_000n, 70_000n)
    const rest = { memo: null, feeRate: 2, label: '' }
    const [first, , third] = txids.map(txid => [`${txid}:0`])
    const plan = await worker.ui('planPayment', { ...TO_SHOP, ...rest, coins: third ?? [] })
    world.clock.now += 1_000
    world.chain.faults.refuse = 'mempool full'
    await expect(payFromPopup(worker, { ...TO_SHOP, coins: first ?? [] })).rejects.toThrow()
    delete world.chain.faults.refuse
    await payFromPopup(worker, TO_OTHER)
    await expect(worker.ui('confirmPayment', plan)).rejects.toMatchObject({
      data: { reason: 'PLAN_OUTDATED' },
    })
  })
})

describe('a payment that a server said it refused, and relayed', () => {
  it('is not made again by a site before the wallet has said that it is on its way', async () => {
    const { world, worker, page, refused } = await startRefused()
    world.chain.receive(refused)
    const { shown } = world.window
    expect(await page.call('sendBitcoin', RECIPIENT, 40_000)).toMatchObject({
      error: { data: { reason: 'PLAN_OUTDATED' } },
    })
    expect(world.window.shown).toBe(shown)
    expect(countPaid(world)).toBe(1)
    const account = await worker.wallet.accounts.selected('regtest')
    const [record] = await worker.wallet.activity.listSent('regtest', account?.id ?? '')
    expect(record).toMatchObject({ status: 'pending' })
    // Whoever knows that may pay once more.
    await payFromPopup(worker, TO_SHOP)
    expect(countPaid(world)).toBe(2)
  })

  it('is not made again in our own pages, also where a block has it', async () => {
    const { world, worker, refused } = await startRefused()
    world.chain.add(refused)
    const plan = () => worker.ui('planPayment', draft(TO_SHOP))
    await expect(plan()).rejects.toMatchObject({ data: { reason: 'PLAN_OUTDATED' } })
    const { activity } = await worker.ui('getOverview', null)
    expect(activity[0]).toMatchObject({ status: 'confirmed' })
    expect(countPaid(world)).toBe(1)
    await expect(plan()).resolves.toBeDefined()
  })

  it('is not made again where it drove out another one that has its coin', async () => {
    const { world, worker, refused, txids } = await startRefused()
    const { txid } = await payFromPopup(worker, { ...TO_OTHER, feeRate: 1 })
    world.chain.evict(txid)
    world.chain.receive(refused)
    const changes = { ...TO_SHOP, coins: [`${txids[1]}:0`] }
    await expect(payFromPopup(worker, changes)).rejects.toMatchObject({
      data: { reason: 'PLAN_OUTDATED' },
    })
    expect(countPaid(world)).toBe(1)
  })

  it('holds nothing up where something else has its coins', async () => {
    const { world, worker, txids } = await startRefused()
    const other = new Transaction()
    other.addInput(fromHex(txids[0] ?? '').reverse(), 0)
    other.addOutput(Uint8Array.of(0x51), 1_000n)
    world.chain.add(Uint8Array.from(other.toBuffer()))
    await payFromPopup(worker, TO_SHOP)
    expect(countPaid(world)).toBe(1)
  })
})

describe('a broadcast whose answer was lost, and that is refused when it is tried again', () => {
  it.each([true, false])('is sent where the server has it, and refused else: %s', async arrives => {
    const { world, worker } = await startFunded(90_000n)
    const { chain } = world.chain
    const broadcast = chain.broadcast.bind(chain)
    let tries = 0
    chain.broadcast = async rawTx => {
      if (++tries > 1) throw new BroadcastRejectedError('mempool full')
      if (arrives) await broadcast(rawTx)
      throw new BackendUnavailableError({
        ...{ kind: 'unreachable', host: 'memory.test', detail: 'lost', retryInMs: null },
      })
    }
    const paying = inHurry(() => payFromPopup(worker, TO_SHOP), 0.5)
    if (arrives) expect(await paying).toMatchObject({ outcome: 'sent' })
    else await expect(paying).rejects.toMatchObject({ data: { reason: 'BROADCAST_REJECTED' } })
    const { activity } = await worker.ui('getOverview', null)
    expect(activity[0]).toMatchObject({ status: arrives ? 'pending' : 'failed' })
  })
})

describe('a payment of which nobody knew whether it was sent', () => {
  it('ends what was worked out in its place before the server said that it refused it', async () => {
    const { world, worker, txids } = await startFunded(90_000n, 80_000n)
    const [first, second] = txids.map(txid => [`${txid}:0`])
    const paid = await inHurry(
      () => payUnanswered(worker, world, { ...TO_SHOP, coins: first ?? [] }),
      0.5,
    )
    expect(paid.outcome).toBe('unknown')
    const rest = { memo: null, feeRate: 2, label: '', coins: second ?? [] }
    world.clock.now += 1_000
    const plan = await worker.ui('planPayment', { ...TO_SHOP, ...rest })
    world.chain.faults.refuse = 'mempool full'
    world.clock.now += 60_000
    await worker.ui('getOverview', null)
    delete world.chain.faults.refuse
    await expect(worker.ui('confirmPayment', plan)).rejects.toMatchObject({
      data: { reason: 'PLAN_OUTDATED' },
    })
    const again = await payFromPopup(worker, { ...TO_SHOP, coins: second ?? [] })
    expect(inputsOf(readBroadcast(world, again.txid))).toContain(first?.[0])
  })
})

/** Pays while the server answers everything but a broadcast. */
async function payUnanswered(worker: Worker, world: World, changes: Partial<PaymentDraft>) {
  delete world.chain.faults.unreachable
  const plan = await worker.ui('planPayment', draft(changes))
  world.chain.faults.unreachable = true
  const paid = await worker.ui('confirmPayment', plan)
  delete world.chain.faults.unreachable
  return paid
}

/** Has a payment of the wallet's first coin replaced by one that pays more, or pays the wallet itself. */
async function replaceFirst(kind: 'speed-up' | 'cancel') {
  const started = await startFunded(90_000n, 80_000n)
  const { world, worker, txids } = started
  const { txid } = await payFromPopup(worker, { ...TO_SHOP, coins: [`${txids[0]}:0`] })
  const first = world.chain.get(txid) ?? new Uint8Array()
  const { leastFeeRate } = (await worker.ui('getBumpOptions', { txid }))[kind]
  const bump = { txid, kind, feeRate: Math.ceil(leastFeeRate ?? 0) }
  const second = [`${txids[1]}:0`]
  const early = await worker.ui('planPayment', draft({ ...TO_SHOP, coins: second }))
  world.clock.now += 1_000
  const by = await worker.ui('confirmPayment', await worker.ui('planBump', bump))
  return { ...started, first, by, second, early }
}

describe('a payment after one that was sped up', () => {
  it('takes any coin', async () => {
    const { world, worker, second } = await replaceFirst('speed-up')
    const next = await payFromPopup(worker, { ...TO_OTHER, coins: second })
    expect(inputsOf(readBroadcast(world, next.txid))).toEqual(second)
  })
})

describe('a payment that was taken back, and that a miner takes after all', () => {
  it('is not made twice: what is paid in its place hangs on what took it back', async () => {
    const { world, worker, first, by, second } = await replaceFirst('cancel')
    const again = await payFromPopup(worker, { ...TO_SHOP, coins: second })
    expect(inputsOf(readBroadcast(world, again.txid))).toContain(`${by.txid}:0`)
    world.chain.add(first)
    expect(countPaid(world)).toBe(1)
  })

  it('lets everything of a chosen coin be paid, and no more: what it hangs on comes back', async () => {
    const { world, worker, by, second } = await replaceFirst('cancel')
    const everything = { recipients: [{ to: SECOND_RECIPIENT, sats: 'max' }], coins: second }
    const { txid, review } = await payFromPopup(worker, everything)
    const sent = readBroadcast(world, txid)
    expect(inputsOf(sent).toSorted()).toEqual([...second, `${by.txid}:0`].toSorted())
    const [paid, ...rest] = outputsOf(sent)
    // A Taproot input and one output to SegWit at 2 sat/vB: 99 vB (BIP-141, BIP-341).
    expect(paid).toEqual({ address: SECOND_RECIPIENT, sats: 80_000n - 198n })
    expect(rest).toHaveLength(1)
    expect(review.sats).toBe(String(80_000n - 198n))
  })

  it('is not made twice by a plan from before it was taken back', async () => {
    const { worker, early } = await replaceFirst('cancel')
    await expect(worker.ui('confirmPayment', early)).rejects.toMatchObject({
      data: { reason: 'PLAN_OUTDATED' },
    })
  })

  it('is not made again before the wallet has said that a block has it', async () => {
    const { world, worker, first, second } = await replaceFirst('cancel')
    world.chain.add(first)
    await expect(payFromPopup(worker, { ...TO_SHOP, coins: second })).rejects.toMatchObject({
      data: { reason: 'PLAN_OUTDATED' },
    })
    expect(countPaid(world)).toBe(1)
  })

  it('leaves any coin to what comes after, once a block has what took it back', async () => {
    const { world, worker, second } = await replaceFirst('cancel')
    world.chain.mine()
    await worker.ui('getOverview', null)
    const next = await payFromPopup(worker, { ...TO_SHOP, coins: second })
    expect(inputsOf(readBroadcast(world, next.txid))).toEqual(second)
  })

  it('is not made twice either where taking it back was sped up', async () => {
    const { world, worker, first, by, second } = await replaceFirst('cancel')
    const { leastFeeRate } = (await worker.ui('getBumpOptions', { txid: by.txid }))['speed-up']
    const bump = { txid: by.txid, kind: 'speed-up', feeRate: Math.ceil(leastFeeRate ?? 0) } as const
    await worker.ui('confirmPayment', await worker.ui('planBump', bump))
    await payFromPopup(worker, { ...TO_SHOP, coins: second })
    world.chain.add(first)
    expect(countPaid(world)).toBe(1)
  })
})

describe('a payment that was taken back at a fee which the server said it refused, and relayed', () => {
  it('is not made twice: the next one hangs on what is on its way', async () => {
    const { world, worker, account, first, by, second } = await replaceFirst('cancel')
    const { leastFeeRate } = (await worker.ui('getBumpOptions', { txid: by.txid }))['speed-up']
    const bump = { txid: by.txid, kind: 'speed-up', feeRate: Math.ceil(leastFeeRate ?? 0) } as const
    const plan = await worker.ui('planBump', bump)
    world.chain.faults.refuse = 'mempool full'
    await expect(worker.ui('confirmPayment', plan)).rejects.toMatchObject({
      data: { reason: 'BROADCAST_REJECTED' },
    })
    delete world.chain.faults.refuse
    const [refused] = await worker.wallet.activity.listSent('regtest', account.id)
    const txid = world.chain.receive(fromHex(refused?.rawTx ?? ''))
    const again = () => payFromPopup(worker, { ...TO_SHOP, coins: second })
    await expect(again()).rejects.toMatchObject({ data: { reason: 'PLAN_OUTDATED', txid } })
    const paid = await again()
    expect(inputsOf(readBroadcast(world, paid.txid))).toContain(`${txid}:0`)
    world.chain.add(first)
    expect(countPaid(world)).toBe(1)
  })
})

function countPaid(world: World): number {
  return world.chain
    .list()
    .flatMap(({ txid }) => outputsOf(readBroadcast(world, txid)))
    .filter(({ address, sats }) => address === RECIPIENT && sats === 40_000n).length
}
