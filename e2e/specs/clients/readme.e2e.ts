import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Dapp } from '../../driver/driver.ts'
import { chooseOkxAlias } from '../../driver/wallet-setup.ts'
import { FIRST, FIRST_ACCOUNT, SECOND_ACCOUNT } from '../../fixtures/account-owners.ts'
import { mineTransaction } from '../../fixtures/broadcast.ts'
import { bundlePage } from '../../fixtures/client-bundle.ts'
import { provesMessage } from '../../fixtures/message-proof.ts'
import { PASSWORD, startWorld, type World } from '../../fixtures/world.ts'

const README = readFileSync(new URL('../../../src/provider/README.md', import.meta.url), 'utf8')
const [OWN, SATS_CONNECT, STANDARD, ...BUTTONS] = [
  ...README.matchAll(/^```js\n([\s\S]*?)^```$/gm),
].map(([, code = '']) => code)
const BUTTON_NAMES = ['own', 'sats-connect', 'standard', 'unisat'] as const
const SHOP = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

/** The example as a dapp would have it behind a button: it starts when `start` is called, and what it prints is kept. */
function pageOf(code = ''): string {
  const imports = [...code.matchAll(/^import .*$/gm)].map(([line]) => line)
  const body = code.replace(/^import .*$/gm, '')
  return `${imports.join('\n')}
window.printed = []
const console = { log: (...values) => window.printed.push(values) }
window.start = async () => {
${body}
}`
}

/** The connect button as it stands, in the page that it is for. */
function buttonPageOf(code = ''): string {
  const imports = [...code.matchAll(/^import .*$/gm)].map(([line]) => line)
  return `${imports.join('\n')}
document.body.innerHTML = '<button id="connect">Connect</button>'
${code.replace(/^import .*$/gm, '')}`
}

describe('the examples for dapp authors', () => {
  let world: World

  beforeAll(async () => {
    const buttons = BUTTON_NAMES.map(async (name, at) => [
      `/${name}-button.html`,
      await bundlePage(name, buttonPageOf(BUTTONS[at])),
    ])
    world = await startWorld('chromium', {
      pages: {
        ...Object.fromEntries(await Promise.all(buttons)),
        '/own.html': await bundlePage('own', pageOf(OWN)),
        '/sats-connect.html': await bundlePage('sats-connect', pageOf(SATS_CONNECT)),
        '/standard.html': await bundlePage('standard', pageOf(STANDARD)),
      },
    })
    await world.devnet.faucet(FIRST.address, 200_000n)
    await world.devnet.faucet(FIRST.address, 200_000n)
  })
  afterAll(() => world?.stop())

  it('satchel.bitcoin: connects, signs, pays and hears of a lock', async () => {
    const { dapp, printed } = await run('own', 3)
    const [address, signature, txid] = printed[0] ?? []
    expect(address).toBe(FIRST.address)
    expect(provesMessage(FIRST.address, `I own ${FIRST.address}`, String(signature))).toBe(true)
    expect(await mine(String(txid))).toContainEqual({ address: SHOP, sats: 20_000n })
    await world.wallet.lock()
    await expect.poll(() => readPrinted(dapp)).toContainEqual(['disconnected'])
    await world.wallet.unlock(PASSWORD)
  })

  it('sats-connect: connects, signs and pays two recipients in one transaction', async () => {
    const { printed } = await run('sats-connect', 2)
    const [address, signature, txid] = printed[0] ?? []
    expect(address).toBe(FIRST.address)
    expect(provesMessage(FIRST.address, `I own ${FIRST.address}`, String(signature))).toBe(true)
    const outputs = await mine(String(txid))
    expect(outputs).toContainEqual({ address: SHOP, sats: 20_000n })
    expect(outputs).toContainEqual({ address: SHOP, sats: 30_000n })
  })

  it('Wallet Standard: connects, signs and hears of a lock', async () => {
    const { dapp, printed } = await run('standard', 1)
    const [address, signature] = printed[0] ?? []
    expect(address).toBe(FIRST.address)
    expect(provesMessage(FIRST.address, `I own ${FIRST.address}`, String(signature))).toBe(true)
    await world.wallet.lock()
    await expect.poll(() => readPrinted(dapp)).toContainEqual([0])
  })

  describe('the connect button', () => {
    beforeAll(async () => {
      await world.wallet.unlock(PASSWORD)
      const settings = await world.wallet.popup()
      await chooseOkxAlias(settings, { everywhere: true })
      await settings.close()
    })

    it('is there for every way, in at most fifteen lines', () => {
      expect(BUTTONS.map(code => code.trim().split('\n').length <= 15)).toEqual(
        BUTTON_NAMES.map(() => true),
      )
    })

    it.each(BUTTON_NAMES)(
      '(%s) takes a no, connects, knows it at the next visit and follows the account',
      async name => {
        // A site of its own, which no other example has connected.
        const site = world.site.replace('127.0.0.1', `${name}-button.localhost`)
        const url = `${site}${name}-button.html`
        const { wallet } = world
        const dapp = await wallet.openDapp(url)
        await expect.poll(() => labelOf(dapp)).toBe('Connect')
        // The alias may come after the page's script.
        await expect.poll(() => dapp.evaluate(() => 'unisat' in window)).toBe(true)
        await press(dapp)
        await (await wallet.nextApproval()).reject()
        await wallet.waitForNoApproval()
        expect(await labelOf(dapp)).toBe('Connect')
        await press(dapp)
        await (await wallet.nextApproval()).approve()
        await wallet.waitForNoApproval()
        await expect.poll(() => labelOf(dapp)).toBe(FIRST.address)
        const again = await wallet.openDapp(url)
        await expect.poll(() => labelOf(again)).toBe(FIRST.address)
        await wallet.chooseAccount(SECOND_ACCOUNT)
        for (const page of [dapp, again]) await expect.poll(() => labelOf(page)).toBe('Connect')
        await wallet.chooseAccount(FIRST_ACCOUNT)
        for (const page of [dapp, again]) await expect.poll(() => labelOf(page)).toBe(FIRST.address)
      },
    )
  })

  const labelOf = (dapp: Dapp): Promise<string | null> =>
    dapp.evaluate(() => document.querySelector('#connect')?.textContent ?? null)

  const press = (dapp: Dapp): Promise<void> =>
    dapp.evaluate(() => (document.querySelector('#connect') as HTMLButtonElement).click())

  /** Runs an example to its end; so many questions are approved on the way. The site is connected by the first one. */
  async function run(name: string, questions: number) {
    const dapp = await world.wallet.openDapp(`${world.site}${name}.html`)
    const ended = dapp.evaluate(() => Object(window).start())
    for (let i = 0; i < questions; i++) await (await world.wallet.nextApproval()).approve()
    await ended
    await world.wallet.waitForNoApproval()
    return { dapp, printed: await readPrinted(dapp) }
  }

  const readPrinted = (dapp: Dapp): Promise<unknown[][]> =>
    dapp.evaluate(() => Object(window).printed)

  const mine = async (txid: string) => (await mineTransaction(world.devnet, txid)).outputs
})
