import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Screen } from '../../driver/driver.ts'
import { openCard } from '../../driver/gallery.ts'
import { confirmPayment, goTo } from '../../driver/own-pages.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { inscribe, whereIs } from '../../fixtures/ordinals/devnet-ord.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

describe.each(browsersFor('burn'))('burning an inscription in %s', browser => {
  let world: World
  let page: Screen
  let id: string

  beforeAll(async () => {
    world = await startWorld(browser)
    const dapp = await world.openConnected()
    const [address = ''] = await resultOf<string[]>(dapp.request('getAccounts'))
    await dapp.close()
    ;[id = ''] = await inscribe(world.devnet, address, { body: 'a mistake', postage: 10_000 })
    page = await world.wallet.popup()
  })
  afterAll(() => world?.stop())

  it('takes a typed word and a tick, and is in the activity', async () => {
    await goTo(page, '/', 'Wallet')
    await openCard(page, id)
    await page.click('button', 'Burn')
    await page.find('heading', 'Burn this inscription')
    await page.click('radio', 'Custom*')
    await page.fill('textbox', 'Fee rate in sat/vB', '2')
    await page.fill('textbox', 'Type*', 'burn')
    await page.click('button', 'Review')
    await page.waitForText('Destroyed with it')
    await page.click('checkbox', 'I destroy*')
    const txid = await confirmPayment(page)
    await world.devnet.mine()
    expect(await whereIs(world.devnet, id)).toMatchObject({
      ...{ satpoint: `${txid}:0:0`, charms: expect.arrayContaining(['burned']) },
    })
    await goTo(page, '/activity', 'Activity')
    await page.waitForText('Inscription burned')
    await goTo(page, '/inscriptions', 'Inscriptions')
    await page.waitForText('No inscriptions')
  })
})
