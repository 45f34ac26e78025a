import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { goTo, tabTo, writePayment } from '../../driver/own-pages.ts'
import type { Screen } from '../../driver/screen.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { openPaid } from '../../fixtures/paid-wallet.ts'
import { startWorld, type World } from '../../fixtures/world.ts'

/** Program of BIP-173's examples. */
const ALICE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
/** No other number of the wallet has these digits in a row. */
const HELD = 123_456_789n
/** In BTC, cut into groups, and in sats. */
const DIGITS = /1\.23|456,?789/

describe.each(browsersFor('hidden-amounts'))('amounts that are hidden in %s', browser => {
  let world: World
  let page: Screen
  let txid: string

  beforeAll(async () => {
    world = await startWorld(browser)
    ;({ page, txid } = await openPaid(world, [HELD], '123,456,789 sats'))
  })
  afterAll(() => world?.stop())

  /** All that is drawn, named or copied of a screen. */
  const markup = () => page.evaluate(() => document.body.innerHTML)

  it('go with one press of a key, and come back with the next; the focus stays', async () => {
    expect(await markup()).toMatch(DIGITS)
    await tabTo(page, 'button', 'Hide amounts')
    await page.page.keyboard.press('Enter')
    await page.find('button', 'Show amounts')
    await page.waitForText('Amounts are hidden')
    expect(await markup()).not.toMatch(DIGITS)
    await page.page.keyboard.press('Enter')
    await page.find('button', 'Hide amounts')
    await page.waitForText('123,456,789 sats')
  })

  it('are on no screen of what there is and what happened', async () => {
    await page.click('button', 'Hide amounts')
    await page.waitForText('Amounts are hidden')
    const screens = [
      ['/', 'Wallet', 'Received'],
      ['/activity', 'Activity', 'Received'],
      [`/activity/${txid}`, 'Received', '1 confirmation'],
      ['/coins', 'Coins', '1 coin'],
    ] as const
    for (const [path, heading, text] of screens) {
      await goTo(page, path, heading)
      await page.waitForText(text)
      await page.waitForText('••••')
      expect(await markup(), path).not.toMatch(DIGITS)
    }
  })

  it('stay hidden with a new background, and are not drawn for a moment by a page that opens', async () => {
    await page.close()
    await world.wallet.killBackground()
    page = await world.wallet.popup()
    await page.page.evaluateOnNewDocument(recordDrawn)
    await page.page.reload()
    await page.waitForText('Amounts are hidden')
    await page.find('link', 'Received*')
    const drawn = await page.evaluate(() => Object(globalThis).drawn as string[])
    expect(drawn.join('\n')).toContain('Amounts are hidden')
    expect(drawn.filter(text => DIGITS.test(text))).toEqual([])
  })

  it('are shown where the person pays, and to whoever is asked to approve', async () => {
    await page.click('button', 'Send')
    await writePayment(page, { recipients: [{ to: ALICE, btc: '0.00123456' }], feeRate: '2.5' })
    await page.click('button', 'Review')
    await page.find('heading', 'You send 0.00123456 BTC to *')
    await page.waitForText('123,456 sats')
    await goTo(page, '/', 'Wallet')

    const dapp = await world.openConnected()
    const paying = dapp.request('sendBitcoin', ALICE, 30_000, { feeRate: 2 })
    const approval = await world.wallet.nextApproval()
    await approval.waitForText('30,000 sats')
    expect(await approval.text()).not.toContain('••••')
    await approval.reject()
    expect(await paying).toMatchObject({ error: { code: 4001 } })
    await dapp.close()
  })

  it('are shown again by the switch in the settings', async () => {
    await goTo(page, '/settings/display', 'Language and display')
    await page.click('switch', 'Hide amounts')
    await goTo(page, '/', 'Wallet')
    await page.waitForText('123,456,789 sats')
    await page.find('button', 'Hide amounts')
  })
})

/** Keeps the text of the page after every change of it. Runs inside the page, before its scripts. */
function recordDrawn() {
  const drawn: string[] = []
  Object.assign(globalThis, { drawn })
  const note = () => {
    const text = document.documentElement?.textContent ?? ''
    if (text !== drawn.at(-1)) drawn.push(text)
  }
  new MutationObserver(note).observe(document, {
    childList: true,
    characterData: true,
    subtree: true,
  })
}
