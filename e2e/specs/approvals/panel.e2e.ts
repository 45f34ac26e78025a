import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Dapp } from '../../driver/dapp.ts'
import {
  chooseToolbar,
  closePanel,
  countSidePanels,
  findPanel,
  nextInPanel,
  panelOf,
  pressToolbarButton,
} from '../../driver/panel.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { freshAddress } from '../../fixtures/killed-background.ts'
import { forgetRequests, PASSWORD, resultOf, startWorld, type World } from '../../fixtures/world.ts'

const REJECTED = { error: { code: 4001 } }

describe.each(browsersFor('panel'))('in %s, the panel beside the page', browser => {
  let world: World

  beforeAll(async () => {
    world = await startWorld(browser)
    const dapp = await world.openConnected()
    const [address = ''] = await resultOf<string[]>(dapp.request('getAccounts'))
    await world.devnet.faucet(address, 5_000_000n)
  })
  afterAll(() => world?.stop())

  beforeEach(() => forgetRequests(world.wallet))

  /** A connected page with the panel beside it. */
  async function openBeside(): Promise<Dapp> {
    const { wallet } = world
    const dapp = await world.openConnected()
    if (!(await findPanel(wallet))) await pressToolbarButton(wallet, dapp.page)
    await panelOf(wallet)
    return dapp
  }

  it('opens by the press that chooses it, and by the toolbar button from then on', async () => {
    const { wallet } = world
    await expect.poll(() => countSidePanels(wallet), { timeout: 10_000 }).toBe(0)
    await chooseToolbar(wallet, 'panel')
    await panelOf(wallet)
    await expect.poll(() => countSidePanels(wallet), { timeout: 10_000 }).toBe(1)
    await closePanel(wallet)
    await expect.poll(() => countSidePanels(wallet), { timeout: 10_000 }).toBe(0)
    await openBeside()
    await expect.poll(() => countSidePanels(wallet), { timeout: 10_000 }).toBe(1)
    await (await panelOf(wallet)).waitForText('Receive')
  })

  it('is where a site asks, and no window opens', async () => {
    const { wallet } = world
    const dapp = await openBeside()
    const signing = dapp.request('signMessage', 'hello')
    await (await nextInPanel(wallet, 'You sign')).approve()
    expect(await resultOf(signing)).toBeTypeOf('string')
    expect(await wallet.countApprovalWindows()).toBe(0)
    await (await panelOf(wallet)).press('#root a[href="#/coins"]')
    await (await panelOf(wallet)).evaluate(() => history.back())
  })

  it('that closes in mid-approval answers nothing: the question goes on in the window', async () => {
    const { wallet } = world
    const dapp = await openBeside()
    const signing = dapp.request('signMessage', 'hello')
    const { title } = await nextInPanel(wallet)
    await closePanel(wallet)
    const approval = await wallet.nextApproval()
    expect(approval.title).toBe(title)
    await approval.approve()
    expect(await resultOf(signing)).toBeTypeOf('string')
    await wallet.waitForNoApproval()
  })

  it('that is closed leaves sites the window, as without it', async () => {
    const { wallet } = world
    const dapp = await openBeside()
    await closePanel(wallet)
    const signing = dapp.request('signMessage', 'hello')
    await (await wallet.nextApproval()).reject()
    expect(await signing).toMatchObject(REJECTED)
    await wallet.waitForNoApproval()
  })

  it('goes on asking when the background is killed, and what is approved is done once', async () => {
    const { wallet, devnet } = world
    const dapp = await openBeside()
    const recipient = freshAddress()
    const paying = dapp.request('sendBitcoin', recipient, 20_000, { feeRate: 2 })
    await nextInPanel(wallet)
    await wallet.killBackground()
    await (await nextInPanel(wallet)).approve()
    const txid = await resultOf<string>(paying)
    expect(await wallet.countApprovalWindows()).toBe(0)
    await devnet.mine(1)
    expect(await devnet.rpc('getrawtransaction', [txid, true])).toMatchObject({ confirmations: 1 })
  })

  it('that closes while the background is dead leaves its question to the window', async () => {
    const { wallet } = world
    const dapp = await openBeside()
    const signing = dapp.request('signMessage', 'hello')
    await nextInPanel(wallet)
    await Promise.all([wallet.killBackground(), closePanel(wallet)])
    await (await wallet.nextApproval()).approve()
    expect(await resultOf(signing)).toBeTypeOf('string')
    await wallet.waitForNoApproval()
  })

  it('leaves a question to a window that keeps it when the background is killed again', async () => {
    const { wallet } = world
    const dapp = await openBeside()
    const signing = dapp.request('signMessage', 'hello')
    await nextInPanel(wallet)
    await closePanel(wallet)
    await wallet.nextApproval()
    await wallet.killBackground()
    await (await wallet.nextApproval()).approve()
    expect(await resultOf(signing)).toBeTypeOf('string')
    await wallet.waitForNoApproval()
  })

  it('has a half-filled form as it was once the question is answered', async () => {
    const { wallet } = world
    const dapp = await openBeside()
    const panel = await panelOf(wallet)
    const recipient = freshAddress()
    await panel.press('#root footer button')
    await panel.press('#root textarea')
    await panel.type(recipient)
    const signing = dapp.request('signMessage', 'hello')
    await (await nextInPanel(wallet, 'You sign')).reject()
    expect(await signing).toMatchObject(REJECTED)
    await panel.press('#root textarea')
    expect(await panel.evaluate(() => document.querySelector('textarea')?.value)).toBe(recipient)
    await panel.evaluate(() => history.back())
    await panel.waitForText('Receive')
  })

  it('answers nothing by Escape', async () => {
    const { wallet } = world
    const dapp = await openBeside()
    const signing = dapp.request('signMessage', 'hello')
    const { title } = await nextInPanel(wallet, 'You sign')
    const panel = await panelOf(wallet)
    for (let press = 0; press < 3; press++) await panel.pressKey('Escape')
    const next = await nextInPanel(wallet, title)
    await next.approve()
    expect(await resultOf(signing)).toBeTypeOf('string')
  })

  it('says which site is in the tab, and whether it is connected', async () => {
    const { wallet, site, otherSite } = world
    await openBeside()
    const panel = await panelOf(wallet)
    await panel.waitForText(`${new URL(site).host} Connected`)
    const other = await wallet.openDapp(`${otherSite}plain.html`)
    await other.request('getAccounts')
    await panel.waitForText(`${new URL(otherSite).host} Not connected`)
    const silent = await wallet.openDapp(`${site}plain.html`)
    await panel.waitForText('No site in this tab uses Satchel')
    await silent.page.close()
    await wallet.killBackground()
    await (await world.openConnected()).page.bringToFront()
    await panel.waitForText(`${new URL(site).host} Connected`)
  })

  it('asks for the password of a locked wallet before the question itself', async () => {
    const { wallet } = world
    const dapp = await openBeside()
    await wallet.lock()
    const signing = dapp.request('signMessage', 'hello')
    await nextInPanel(wallet, 'Unlock')
    const panel = await panelOf(wallet)
    await panel.press('dialog input[type="password"]')
    await panel.type(PASSWORD)
    await panel.press('dialog [data-testid="approve"]')
    await (await nextInPanel(wallet, 'You sign')).approve()
    expect(await resultOf(signing)).toBeTypeOf('string')
    expect(await wallet.countApprovalWindows()).toBe(0)
  })

  it('is left again by choosing the popup', async () => {
    const { wallet } = world
    await chooseToolbar(wallet, 'popup')
    const behaviour = await wallet.evaluateInBackground(() =>
      Object(globalThis).chrome.sidePanel.getPanelBehavior(),
    )
    expect(behaviour).toEqual({ openPanelOnActionClick: false })
    const popup = await wallet.evaluateInBackground(() =>
      Object(globalThis).chrome.action.getPopup({}),
    )
    expect(popup).toBe(`${wallet.extensionUrl}src/popup/popup.html`)
  })
})
