import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, type Wallet } from '../../driver/driver.ts'
import { poll } from '../../driver/engine.ts'
import { describeScreen, type Screen } from '../../driver/screen.ts'
import { chooseOkxAlias, type OkxAliasChoice } from '../../driver/wallet-setup.ts'
import { startDappServer } from '../../fixtures/dapp-server.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { PASSWORD, WORDS } from '../../fixtures/world.ts'

/** Its own `okxwallet` is there before anything that the wallet has to ask its storage for. */
const OWN_FIRST = `<!doctype html><script>window.okxwallet = { mine: 'first' }</script><title>Dapp</title>`

/** Another wallet that comes when the page is loaded already, in the ways that wallets define themselves. */
const OWN_LATER = `<!doctype html><title>Dapp</title><script>
  'use strict'
  window.replace = how => {
    try {
      if (how === 'assign') window.okxwallet = { mine: how }
      else Object.defineProperty(window, 'okxwallet', { value: { mine: how }, writable: false })
      return window.okxwallet.mine
    } catch (error) {
      return String(error)
    }
  }
</script>`

const PAGES = {
  '/plain.html': '<!doctype html><title>Dapp</title><h1>Dapp</h1>',
  '/own-first.html': OWN_FIRST,
  '/own-later.html': OWN_LATER,
}

type Found = { isOurs: boolean; mine: unknown; children: string[] } | null

/** Runs in the page. */
function readAlias(): Found {
  const { okxwallet } = Object(globalThis)
  if (okxwallet === undefined) return null
  return {
    isOurs: okxwallet.bitcoin?.isOkxWallet === true && okxwallet.isSatchel === true,
    mine: okxwallet.mine ?? null,
    children: ['bitcoinTestnet', 'bitcoinSignet'].filter(name => okxwallet[name] !== undefined),
  }
}

/** Runs in the page, and takes as long as a patient dapp waits for a wallet. */
async function isStillAbsent(): Promise<boolean> {
  await new Promise(resolve => setTimeout(resolve, 1000))
  return !('okxwallet' in globalThis)
}

const OURS = { isOurs: true, mine: null, children: [] }

describe.each(browsersFor('okx-alias'))('window.okxwallet in %s', browser => {
  let server: Awaited<ReturnType<typeof startDappServer>>
  let wallet: Wallet
  let site: string
  let otherSite: string

  beforeAll(async () => {
    server = await startDappServer({ pages: PAGES })
    site = server.url
    otherSite = site.replace('127.0.0.1', 'localhost')
    wallet = await launch({ browser })
    await wallet.importWallet({ words: WORDS, password: PASSWORD })
    await wallet.chooseNetwork('Regtest')
  })
  afterAll(async () => {
    await wallet?.close()
    await server?.stop()
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

  it('is on the one site that it was switched on for, and gone when that is taken back', async () => {
    await expectAbsent(`${site}plain.html`)
    await choose({ site, on: true })
    expect(await lookAt(`${site}plain.html`)).toEqual(OURS)
    await expectAbsent(`${otherSite}plain.html`)
    await choose({ site, on: false })
    expect((await wallet.storageDump()).local).not.toHaveProperty('okxAlias')
    await expectAbsent(`${site}plain.html`)
  })

  // The rest is the wallet's own code, which is one for both browsers.
  if (browser === 'firefox') return

  it('is on every site when that is switched on, and goes with the network in use', async () => {
    await choose({ everywhere: true })
    expect(await lookAt(`${site}plain.html`)).toEqual(OURS)
    expect(await lookAt(`${otherSite}plain.html`)).toEqual(OURS)
    await wallet.chooseNetwork('Signet')
    expect(await lookAt(`${site}plain.html`)).toEqual({ ...OURS, children: ['bitcoinSignet'] })
    await wallet.chooseNetwork('Regtest')
    expect(await lookAt(`${site}plain.html`)).toEqual(OURS)
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
      children: [],
    })
    await first.close()
    await later.close()
  })

  it('is offered for the site of the current tab by the toolbar popup', async () => {
    await choose({ everywhere: false })
    const dapp = await wallet.openDapp(`${otherSite}plain.html`)
    const popup = await openToolbarPopup(dapp)
    const { host } = new URL(otherSite)
    await popup.evaluate(() => {
      location.hash = '#/settings/compatibility'
    })
    await popup.find('switch', `On ${host}`)
    await popup.evaluate(pressSwitch, `On ${host}`)
    await popup.waitForText('Saved.')
    const { okxAlias } = (await wallet.storageDump()).local
    expect(okxAlias).toEqual({
      everywhere: false,
      origins: [new URL(otherSite).origin],
      child: null,
    })
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
