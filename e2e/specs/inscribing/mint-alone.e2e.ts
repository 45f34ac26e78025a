import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Wallet } from '../../driver/driver.ts'
import type { HangPoint } from '../../driver/hang-point.ts'
import { browsersFor, pointsFor } from '../../fixtures/flows.ts'
import {
  expectInscribed,
  heightOf,
  listWaiting,
  textContent,
} from '../../fixtures/ordinals/mined-inscriptions.ts'
import { forgetRequests, resultOf, startWorld, type World } from '../../fixtures/world.ts'

const FEE_RATE = 2

/** One commit and five reveals. */
const TRANSACTIONS = 6

/** The alarm comes half a minute after the job was stored, and browsers may be late by as much. */
const TIMEOUT_MS = 90_000

/** Where the background is stopped for good, once the person has approved. */
const KILLED: { [name: string]: HangPoint } = {
  'the job is stored': { call: 'storage.local.set', containing: '"jobs":[', when: 'after' },
  'the second reveal goes out': { call: 'fetch', containing: '/api/tx"', nth: 3, when: 'before' },
}

describe.each(browsersFor('mint-alone'))('in %s, five texts that a page inscribes', browser => {
  // Each takes an alarm's half minute.
  const killed = pointsFor(KILLED, ['the job is stored'])
  let world: World

  beforeAll(async () => {
    world = await startWorld(browser, { hooks: true })
  })
  afterAll(() => world?.stop())

  it.each(killed)(
    'are inscribed by the alarm though the background is killed when %s, and no page is left',
    async (name, point) => {
      const { devnet, wallet } = world
      const dapp = await world.openConnected()
      const [address = ''] = await resultOf<string[]>(dapp.request('getAccounts'))
      await devnet.faucet(address, 100_000n)
      const contents = Array.from({ length: 5 }, (_, i) => textContent(`${name}, ${i}`))
      const above = await heightOf(devnet)
      await forgetRequests(wallet)
      const hang = await wallet.hangBackground(point)
      const inscriptions = contents.map(({ body }) => ({ body: body.toString() }))
      const order = { type: 61, from: address, inscriptions, feeRate: FEE_RATE }
      const minting = dapp.request('mint', order)
      await (await wallet.nextApproval()).approve({ settle: false })
      await hang.reached()
      const sent = (await listWaiting(devnet)).length
      expect(sent).toBeLessThan(TRANSACTIONS)
      await leaveNoPage(wallet)
      expect(await minting).toHaveProperty('gone')
      await wallet.killBackground()
      expect(await wallet.isBackgroundRunning()).toBe(false)

      await expect
        .poll(() => listWaiting(devnet), { timeout: TIMEOUT_MS, interval: 1000 })
        .toHaveLength(TRANSACTIONS)
      await devnet.mine()
      await expectInscribed(devnet, { above, address, contents })
    },
    TIMEOUT_MS + 60_000,
  )
})

/** Closes every page that connects to the background, and would start it again by that. */
async function leaveNoPage(wallet: Wallet): Promise<void> {
  await wallet.waitForNoApproval()
  const pages = await wallet.browser.pages()
  for (const page of pages) if (page.url() !== 'about:blank') await page.close()
}
