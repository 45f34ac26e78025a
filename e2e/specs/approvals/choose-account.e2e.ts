import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Dapp, Screen } from '../../driver/driver.ts'
import { goTo } from '../../driver/own-pages.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** The example program of BIP-173, on regtest. */
const WATCHED = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
/** The first native SegWit account of the words of the tests on regtest, as other wallets show it. */
const SECOND = 'bcrt1q6rz28mcfaxtmd6v789l9rrlrusdprr9pz3cppk'

describe.each(browsersFor('choose-account'))('a site that connects in %s', browser => {
  let world: World
  let page: Screen
  let dapp: Dapp

  beforeAll(async () => {
    world = await startWorld(browser)
    page = await world.wallet.popup()
    await page.find('region', 'Balance')
    await goTo(page, '/accounts/watch', 'Watch an address')
    await page.fill('textbox', 'Address', WATCHED)
    await page.fill('textbox', 'Name*', 'Cold')
    await page.click('button', 'Add account')
    await page.find('button', 'Account: Cold')
    dapp = await world.wallet.openDapp(`${world.site}plain.html`)
  })
  afterAll(() => world?.stop())

  it('is told nothing of a watched account in use, and a no is a no', async () => {
    const connecting = dapp.request('connect')
    const approval = await world.wallet.nextApproval()
    expect(approval.title).toContain('Choose an account to show to')
    expect(await approval.text()).toContain('Cold cannot be connected to sites')
    expect(await approval.has('button', 'Cold*')).toBe(false)
    await approval.reject()
    expect(await connecting).toMatchObject({ error: { code: 4001 } })
    await world.wallet.waitForNoApproval()
    expect(await resultOf(dapp.request('getAccounts'))).toEqual([])
  })

  it('gets the account that the person chooses in its place, which is in use then', async () => {
    await dapp.record('accountsChanged')
    const connecting = dapp.request('requestAccounts')
    const approval = await world.wallet.nextApproval()
    expect(await approval.page.$('[data-testid="approve"]:disabled')).not.toBeNull()
    await approval.click('button', 'Account 1*')
    await approval.find('heading', 'You show Account 1*')
    await approval.click('button', 'Choose another account')
    await approval.click('button', 'Account 2*')
    await approval.find('heading', 'You show Account 2*')
    const chosen = await world.wallet.nextApproval()
    expect((await chosen.text()).replaceAll(/\s/g, '')).toContain(SECOND)
    await chosen.approve()
    expect(await resultOf(connecting)).toEqual([SECOND])
    await world.wallet.waitForNoApproval()
    expect(await dapp.events()).toEqual([{ event: 'accountsChanged', args: [[SECOND]] }])
    await page.find('button', 'Account: Account 2')
    expect(await resultOf(dapp.request('getAccounts'))).toEqual([SECOND])
  })

  it('waits while the person adds an account, where there is none that can be connected', async () => {
    await goTo(page, '/accounts', 'Accounts')
    for (const name of ['Account 1', 'Account 2']) {
      await page.click('link', `Details of ${name}`)
      await page.click('button', 'Hide*')
      await page.find('button', 'Show again*')
      await goTo(page, '/accounts', 'Accounts')
    }
    const connecting = dapp.request('connect')
    const approval = await world.wallet.nextApproval()
    expect(approval.title).toContain('No account can be shown to')
    expect(await approval.page.$('[data-testid="approve"]')).toBeNull()
    await approval.click('button', 'Add an account')
    expect(await world.wallet.countApprovalWindows()).toBe(1)
    await goTo(page, '/accounts/add', 'Add an account')
    await page.fill('textbox', 'Name*', 'Third')
    await page.click('button', 'Add account')
    await page.find('button', 'Account: Third')
    await approval.click('button', 'Third*')
    await approval.find('heading', 'You show Third*')
    await (await world.wallet.nextApproval()).approve()
    expect(await resultOf<{ address: string }>(connecting)).toHaveProperty('address')
    await world.wallet.waitForNoApproval()
  })
})
