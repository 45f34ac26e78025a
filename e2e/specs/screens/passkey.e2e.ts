import type { CDPSession } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, type Wallet } from '../../driver/driver.ts'
import { goTo } from '../../driver/own-pages.ts'
import type { Screen } from '../../driver/screen.ts'
import { browsersFor } from '../../fixtures/flows.ts'

const PASSWORD = 'Zebra-Quartz-7741'
const NEXT_PASSWORD = 'Copper-Lantern-2086'
const TITLE = 'Unlock with a passkey'
const UNLOCK = 'Unlock with passkey'

const browsers = browsersFor('passkey')

describe.runIf(browsers.includes('chromium'))('a passkey in chromium', () => {
  let wallet: Wallet
  let screen: Screen
  let authenticators: Authenticators

  beforeAll(async () => {
    wallet = await launch({ browser: 'chromium' })
    await wallet.createWallet({ wordCount: 12, password: PASSWORD })
    // The authenticator is that of one tab: all happens there.
    screen = await wallet.popup()
    authenticators = await plugIn(screen)
  })
  afterAll(() => wallet?.close())

  const goHome = async () => {
    await screen.evaluate(() => {
      location.hash = '/'
    })
    await screen.find('region', 'Balance')
  }
  const setUp = async (password = PASSWORD) => {
    await goTo(screen, '/settings/passkey', TITLE)
    await screen.fill('textbox', 'Password', password)
    await screen.click('button', 'Set up a passkey')
    await screen.waitForText('The passkey is set up')
    await goHome()
  }
  const lock = async () => {
    await screen.click('button', 'Lock')
    await screen.find('button', 'Unlock')
  }
  /** Waits for the button to have the focus, and presses nothing else. */
  const pressEnter = async () => {
    await screen.find('button', UNLOCK)
    const focused = () => screen.evaluate(() => document.activeElement?.textContent)
    await expect.poll(focused, { timeout: 10_000 }).toBe(UNLOCK)
    await screen.page.keyboard.press('Enter')
  }
  const unlock = async () => {
    await pressEnter()
    await screen.find('region', 'Balance')
  }

  it('is not made with a wrong password, nor where the prompt comes to nothing', async () => {
    await goTo(screen, '/settings/passkey', TITLE)
    await screen.fill('textbox', 'Password', 'not the password')
    await screen.click('button', 'Set up a passkey')
    await screen.waitForText('That is not the password', 30_000)
    await authenticators.refuse()
    await screen.fill('textbox', 'Password', PASSWORD)
    await screen.click('button', 'Set up a passkey')
    await screen.waitForText('No passkey was used', 30_000)
    expect(await authenticators.count()).toBe(0)
    expect(await storedPasskey(wallet)).toBeUndefined()
    await authenticators.replace()
    await screen.click('button', 'Try again')
    await screen.waitForText('The passkey is set up')
    expect(await authenticators.count()).toBe(1)
    await goHome()
  })

  it('opens the wallet by keyboard alone, also after the worker was killed', async () => {
    await lock()
    await unlock()
    await lock()
    await wallet.killBackground()
    await unlock()
    await screen.page.reload()
    await screen.find('region', 'Balance')
  })

  it('opens nothing where another vault’s record is in its place', async () => {
    const before = await storedPasskey(wallet)
    await wallet.evaluateInBackground(writePasskey, { ...Object(before), createdAt: 1 })
    await lock()
    await wallet.killBackground()
    await screen.page.reload()
    await screen.click('button', UNLOCK)
    await screen.waitForText('does not open this wallet')
    await wallet.evaluateInBackground(writePasskey, before)
    await wallet.killBackground()
    await screen.page.reload()
    await unlock()
  })

  it('that is refused says so, and leaves the password, which is not slowed down', async () => {
    await lock()
    await authenticators.refuse()
    for (let times = 0; times < 7; times++) {
      await screen.click('button', UNLOCK)
      await screen.waitForText('No passkey was used')
    }
    await screen.fill('textbox', 'Password', PASSWORD)
    await screen.click('button', 'Unlock')
    await screen.find('region', 'Balance', 30_000)
    // The authenticator takes no more tries.
    await authenticators.replace()
  })

  it('goes with the password that is changed, and is set up again with the new one', async () => {
    await goTo(screen, '/settings/password', 'Change password')
    await screen.waitForText('Unlocking with your passkey ends')
    await screen.fill('textbox', 'Current password', PASSWORD)
    await screen.fill('textbox', 'New password', NEXT_PASSWORD)
    await screen.fill('textbox', 'Repeat password', NEXT_PASSWORD)
    await screen.click('button', 'Change password')
    await screen.waitForText('The password was changed', 30_000)
    expect(await storedPasskey(wallet)).toBeNull()
    await goHome()
    await lock()
    expect(await screen.has('button', UNLOCK)).toBe(false)
    await screen.fill('textbox', 'Password', NEXT_PASSWORD)
    await screen.click('button', 'Unlock')
    await screen.find('region', 'Balance', 30_000)
    await setUp(NEXT_PASSWORD)
    await lock()
    await unlock()
  })

  it('is removed with the password', async () => {
    await goTo(screen, '/settings/passkey', TITLE)
    await screen.waitForText('Set up on')
    await screen.fill('textbox', 'Password', NEXT_PASSWORD)
    await screen.click('button', 'Remove the passkey')
    await screen.waitForText('The passkey was removed', 30_000)
    expect(await storedPasskey(wallet)).toBeNull()
    await goHome()
    await lock()
    expect(await screen.has('button', UNLOCK)).toBe(false)
  })
})

describe.runIf(browsers.includes('firefox'))('a passkey in firefox', () => {
  it('is none: the page says so, and asks for no password', async () => {
    const wallet = await launch({ browser: 'firefox' })
    try {
      await wallet.createWallet({ wordCount: 12, password: PASSWORD })
      const screen = await wallet.popup()
      await goTo(screen, '/settings/passkey', TITLE)
      await screen.waitForText('Not in this browser')
      expect(await screen.has('textbox', 'Password')).toBe(false)
    } finally {
      await wallet.close()
    }
  })
})

type Authenticators = {
  /** It does not verify the person any more, and is blocked by the tries that fail. */
  refuse(): Promise<void>
  /** By an empty one. */
  replace(): Promise<void>
  count(): Promise<number>
}

/** A platform authenticator of Chromium's own, which verifies the person without asking anybody. */
async function plugIn({ page }: Screen): Promise<Authenticators> {
  const session: CDPSession = await page.createCDPSession()
  await session.send('WebAuthn.enable')
  const add = () =>
    session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        ctap2Version: 'ctap2_1',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        hasPrf: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
  let { authenticatorId } = await add()
  return {
    refuse: () =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false }),
    async replace() {
      await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
      authenticatorId = (await add()).authenticatorId
    },
    async count() {
      const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
      return credentials.length
    },
  }
}

async function storedPasskey(wallet: Wallet): Promise<unknown> {
  return (await wallet.storageDump()).local['vault.passkey']
}

/** Runs in the background: what another program could write. */
async function writePasskey(record: unknown): Promise<void> {
  type Area = { set(items: object): Promise<void> }
  const { chrome } = globalThis as unknown as { chrome: { storage: { local: Area } } }
  await chrome.storage.local.set({ 'vault.passkey': record })
}
