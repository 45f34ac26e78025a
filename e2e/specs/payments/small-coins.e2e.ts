import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Screen } from '../../driver/driver.ts'
import { confirmPayment, goTo } from '../../driver/own-pages.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** Wallet and devnet have news of each other within this. */
const NEWS = { timeout: 15_000 }

type Served = {
  fee: number
  weight: number
  vin: { prevout: { value: number } }[]
  vout: { scriptpubkey_address?: string; value: number }[]
}

describe.each(browsersFor('small-coins'))('small coins in %s', browser => {
  let world: World
  let page: Screen
  let address: string

  beforeAll(async () => {
    world = await startWorld(browser)
    const dapp = await world.openConnected()
    address = (await resultOf<string[]>(dapp.request('getAccounts')))[0] ?? ''
    await dapp.close()
    for (const sats of [2_000n, 3_000n, 4_000n, 5_000n, 6_000n])
      await world.devnet.faucet(address, sats, false)
    await world.devnet.faucet(address, 1_000_000n, false)
    await world.devnet.mine()
    page = await world.wallet.popup()
  })
  afterAll(() => world?.stop())

  it('are merged into one, but for one that the person leaves out, for the fee that the review says', async () => {
    await goTo(page, '/coins', 'Coins')
    await page.waitForText('6 coins')
    await page.click('link', 'Merge small coins')
    await page.find('heading', 'Merge small coins')
    await page.click('radio', 'Custom*')
    await page.fill('textbox', 'Fee rate in sat/vB', '1.5')
    // A Taproot input is 57.5 vB: at 10 sat/vB 1 % of 57,500 sats.
    await page.waitForText('5 → 1')
    await page.page.click('summary')
    await page.click('checkbox', '6,000 sats*')
    await page.waitForText('4 → 1')
    await page.click('button', 'Review')
    await page.find('heading', 'You merge 4 coins into one for a fee of *')
    const txid = await confirmPayment(page)
    const served = await fetch(`${world.devnet.esploraUrl}/tx/${txid}`)
    const { fee, weight, vin, vout } = (await served.json()) as Served
    expect(vin.map(({ prevout }) => prevout.value).sort()).toEqual([2_000, 3_000, 4_000, 5_000])
    expect(vout).toMatchObject([{ scriptpubkey_address: address, value: 14_000 - fee }])
    expect(fee).toBe(Math.ceil(Math.ceil(weight / 4) * 1.5))
    await world.devnet.mine()
    await goTo(page, '/coins', 'Coins')
    await expect.poll(() => page.text(), NEWS).toContain('3 coins')
  })

  it('can wait for the fee that the person set: the start screen says when it is there', async () => {
    await goTo(page, '/settings/notifications', 'Notifications')
    await page.fill('textbox', 'Alert me when fees are below (sat/vB)', '9999')
    await page.click('button', 'Set')
    await page.find('button', 'Turn off')
    await goTo(page, '/', 'Wallet')
    await page.waitForText('Fees are low:')
    await page.click('button', 'Merge small coins')
    await page.find('heading', 'Merge small coins')
    await goTo(page, '/settings/notifications', 'Notifications')
    await page.click('button', 'Turn off')
    await goTo(page, '/', 'Wallet')
    await page.waitForText('1,0')
    expect(await page.text()).not.toContain('Fees are low')
  })
})
