import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Screen } from '../../driver/driver.ts'
import { confirmPayment, goTo, showTransaction } from '../../driver/own-pages.ts'
import { NEWS_MS, openRune } from '../../driver/runes.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { etch, inscribe, runesAt } from '../../fixtures/ordinals/devnet-ord.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** Addresses of nobody in particular: example keys of BIP-173 and BIP-350. */
const ALICE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const BOB = 'bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6'

describe.each(browsersFor('runes'))('runes in %s', browser => {
  let world: World
  let page: Screen
  let address: string

  beforeAll(async () => {
    world = await startWorld(browser)
    const dapp = await world.openConnected()
    address = (await resultOf<string[]>(dapp.request('getAccounts')))[0] ?? ''
    for (let coin = 0; coin < 3; coin++) await world.devnet.faucet(address, 100_000n, false)
    await world.devnet.mine()
    page = await world.wallet.popup()
  })
  afterAll(() => world?.stop())
  afterEach(async () => expect(await world.wallet.countApprovalWindows()).toBe(0))

  it('are found from the start screen, and say what they are, as it is etched', async () => {
    await etch(world.devnet, address, {
      ...{ name: 'SATCHEL•TEST•GOLD', amount: '1000000', divisibility: 3, symbol: 'G' },
    })
    await goTo(page, '/', 'Wallet')
    await page.find('link', 'Runes 1 rune', NEWS_MS)
    await page.click('link', 'Runes 1 rune')
    await page.find('heading', 'Runes')
    await page.click('link', 'SATCHEL•TEST•GOLD 1,000')
    await page.find('heading', 'SATCHEL•TEST•GOLD')
    const text = await page.waitForText('Checked on the chain')
    expect(await page.textOf('rune-balance')).toContain('1,000 G')
    expect(text).toContain('This rune cannot be minted.')
    expect(text).toContain('1,000 can be sent now\u00a0· 1\u00a0coin')
  })

  it('go to two receivers in exact amounts, and the rest comes back', async () => {
    const name = 'SATCHEL•TEST•SILVER'
    await etch(world.devnet, address, { name, amount: '5000', divisibility: 2 })
    await openRune(page, name, '50')
    await page.click('button', 'Send')
    await page.fill('textbox', 'Amount', '60')
    await page.fill('textbox', 'To', ALICE)
    await page.click('button', 'Review')
    await page.waitForText('You have 50 available.')
    await page.fill('textbox', 'Amount', '12.34')
    await page.click('button', 'Add a recipient')
    await page.fill('textbox', 'Amount, recipient 2', '0.01')
    await page.fill('textbox', 'To, recipient 2', BOB)
    await page.click('button', 'Review')
    await page.find('heading', 'You send *')
    const review = await page.text()
    for (const part of [`12.34 ${name}`, `0.01 ${name}`, `37.65 ${name}`])
      expect(review).toContain(part)
    const txid = await confirmPayment(page)
    await world.devnet.mine()
    expect(await runesAt(world.devnet, `${txid}:0`)).toEqual({ [name]: 3_765 })
    expect(await runesAt(world.devnet, `${txid}:1`)).toEqual({ [name]: 1_234 })
    expect(await runesAt(world.devnet, `${txid}:2`)).toEqual({ [name]: 1 })
    await openRune(page, name, '37.65')
  })

  it('of two kinds go to two receivers in one transaction', async () => {
    const [first, second] = ['SATCHEL•TEST•OPAL', 'SATCHEL•TEST•RUBY'] as const
    await etch(world.devnet, address, { name: first, amount: '500', divisibility: 1 })
    await etch(world.devnet, address, { name: second, amount: '70' })
    await openRune(page, first, '50')
    await page.click('button', 'Send')
    await page.fill('textbox', 'Amount', '12.5')
    await page.fill('textbox', 'To', ALICE)
    await page.click('button', 'Add a recipient')
    await page.find('combobox', 'Rune for recipient 2')
    await page.page.select('section:nth-of-type(2) select', second)
    await page.fill('textbox', 'Amount, recipient 2', '71')
    await page.fill('textbox', 'To, recipient 2', BOB)
    await page.click('button', 'Review')
    await page.waitForText('You have 70 available.')
    await page.fill('textbox', 'Amount, recipient 2', '7')
    await page.click('button', 'Review')
    await page.find('heading', 'You send *')
    const review = await page.text()
    for (const part of [`12.5 ${first}`, `37.5 ${first}`, `7 ${second}`, `63 ${second}`])
      expect(review).toContain(part)
    const txid = await confirmPayment(page)
    await world.devnet.mine()
    expect(await runesAt(world.devnet, `${txid}:0`)).toEqual({ [first]: 375, [second]: 63 })
    expect(await runesAt(world.devnet, `${txid}:1`)).toEqual({ [first]: 125 })
    expect(await runesAt(world.devnet, `${txid}:2`)).toEqual({ [second]: 7 })
  })

  it('leave an inscription on its coin when some of them go from there, and keep to their places when it is sped up', async () => {
    const name = 'SATCHEL•TEST•BRONZE'
    const [poem = ''] = await inscribe(world.devnet, null, { body: 'a poem' })
    const { outpoint } = await etch(world.devnet, address, {
      ...{ name, amount: '1000', onto: poem, postage: 10_000 },
    })
    await openRune(page, name, '1,000')
    await page.click('button', 'Send')
    await page.fill('textbox', 'Amount', '999')
    await page.fill('textbox', 'To', ALICE)
    await page.click('button', 'Review')
    await page.find('heading', `You send 999 ${name} to *`)
    const sent = await confirmPayment(page)
    await showTransaction(page, sent)
    await page.click('button', 'Speed up*')
    await page.click('radio', 'Custom*')
    await page.fill('textbox', 'Fee rate in sat/vB', '9')
    await page.click('button', 'Review')
    expect(await page.waitForText(`999 ${name}`)).toContain('Runestone')
    await page.click('checkbox', `I give away *`)
    const txid = await confirmPayment(page)
    expect(txid).not.toBe(sent)
    await world.devnet.mine()
    const { vin } = await world.devnet.rpc<{ vin: { txid: string; vout: number }[] }>(
      'getrawtransaction',
      [txid, 1],
    )
    expect(vin.map(input => `${input.txid}:${input.vout}`)).toContain(outpoint)
    expect(await runesAt(world.devnet, `${txid}:0`)).toEqual({})
    expect(await runesAt(world.devnet, `${txid}:1`)).toEqual({ [name]: 1 })
    expect(await runesAt(world.devnet, `${txid}:2`)).toEqual({ [name]: 999 })
  })
})
