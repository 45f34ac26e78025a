import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeForgedHint, spoilStorage } from '../../driver/content-world.ts'
import { launch, type Wallet } from '../../driver/driver.ts'
import { type BrowserName, poll } from '../../driver/engine.ts'
import { describeScreen, type Screen } from '../../driver/screen.ts'
import {
  answerNo,
  connectSatchel,
  listScripts,
  setHttpSite,
  updateAccess,
} from '../../driver/site-access.ts'
import { chooseOkxAlias, type OkxAliasChoice, untilSaved } from '../../driver/wallet-setup.ts'
import { closeWelcomeTab } from '../../driver/welcome-tab.ts'
import { ALIAS_PAGES, IN_TIME, NONCE, NOT_YET } from '../../fixtures/alias-pages.ts'
import { startDappServer } from '../../fixtures/dapp-server.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { PASSWORD, WORDS } from '../../fixtures/world.ts'

type Found = { isOurs: boolean; mine: unknown; siblings: string[] } | null

/** Runs in the page. */
function readAlias(): Found {
  const { okxwallet } = Object(globalThis)
  if (okxwallet === undefined) return null
  return {
    isOurs: okxwallet.bitcoin?.isOkxWallet === true && okxwallet.isSatchel === true,
    mine: okxwallet.mine ?? null,
    siblings: ['bitcoinTestnet', 'bitcoinSignet'].filter(name => okxwallet[name] !== undefined),
  }
}

/** Runs in the page, and takes as long as a patient dapp waits for a wallet. */
async function isStillAbsent(): Promise<boolean> {
  await new Promise(resolve => setTimeout(resolve, 1000))
  return !('okxwallet' in globalThis)
}

const OURS = { isOurs: true, mine: null, siblings: ['bitcoinTestnet', 'bitcoinSignet'] }

const LOADS = 50
/** Without a port of its own, as sites are. */
const SITE = 'http://dapp.localhost/'
/** Elsewhere, for all that a browser knows: anybody on the way can change it. */
const CHANGEABLE = 'http://plain.example/'
const OTHER_PORT = 'http://dapp.localhost:8080/'

/** The build with hosts that the browser allows from the start: nobody can press a button of its own there. */
function allowHosts(folder: string, browser: BrowserName, hosts: readonly string[]): string {
  cpSync(browser === 'firefox' ? 'dist/firefox' : 'dist/chrome', folder, { recursive: true })
  const path = join(folder, 'manifest.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, JSON.stringify({ ...manifest, host_permissions: hosts }))
  return folder
}

describe.each(browsersFor('okx-alias'))('window.okxwallet in %s', browser => {
  let server: Awaited<ReturnType<typeof startDappServer>>
  let plainServer: Awaited<ReturnType<typeof startDappServer>>
  let wallet: Wallet
  let site: string
  let otherSite: string
  const folder = mkdtempSync(join(tmpdir(), 'satchel-allowed-'))

  beforeAll(async () => {
    const csp = `default-src 'none'; script-src 'nonce-${NONCE}'; sandbox allow-scripts`
    server = await startDappServer({ pages: ALIAS_PAGES, csp })
    plainServer = await startDappServer({ pages: ALIAS_PAGES })
    site = plainServer.url
    otherSite = site.replace('127.0.0.1', 'localhost')
    const port = Number(new URL(server.url).port)
    wallet = await launch(
      browser === 'firefox'
        ? {
            browser,
            extensionDir: allowHosts(folder, browser, [`${CHANGEABLE}*`]),
            prefs: {
              'network.proxy.type': 1,
              'network.proxy.http': '127.0.0.1',
              'network.proxy.http_port': port,
              'network.proxy.allow_hijacking_localhost': true,
            },
          }
        : {
            browser,
            extensionDir: allowHosts(folder, browser, [
              `${SITE}*`,
              'http://127.0.0.1/*',
              `${CHANGEABLE}*`,
            ]),
            args: [
              `--host-resolver-rules=MAP dapp.localhost 127.0.0.1:${port},MAP plain.example ${new URL(site).host}`,
            ],
          },
    )
    // It would wake the background that is to be stopped.
    if (browser === 'chromium') await closeWelcomeTab(wallet)
    await wallet.importWallet({ words: WORDS, password: PASSWORD })
    await wallet.chooseNetwork('Regtest')
  })
  afterAll(async () => {
    await wallet?.close()
    await server?.stop()
    await plainServer?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function choose(choice: OkxAliasChoice): Promise<void> {
    const screen = await wallet.popup()
    await chooseOkxAlias(screen, choice)
    await screen.close()
  }

  /** What a fresh page finds once the wallet has had time to answer. */
  async function lookAt(url: string): Promise<Found> {
    const dapp = await wallet.openDapp(url)
    const read = () => dapp.evaluate(readAlias)
    const found = await poll('okxwallet', 15_000, read)
    await dapp.close()
    return found
  }

  async function expectAbsent(...urls: string[]): Promise<void> {
    const dapps = []
    for (const url of urls) dapps.push(await wallet.openDapp(url))
    const absent = await Promise.all(dapps.map(dapp => dapp.evaluate(isStillAbsent)))
    expect(absent, urls.join()).toEqual(urls.map(() => true))
    for (const dapp of dapps) await dapp.close()
  }

  /** What the first script of a page finds, load after load. */
  async function lookFirst(url: string, loads = 1): Promise<unknown[]> {
    const dapp = await wallet.openDapp(`${url}first.html`)
    const found: unknown[] = []
    for (let load = 0; load < loads; load++) {
      if (load > 0) await dapp.page.goto(`${url}first.html?${load}`)
      found.push(await dapp.evaluate(() => Object(globalThis).atFirst))
    }
    await dapp.close()
    return found
  }

  const expectStored = (record: unknown) =>
    expect.poll(async () => (await wallet.storageDump()).local.okxAlias).toEqual(record)

  const readScripts = () => wallet.evaluateInBackground(listScripts)

  it('is on the one site that it was switched on for, and gone when that is taken back', async () => {
    await expectAbsent(`${site}plain.html`)
    expect(await readScripts()).toEqual([])
    await choose({ site, on: true })
    expect(await lookAt(`${site}plain.html`)).toEqual(OURS)
    await expectAbsent(`${otherSite}plain.html`)
    await choose({ site, on: false })
    expect((await wallet.storageDump()).local).not.toHaveProperty('okxAlias')
    expect(await readScripts()).toEqual([])
    await expectAbsent(`${site}plain.html`)
  })

  it('tells what runs in the process of a page no more than a tag, and takes no orders from it', async t => {
    // SECURITY.md says under "Storage" what that leaves open there.
    if (browser === 'firefox') return t.skip('Firefox has no access levels')
    await choose({ site, on: true })
    const dapp = await wallet.openDapp(`${site}plain.html`)
    const found = await spoilStorage(dapp.page)
    const refused = expect.stringContaining('not allowed')
    expect(found).toEqual({
      local: [refused, refused],
      session: [refused, refused],
      hints: [[expect.stringMatching(/^[0-9a-f]{2}$/)]],
    })
    await dapp.close()
    // What it forged leads to a question, and no further.
    await expectAbsent(`${otherSite}plain.html`)
    await wallet.evaluateInBackground(removeForgedHint)
    await choose({ site, on: false })
  })

  it(`is there for the first inline script, ${LOADS} of ${LOADS} loads, under a strict CSP and without storage`, async () => {
    await choose({ site: SITE, on: true })
    const found = await lookFirst(SITE, LOADS)
    expect(found).toEqual(Array.from({ length: LOADS }, () => IN_TIME))
  })

  it('is not on another port of that host', async () => {
    await expectAbsent(`${OTHER_PORT}first.html`)
  })

  it('is there in time while the background is stopped, and needs it not', async () => {
    await wallet.killBackground()
    expect(await lookFirst(SITE, 5)).toEqual(Array.from({ length: 5 }, () => IN_TIME))
    // The welcome tab of Firefox, which stays open, wakes it after a second.
    if (browser === 'chromium') expect(await wallet.isBackgroundRunning()).toBe(false)
    // The next worker finds all as it should be.
    expect(await readScripts()).toEqual([['aliases-default-port.js', ['http://dapp.localhost/*']]])
  })

  it('is gone from the next load on when it is switched off', async () => {
    await choose({ site: SITE, on: false })
    expect(await lookFirst(SITE)).toEqual([NOT_YET])
    await expectAbsent(`${SITE}first.html`)
  })

  it('and the wallet itself are in no plain http page, except where the person allows that', async () => {
    await choose({ everywhere: true })
    const look = async () => {
      const dapp = await wallet.openDapp(`${CHANGEABLE}satchel.html`)
      const found = await dapp.evaluate(() => {
        const { atFirst, satchel, okxwallet } = Object(globalThis)
        return [atFirst, typeof satchel, typeof okxwallet]
      })
      await dapp.close()
      return found
    }
    expect(await look()).toEqual(['undefined', 'undefined', 'undefined'])
    const screen = await wallet.popup()
    await setHttpSite(screen, CHANGEABLE, true)
    expect((await look()).slice(0, 2)).toEqual(['object', 'object'])
    // In Firefox the page comes from the server whose pages have no origin.
    if (browser === 'chromium') {
      const dapp = await wallet.openDapp(`${CHANGEABLE}satchel.html`)
      const connecting = dapp.evaluate(connectSatchel)
      await (await wallet.nextApproval()).approve()
      expect(await connecting).toMatch(/^bcrt1p/)
      await dapp.close()
    }
    await setHttpSite(screen, CHANGEABLE, false)
    expect(await look()).toEqual(['undefined', 'undefined', 'undefined'])
    await screen.close()
    await choose({ everywhere: false })
  })

  // The rest is the wallet's own code, which is one for both browsers, or the question that Chromium alone asks.
  if (browser === 'firefox') return

  it('is in time on a site with a port of its own, and on no other port', async () => {
    await choose({ site, on: true })
    expect(await lookFirst(site, 10)).toEqual(Array.from({ length: 10 }, () => IN_TIME))
    expect(await lookFirst(server.url)).toEqual([NOT_YET])
    await choose({ site, on: false })
  })

  it('comes late where the browser does not allow it, which the person is told and can change', async () => {
    const screen = await wallet.popup()
    const asked = await answerNo(screen)
    await chooseOkxAlias(screen, { site: otherSite, on: true })
    expect(await asked()).toEqual([['http://localhost/*']])
    await screen.evaluate(() => {
      location.hash = '#/settings/compatibility'
    })
    await screen.waitForText('It may load too late on localhost')
    expect(await lookFirst(otherSite)).toEqual([NOT_YET])
    expect(await lookAt(`${otherSite}first.html`)).toEqual(OURS)
    await chooseOkxAliasOff(screen, otherSite)
    // Left behind, it would be switched off by what the last test presses.
    await expectStored(undefined)
    await screen.close()
  })

  it('comes late after the person took the leave back in the browser, and in time when it is given again', async () => {
    await choose({ site: SITE, on: true })
    const extensions = await wallet.browser.newPage()
    await extensions.goto('chrome://extensions/')
    const id = new URL(wallet.extensionUrl).host
    const setAccess = (hostAccess: string) =>
      extensions.evaluate(updateAccess, { extensionId: id, hostAccess })
    await setAccess('ON_SPECIFIC_SITES')
    await expect.poll(readScripts).toEqual([])
    await setAccess('ON_ALL_SITES')
    await expect.poll(readScripts).toHaveLength(1)
    expect(await lookFirst(SITE)).toEqual([IN_TIME])
    await extensions.close()
    await choose({ site: SITE, on: false })
  })

  it('is on every site when that is switched on', async () => {
    await choose({ everywhere: true })
    expect(await lookAt(`${site}plain.html`)).toEqual(OURS)
    expect(await lookAt(`${otherSite}plain.html`)).toEqual(OURS)
  })

  it('has siblings for test networks that say which network to choose, and work on theirs', async () => {
    const dapp = await wallet.openDapp(`${site}plain.html`)
    await poll('okxwallet', 15_000, () => dapp.evaluate(readAlias))
    expect(await dapp.evaluate(connectSibling, 'bitcoinSignet')).toEqual({
      code: 4200,
      message: 'The wallet is on Regtest. Choose Signet in Satchel and try again.',
    })
    expect(await wallet.countApprovalWindows()).toBe(0)
    await wallet.chooseNetwork('Signet')
    const connecting = dapp.evaluate(connectSibling, 'bitcoinSignet')
    await (await wallet.nextApproval()).approve()
    expect(await connecting).toMatchObject({ address: expect.stringMatching(/^tb1p/) })
    expect(await dapp.evaluate(connectSibling, 'bitcoinTestnet')).toMatchObject({ code: 4200 })
    await wallet.chooseNetwork('Regtest')
    expect(await dapp.evaluate(connectSibling, 'bitcoinSignet')).toMatchObject({ code: 4200 })
    await dapp.close()
  })

  it('never takes the place of an object that a page or another wallet brings', async () => {
    const first = await wallet.openDapp(`${site}own-first.html`)
    const later = await wallet.openDapp(`${site}own-later.html`)
    await poll('okxwallet', 15_000, () => later.evaluate(readAlias))
    type Replacing = { replace(how: string): unknown }
    const replace = (how: string) => (globalThis as unknown as Replacing).replace(how)
    expect(await later.evaluate(replace, 'assign')).toBe('assign')
    expect(await later.evaluate(replace, 'define')).toBe('define')
    expect(await later.evaluate(readAlias)).toMatchObject({ isOurs: false, mine: 'define' })
    await later.page.reload()
    await poll('okxwallet', 15_000, () => later.evaluate(readAlias))
    expect(await later.evaluate(replace, 'define')).toBe('define')
    // By now a page that was opened before has heard from the wallet, if it ever does.
    expect(await first.evaluate(readAlias)).toEqual({
      isOurs: false,
      mine: 'first',
      siblings: [],
    })
    await first.close()
    await later.close()
  })

  it('is offered for the site of the current tab by the toolbar popup', async () => {
    await choose({ everywhere: false })
    await expectStored(undefined)
    const dapp = await wallet.openDapp(`${otherSite}plain.html`)
    const popup = await openToolbarPopup(dapp)
    const { host } = new URL(otherSite)
    await popup.evaluate(() => {
      location.hash = '#/settings/compatibility'
    })
    await popup.find('switch', `On ${host}`)
    // Chromium closes the popup for its own question: what was pressed is stored all the same.
    await popup.evaluate(pressSwitch, `On ${host}`).catch(() => {})
    await expectStored({ everywhere: false, origins: [new URL(otherSite).origin] })
    await dapp.page.reload()
    expect(await poll('okxwallet', 15_000, () => dapp.evaluate(readAlias))).toEqual(OURS)
    await dapp.close()
  })

  /** As a press on the wallet's button in the toolbar while this page is in front. */
  async function openToolbarPopup({ page }: Screen): Promise<Screen> {
    await page.bringToFront()
    const [extension] = (await wallet.browser.extensions()).values()
    if (!extension) throw new Error('Chromium tells of no extension')
    const isPopup = (url: string) => url.startsWith(`${wallet.extensionUrl}src/popup/popup.html`)
    const opened = wallet.browser.waitForTarget(target => isPopup(target.url()))
    await page.triggerExtensionAction(extension)
    const popup = await (await opened).asPage()
    const screen = describeScreen(popup)
    await poll('the toolbar popup', 15_000, () =>
      screen.has('region', 'Balance').then(
        is => is || null,
        // Its document is not there yet.
        () => null,
      ),
    )
    return screen
  }
})

/** Runs in the toolbar popup, which a press from outside the page, or another tab in front, would close. */
function pressSwitch(label: string): void {
  document.querySelector<HTMLElement>(`[role="switch"][aria-label="${label}"]`)?.click()
}

/** Runs in the page: what it gets, or what it is refused with. */
async function connectSibling(name: string): Promise<unknown> {
  const { okxwallet } = Object(globalThis)
  return okxwallet[name].connect().catch(({ code, message }: Error & { code: number }) => ({
    code,
    message,
  }))
}

/** On the page of the settings already. */
async function chooseOkxAliasOff(screen: Screen, site: string): Promise<void> {
  await untilSaved(screen, () => screen.click('button', `Remove: ${new URL(site).origin}`))
}
