import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { poll } from '../../driver/engine.ts'
import { goTo, shortenTxid } from '../../driver/own-pages.ts'
import { describeScreen, type Screen } from '../../driver/screen.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { PASSWORD, resultOf, startWorld, type World } from '../../fixtures/world.ts'

const SATS = 1_234_567

/** How long something that is not to happen is waited for. */
const QUIET_MS = 1500

/**
 * The extension has the permission from the start, or is given it at once: no driver can answer the browser's own question. Firefox
 * closes notifications by itself where no system keeps them, so what it shows is not counted, only what it was told to show.
 */
describe.each(browsersFor('notifications'))('notifications in %s', browser => {
  const keepsNotifications = browser === 'chromium'
  let world: World
  let address = ''
  let first = ''
  let txid = ''

  beforeAll(async () => {
    world = await startWorld(browser, { permission: 'notifications' })
    await poll('the welcome to open, and to be closed', 10_000, () =>
      inExtension(closeOtherScreens),
    )
    const dapp = await world.openConnected()
    ;[address = ''] = await resultOf<string[]>(dapp.request('getAccounts'))
    await dapp.close()
    first = await world.devnet.faucet(address, SATS)
  })
  afterAll(() => world?.stop())

  it('are off at first: no alarm, nothing stored, and no request even if an alarm comes', async () => {
    await world.wallet.killBackground()
    expect(await inExtension(listAlarms)).not.toContain('notifications')
    await inSettings(async screen => expect(await isOn(screen)).toBe(false))
    await expectNothing()
  })

  it('are switched on by a press, and tell nothing of what was there before', async () => {
    await inSettings(async screen => {
      await screen.click('switch', 'Show notifications')
      await poll('the switch to be on', 10_000, async () => ((await isOn(screen)) ? true : null))
    })
    await poll('what was there before to be remembered', 20_000, async () =>
      (await readTold())?.payments?.payments[first] ? true : null,
    )
    expect(await inExtension(listAlarms)).toContain('notifications')
    expect(await inExtension(listNotifications)).toEqual([])
  })

  it('tell once of a payment that comes with no screen open and the background stopped', async () => {
    txid = await world.devnet.faucet(address, SATS, false)
    await wakeUntilTold(height => height === null)
    if (keepsNotifications) await expectShown('received')
    await dismissAndLookAgain()
    expect(await inExtension(listNotifications)).toEqual([])
  })

  it('tell once of its block, also while the wallet is locked', async () => {
    await world.wallet.lock()
    await world.devnet.mine()
    await wakeUntilTold(height => typeof height === 'number')
    if (keepsNotifications) await expectShown('confirmed')
  })

  it.runIf(keepsNotifications)(
    'lead to the transaction when they are pressed, after the password of a locked wallet',
    async () => {
      const [id = ''] = await inExtension(listNotifications)
      await world.wallet.killBackground()
      await world.wallet.evaluateInBackground(pressNotification, id)
      const page = await poll('the page that it opens', 15_000, async () => {
        const pages = await world.wallet.browser.pages()
        return pages.find(one => one.url().endsWith(`popup.html#/activity/${txid}`)) ?? null
      })
      const screen = describeScreen(page)
      await screen.fill('textbox', 'Password', PASSWORD)
      await screen.click('button', 'Unlock')
      await screen.waitForText(shortenTxid(txid))
      expect(page.url()).toContain(`#/activity/${txid}`)
      await screen.close()
      expect(await inExtension(listNotifications)).toEqual([])
    },
  )

  it('end when they are switched off: no alarm, nothing stored, and no request for a payment', async () => {
    await dismissAndLookAgain()
    expect(await inExtension(listNotifications)).toEqual([])
    if (!keepsNotifications) await world.wallet.unlock(PASSWORD)
    await inSettings(async screen => {
      await screen.click('switch', 'Show notifications')
      await poll('the switch to be off', 10_000, async () => ((await isOn(screen)) ? null : true))
    })
    await poll('the alarm to go', 10_000, async () =>
      (await inExtension(listAlarms)).includes('notifications') ? null : true,
    )
    // Firefox gave what it may take back; in Chromium the extension cannot be without it here.
    if (browser === 'firefox') expect(await inExtension(hasPermission)).toBe(false)
    await world.devnet.faucet(address, SATS, false)
    await expectNothing()
  })

  /** Runs in a file of the extension that has its powers as a page; it runs no code, and does not start the background. */
  async function inExtension<T>(work: () => Promise<T>): Promise<Awaited<T>> {
    const screen = await world.wallet.popup('manifest.json')
    try {
      return await screen.evaluate(work)
    } finally {
      await screen.close()
    }
  }

  async function inSettings(work: (screen: Screen) => Promise<void>): Promise<void> {
    const screen = await world.wallet.popup()
    try {
      await screen.find('heading', 'Wallet')
      await goTo(screen, '/settings/notifications', 'Notifications')
      await screen.find('switch', 'Show notifications')
      await work(screen)
    } finally {
      await screen.close()
    }
  }

  async function readTold(): Promise<Told | null> {
    const { local } = await world.wallet.storageDump()
    return (local['notifications.told'] as Told | undefined) ?? null
  }

  /** As if the five minutes were over: the alarm starts the background. */
  async function wake(): Promise<void> {
    await world.wallet.killBackground()
    await inExtension(hastenAlarm)
  }

  async function wakeUntilTold(isWanted: (height: unknown) => boolean): Promise<void> {
    await wake()
    await poll('the payment to be told of', 30_000, async () => {
      const told = await readTold()
      const payment = told?.payments?.payments[txid]
      return payment && isWanted(payment.height) && told.queue.length === 0 ? true : null
    })
  }

  async function expectShown(event: string): Promise<void> {
    const shown = await inExtension(listNotifications)
    expect(shown).toHaveLength(1)
    expect(shown[0]).toContain(`/activity/${txid} ${event}`)
  }

  /** What a person has dismissed is not there when the next look finds the same. */
  async function dismissAndLookAgain(): Promise<void> {
    await inExtension(dismissAll)
    const before = await countRequests()
    await wake()
    await poll('the next look', 20_000, async () =>
      (await countRequests()) > before ? true : null,
    )
    await quiet()
  }

  async function expectNothing(): Promise<void> {
    const before = await countRequests()
    await wake()
    await poll('the alarm to end', 20_000, async () =>
      (await inExtension(listAlarms)).includes('notifications') ? null : true,
    )
    await quiet()
    expect(await countRequests()).toBe(before)
    expect(await readTold()).toBeNull()
  }

  /** Those about addresses. */
  async function countRequests(): Promise<number> {
    const hits = await (await fetch(`${world.devnet.url}/devnet/hits`)).json()
    return Object.entries<number>(hits)
      .filter(([name]) => name.includes('/address/'))
      .reduce((sum, [, count]) => sum + count, 0)
  }
})

/** What the wallet keeps in its local storage of what it has told, as far as it is read here. */
type Told = {
  payments: { payments: { [txid: string]: { height: number | null } } } | null
  queue: unknown[]
}

async function quiet(): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, QUIET_MS))
}

function isOn(screen: Screen): Promise<boolean> {
  return screen.evaluate(() => {
    const input = document.querySelector<HTMLInputElement>('input[aria-label="Show notifications"]')
    if (!input) throw new Error('There is no such switch')
    return input.checked
  })
}

/** These run in the extension. */
async function listNotifications(): Promise<string[]> {
  return Object.keys(await Object(globalThis).chrome.notifications.getAll())
}

async function dismissAll(): Promise<void> {
  const { notifications } = Object(globalThis).chrome
  for (const id of Object.keys(await notifications.getAll())) await notifications.clear(id)
}

function pressNotification(id: string): void {
  Object(globalThis).chrome.notifications.onClicked.dispatch(id)
}

async function hastenAlarm(): Promise<void> {
  const when = Date.now() + 300
  await Object(globalThis).chrome.alarms.create('notifications', { when, periodInMinutes: 5 })
}

/** The welcome that an installation opens asks again each time the background was stopped. Null where none is open. */
async function closeOtherScreens(): Promise<true | null> {
  const { tabs, runtime } = Object(globalThis).chrome
  const open: { id: number }[] = await tabs.query({ url: runtime.getURL('src/popup/*') })
  await tabs.remove(open.map(({ id }) => id))
  return open.length > 0 ? true : null
}

async function listAlarms(): Promise<string[]> {
  const alarms: { name: string }[] = await Object(globalThis).chrome.alarms.getAll()
  return alarms.map(({ name }) => name)
}

function hasPermission(): Promise<boolean> {
  return Object(globalThis).chrome.permissions.contains({ permissions: ['notifications'] })
}
