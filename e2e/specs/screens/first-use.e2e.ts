import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, type Wallet } from '../../driver/driver.ts'
import { poll } from '../../driver/engine.ts'
import { describeScreen, type Screen } from '../../driver/screen.ts'
import { selectRegtest } from '../../driver/wallet-setup.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { PASSWORD, startWorld, WORDS, type World } from '../../fixtures/world.ts'

/** The password is stretched on purpose, which takes seconds on a busy machine. */
const STRETCH_TIMEOUT = 60_000
const ARRIVED = 'Your first payment has arrived'

describe.each(browsersFor('first-use'))('a first use in %s', browser => {
  let world: World
  let page: Screen

  beforeAll(async () => {
    world = await startWorld(browser, { setUp: false })
  })
  afterAll(() => world?.stop())

  it('shows five screens from the installation to the first payment, in the mempool and in a block', async () => {
    page = await findInstalled(world.wallet)
    // As a person on devnet has it: which network it is stands nowhere on the way.
    await selectRegtest(page, world.devnet.esploraUrl)
    await page.evaluate(noteScreens)
    await page.click('button', 'Create a wallet')
    await page.click('button', 'Show words')
    await page.find('list', 'Recovery words')
    const words = await page.evaluate(readWords)
    expect(words).toHaveLength(12)
    await page.click('checkbox', 'I wrote them down')
    await page.click('button', 'Continue')
    await page.find('textbox', 'Word *')
    for (const [index, word] of words.entries()) {
      const field = `Word ${index + 1}`
      if (await page.has('textbox', field)) await page.fill('textbox', field, word)
    }
    await page.click('button', 'Continue')
    await page.fill('textbox', 'Password', PASSWORD)
    await page.fill('textbox', 'Repeat password', PASSWORD)
    await page.click('button', 'Create wallet')
    await page.find('img', 'QR code of *', STRETCH_TIMEOUT)
    const address = await page.evaluate(readAddress)
    expect(address).toMatch(/^bcrt1p[0-9a-z]{58}$/)
    await world.devnet.faucet(address, 150_000, false)
    await page.waitForText(ARRIVED)
    await page.waitForText('Not in a block yet')
    await world.devnet.mine(1)
    await page.waitForText('Confirmed: it is in a block.')
    expect(await page.has('img', 'QR code of *')).toBe(false)
    expect(await page.evaluate(readScreens)).toEqual([
      'Carry your own bitcoin',
      'Write down 12 words',
      'Check your notes',
      'Choose a password',
      'Wallet',
    ])
  })

  it('moves the tick only for whoever lets things move', async () => {
    const move = (value: string) =>
      page.page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value }])
    // Firefox's driver sets no such preference; without one, things move.
    if (browser === 'chromium') await move('no-preference')
    expect(await page.evaluate(readAnimations)).not.toEqual(['none', 'none'])
    if (browser === 'firefox') return
    await move('reduce')
    expect(await page.evaluate(readAnimations)).toEqual(['none', 'none'])
  })

  it('goes on saying that the payment is there, whatever ended, until it is dismissed for good', async () => {
    await page.close()
    await world.wallet.killBackground()
    page = await world.wallet.popup()
    await page.waitForText(ARRIVED)
    await page.click('button', 'Dismiss')
    await poll('it to go', 15_000, async () =>
      (await page.has('button', 'Dismiss')) ? null : true,
    )
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    await page.close()
    await world.wallet.killBackground()
    page = await world.wallet.popup()
    await page.waitForText('Received')
    expect(await page.text()).not.toContain(ARRIVED)
    // What is new is not told by the version that was installed.
    expect(await page.text()).not.toContain('What is new')
  })

  describe('after an update', () => {
    const folder = mkdtempSync(join(tmpdir(), 'satchel-updated-'))
    const profileDir = mkdtempSync(join(tmpdir(), 'satchel-update-profile-'))
    let updated: Wallet | null = null
    let screen: Screen

    afterAll(async () => {
      await updated?.close()
      for (const path of [folder, profileDir])
        rmSync(path, { recursive: true, force: true, maxRetries: 5 })
    })

    const start = () => launch({ browser, profileDir, extensionDir: folder })

    it('tells what is new on the start screen, once the browser has started the newer version', async () => {
      cpSync(join('dist', browser === 'firefox' ? 'firefox' : 'chrome'), folder, {
        recursive: true,
      })
      const newVersion = setVersion(folder, '0.0.9')
      updated = await start()
      const { esploraUrl } = world.devnet
      await updated.setUpOnRegtest({ words: WORDS, password: PASSWORD, esploraUrl })
      screen = await updated.popup()
      await screen.find('region', 'Balance')
      expect(await screen.text()).not.toContain('What is new')
      await updated.close()

      setVersion(folder, newVersion)
      updated = await start()
      expect(await updated.evaluateInBackground(readVersion)).toBe(newVersion)
      await updated.killBackground()
      await updated.unlock(PASSWORD)
      screen = await updated.popup()
      await screen.find('link', 'What is new in *')
    })

    it('says nothing of it in an approval', async () => {
      if (!updated) throw new Error('no wallet')
      const dapp = await updated.openDapp(`${world.site}plain.html`)
      const answer = dapp.request('connect')
      const approval = await updated.nextApproval()
      expect(await approval.text()).not.toContain('What is new')
      await approval.approve()
      expect(await answer).toHaveProperty('result')
    })

    it('leads to a page of at most five items, and tells of it no more', async () => {
      if (!updated) throw new Error('no wallet')
      await screen.click('link', 'What is new in *')
      await screen.find('heading', 'What is new in *')
      const items = await screen.evaluate(() => document.querySelectorAll('main li h2').length)
      expect(items).toBeGreaterThan(0)
      expect(items).toBeLessThanOrEqual(5)
      await screen.click('button', 'Back')
      await screen.find('region', 'Balance')
      expect(await screen.has('link', 'What is new in *')).toBe(false)
      await screen.close()
      await updated.killBackground()
      screen = await updated.popup()
      await screen.find('region', 'Balance')
      expect(await screen.has('link', 'What is new in *')).toBe(false)
      // It is found in Settings from then on.
      await screen.evaluate(() => {
        location.hash = '/settings/about'
      })
      await screen.click('link', 'What is new in *')
      await screen.find('heading', 'What is new in *')
    })
  })
})

/** The page that the installation opened. */
async function findInstalled({ browser, extensionUrl }: Wallet): Promise<Screen> {
  const page = await poll('the page of an installation', 15_000, async () => {
    for (const page of await browser.pages()) {
      // puppeteer does not see Firefox load a page of the extension.
      const url = await page.evaluate('location.href').catch(() => '')
      if (String(url).startsWith(extensionUrl)) return page
    }
    return null
  })
  await page.bringToFront()
  const screen = describeScreen(page)
  await screen.find('button', 'Create a wallet')
  return screen
}

/** Gives the version that was there. */
function setVersion(folder: string, version: string): string {
  const path = join(folder, 'manifest.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, JSON.stringify({ ...manifest, version }))
  return manifest.version
}

/** Runs in the background. */
function readVersion(): string {
  return Object(globalThis).chrome.runtime.getManifest().version
}

/** Runs in the page: notes the title of every screen from now on, but not of what stands for one that loads. */
function noteScreens(): void {
  const seen: string[] = []
  const note = () => {
    const title = document.querySelector('h1:not([aria-busy] *)')?.textContent ?? ''
    if (title !== '' && seen.at(-1) !== title) seen.push(title)
  }
  note()
  new MutationObserver(note).observe(document, {
    childList: true,
    subtree: true,
    characterData: true,
  })
  Object.assign(globalThis, { seenScreens: seen })
}

function readScreens(): string[] {
  return Object(globalThis).seenScreens
}

function readWords(): string[] {
  const items = document.querySelectorAll('ol > li')
  return Array.from(items, item => item.textContent?.match(/[a-z]+/)?.[0] ?? '')
}

function readAddress(): string {
  const text = document.querySelector('section[aria-labelledby="first-receive"]')?.textContent
  return text?.match(/bcrt1[0-9a-z]+/)?.[0] ?? ''
}

/** Of the notice and of its tick. */
function readAnimations(): string[] {
  const notice = document.querySelector('.first-use__payment')
  const tick = notice?.querySelector('path')
  return [notice, tick].map(part => (part ? getComputedStyle(part).animationName : 'missing'))
}
