import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Screen } from '../../driver/screen.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { startWorld, type World } from '../../fixtures/world.ts'

describe.each(browsersFor('own-throws'))('own throws in %s', browser => {
  let world: World
  let page: Screen

  beforeAll(async () => {
    world = await startWorld(browser, { setUp: false })
    page = await world.wallet.popup()
  })
  afterAll(() => world?.stop())

  it('become the words that SeedSigner makes of them, and too few or poor ones are told of', async () => {
    await page.click('button', 'Create a wallet')
    await page.click('button', 'Use my own dice or coin')
    await page.fill('textbox', 'Throws', '123456')
    await page.click('button', 'Continue')
    await page.waitForText('44 more throws are needed')
    // Of SeedSigner's tests: 50 throws in turn.
    await page.fill('textbox', 'Throws', '123456'.repeat(9).slice(0, 50))
    await page.click('button', 'Continue')
    await page.waitForText('do not look like fair throws')
    await page.click('checkbox', 'I threw these*')
    await page.click('button', 'Continue')
    await page.click('button', 'Show the steps')
    await page.waitForText('sha256sum')
    await page.click('button', 'Continue')
    await page.click('button', 'Show words')
    await page.find('list', 'Recovery words')
    const words =
      'unveil nice picture region tragic fault cream strike tourist control recipe tourist'
    for (const word of words.split(' ')) expect(await page.text()).toContain(word)
  })
})
