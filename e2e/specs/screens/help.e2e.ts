import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { goTo, writePayment } from '../../driver/own-pages.ts'
import type { Screen } from '../../driver/screen.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** An address of nobody in particular: an example program of BIP-173. */
const ALICE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const ASK_FEE_RATE = 'What “Fee rate” means'

describe.each(browsersFor('help'))('what words mean in %s', browser => {
  let world: World
  let page: Screen

  beforeAll(async () => {
    world = await startWorld(browser)
    const dapp = await world.openConnected()
    const [address = ''] = await resultOf<string[]>(dapp.request('getAccounts'))
    await dapp.close()
    await world.devnet.faucet(address, 1_000_000n)
    await world.devnet.mine()
    page = await world.wallet.popup()
    await page.waitForText('1,000,000 sats')
  })
  afterAll(() => world?.stop())

  it('is found in Settings: all words, and a page for each, by keyboard', async () => {
    await goTo(page, '/settings', 'Settings')
    await press(page, 'link', 'What the words mean*')
    await page.find('heading', 'What the words mean')
    await press(page, 'link', 'Coin (UTXO)*')
    await page.find('heading', 'Coin (UTXO)')
    await page.waitForText('19,300 come back to you')
    await press(page, 'link', 'Held coins')
    await page.find('heading', 'Held coins')
  })

  it('is told over a form by keyboard: nothing typed is lost, and the focus comes back', async () => {
    await goTo(page, '/send', 'Send')
    await writePayment(page, { recipients: [{ to: ALICE, btc: '0.00123456' }], feeRate: '2.5' })
    await press(page, 'button', ASK_FEE_RATE)
    await page.find('dialog', 'Fee rate')
    await page.waitForText('at 5 sat/vB it costs 700 sats')
    await press(page, 'button', 'Confirmation and proof')
    await page.find('dialog', 'Confirmation and proof')
    await page.page.keyboard.press('Escape')
    await expect.poll(() => page.has('dialog')).toBe(false)
    expect(await page.evaluate(nameFocused)).toBe(ASK_FEE_RATE)
    expect(await page.valueOf('textbox', 'To')).toBe(ALICE)
    expect(await page.valueOf('textbox', 'Fee rate in sat/vB')).toBe('2.5')
    await page.click('button', 'Review')
    await page.find('heading', 'You send 0.00123456 BTC to *')
  })

  it('is told over an approval, which stays as it is, rests after that, and is approved as it was', async () => {
    const dapp = await world.openConnected()
    const asking = dapp.request('sendBitcoin', ALICE, 20_000, { feeRate: 2 })
    const approval = await world.wallet.nextApproval()
    await approval.ready()
    const before = await readWhole(approval)
    await press(approval, 'button', ASK_FEE_RATE)
    await approval.find('dialog', 'Fee rate')
    // What is below cannot be reached meanwhile.
    expect(await approval.evaluate(focusApprove)).toBe(false)
    expect(await approval.evaluate(isApproveRestingAfterHelp)).toBe(true)
    expect(await approval.evaluate(nameFocused)).toBe(ASK_FEE_RATE)
    await approval.ready()
    expect(await approval.text()).toBe(before)
    await approval.approve()
    const txid = await resultOf<string>(asking)
    await world.devnet.mine()
    const { vout } = await (await fetch(`${world.devnet.esploraUrl}/tx/${txid}`)).json()
    expect(vout).toContainEqual(
      expect.objectContaining({ scriptpubkey_address: ALICE, value: 20_000 }),
    )
    await world.wallet.waitForNoApproval()
  })

  it('goes with the request that it was opened over', async () => {
    const dapp = await world.openConnected()
    const asking = dapp.request('sendBitcoin', ALICE, 20_000, { feeRate: 2 })
    const approval = await world.wallet.nextApproval()
    await press(approval, 'button', ASK_FEE_RATE)
    await approval.find('dialog', 'Fee rate')
    await dapp.close()
    await approval.waitForText('The request is gone')
    await expect.poll(() => approval.has('dialog')).toBe(false)
    await asking.catch(() => {})
  })
})

async function press(screen: Screen, role: string, name: string): Promise<void> {
  await (await screen.find(role, name)).focus()
  await screen.page.keyboard.press('Enter')
}

/** The text of a window once it stays as it is: what is proven of its coins comes later than the rest. */
async function readWhole(screen: Pick<Screen, 'text'>): Promise<string> {
  let last = ''
  const isSame = async () => {
    const before = last
    last = await screen.text()
    return last === before
  }
  await expect.poll(isSame, { interval: 1_000 }).toBe(true)
  return last
}

/** Runs in the page. */
function nameFocused(): string | null {
  return document.activeElement?.getAttribute('aria-label') ?? null
}

/** Runs in the window; whether the focus went there. */
function focusApprove(): boolean {
  const approve = document.querySelector<HTMLElement>('[data-testid="approve"]')
  approve?.focus()
  return document.activeElement === approve
}

/** Runs in the window: closes the help, and tells whether Approve can be pressed in the next moment. */
function isApproveRestingAfterHelp(): Promise<boolean> {
  const dialog = document.querySelector('dialog[open]')
  const approve = document.querySelector<HTMLButtonElement>('[data-testid="approve"]')
  return new Promise(resolve => {
    dialog?.addEventListener('close', () =>
      requestAnimationFrame(() => setTimeout(() => resolve(approve?.disabled === true))),
    )
    dialog?.querySelector('button')?.click()
  })
}
