import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Screen } from '../../driver/driver.ts'
import { goTo } from '../../driver/own-pages.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { startWorld, type World } from '../../fixtures/world.ts'

describe.each(browsersFor('site-history'))('what a site asked, in %s', browser => {
  let world: World
  let page: Screen
  let folder: string

  beforeAll(async () => {
    world = await startWorld(browser)
    folder = mkdtempSync(join(tmpdir(), 'satchel-history-'))
  })
  afterAll(async () => {
    await world?.stop()
    if (folder) rmSync(folder, { recursive: true, force: true })
  })

  it('is shown with its answers and exported, and all sites are disconnected at once', async () => {
    const dapp = await world.openConnected()
    const signed = dapp.request('signMessage', 'I agree')
    await (await world.wallet.nextApproval()).approve()
    expect(await signed).toHaveProperty('result')
    const refused = dapp.request('signMessage', 'I do not agree')
    await (await world.wallet.nextApproval()).reject()
    expect(await refused).toMatchObject({ error: { code: 4001 } })

    page = await world.wallet.popup()
    await goTo(page, '/settings/sites', 'Connected sites')
    await page.click('link', '127.0.0.1:*')
    await page.click('link', 'What this site asked*')
    await page.waitForText('I do not agree')
    const shown = await page.text()
    for (const text of ['I agree', 'Approved', 'Rejected', 'Connect']) expect(shown).toContain(text)

    const session = await page.page.createCDPSession()
    await session.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder })
    await page.click('button', 'Export as CSV')
    const listSaved = () => readdirSync(folder).filter(name => name.endsWith('.csv'))
    await expect.poll(() => listSaved().length, { timeout: 15_000 }).toBe(1)
    const csv = readFileSync(join(folder, listSaved()[0] ?? ''), 'utf8')
    expect(csv).toMatch(/,sign-messages,approved,.*I agree/)
    expect(csv).toMatch(/,sign-messages,rejected,.*I do not agree/)

    await goTo(page, '/settings/sites', 'Connected sites')
    await page.click('button', 'Disconnect all')
    await page.click('button', 'Disconnect')
    await page.waitForText('No site is connected')
    expect(await dapp.request('getAccounts')).toMatchObject({ result: [] })
  })
})
