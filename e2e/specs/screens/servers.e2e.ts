import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Fault } from '../../../src/devnet/server/faults.ts'
import type { Dapp, Screen } from '../../driver/driver.ts'
import { goTo } from '../../driver/own-pages.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** Address of nobody in particular: BIP-173's example program. */
const RECIPIENT = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

/** Who asks a server again once it failed. */
type Asked = 'by itself' | 'by a press'

/** What a server can do wrong, and the words for it on the start screen. */
const FAULTS: { name: string; fault: Omit<Fault, 'endpoint'>; words: string; asked: Asked }[] = [
  {
    name: 'hangs up',
    fault: { drop: true },
    words: 'No connection to the server',
    asked: 'by itself',
  },
  {
    name: 'is asked too often',
    fault: { status: 429, body: 'slow down' },
    words: 'The server asks for a pause',
    asked: 'by itself',
  },
  {
    name: 'answers with a web page',
    fault: { body: '<!doctype html><title>Sign in to the Wi-Fi</title>' },
    words: 'The server’s answer makes no sense',
    asked: 'by a press',
  },
  // Longer than the wallet waits for one answer.
  {
    name: 'never answers',
    fault: { delay: 16_000 },
    words: 'No connection to the server',
    asked: 'by a press',
  },
]

describe('a server', () => {
  let world: World
  let dapp: Dapp
  let address: string

  beforeAll(async () => {
    world = await startWorld('chromium')
    dapp = await world.openConnected()
    address = (await resultOf<string[]>(dapp.request('getAccounts')))[0] ?? ''
    await world.devnet.faucet(address, 500_000n)
  })
  afterAll(() => world?.stop())
  afterEach(() => repair())

  const breakServer = (fault: Omit<Fault, 'endpoint'>) =>
    world.admin.addFault({ endpoint: '/api/*', ...fault })
  const repair = () => world.admin.repair()

  it.each(FAULTS)(
    'that $name is named, pages hear of it, messages are still signed, and it is forgiven once it recovers',
    async ({ fault, words, asked }) => {
      await breakServer(fault)
      const asking = [
        dapp.request('getBalance'),
        dapp.request('sendBitcoin', RECIPIENT, 20_000, { feeRate: 2 }),
      ]
      const page = await world.wallet.popup()
      await page.waitForText(words, 40_000)
      await page.waitForText('Balance not known')

      const unavailable = { code: -32000, data: { reason: 'BACKEND_UNAVAILABLE' } }
      const [balance, payment] = await Promise.all(asking)
      expect(balance).toMatchObject({ error: unavailable })
      expect(payment).toMatchObject({ error: unavailable })
      // Which server it is, and what it said, is nothing that a site needs to know.
      expect(JSON.stringify([balance, payment])).not.toContain(new URL(world.devnet.url).host)
      // Where the server lets one wait, a window has said so, and goes by itself.
      await world.wallet.waitForNoApproval()
      const signing = dapp.request('signMessage', 'hello', 'bip322-simple')
      await (await world.wallet.nextApproval()).approve()
      expect(await signing).toHaveProperty('result')
      await world.wallet.waitForNoApproval()

      await repair()
      if (asked === 'by a press') await page.click('button', 'Try again')
      await page.waitForText('500,000 sats', 60_000)
      await expect.poll(() => page.text()).not.toContain(words)
      expect(await resultOf(dapp.request('getBalance'))).toMatchObject({ total: 500_000 })
      await page.close()
    },
  )

  it('that falls silent leaves the last balance on the open start screen, marked as old', async () => {
    const page = await world.wallet.popup()
    await page.waitForText('500,000 sats')
    await breakServer({ status: 503 })
    await world.devnet.mine()
    const text = await page.waitForText('As the server last said')
    expect(text).toContain('500,000 sats')
    expect(text).toContain('No connection to the server')
    await page.close()
  })

  const check = async (page: Screen, url: string) => {
    await page.click('button', 'Change: Blockchain')
    await page.fill('textbox', 'Server', url)
    await page.click('button', 'Check and save')
  }

  it('of another network is refused, in words, and the old one stays', async () => {
    const page = await world.wallet.popup()
    await goTo(page, '/settings/servers', 'Servers')
    await page.page.select('select', 'mainnet')
    await page.waitForText('Not the network in use')
    await check(page, world.devnet.esploraUrl)
    await page.waitForText('It does not serve Mainnet, so it cannot be used here.')
    expect(await page.has('button', 'Save anyway')).toBe(false)
    await page.click('button', 'Cancel')
    await page.find('button', 'Change: Blockchain')
    await page.waitForText('mempool.space')
    expect(await page.text()).not.toContain(new URL(world.devnet.url).host)
    await page.close()
  })

  it('on a new host is not asked before the browser’s own question is answered', async () => {
    let page = await world.wallet.popup()
    await goTo(page, '/settings/servers', 'Servers')
    await check(page, 'https://satchel.invalid/api')
    // The question is the browser's, and nobody answers it here.
    await page.find('button', 'Checking…')
    expect(await page.evaluate(mayReach, 'https://satchel.invalid/*')).toBe(false)
    await page.close()
    page = await world.wallet.popup()
    await goTo(page, '/settings/servers', 'Servers')
    await page.waitForText('Up to date')
    expect(await page.text()).not.toContain('satchel.invalid')
  })
})

/** Runs in a page of the extension. */
function mayReach(pattern: string): Promise<boolean> {
  type Permissions = { contains(wanted: { origins: string[] }): Promise<boolean> }
  const { chrome } = globalThis as unknown as { chrome: { permissions: Permissions } }
  return chrome.permissions.contains({ origins: [pattern] })
}
