import { p2tr, TEST_NETWORK, utils } from '@scure/btc-signer'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSeededRandom } from '../../../src/background/testing/seeded-random.ts'
import { isLong } from '../../../testing/campaigns.ts'
import type { BrowserName } from '../../driver/engine.ts'
import type { HangPoint } from '../../driver/hang-point.ts'
import { browsersFor, pointsFor } from '../../fixtures/flows.ts'
import { forgetRequests, resultOf, startWorld, type World } from '../../fixtures/world.ts'

const REGTEST = { ...TEST_NETWORK, bech32: 'bcrt' }

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

/** Stops at writes that nobody chose: the same in each run. */
function drawStops(count: number): { name: string; point: HangPoint }[] {
  const random = createSeededRandom(11)
  const all = (['session', 'local'] as const).flatMap(area =>
    Array.from({ length: WRITES[area] }, (_, at) => at + 1).flatMap(nth =>
      (['before', 'after'] as const).map(when => ({
        name: `${when} write ${nth} to ${area} storage`,
        point: { call: `storage.${area}.set`, nth, when } as HangPoint,
      })),
    ),
  )
  return Array.from({ length: Math.min(count, all.length) }, () =>
    all.splice(random.below(all.length), 1),
  ).flat()
}

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

    it.each(drawStops(DRAWN[browser]))(
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

/** The person approves whatever is shown, as often as it is, until there is an answer. */
async function approveUntil(wallet: World['wallet'], answer: Promise<unknown>): Promise<void> {
  let isOver = false
  const watched = answer.finally(() => {
    isOver = true
  })
  while (!isOver) {
    const approval = await wallet.nextApproval({ timeout: 1_000 }).catch(() => null)
    await approval?.approve({ settle: false }).catch(() => {})
  }
  await watched
}

/** An address that nobody has used. */
function freshAddress(): string {
  const publicKey = utils.pubSchnorr(utils.randomPrivateKeyBytes())
  return p2tr(publicKey, undefined, REGTEST).address ?? ''
}

async function fetchJson(url: string, init?: RequestInit): Promise<unknown> {
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response.json()
}
