import { describe, expect, it } from 'vitest'
import { ADDRESS_TYPES } from '../../bitcoin/testing/spending.ts'
import { REQUEST_TTL_MS } from '../requests/requests.ts'
import { createDevice, startOnDevice } from '../testing/device-wallet.ts'
import { draft, outputsOf, RECIPIENT, readBroadcast } from '../testing/funded-wallet.ts'
import { nextApproval, openPage, startWorker, type Worker } from '../testing/test-wallet.ts'

async function planWithDevice(worker: Worker, more: Parameters<typeof draft>[0] = {}) {
  const { planId, digest, review } = await worker.ui('planPayment', draft(more))
  const { task } = await worker.ui('getDeviceTask', { planId, digest })
  return { planId, digest, review, task }
}

describe('a payment of an account whose key is on a device', () => {
  it.each(ADDRESS_TYPES)('from %s is the one that the device signed', async type => {
    const { world, worker, device } = await startOnDevice(type, 40_000n, 50_000n)
    const recipients = [{ to: RECIPIENT, sats: '60000' }]
    const { planId, digest, review, task } = await planWithDevice(worker, { recipients })
    expect(task.tasks).toMatchObject([
      {
        pays: [{ address: RECIPIENT, sats: '60000' }],
        fee: review.fee,
        inputs: [{ index: 0 }, { index: 1 }],
      },
    ])
    const returned = device.signAll(task)
    const { txid, outcome } = await worker.ui('confirmPayment', { planId, digest, returned })
    const sent = readBroadcast(world, txid)
    expect(outcome).toBe('sent')
    expect(world.chain.broadcasts).toEqual([txid])
    expect(outputsOf(sent)).toEqual([
      { address: RECIPIENT, sats: 60_000n },
      { address: device.addressAt(type, 1, 0), sats: 30_000n - BigInt(review.fee) },
    ])
    expect(Number(review.fee)).toBeGreaterThanOrEqual(sent.vsize * draft({}).feeRate)
    const { entry } = await worker.ui('getActivityDetails', { txid })
    expect(entry).toMatchObject({ kind: 'sent', counterparty: RECIPIENT })
  })

  it('is not sent before the device has signed, and says so', async () => {
    const { world, worker } = await startOnDevice('p2wpkh', 90_000n)
    const { planId, digest } = await planWithDevice(worker)
    await expect(worker.ui('confirmPayment', { planId, digest })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('what the device of this account signed'),
    })
    expect(world.chain.broadcasts).toEqual([])
  })

  it('is refused with what differs where another one comes back, and can be signed afterwards', async () => {
    const { world, worker, device } = await startOnDevice('p2tr', 90_000n)
    const first = await planWithDevice(worker)
    const recipients = [{ to: RECIPIENT, sats: '61234' }]
    const other = await planWithDevice(worker, { recipients })
    const { planId, digest } = first
    const confirm = (returned: string) => worker.ui('confirmPayment', { planId, digest, returned })
    await expect(confirm(device.signAll(other.task))).rejects.toMatchObject({
      code: -32602,
      data: { problem: 'OTHER_TRANSACTION', where: 'output 0', item: 0 },
    })
    const stranger = createDevice(new Uint8Array(32).fill(0x78))
    await expect(confirm(stranger.signAll(first.task))).rejects.toMatchObject({
      data: { problem: 'NOT_SIGNED', where: 'input 0' },
    })
    for (const garbage of ['', '[]', '{}', '["zz"]', '["00"]', JSON.stringify(['00', '00'])])
      await expect(confirm(garbage), garbage).rejects.toMatchObject({ code: -32602 })
    expect(world.chain.broadcasts).toEqual([])
    const { txid } = await confirm(device.signAll(first.task))
    expect(world.chain.broadcasts).toEqual([txid])
  })

  it('is not sent where something else turns out to sit on a coin while the device signs', async () => {
    const { world, worker, device, txids } = await startOnDevice('p2wpkh', 90_000n)
    const { planId, digest, task } = await planWithDevice(worker)
    world.assets.inscribe(`${txids[0]}:0`)
    const returned = device.signAll(task)
    await expect(worker.ui('confirmPayment', { planId, digest, returned })).rejects.toMatchObject({
      data: { reason: 'PLAN_OUTDATED' },
    })
    expect(world.chain.broadcasts).toEqual([])
  })

  it('is the same transaction when it is confirmed again, in another worker too', async () => {
    const { world, worker, device } = await startOnDevice('p2wpkh', 90_000n)
    const { planId, digest, task } = await planWithDevice(worker)
    const returned = device.signAll(task)
    const { txid } = await worker.ui('confirmPayment', { planId, digest, returned })
    const later = startWorker(world)
    const again = await later.ui('confirmPayment', { planId, digest, returned })
    expect(again.txid).toBe(txid)
    expect(world.chain.broadcasts.every(one => one === txid)).toBe(true)
  })

  it('is replaced at a higher fee by the device, too', async () => {
    const { world, worker, device } = await startOnDevice('p2wpkh', 90_000n)
    const { planId, digest, task } = await planWithDevice(worker)
    const returned = device.signAll(task)
    const { txid } = await worker.ui('confirmPayment', { planId, digest, returned })
    const bump = await worker.ui('planBump', { txid, kind: 'speed-up', feeRate: 20 })
    const asked = { planId: bump.planId, digest: bump.digest }
    const more = device.signAll((await worker.ui('getDeviceTask', asked)).task)
    const replaced = await worker.ui('confirmPayment', { ...asked, returned: more })
    const sent = readBroadcast(world, replaced.txid)
    expect(Number(bump.review.fee)).toBeGreaterThanOrEqual(20 * sent.vsize)
  })
})

describe('what a site asks of an account whose key is on a device', () => {
  it('is approved first, and then taken to the device: a payment', async () => {
    const { world, worker, device, page } = await startOnDevice('p2wpkh', 90_000n)
    const answer = page.call('sendBitcoin', RECIPIENT, 20_000)
    const first = await nextApproval(worker, 'payment')
    await decide(worker, first)
    const second = await nextApproval(worker, 'sign-on-device')
    if (second.review.kind !== 'sign-on-device') throw new Error('Wrong review')
    expect(second.review.tasks).toMatchObject([{ pays: [{ address: RECIPIENT, sats: '20000' }] }])
    await expect(decide(worker, second, '["00"]')).rejects.toMatchObject({ code: -32602 })
    expect(world.chain.broadcasts).toEqual([])
    await decide(worker, second, device.signAll(second.review))
    const response = await answer
    const txid = 'result' in response ? String(response.result) : ''
    expect(outputsOf(readBroadcast(world, txid))[0]).toEqual({ address: RECIPIENT, sats: 20_000n })
  })

  it('goes on in another worker: the approval is kept, and so is what the device signed', async () => {
    const { world, worker, device, page } = await startOnDevice('p2tr', 90_000n)
    void page.send('one', 'sendBitcoin', RECIPIENT, 20_000)
    await decide(worker, await nextApproval(worker, 'payment'))
    const asked = await nextApproval(worker, 'sign-on-device')
    if (asked.review.kind !== 'sign-on-device') throw new Error('Wrong review')
    const later = startWorker(world)
    const same = openPage(later, 'https://dapp.example')
    const answer = same.send('one', 'sendBitcoin', RECIPIENT, 20_000)
    const again = await nextApproval(later, 'sign-on-device')
    expect(again.digest).toBe(asked.digest)
    await decide(later, again, device.signAll(asked.review))
    expect(await answer).toHaveProperty('result')
    expect(world.chain.broadcasts).toHaveLength(1)
  })

  it('waits for the device three times as long as other questions, and ends with 4001 then', async () => {
    const { world, worker, page } = await startOnDevice('p2tr', 90_000n)
    const answer = page.call('sendBitcoin', RECIPIENT, 20_000)
    await decide(worker, await nextApproval(worker, 'payment'))
    await nextApproval(worker, 'sign-on-device')
    world.clock.now += 3 * REQUEST_TTL_MS - 1
    await worker.wallet.approvals.reconcile()
    expect(await worker.ui('getApproval', null)).not.toBeNull()
    world.clock.now += 1
    await worker.wallet.approvals.reconcile()
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    expect(world.chain.broadcasts).toEqual([])
  })

  it('is not sent where something turns up on its coin while the device signs', async () => {
    const { world, worker, device, page } = await startOnDevice('p2wpkh', 90_000n)
    const answer = page.call('sendBitcoin', RECIPIENT, 20_000)
    await decide(worker, await nextApproval(worker, 'payment'))
    const asked = await nextApproval(worker, 'sign-on-device')
    if (asked.review.kind !== 'sign-on-device') throw new Error('Wrong review')
    const coins = await worker.ui('getCoins', null)
    world.assets.inscribe(coins[0]?.outpoint ?? '')
    await decide(worker, asked, device.signAll(asked.review))
    expect(await answer).toMatchObject({ error: { data: { reason: 'PLAN_OUTDATED' } } })
    expect(world.chain.broadcasts).toEqual([])
  })

  it('ends with 4001 where the person does not take it there', async () => {
    const { world, worker, page } = await startOnDevice('p2tr', 90_000n)
    const answer = page.call('sendBitcoin', RECIPIENT, 20_000)
    await decide(worker, await nextApproval(worker, 'payment'))
    const { key, digest } = await nextApproval(worker, 'sign-on-device')
    await worker.ui('decide', { key, digest, decision: 'reject' })
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    expect(world.chain.broadcasts).toEqual([])
    // Its coin is free again.
    await planWithDevice(worker)
  })
})

function decide(worker: Worker, { key, digest }: { key: string; digest: string }, input?: string) {
  const decision = 'approve' as const
  return worker.ui('decide', { key, digest, decision, ...(input !== undefined && { input }) })
}
