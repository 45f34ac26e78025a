import { describe, expect, it } from 'vitest'
import {
  dieAfter,
  draft,
  inputsOf,
  outputsOf,
  payFromPopup,
  payFromSite,
  RECIPIENT,
  readBroadcast,
  SECOND_RECIPIENT,
  startFunded,
  THIRD_RECIPIENT,
} from '../testing/funded-wallet.ts'
import { fund, nextApproval, startWorker, type Worker } from '../testing/test-wallet.ts'
import type { BumpKind } from '../views/payment-views.ts'

const THREE = [RECIPIENT, SECOND_RECIPIENT, THIRD_RECIPIENT].map((to, index) => ({
  to,
  sats: String(5_000 + index),
}))

const ALL = [{ to: RECIPIENT, sats: 'max' }]

async function bump(worker: Worker, txid: string, kind: BumpKind, feeRate?: number) {
  const least = (await worker.ui('getBumpOptions', { txid }))[kind].leastFeeRate
  const rate = feeRate ?? least ?? 0
  const { planId, digest, review } = await worker.ui('planBump', { txid, kind, feeRate: rate })
  return { ...(await worker.ui('confirmPayment', { planId, digest })), review, planId, digest }
}

async function recordOf(worker: Worker, txid: string) {
  const { network, accountId } = await worker.ui('getState', null)
  const records = await worker.wallet.activity.listSent(network, accountId ?? '')
  return records.find(record => record.txid === txid)
}

async function countFree(worker: Worker): Promise<number> {
  return (await worker.ui('getCoins', null)).filter(({ held }) => held === null).length
}

describe('a payment that waits', () => {
  it('sped up keeps recipients, memo and note, pays more, and takes the place of the old one', async () => {
    const { world, worker } = await startFunded(100_000n)
    const memo = { text: 'thanks', position: 1 }
    const old = await payFromPopup(worker, { recipients: THREE, memo, label: 'gifts' })
    const before = readBroadcast(world, old.txid)
    const { txid, review } = await bump(worker, old.txid, 'speed-up', 9.5)
    const after = readBroadcast(world, txid)
    expect(outputsOf(after).slice(0, -1)).toEqual(outputsOf(before).slice(0, -1))
    expect(after.getOutput(1).script).toEqual(before.getOutput(1).script)
    expect(inputsOf(after)).toEqual(inputsOf(before))
    expect(review).toMatchObject({
      ...{ purpose: 'speed-up', memo: 'thanks', sats: '15003' },
      previous: { txid: old.txid, fee: old.review.fee },
      recipients: THREE.map(({ to, sats }) => ({ address: to, sats, name: null })),
    })
    expect(BigInt(review.fee)).toBe(BigInt(Math.ceil(after.vsize * 9.5)))
    expect(await recordOf(worker, old.txid)).toMatchObject({ status: 'replaced', replacedBy: txid })
    expect(await recordOf(worker, txid)).toMatchObject({
      ...{ kind: 'speed-up', status: 'pending', replaces: old.txid },
      net: String(-15_003n - BigInt(review.fee)),
    })
    expect((await worker.ui('getActivityDetails', { txid })).entry.label).toBe('gifts')
    expect(String((await worker.ui('getCoins', null))[0]?.sats)).toBe(review.balanceAfter)
  })

  it('of a site can be sped up from the popup', async () => {
    const { worker, page } = await startFunded(100_000n)
    const old = await payFromSite(worker, page, 20_000)
    expect(await bump(worker, old.txid, 'speed-up')).toMatchObject({ outcome: 'sent' })
  })

  it('without change gets a further coin when it is sped up, and pays the same', async () => {
    const { world, worker, account } = await startFunded(100_000n)
    const old = await payFromPopup(worker, { recipients: ALL })
    expect((await worker.ui('getBumpOptions', { txid: old.txid }))['speed-up']).toEqual({
      ...{ leastFeeRate: null, why: 'INSUFFICIENT_FUNDS' },
    })
    const added = fund(world, account.address, 50_000n)
    const { txid } = await bump(worker, old.txid, 'speed-up', 30)
    const sent = readBroadcast(world, txid)
    expect(inputsOf(sent)).toContain(`${added}:0`)
    expect(outputsOf(sent)[0]).toEqual({ address: RECIPIENT, sats: BigInt(old.review.sats) })
  })

  it('can be sped up twice, and a later payment spends none of its coins', async () => {
    const { world, worker } = await startFunded(100_000n, 100_000n)
    const first = await payFromPopup(worker, { feeRate: 1 })
    const second = await bump(worker, first.txid, 'speed-up')
    const third = await bump(worker, second.txid, 'speed-up')
    expect(await recordOf(worker, first.txid)).toMatchObject({ replacedBy: second.txid })
    expect(await recordOf(worker, second.txid)).toMatchObject({ replacedBy: third.txid })
    const other = await payFromPopup(worker)
    const live = [third.txid, other.txid].map(txid => readBroadcast(world, txid))
    const spent = live.flatMap(inputsOf)
    expect(new Set(spent).size).toBe(spent.length)
    for (const { txid } of [first, second]) {
      expect((await worker.ui('getBumpOptions', { txid }))['speed-up'].why).toBe('ENDED')
    }
  })

  it('taken back returns everything but the fee to the account', async () => {
    const { world, worker, account } = await startFunded(100_000n)
    const old = await payFromPopup(worker, { recipients: THREE })
    const { txid, review } = await bump(worker, old.txid, 'cancel')
    expect(outputsOf(readBroadcast(world, txid))).toEqual([
      { address: account.address, sats: 100_000n - BigInt(review.fee) },
    ])
    expect(review).toMatchObject({ purpose: 'cancel', recipients: [], sats: '0' })
    expect(BigInt(review.fee)).toBeGreaterThan(BigInt(old.review.fee))
    expect(await recordOf(worker, txid)).toMatchObject({ kind: 'cancel', net: `-${review.fee}` })
    expect((await worker.ui('getBumpOptions', { txid })).cancel.why).toBe('ENDED')
    expect(await bump(worker, txid, 'speed-up')).toMatchObject({ outcome: 'sent' })
  })

  it('is taken back at the fee rate that is named as the least', async () => {
    const { worker } = await startFunded(100_000n)
    const old = await payFromPopup(worker, { recipients: THREE, feeRate: 5 })
    const least = (await worker.ui('getBumpOptions', { txid: old.txid })).cancel.leastFeeRate
    const { review } = await bump(worker, old.txid, 'cancel')
    expect(BigInt(review.fee)).toBe(BigInt(Math.ceil(review.vsize * (least ?? 0))))
    expect(Number(review.fee) - Number(old.review.fee) - review.vsize).toBeOneOf([0, 1])
  })

  it('is lifted by a child that spends its change, the two together at the rate asked for', async () => {
    const { world, worker, account } = await startFunded(100_000n)
    const parent = await payFromPopup(worker, { feeRate: 1 })
    const { txid, review } = await bump(worker, parent.txid, 'child', 20)
    const child = readBroadcast(world, txid)
    expect(inputsOf(child)).toEqual([`${parent.txid}:1`])
    expect(outputsOf(child)).toMatchObject([{ address: account.address }])
    const whole = child.vsize + parent.review.vsize
    const paid = BigInt(review.fee) + BigInt(parent.review.fee)
    expect(paid).toBe(BigInt(Math.ceil(whole * 20)))
    expect(review).toMatchObject({
      purpose: 'child',
      recipients: [],
      previous: { txid: parent.txid },
    })
    expect(review.feeRate).toBeCloseTo(20, 1)
    expect(await recordOf(worker, txid)).toMatchObject({ kind: 'child', replaces: null })
    expect(await recordOf(worker, parent.txid)).toMatchObject({ status: 'pending' })
  })

  it('and that somebody else sent is lifted by a child once the person unlocked it, and told what that means', async () => {
    const { world, worker, account } = await startFunded()
    const txid = fund(world, account.address, 60_000n, { confirmed: false })
    await worker.ui('setCoinChoice', { outpoint: `${txid}:0`, choice: 'unlocked' })
    const options = await worker.ui('getBumpOptions', { txid })
    expect(options).toMatchObject({
      ...{ 'speed-up': { why: 'NOT_OURS' }, cancel: { why: 'NOT_OURS' }, child: { why: null } },
    })
    const child = await bump(worker, txid, 'child', 12)
    expect(inputsOf(readBroadcast(world, child.txid))).toEqual([`${txid}:0`])
    expect(child.review.warnings).toContainEqual({
      ...{ kind: 'unchecked-coins', inputs: [0], why: 'unconfirmed' },
    })
  })
})

describe('a deposit of others that waits', () => {
  it('comes back whole in the child that lifts it, since it may carry anything; clean coins pay', async () => {
    const { world, worker, account } = await startFunded(100_000n)
    const txid = fund(world, account.address, 60_000n, { confirmed: false })
    const child = await bump(worker, txid, 'child', 12)
    const sent = readBroadcast(world, child.txid)
    expect(inputsOf(sent)[0]).toBe(`${txid}:0`)
    expect(outputsOf(sent)[0]).toEqual({ address: account.address, sats: 60_000n })
    expect(sent.inputsLength).toBe(2)
    expect(child.review.warnings.map(({ kind }) => kind)).toEqual(['spends-unconfirmed'])
  })

  it('cannot be lifted without other coins', async () => {
    const { world, worker, account } = await startFunded()
    const txid = fund(world, account.address, 60_000n, { confirmed: false })
    expect((await worker.ui('getBumpOptions', { txid })).child.why).toBe('INSUFFICIENT_FUNDS')
  })
})

describe('an account of type', () => {
  it.each(['p2wpkh', 'p2sh-p2wpkh', 'p2pkh', 'p2tr'] as const)(
    '%s pays, speeds up and lifts',
    async addressType => {
      const { world, worker } = await startFunded()
      const account = await worker.ui('addAccount', { addressType, name: '' })
      await worker.ui('selectAccount', { accountId: account.id })
      fund(world, account.address, 100_000n)
      const first = await payFromPopup(worker)
      const second = await bump(worker, first.txid, 'speed-up')
      const third = await bump(worker, second.txid, 'child')
      expect(world.chain.broadcasts).toEqual([first.txid, second.txid, third.txid])
    },
  )
})

describe('no bump', () => {
  it('of a transaction that is in a block, is unknown, or was refused', async () => {
    const { world, worker } = await startFunded(100_000n, 100_000n)
    const { txid } = await payFromPopup(worker)
    world.chain.mine()
    world.chain.faults.refuse = 'no'
    const plan = await worker.ui('planPayment', draft({ feeRate: 20 }))
    await expect(worker.ui('confirmPayment', plan)).rejects.toThrow('no')
    const refused = (
      await worker.wallet.activity.listSent('regtest', await accountId(worker))
    ).find(({ status }) => status === 'failed')
    const whys = async (of: string) =>
      Object.values(await worker.ui('getBumpOptions', { txid: of })).map(({ why }) => why)
    expect(await whys(txid)).toEqual(['CONFIRMED', 'CONFIRMED', 'CONFIRMED'])
    expect(await whys('0'.repeat(64))).toEqual(['ENDED', 'ENDED', 'ENDED'])
    expect(await whys(refused?.txid ?? '')).toEqual(['ENDED', 'ENDED', 'ENDED'])
    await expect(
      worker.ui('planBump', { txid, kind: 'cancel', feeRate: 50 }),
    ).rejects.toMatchObject({ data: { reason: 'BUMP_IMPOSSIBLE', why: 'CONFIRMED' } })
  })

  it('replaces what a later payment builds on, sent or only asked about', async () => {
    const { worker, page } = await startFunded(100_000n)
    const first = await payFromPopup(worker)
    void page.call('sendBitcoin', RECIPIENT, 10_000)
    await nextApproval(worker, 'payment')
    const asked = await worker.ui('getBumpOptions', { txid: first.txid })
    expect(asked).toMatchObject({
      ...{ 'speed-up': { why: 'HAS_CHILDREN' }, cancel: { why: 'HAS_CHILDREN' } },
      child: { why: 'HAS_CHILDREN' },
    })
    await page.leave()
    const early = await worker.ui('planBump', { txid: first.txid, kind: 'speed-up', feeRate: 20 })
    await payFromPopup(worker)
    expect((await worker.ui('getBumpOptions', { txid: first.txid })).cancel.why).toBe(
      'HAS_CHILDREN',
    )
    await expect(worker.ui('confirmPayment', early)).rejects.toMatchObject({
      data: { reason: 'PLAN_OUTDATED' },
    })
  })

  it('lifts with a coin of others that the person locked', async () => {
    const { world, worker, account } = await startFunded(100_000n)
    const txid = fund(world, account.address, 60_000n, { confirmed: false })
    const why = async () => (await worker.ui('getBumpOptions', { txid })).child.why
    expect(await why()).toBeNull()
    await worker.ui('setCoinChoice', { outpoint: `${txid}:0`, choice: 'locked' })
    expect(await why()).toBe('COINS_HELD')
  })

  it('lifts what pays nothing to the account', async () => {
    const { worker } = await startFunded(100_000n)
    const { txid } = await payFromPopup(worker, { recipients: ALL })
    expect((await worker.ui('getBumpOptions', { txid })).child.why).toBe('NO_OWN_OUTPUT')
  })

  it('is planned below the least fee rate, which is named', async () => {
    const { worker } = await startFunded(100_000n)
    const { txid } = await payFromPopup(worker)
    const least = (await worker.ui('getBumpOptions', { txid }))['speed-up'].leastFeeRate
    await expect(
      worker.ui('planBump', { txid, kind: 'speed-up', feeRate: 2 }),
    ).rejects.toMatchObject({ code: -32602, message: expect.stringContaining(String(least)) })
  })

  it('that the network refuses changes anything', async () => {
    const { world, worker } = await startFunded(100_000n, 60_000n)
    const old = await payFromPopup(worker, { recipients: [{ to: RECIPIENT, sats: '99000' }] })
    const free = await countFree(worker)
    world.chain.faults.refuse = 'insufficient fee'
    await expect(bump(worker, old.txid, 'speed-up', 40)).rejects.toMatchObject({
      data: { reason: 'BROADCAST_REJECTED' },
    })
    delete world.chain.faults.refuse
    expect(await recordOf(worker, old.txid)).toMatchObject({ status: 'pending', replacedBy: null })
    expect(await countFree(worker)).toBe(free)
    expect(await bump(worker, old.txid, 'speed-up', 40)).toMatchObject({ outcome: 'sent' })
  })

  it('pays for a parent that a block took after it was worked out', async () => {
    const { world, worker, account } = await startFunded()
    const txid = fund(world, account.address, 60_000n, { confirmed: false })
    await worker.ui('setCoinChoice', { outpoint: `${txid}:0`, choice: 'unlocked' })
    const plan = await worker.ui('planBump', { txid, kind: 'child', feeRate: 12 })
    world.chain.mine()
    await expect(worker.ui('confirmPayment', plan)).rejects.toMatchObject({
      data: { reason: 'PLAN_OUTDATED' },
    })
    expect(world.chain.broadcasts).toEqual([])
  })

  it('is sent when the transaction got into a block after it was worked out', async () => {
    const { world, worker, account } = await startFunded(100_000n)
    const old = await payFromPopup(worker)
    const params = { txid: old.txid, kind: 'cancel', feeRate: 20 } as const
    const seen = await worker.ui('planBump', params)
    const unseen = await worker.ui('planBump', params)
    world.chain.mine()
    await expect(worker.ui('confirmPayment', unseen)).rejects.toMatchObject({
      data: { reason: 'BROADCAST_REJECTED' },
    })
    await worker.wallet.activity.refresh(world.chain.chain, account)
    await expect(worker.ui('confirmPayment', seen)).rejects.toMatchObject({
      data: { reason: 'PLAN_OUTDATED' },
    })
    expect(await recordOf(worker, old.txid)).toMatchObject({ status: 'confirmed' })
    expect(await payFromPopup(worker)).toMatchObject({ outcome: 'sent' })
  })
})

describe('a replacement in a worker that dies', () => {
  const moments = Array.from({ length: 6 }, (_, index) => index)

  it.each(moments)('before write %i is one transaction in the next', async moment => {
    const { world, worker } = await startFunded(100_000n, 100_000n)
    const old = await payFromPopup(worker)
    const { planId, digest } = await worker.ui('planBump', {
      ...{ txid: old.txid, kind: 'speed-up', feeRate: 12 },
    })
    const doomed = dieAfter(world, moment)
    void startWorker(doomed).ui('confirmPayment', { planId, digest })
    await new Promise(resolve => setTimeout(resolve, 150))
    // With the last moment none is left out.
    if (moment === moments.length - 1) expect(doomed.writes()).toBeLessThan(moment)
    const second = startWorker(world)
    const { txid } = await second.ui('confirmPayment', { planId, digest })
    expect(new Set(world.chain.broadcasts)).toEqual(new Set([old.txid, txid]))
    expect(await recordOf(second, old.txid)).toMatchObject({ status: 'replaced', replacedBy: txid })
    expect(await recordOf(second, txid)).toMatchObject({ status: 'pending' })
  })
})

async function accountId(worker: Worker): Promise<string> {
  return (await worker.ui('getState', null)).accountId ?? ''
}
