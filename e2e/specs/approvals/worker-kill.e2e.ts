import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isLong } from '../../../testing/campaigns.ts'
import type { BrowserName } from '../../driver/engine.ts'
import type { HangPoint } from '../../driver/hang-point.ts'
import { browsersFor, pointsFor } from '../../fixtures/flows.ts'
import {
  approveUntil,
  drawStops,
  fetchJson,
  freshAddress,
} from '../../fixtures/killed-background.ts'
import { forgetRequests, resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** Where the background is stopped for good, and whether the person has approved by then. */
const POINTS: { [name: string]: HangPoint & { approved: boolean } } = {
  received: {
    call: 'storage.session.set',
    containing: '"method":"sendBitcoin"',
    when: 'before',
    approved: false,
  },
  stored: {
    call: 'storage.session.set',
    containing: '"method":"sendBitcoin"',
    when: 'after',
    approved: false,
  },
  'window open': { call: 'windows.create', when: 'after', approved: false },
  approved: {
    call: 'storage.session.set',
    containing: '"approvedDigest":"',
    when: 'after',
    approved: true,
  },
  built: { call: 'storage.session.set', containing: '"plan":{', when: 'after', approved: false },
  signed: { call: 'storage.session.set', containing: '"signed":{', when: 'after', approved: true },
  'broadcast sent': { call: 'fetch', containing: '/api/tx"', when: 'before', approved: true },
  'broadcast answered': { call: 'fetch', containing: '/api/tx"', when: 'after', approved: true },
}

/** What `npm test` tries of them: before the approval, with the signature stored, and when the node has it. */
const QUICK = ['stored', 'signed', 'broadcast answered']

/** Writes to storage that a payment makes in each area, at the least, and how many stops at one of them are drawn. */
const WRITES = { session: 8, local: 2 } as const
const DRAWN: { [browser in BrowserName]: number } = isLong
  ? { chromium: 20, firefox: 10 }
  : { chromium: 6, firefox: 3 }

describe.each(browsersFor('worker-kill'))(
  'in %s, a payment whose background is killed when',
  browser => {
    let world: World

    beforeAll(async () => {
      world = await startWorld(browser, { hooks: true })
      const dapp = await world.openConnected()
      const [address = ''] = await resultOf<string[]>(dapp.request('getAccounts'))
      for (let coin = 0; coin < 3; coin++) await world.devnet.faucet(address, 5_000_000n)
    })
    afterAll(() => world?.stop())

    beforeEach(() => forgetRequests(world.wallet))

    it.each(pointsFor(POINTS, QUICK))('%s is sent once and answered once', async (_, point) => {
      const { wallet, devnet } = world
      const dapp = await world.openConnected()
      const { approved, ...hangPoint } = point
      const recipient = freshAddress()
      const hang = await wallet.hangBackground(hangPoint)
      const paying = dapp.request('sendBitcoin', recipient, 20_000, { feeRate: 2 })
      if (approved) await (await wallet.nextApproval()).approve({ settle: false })
      await hang.reached()
      await wallet.killBackground()

      if (!approved) await (await wallet.nextApproval()).approve()
      const txid = await resultOf<string>(paying)
      expect(await wallet.countApprovalWindows()).toBeLessThanOrEqual(1)
      await wallet.waitForNoApproval()

      const transactions = await fetchJson(`${devnet.esploraUrl}/address/${recipient}/txs`)
      expect(transactions).toMatchObject([{ txid }])
      await devnet.mine(1)
      const mined = await devnet.rpc<{ confirmations: number }>('getrawtransaction', [txid, true])
      expect(mined.confirmations).toBe(1)
    })

    it.each(drawStops(WRITES, DRAWN[browser], 11))(
      '$name is sent once and answered once',
      async ({ point }) => {
        const { wallet, devnet } = world
        const dapp = await world.openConnected()
        const recipient = freshAddress()
        const hang = await wallet.hangBackground(point)
        const paying = dapp.request('sendBitcoin', recipient, 20_000, { feeRate: 2 })
        const approving = approveUntil(wallet, paying)
        await hang.reached()
        await wallet.killBackground()
        const txid = await resultOf<string>(paying)
        await approving
        await wallet.waitForNoApproval()
        const transactions = await fetchJson(`${devnet.esploraUrl}/address/${recipient}/txs`)
        expect(transactions).toMatchObject([{ txid }])
        await devnet.mine(1)
      },
    )

    it('the node has it and the answer is on its way is sent once and answered once', async () => {
      const { wallet, devnet } = world
      const dapp = await world.openConnected()
      const recipient = freshAddress()
      const paying = dapp.request('sendBitcoin', recipient, 20_000, { feeRate: 2 })
      const approval = await wallet.nextApproval()
      await fetchJson(`${devnet.url}/devnet/faults`, {
        method: 'POST',
        body: JSON.stringify({ endpoint: 'POST /api/tx', delayAnswer: 20_000, times: 1 }),
      })
      await approval.approve({ settle: false })
      await expect
        .poll(() => fetchJson(`${devnet.esploraUrl}/address/${recipient}/txs`), { timeout: 20_000 })
        .toHaveLength(1)
      await wallet.killBackground()
      const txid = await resultOf<string>(paying)
      expect(await fetchJson(`${devnet.esploraUrl}/address/${recipient}/txs`)).toMatchObject([
        { txid },
      ])
      await devnet.mine(1)
    })
  },
)
