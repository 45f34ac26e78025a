import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { goTo, shortenTxid, writePayment } from '../../driver/own-pages.ts'
import type { Screen } from '../../driver/screen.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { openPaid } from '../../fixtures/paid-wallet.ts'
import { startWorld, type World } from '../../fixtures/world.ts'

const RECIPIENT = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const WIDE = { width: 1280, height: 800 }
const NARROW = { width: 400, height: 800 }
const WAYS = [
  ...[
    ['Activity', 'Activity'],
    ['Coins', 'Coins'],
    ['Inscriptions', 'Inscriptions'],
  ],
  ...[
    ['Runes', 'Runes'],
    ['BRC-20', 'BRC-20 tokens'],
    ['Sites', 'Connected sites'],
  ],
  ...[
    ['Contacts', 'Contacts'],
    ['Settings', 'Settings'],
    ['Wallet', 'Wallet'],
  ],
] as [way: string, heading: string][]

describe.each(browsersFor('wide-tab'))('a wide tab in %s', browser => {
  let world: World
  let page: Screen
  let txid: string
  /** Path of a coin. */
  let coin: string

  beforeAll(async () => {
    world = await startWorld(browser)
    ;({ page, txid } = await openPaid(world, [70_000n, 80_000n, 90_000n], '240,000 sats'))
    await page.page.setViewport(WIDE)
    await page.find('navigation', 'Wallet')
  })
  afterAll(() => world?.stop())

  const marked = () =>
    page.evaluate(() => document.querySelector('nav [aria-current="page"]')?.textContent ?? null)
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement
      return element?.getAttribute('href') ?? element?.textContent ?? ''
    })

  const columns = () =>
    page.evaluate(() =>
      Array.from(document.querySelectorAll<HTMLElement>('[role="columnheader"]'))
        .filter(column => column.checkVisibility())
        .map(column => column.textContent),
    )
  /** The row of the coin that the last payment made, as it is read out. */
  const coinRow = () =>
    page.evaluate(
      start => document.querySelector(start)?.closest('[role="row"]')?.textContent ?? '',
      coinLink(),
    )
  const coinLink = () => `[role="row"] a[href^="#/coins/${txid}"]`

  it('has a navigation that leads everywhere, marks where one is, and gives the focus to the heading', async () => {
    for (const [way, heading] of WAYS) {
      await page.click('link', way)
      await page.find('heading', heading)
      expect(await marked()).toBe(way)
      await expect.poll(focused).toBe(heading)
      // The start screen's own ways would say the same twice.
      expect(await page.has('button', 'Back')).toBe(false)
    }
  })

  it('begins with a link past the navigation', async () => {
    await goTo(page, '/coins', 'Coins')
    const first = await page.evaluate(
      () => document.querySelector('a[href], button, input')?.textContent,
    )
    expect(first).toBe('Skip to the content')
    await (await page.find('link', 'Skip to the content')).focus()
    await page.page.keyboard.press('Enter')
    await expect.poll(focused).toBe('Coins')
  })

  it('shows the details of a transaction beside the list, which keeps its place and gets the focus back', async () => {
    await page.click('link', 'Activity')
    await page.find('table', 'Activity')
    const shown = await columns()
    expect(shown.slice(0, 1).concat(shown.slice(-3))).toEqual([
      'Transaction',
      'Date',
      'Network fee',
      'Amount',
    ])
    await page.clickSelector(`[role="row"] a[href="#/activity/${txid}"]`)
    await page.waitForText(shortenTxid(txid))
    expect(await page.has('table', 'Activity')).toBe(true)
    expect(await page.evaluate(() => document.title)).toContain('Received')
    await page.page.keyboard.press('Escape')
    await expect.poll(focused).toBe(`#/activity/${txid}`)
    expect(await page.evaluate(() => location.hash)).toBe('#/activity')
  })

  it('is left with the details alone when it is made narrow, and has both again when it is wide', async () => {
    await page.clickSelector(`[role="row"] a[href="#/activity/${txid}"]`)
    await page.waitForText(shortenTxid(txid))
    await page.page.setViewport(NARROW)
    await expect.poll(() => page.has('navigation', 'Wallet')).toBe(false)
    expect(await page.text()).toContain(shortenTxid(txid))
    expect(await page.has('table', 'Activity')).toBe(false)
    expect(await page.has('button', 'Back')).toBe(true)
    await page.page.setViewport(WIDE)
    await page.find('table', 'Activity')
    expect(await page.text()).toContain(shortenTxid(txid))
  })

  it('shows the same at the address of the details after a reload, and goes back to the list', async () => {
    await page.page.reload()
    await page.find('table', 'Activity')
    await page.waitForText(shortenTxid(txid))
    await page.page.goBack()
    await page.find('heading', 'Activity')
    await expect.poll(() => page.text()).not.toContain(shortenTxid(txid))
    expect(await page.evaluate(() => location.hash)).toBe('#/activity')
  })

  it('shows the details of a coin beside the list, by keyboard too, and locks it there', async () => {
    await page.click('link', 'Coins')
    await page.find('table', 'Coins')
    expect(await columns()).toEqual(['Coin', 'Carries', 'Status', 'Block', 'Amount'])
    expect(await coinRow()).toMatch(/Can be spent.*0\.00090000 BTC$/)
    await page.page.waitForSelector(coinLink())
    await page.page.focus(coinLink())
    await page.page.keyboard.press('Enter')
    await expect.poll(focused).toBe('Coin')
    expect(await page.evaluate(() => location.hash)).toMatch(`#/coins/${txid}:`)
    await page.find('button', 'Copy coin')
    await page.waitForText('1 confirmation')
    expect(await page.has('table', 'Coins')).toBe(true)
    await page.click('button', 'Lock: 90,000 sats')
    await expect.poll(coinRow).toContain('Locked by you')
    await page.find('button', 'Unlock: 90,000 sats')
    await page.page.keyboard.press('Escape')
    await expect.poll(focused).toMatch(`#/coins/${txid}:`)
    expect(await page.evaluate(() => location.hash)).toBe('#/coins')
  })

  it('shows a coin alone when it is made narrow, and beside the list after a reload', async () => {
    await page.clickSelector(coinLink())
    await page.find('button', 'Unlock: 90,000 sats')
    coin = await page.evaluate(() => location.hash.slice(1))
    await page.page.setViewport(NARROW)
    await expect.poll(() => page.has('button', 'Back')).toBe(true)
    expect(await page.has('table', 'Coins')).toBe(false)
    await page.page.reload()
    await page.find('button', 'Unlock: 90,000 sats')
    await page.page.setViewport(WIDE)
    await page.find('table', 'Coins')
    await page.click('button', 'Unlock: 90,000 sats')
    await expect.poll(coinRow).toContain('Can be spent')
    await page.page.goBack()
    await expect.poll(() => page.has('button', 'Lock: 90,000 sats')).toBe(false)
    expect(await page.evaluate(() => location.hash)).toBe('#/coins')
    await goTo(page, `/coins/${'0'.repeat(64)}:0`, 'Coin')
    await page.waitForText('This coin is not on this account any more.')
  })

  it('shows the picture of a payment beside its words, and above them when it is made narrow', async () => {
    await goTo(page, '/send', 'Send')
    await writePayment(page, { recipients: [{ to: RECIPIENT, btc: '0.0002' }], feeRate: '2' })
    await page.click('button', 'Review')
    await page.find('button', 'Edit')
    const boxes = () =>
      page.evaluate(() => {
        const boxOf = (selector: string) =>
          document.querySelector(selector)?.getBoundingClientRect()
        const [picture, title, facts] = ['figure', 'main h1', 'main dl'].map(boxOf)
        if (!picture || !title || !facts) return 'not all there'
        if (picture.left < Math.max(title.right, facts.right)) return 'not beside'
        return picture.top < title.bottom ? 'beside, at the top' : 'beside, below'
      })
    await expect.poll(boxes).toBe('beside, at the top')
    await page.page.setViewport(NARROW)
    await expect.poll(boxes).toBe('not beside')
    await page.page.setViewport(WIDE)
    await expect.poll(boxes).toBe('beside, at the top')
  })

  it('is never wider than its window, from 320 to 2560 px', async () => {
    for (const path of [
      '/',
      '/activity',
      `/activity/${txid}`,
      '/coins',
      coin,
      '/inscriptions',
      '/send',
    ]) {
      await page.evaluate(hash => {
        location.hash = hash
      }, path)
      for (const width of [320, 480, 640, 899, 900, 1100, 1280, 1920, 2560]) {
        await page.page.setViewport({ width, height: 800 })
        const over = await page.evaluate(() => {
          const boxes = [document.documentElement, ...document.querySelectorAll('main')]
          return Math.max(...boxes.map(box => box.scrollWidth - box.clientWidth))
        })
        expect(`${path} at ${width}: ${over}`).toBe(`${path} at ${width}: 0`)
      }
    }
  })
})
