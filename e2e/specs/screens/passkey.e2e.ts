import type { CDPSession } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, type Wallet } from '../../driver/driver.ts'
import { goTo } from '../../driver/own-pages.ts'
import type { Screen } from '../../driver/screen.ts'
import { browsersFor } from '../../fixtures/flows.ts'

const PASSWORD = 'Zebra-Quartz-7741'
const TITLE = 'Unlock with a passkey'

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
  count(): Promise<number>
}

/** A platform authenticator of Chromium's own, which verifies the person without asking anybody. */
async function plugIn({ page }: Screen): Promise<Authenticators> {
  const session: CDPSession = await page.createCDPSession()
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
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
  return {
    refuse: () =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false }),
    async count() {
      const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
      return credentials.length
    },
  }
}

async function storedPasskey(wallet: Wallet): Promise<unknown> {
  return (await wallet.storageDump()).local['vault.passkey']
}
