import { describe, expect, it } from 'vitest'
import { ADDRESS_TYPES } from '../../bitcoin/testing/spending.ts'
import { readShown } from '../inscribing/testing/device-answers.ts'
import { createDevice, startOnDevice } from '../testing/device-wallet.ts'
import { inputsOf, outputsOf, readBroadcast } from '../testing/funded-wallet.ts'
import { nextApproval, type Worker, type World } from '../testing/test-wallet.ts'

const GOLD = 'GOLD•OF•TESTS'
const NONE = { start: null, end: null }

/** A rune that can be minted. */
function offer({ assets }: World): void {
  assets.etch('', { name: GOLD, rune: '90:1', amount: 1n, divisibility: 2, symbol: 'G' })
  const terms = { amount: 1_000n, cap: 100n, height: NONE, offset: NONE }
  assets.describeRune('90:1', { terms, mints: 0n, isMintable: true })
}

const plan = (worker: Worker, count: number) =>
  worker.ui('planRuneMint', { rune: GOLD, count, feeRate: 3, label: '' })

describe('mints of a rune by an account whose key is on a device', () => {
  it.each(ADDRESS_TYPES)('are all signed in one round: %s', async type => {
    const { world, worker, device, account } = await startOnDevice(type, 90_000n)
    offer(world)
    const count = type === 'p2pkh' ? 1 : 4
    const { planId, digest, review } = await plan(worker, count)
    const { task, review: shown } = await worker.ui('getRuneMintTask', { planId, digest })
    expect(shown).toEqual(review)
    expect(task.tasks).toHaveLength(count)
    const returned = device.signAll(task)
    await worker.ui('confirmRuneMint', { planId, digest, returned })
    const transactions = world.chain.broadcasts.map(txid => readBroadcast(world, txid))
    expect(transactions).toHaveLength(count)
    for (const [at, transaction] of transactions.entries()) {
      expect(outputsOf(transaction)[0]).toEqual({ address: account.address, sats: 546n })
      const before = world.chain.broadcasts[at - 1]
      if (before) expect(inputsOf(transaction)).toEqual([`${before}:2`])
      const { fee = '0' } = review.transactions[at] ?? {}
      expect(Number(fee)).toBeGreaterThanOrEqual(3 * transaction.vsize)
    }
  })

  it('are one at a time from a Legacy address, as is said before', async () => {
    const { world, worker } = await startOnDevice('p2pkh', 90_000n)
    offer(world)
    await expect(plan(worker, 2)).rejects.toMatchObject({
      data: { reason: 'DEVICE_CANNOT' },
      message: expect.stringContaining('one at a time'),
    })
  })

  it('are not sent unsigned, or where another device has signed', async () => {
    const { world, worker } = await startOnDevice('p2wpkh', 90_000n)
    offer(world)
    const { planId, digest } = await plan(worker, 2)
    const { task } = await worker.ui('getRuneMintTask', { planId, digest })
    const stranger = createDevice(new Uint8Array(32).fill(0x78))
    for (const returned of [undefined, '[]', stranger.signAll(task)])
      await expect(
        worker.ui('confirmRuneMint', { planId, digest, ...(returned && { returned }) }),
      ).rejects.toMatchObject({ code: -32602 })
    expect(world.chain.broadcasts).toEqual([])
    expect(await worker.ui('getRuneMints', null)).toEqual([])
  })

  it('are approved first where a site asks for them', async () => {
    const { world, worker, device, page } = await startOnDevice('p2tr', 90_000n)
    offer(world)
    const answer = page.call('mintRune', { rune: GOLD, count: 2 })
    await decide(worker, await nextApproval(worker, 'rune-mint'))
    const asked = await nextApproval(worker, 'sign-on-device')
    await decide(worker, asked, device.signAll(readShown(asked.review)))
    expect(await answer).toMatchObject({ result: { txids: world.chain.broadcasts } })
    expect(world.chain.broadcasts).toHaveLength(2)
  })
})

function decide(worker: Worker, { key, digest }: { key: string; digest: string }, input?: string) {
  const decision = 'approve' as const
  return worker.ui('decide', { key, digest, decision, ...(input !== undefined && { input }) })
}
