import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { goTo } from '../../driver/own-pages.ts'
import type { Screen } from '../../driver/screen.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** Half a bitcoin, of which devnet says that a whole one costs €90,000. */
const HELD = 50_000_000n
const WORTH = '€45,000.00'
/** Digits of no other number that the page has. */
const DIGITS = /45,000|90,000/

describe.each(browsersFor('chart'))('price and chart in %s', browser => {
  let world: World
  let page: Screen

  beforeAll(async () => {
    world = await startWorld(browser)
    const dapp = await world.openConnected()
    const [address = ''] = await resultOf<string[]>(dapp.request('getAccounts'))
    await dapp.close()
    await world.devnet.faucet(address, HELD)
    await world.devnet.mine(1)
    page = await world.wallet.popup()
    await page.waitForText('50,000,000 sats')
  })
  afterAll(() => world?.stop())

  const press = (key: 'ArrowLeft' | 'ArrowRight' | 'Home' | 'End' | 'PageDown') =>
    page.page.keyboard.press(key)
  const said = async (name: string) =>
    (await page.find('slider', name)).evaluate(slider => slider.getAttribute('aria-valuetext'))
  const askedForPrices = async () => {
    const hits = await (await fetch(`${world.devnet.url}/devnet/hits`)).json()
    return Object.keys(hits).filter(path => path.includes('price'))
  }

  it('is switched off until a currency is chosen, and asks for no price before', async () => {
    await page.click('link', 'Price and chart')
    await page.find('heading', 'Price and chart')
    await page.waitForText('Prices are switched off')
    expect(await askedForPrices()).toEqual([])
    await page.click('button', 'Choose a currency')
    await page.find('heading', 'Language and display')
    const currency = await page.find('combobox', 'Show amounts also in')
    await currency.focus()
    await currency.type('Euro')
    await goTo(page, '/', 'Wallet')
    await page.waitForText(WORTH)
  })

  it('shows what the balance is worth, and what a bitcoin cost, as the keys choose', async () => {
    await page.click('link', 'Price and chart')
    await page.waitForText(WORTH)
    await (await page.find('radio', 'Month')).focus()
    await press('ArrowRight')
    await page.find('slider', 'Worth of the balance over a year')
    await press('ArrowLeft')
    await press('ArrowLeft')
    await page.find('slider', 'Worth of the balance over a week')
    await (await page.find('radio', 'Balance')).focus()
    await press('ArrowRight')
    await page.find('slider', 'Price of one bitcoin over a week')
    await page.waitForText('€90,000.00')
  })

  it('says a point as the arrow keys move to it', async () => {
    const name = 'Price of one bitcoin over a week'
    await (await page.find('slider', name)).focus()
    expect(await said(name)).toMatch(/: €90,000\.00$/)
    await press('Home')
    const first = await said(name)
    await press('ArrowRight')
    expect(await said(name)).not.toBe(first)
    await press('End')
    expect(await said(name)).toMatch(/: €90,000\.00$/)
  })

  it('has each point in a table', async () => {
    await page.click('radio', 'Day')
    await page.clickSelector('summary')
    await page.waitForText('Worth')
    const rows = await page.evaluate(() => document.querySelectorAll('tbody tr').length)
    expect(rows).toBe(25)
  })

  it('shows the shape of the balance alone while amounts are hidden, and the price all the same', async () => {
    await goTo(page, '/', 'Wallet')
    await page.waitForText(WORTH)
    await page.click('button', 'Hide amounts')
    await page.waitForText('Amounts are hidden')
    await goTo(page, '/chart', 'Price and chart')
    await page.find('img', 'Worth of the balance over a month, without amounts')
    const markup = () => page.evaluate(() => document.body.innerHTML)
    expect(await markup()).not.toMatch(DIGITS)
    expect(await page.has('slider')).toBe(false)
    await page.click('radio', '1 bitcoin')
    await page.waitForText('€90,000.00')
    await goTo(page, '/', 'Wallet')
    await page.click('button', 'Show amounts')
  })

  it('told the server for prices no more than the currency', async () => {
    const asked = new Set(await askedForPrices())
    expect(asked).toEqual(new Set(['GET /api/v1/prices', 'GET /api/v1/historical-price']))
  })
})
