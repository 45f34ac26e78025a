import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Screen } from '../../driver/driver.ts'
import { openCard, tilesOf, writeTransfer } from '../../driver/gallery.ts'
import { confirmPayment, goTo } from '../../driver/own-pages.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import {
  etch,
  holdingsOf,
  type InscribeOrder,
  inscribe,
  whereIs,
} from '../../fixtures/ordinals/devnet-ord.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** An address of nobody in particular: BIP-173's example key. */
const RECIPIENT = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const BTC = 100_000_000

/** A PNG of one red pixel. */
const PIXEL =
  '89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082'

/** The wallet has news of a block within this. */
const NEWS = { timeout: 20_000 }

describe.each(browsersFor('gallery'))('the gallery in %s', browser => {
  let world: World
  let page: Screen
  let address: string

  beforeAll(async () => {
    world = await startWorld(browser)
    const dapp = await world.openConnected()
    address = (await resultOf<string[]>(dapp.request('getAccounts')))[0] ?? ''
    await dapp.close()
    for (let coin = 0; coin < 4; coin++) await world.devnet.faucet(address, 100_000n, false)
    await receive({ items: [{ contentType: 'image/png', bodyHex: PIXEL }, { body: 'a poem' }] })
    page = await world.wallet.popup()
  })
  afterAll(() => world?.stop())

  it('is found from the start screen and shows what there is, the open list what arrives', async () => {
    await page.click('link', 'Inscriptions 2*')
    await page.waitForText('2 inscriptions')
    await page.waitForText('a poem')
    await expect
      .poll(() => page.page.$$('li[aria-posinset] > a .inscription-picture__picture > canvas'))
      .toHaveLength(1)
    const [id = ''] = await receive({ body: 'just arrived' })
    await page.waitForText('3 inscriptions', NEWS.timeout)
    await expect.poll(async () => (await tilesOf(page))[0]).toBe(id)
    await page.waitForText('just arrived')
  })

  it('leads to what the wallet checked itself, and sends it from there', async () => {
    const [id = ''] = await receive({ contentType: 'image/png', bodyHex: PIXEL, offset: 200 })
    const { number } = await whereIs(world.devnet, id)
    await goTo(page, '/inscriptions', 'Inscriptions')
    await page.click('link', `#${number}*`)
    await page.find('heading', `Inscription ${number}`)
    const card = await page.waitForText('Verified by this wallet')
    expect(card).toContain('followed to your coin')
    expect(card).toContain('Sat 200 of this coin')
    await page.find('img', `Inscription ${number}`)
    await page.click('button', 'Send')
    await writeTransfer(page, { to: RECIPIENT, feeRate: '3' })
    await page.click('button', 'Review')
    await page.find('heading', `You send Inscription ${number} to *`)
    const txid = await confirmPayment(page)
    await world.devnet.mine()
    expect(await whereIs(world.devnet, id)).toMatchObject({
      address: RECIPIENT,
      satpoint: `${txid}:0:200`,
      value: 546,
    })
    await goTo(page, '/inscriptions', 'Inscriptions')
    await expect.poll(() => tilesOf(page), NEWS).not.toContain(id)
  })

  it('sends several that were chosen, in the order in which they were', async () => {
    const [first = '', second = ''] = await receive({ items: [{ body: 'one' }, { body: 'two' }] })
    await goTo(page, '/inscriptions', 'Inscriptions')
    await expect.poll(() => tilesOf(page), NEWS).toContain(second)
    await page.click('button', 'Select')
    for (const id of [second, first]) await page.click('button', `#${await numberOf(id)}*`)
    await page.click('button', 'Send 2 inscriptions')
    await writeTransfer(page, { to: RECIPIENT, feeRate: '2' })
    await page.click('button', 'Review')
    const txid = await confirmPayment(page)
    await world.devnet.mine()
    expect(await whereIs(world.devnet, second)).toMatchObject({
      address: RECIPIENT,
      satpoint: `${txid}:0:0`,
    })
    expect(await whereIs(world.devnet, first)).toMatchObject({
      address: RECIPIENT,
      satpoint: `${txid}:1:0`,
    })
  })

  it.runIf(browser === 'chromium')('puts two that share a coin on coins of their own', async () => {
    const [first = '', second = ''] = await receive({
      together: true,
      postage: 5_000,
      items: [{ body: 'left' }, { body: 'right', offset: 3_000 }],
    })
    await openCard(page, first)
    await page.waitForText('On the same coin')
    await page.click('link', 'Separate inscriptions*')
    await reviewSplit(page)
    await confirmPayment(page)
    await world.devnet.mine()
    const places = await Promise.all([first, second].map(id => whereIs(world.devnet, id)))
    expect(places.map(place => place.address)).toEqual([address, address])
    const outputs = places.map(({ satpoint }) => outpointOf(satpoint))
    expect(outputs[0]).not.toBe(outputs[1])
    for (const [index, id] of [first, second].entries()) {
      const { inscriptions } = await holdingsOf(world.devnet, outputs[index] ?? '')
      expect(inscriptions).toEqual([id])
      await openCard(page, id)
      await page.waitForText('Verified by this wallet')
      expect(await page.text()).not.toContain('On the same coin')
    }
  })

  it.runIf(browser === 'chromium')('takes one out of a coin of 1 BTC', async () => {
    const [id = ''] = await receive({ postage: BTC, offset: 40_000_000 })
    const before = await readSpendable(page)
    await openCard(page, id)
    await page.click('link', 'Move out of a large coin*')
    await reviewSplit(page)
    const txid = await confirmPayment(page)
    await world.devnet.mine()
    const place = await whereIs(world.devnet, id)
    expect(place.address).toBe(address)
    expect(place.value).toBeLessThanOrEqual(10_000)
    expect(place.satpoint.startsWith(txid)).toBe(true)
    await expect
      .poll(async () => (await readSpendable(page)) - before, NEWS)
      .toBeGreaterThan(BTC - 20_000)
  })

  it.runIf(browser === 'chromium')(
    'is one with the list of coins: it names what is on each, and a locked one stays',
    async () => {
      const [id = ''] = await receive({ postage: 7_777, body: 'stays' })
      const rune = await etch(world.devnet, address, {
        name: 'GALLERY•OF•RUNES',
        amount: '21000',
        postage: 8_888,
      })
      const name = `Inscription ${await numberOf(id)}`
      await goTo(page, '/coins', 'Coins')
      await expect.poll(() => readCoin(page, '7,777 sats'), NEWS).toContain(name)
      await expect.poll(() => readCoin(page, '8,888 sats'), NEWS).toContain(`21,000 ${rune.name}`)
      expect(await readCoin(page, '100,000 sats').catch(() => '')).not.toContain('Inscription')

      // What may be lost is named before a payment may spend it.
      await page.click('button', 'Allow spending: 7,777 sats')
      await page.find('checkbox', `I accept that I can lose ${name}`)
      expect(await (await page.find('button', 'Allow spending')).evaluate(isDisabled)).toBe(true)
      await page.click('button', 'Keep it held')

      await page.click('link', `${name}*`)
      await page.click('button', 'Lock this coin')
      await page.waitForText('It cannot be sent until you unlock its coin.')
      expect(await (await page.find('button', 'Send')).evaluate(isDisabled)).toBe(true)
      await goTo(page, '/coins', 'Coins')
      await page.click('button', 'Unlock: 7,777 sats')
      await page.find('button', 'Allow spending: 7,777 sats')
      await openCard(page, id)
      await page.find('button', 'Lock this coin')
      expect(await (await page.find('button', 'Send')).evaluate(isDisabled)).toBe(false)
    },
  )

  it.runIf(browser === 'chromium')('corrects itself when a block leaves the chain', async () => {
    await goTo(page, '/inscriptions', 'Inscriptions')
    const [id = ''] = await receive({ body: 'in and out' })
    await expect.poll(() => tilesOf(page), NEWS).toContain(id)
    await world.devnet.reorg(1)
    await expect.poll(() => tilesOf(page), NEWS).not.toContain(id)
    await world.devnet.mine()
    await expect.poll(() => tilesOf(page), NEWS).toContain(id)
  })

  const receive = (order: InscribeOrder) => inscribe(world.devnet, address, order)
  const numberOf = async (id: string) => (await whereIs(world.devnet, id)).number
})

async function reviewSplit(page: Screen): Promise<void> {
  await page.click('radio', 'Custom*')
  await page.fill('textbox', 'Fee rate in sat/vB', '2')
  await page.click('button', 'Review')
  await page.find('heading', 'You *')
}

/** Sats that payments can spend, as the list of coins says. */
async function readSpendable(page: Screen): Promise<number> {
  await goTo(page, '/coins', 'Coins')
  const text = await page.waitForText('Payments can spend')
  const [, btc = ''] = /Payments can spend\s+([\d.,]+)/.exec(text) ?? []
  return Math.round(Number(btc.replaceAll(',', '')) * BTC)
}

/** What stands on the entry of the coin of this amount. */
function readCoin(page: Screen, amount: string): Promise<string> {
  return page.evaluate(
    amount =>
      Array.from(
        document.querySelectorAll('main section > ul > li'),
        coin => coin.textContent ?? '',
      ).find(text => text.startsWith(amount)) ?? '',
    amount,
  )
}

/** Runs in the page. */
function isDisabled(element: Element): boolean {
  return element.matches(':disabled')
}

function outpointOf(satpoint: string): string {
  return satpoint.split(':').slice(0, 2).join(':')
}
