import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Screen } from '../../driver/driver.ts'
import { goTo } from '../../driver/own-pages.ts'
import { ALICE, expectEtched, expectFilled, fillWallet } from '../../fixtures/filled-wallet.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import {
  buildPrevious,
  findPrevious,
  NO_PREVIOUS,
  replaceBuild,
} from '../../fixtures/previous-build.ts'
import { PASSWORD, resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** Lower than that of any release. */
const PREVIOUS_VERSION = '0.0.9'
const BUILDING_MS = 300_000
const STRETCH_MS = 60_000

const previous = findPrevious()
const needed = previous === null ? { skip: true, meta: { skipReason: NO_PREVIOUS } } : {}

describe('an update', needed, () => {
  describe.each(browsersFor('update'))('in %s', browser => {
    const mode = browser === 'firefox' ? 'firefox' : 'chrome'
    let folder: string
    let profileDir: string
    let world: World
    let page: Screen
    let address: string

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'satchel-extension-'))
      profileDir = mkdtempSync(join(tmpdir(), 'satchel-profile-'))
      replaceBuild(folder, buildPrevious(previous ?? '', browser))
      setVersion(folder, PREVIOUS_VERSION)
      world = await startWorld(browser, { profileDir, extensionDir: folder })
    }, BUILDING_MS)
    afterAll(async () => {
      await world?.stop()
      for (const path of [folder, profileDir])
        if (path) rmSync(path, { recursive: true, force: true, maxRetries: 5 })
    })

    it('begins with the version before, a connected site, a payment and all that words do not bring back', async () => {
      const dapp = await world.openConnected()
      ;[address = ''] = await resultOf<string[]>(dapp.request('getAccounts'))
      for (const sats of [200_000n, 200_000n, 54_321n]) await world.devnet.faucet(address, sats)
      const paying = dapp.request('sendBitcoin', ALICE, 20_000, { feeRate: 2 })
      await (await world.wallet.nextApproval()).approve()
      await resultOf(paying)
      await world.devnet.mine()
      await dapp.close()
      page = await world.wallet.popup()
      await page.find('region', 'Balance')
      await fillWallet(world, page)
      await page.close()
    })

    it('finds all of it in this version, and the site connected as before', async () => {
      replaceBuild(folder, join('dist', mode))
      await world.wallet.browser.installExtension(folder)
      await world.wallet.unlock(PASSWORD)
      // Only an installation opens a tab.
      await expect
        .poll(() => world.wallet.evaluateInBackground(countTabs, world.wallet.extensionUrl))
        .toBe(0)
      const dapp = await world.wallet.openDapp(`${world.site}plain.html`)
      expect(await resultOf<string[]>(dapp.request('getAccounts'))).toEqual([address])
      await dapp.close()
      page = await world.wallet.popup()
      await expectFilled(page)
      await goTo(page, '/activity', 'Activity')
      await page.waitForText('To Alice')
      await page.waitForText('−0.00020')
    })

    it('calls the accounts that nobody named by their number in another language, the others by their name', async () => {
      await goTo(page, '/settings/display', 'Language and display')
      await page.page.select('select', 'de')
      await goTo(page, '/accounts', 'Konten')
      await page.find('link', 'Details zu Konto 2')
      await page.find('link', 'Details zu Savings')
      await goTo(page, '/settings/display', 'Sprache und Anzeige')
      await page.page.select('select', 'en')
      await goTo(page, '/activity', 'Activity')
    })

    it('carries on with what was under way, by what the previous version signed', async () => {
      await expectEtched(world, page)
    })

    it('leaves alone what a newer version has stored, and says so', async () => {
      const storage = { version: 1_000, writtenBy: '9.8.7' }
      await page.evaluate(storeStamp, storage)
      // What still runs knows nothing of it, and goes on writing until its end.
      await world.restartBrowser()
      const before = (await world.wallet.storageDump()).local
      expect(before).toMatchObject({ storage })
      page = await world.wallet.popup()
      await page.waitForText('from Satchel 9.8.7, which is newer')
      const dapp = await world.wallet.openDapp(`${world.site}plain.html`)
      expect(await dapp.request('getAccounts')).toMatchObject({ error: { code: -32603 } })
      await dapp.close()
      expect((await world.wallet.storageDump()).local).toEqual(before)
    })

    it('opens it again once that version is back', async () => {
      await page.evaluate(storeStamp, { version: 0, writtenBy: '9.8.7' })
      await world.restartBrowser()
      await world.wallet.unlock(PASSWORD)
      page = await world.wallet.popup()
      await page.find('button', 'Account: Savings', STRETCH_MS)
    })
  })
})

function setVersion(folder: string, version: string): void {
  const path = join(folder, 'manifest.json')
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), version }))
}

/** Runs in the background: its own tabs. */
async function countTabs(own: string): Promise<number> {
  const tabs: { url?: string }[] = await Object(globalThis).chrome.tabs.query({})
  return tabs.filter(({ url }) => url?.startsWith(own)).length
}

/** Runs in a page of the extension. */
function storeStamp(storage: object): Promise<void> {
  return Object(globalThis).chrome.storage.local.set({ storage })
}
