import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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
import { forgetRequests, resultOf, startWorld, type World } from '../../fixtures/world.ts'

describe.each(browsersFor('sidebar'))('in %s, the sidebar beside the page', browser => {
  let world: World

  beforeAll(async () => {
    world = await startWorld(browser)
    await world.openConnected()
  })
  afterAll(() => world?.stop())

  beforeEach(() => forgetRequests(world.wallet))

  it('leaves sites the window until it is opened', async () => {
    const { wallet } = world
    const dapp = await world.openConnected()
    await expect.poll(() => countSidePanels(wallet), { timeout: 10_000 }).toBe(0)
    const signing = dapp.request('signMessage', 'hello')
    await (await wallet.nextApproval()).approve()
    expect(await resultOf(signing)).toBeTypeOf('string')
    await wallet.waitForNoApproval()
  })

  it('is chosen in the settings, and opened by the toolbar button from then on', async () => {
    const { wallet } = world
    await chooseToolbar(wallet, 'panel')
    if (await findPanel(wallet)) await closePanel(wallet)
    const dapp = await world.openConnected()
    await pressToolbarButton(wallet, dapp.page)
    await (await panelOf(wallet)).waitForText('Receive')
    await expect.poll(() => countSidePanels(wallet), { timeout: 10_000 }).toBe(1)
  })

  it('is where a site asks, and no window opens', async () => {
    const { wallet } = world
    const dapp = await world.openConnected()
    const signing = dapp.request('signMessage', 'hello')
    await (await nextInPanel(wallet, 'You sign')).approve()
    expect(await resultOf(signing)).toBeTypeOf('string')
    expect(await wallet.countApprovalWindows()).toBe(0)
  })

  it('that closes in mid-approval leaves its question to the window', async () => {
    const { wallet } = world
    const dapp = await world.openConnected()
    const signing = dapp.request('signMessage', 'hello')
    const { title } = await nextInPanel(wallet)
    await closePanel(wallet)
    const approval = await wallet.nextApproval()
    expect(approval.title).toBe(title)
    await approval.approve()
    expect(await resultOf(signing)).toBeTypeOf('string')
    await wallet.waitForNoApproval()
  })
})
