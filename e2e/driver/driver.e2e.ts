import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDappServer } from '../fixtures/dapp-server.ts'
import { browsersFor } from '../fixtures/flows.ts'
import { type Dapp, launch, type Wallet } from './driver.ts'
import { describeScreen } from './screen.ts'

const PASSWORD = 'correct horse battery staple'

type BackgroundScope = { leftByTest?: string }

describe.each(browsersFor('driver'))('the driver in %s', browser => {
  let wallet: Wallet
  let site: Awaited<ReturnType<typeof startDappServer>>
  let dapp: Dapp
  let words: string

  beforeAll(async () => {
    site = await startDappServer()
    wallet = await launch({ browser })
    words = await wallet.createWallet({ wordCount: 24, password: PASSWORD })
    await wallet.chooseNetwork('Signet')
    dapp = await wallet.openDapp(site.url)
  })

  afterAll(async () => {
    await wallet?.close()
    await site?.stop()
  })

  it('creates a wallet whose words are those that were shown', () => {
    expect(words.split(' ')).toHaveLength(24)
    expect(new Set(words.split(' ')).size).toBeGreaterThan(12)
  })

  it('reads an approval, rejects it and sees its window close', async () => {
    const answer = dapp.request('connect')
    const approval = await wallet.nextApproval()
    expect(approval.title).toContain('Account 1')
    expect(await approval.text()).toContain(new URL(site.url).origin)
    expect(await wallet.countApprovalWindows()).toBe(1)
    await approval.reject()
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    await wallet.waitForNoApproval()
    expect(await wallet.countApprovalWindows()).toBe(0)
  })

  it('tells of a request whose page went away', async () => {
    const answer = dapp.request('connect')
    await wallet.nextApproval()
    await dapp.page.reload()
    expect(await answer).toHaveProperty('gone')
    await wallet.waitForNoApproval()
  })

  it('presses the button that was drawn in the place of the one it found', async () => {
    const { page } = dapp
    await page.evaluate(() => {
      const [found, shown] = [document.createElement('button'), document.createElement('button')]
      found.textContent = shown.textContent = 'Drawn anew'
      // It is asked whether it can be pressed, and goes right after that.
      const matches = (selectors: string) => {
        if (selectors.includes(':disabled')) found.replaceWith(shown)
        return Element.prototype.matches.call(found, selectors)
      }
      Object.assign(found, { matches })
      shown.onclick = () => shown.replaceWith('pressed')
      document.body.append(found)
    })
    const screen = describeScreen(page)
    await screen.click('button', 'Drawn anew')
    expect(await screen.text()).toContain('pressed')
  })

  it('connects, and records the events that the page hears', async () => {
    await dapp.record('connect', 'accountsChanged', 'disconnect')
    const answer = dapp.request('connect')
    await (await wallet.nextApproval()).approve()
    const { address } = ((await answer) as { result: { address: string } }).result
    expect(address).toMatch(/^tb1p/)
    await expect
      .poll(() => dapp.events())
      .toContainEqual({ event: 'accountsChanged', args: [[address]] })
  })

  it('chooses another account', async () => {
    const [before] = ((await dapp.request('getAccounts')) as { result: string[] }).result
    await wallet.chooseAccount('Account 2 Native SegWit')
    await expect.poll(() => dapp.request('getAccounts')).toEqual({ result: [] })
    await wallet.chooseAccount('Account 1 Taproot')
    await expect.poll(() => dapp.request('getAccounts')).toEqual({ result: [before] })
  })

  it('unlocks in the approval window when a request meets a locked wallet', async () => {
    await wallet.lock()
    const answer = dapp.request('signMessage', 'hello')
    const asked = await wallet.nextApproval()
    expect(await asked.has('button', 'Unlock')).toBe(true)
    await asked.unlock(PASSWORD)
    await (await wallet.nextApproval()).approve()
    expect(await answer).toHaveProperty('result')
  })

  it('sees what is in storage without starting the background', async () => {
    await wallet.waitForNoApproval()
    await wallet.killBackground()
    const { local, session } = await wallet.storageDump()
    expect(Object.keys(local).length).toBeGreaterThan(0)
    expect(Object.keys(session).length).toBeGreaterThan(0)
    expect(JSON.stringify(local)).not.toContain(words.split(' ').slice(0, 2).join(' '))
  })

  it('runs code in the background, whose globals end with it', async () => {
    await wallet.evaluateInBackground((text: string) => {
      const scope = globalThis as unknown as BackgroundScope
      scope.leftByTest = text
    }, 'here')
    expect(await wallet.evaluateInBackground(readLeft)).toBe('here')
    await wallet.killBackground()
    expect(await wallet.evaluateInBackground(readLeft)).toBe('gone')
  })

  it('hangs the background at a call, kills it there, and the page is answered all the same', async () => {
    const hang = await wallet.hangBackground({ call: 'storage.session.set', when: 'before' })
    const answer = dapp.request('signMessage', 'survives')
    await hang.reached()
    await wallet.killBackground()
    const approval = await wallet.nextApproval()
    expect(await approval.text()).toContain('survives')
    await approval.approve()
    expect(await answer).toHaveProperty('result')
  })
})

function readLeft(): string {
  return (globalThis as unknown as BackgroundScope).leftByTest ?? 'gone'
}
