import { launch, type Screen, type Wallet } from '../driver/driver.ts'
import { closeWelcomeTab } from '../driver/welcome-tab.ts'
import { seatTrader } from '../fixtures/psbt/trader.ts'
import { PASSWORD, startWorld } from '../fixtures/world.ts'
import { clockWindow } from './clocked-call.ts'
import { measureScripts } from './debugging.ts'
import { countFigure, type Figure, sampleFigure } from './figure.ts'

const OPENINGS = 15
const UNLOCKS = 8
const QUESTIONS = 15
/** How long scripts are collected, so that what a screen loads late counts too. */
const SCREEN_MS = 3000

/** The popup's page as a tab: how soon something, and how soon the first buttons, are there; unlocking; and the simplest question. */
export async function measureScreens(): Promise<Figure[]> {
  return [
    ...(await measureWelcome()),
    ...(await measureUsualStarts()),
    await measureUnlock(),
    ...(await measureQuestion()),
  ]
}

/** Who has no wallet yet; this is what other wallets were measured with. */
async function measureWelcome(): Promise<Figure[]> {
  const wallet = await launch({ browser: 'chromium' })
  try {
    await closeWelcomeTab(wallet)
    return await measureStart(wallet, {
      name: 'welcome, without a wallet',
      button: 'Import a wallet',
      peers: { scripts: 461.2, painted: 410, usable: 425.5 },
    })
  } finally {
    await wallet.close()
  }
}

/** Who has one: home where it is open, the unlocking where it is locked. */
async function measureUsualStarts(): Promise<Figure[]> {
  const { wallet, devnet, site, stop } = await startWorld('chromium')
  try {
    const place = { site, esploraUrl: devnet.esploraUrl }
    const { owner } = await seatTrader(wallet, 'Account 1 Taproot', place)
    await devnet.faucet(owner.address, 1_000_000n)
    await devnet.mine()
    const home = await measureStart(wallet, { name: 'home of an open wallet', button: 'Receive' })
    await wallet.lock()
    const unlocking = await measureStart(wallet, {
      name: 'unlocking of a locked wallet',
      button: 'Unlock',
    })
    return [...unlocking, ...home]
  } finally {
    await stop()
  }
}

type Start = {
  name: string
  /** What the start can be used with. */
  button: string
  peers?: { scripts: number; painted: number; usable: number }
}

async function measureStart(wallet: Wallet, { name, button, peers }: Start): Promise<Figure[]> {
  // Uncounted: Chromium keeps compiled code from the first opening on.
  await openStart(wallet, button)
  const openings: { painted: number; usable: number }[] = []
  for (let i = 0; i < OPENINGS; i++) openings.push(await openStart(wallet, button))

  const page = await wallet.browser.newPage()
  const scripts = await measureScripts(page, wallet.extensionUrl, async () => {
    await page.goto(`${wallet.extensionUrl}src/popup/popup.html`)
    await new Promise(resolve => setTimeout(resolve, SCREEN_MS))
  })
  await page.close()
  const note = `raw ${(scripts.raw / 1000).toFixed(1)} kB, ${scripts.files.length} files`
  return [
    countFigure(
      {
        name: `${name}: JS, gzip`,
        unit: 'kB',
        note,
        aim: 80,
        ...(peers && { peer: peers.scripts }),
      },
      scripts.gzip / 1000,
    ),
    sampleFigure(
      {
        name: 'the same: first contentful paint',
        unit: 'ms',
        aim: 100,
        ...(peers && { peer: peers.painted }),
      },
      openings.map(({ painted }) => painted),
    ),
    sampleFigure(
      { name: 'the same: usable', unit: 'ms', aim: 130, ...(peers && { peer: peers.usable }) },
      openings.map(({ usable }) => usable),
    ),
  ]
}

async function openStart(wallet: Wallet, button: string) {
  const screen = await wallet.popup()
  try {
    // A tab behind another one draws no frames.
    await screen.page.bringToFront()
    return await screen.evaluate(readPaint, button)
  } finally {
    await screen.close()
  }
}

/**
 * Runs in the page: milliseconds from navigation to the first contentful paint, and until the button can be
 * pressed. Polled by frames from after the load, so `usable` is late by a frame or two rather than early.
 */
async function readPaint(button: string): Promise<{ painted: number; usable: number }> {
  const buttons = () => Array.from(document.querySelectorAll('button'))
  while (!buttons().some(({ textContent }) => textContent.includes(button))) {
    await new Promise(resolve => setTimeout(resolve))
  }
  await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))
  const usable = performance.now()
  for (;;) {
    const paint = performance.getEntriesByName('first-contentful-paint')[0]
    if (paint) return { painted: paint.startTime, usable }
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

async function measureUnlock(): Promise<Figure> {
  const { wallet, stop } = await startWorld('chromium')
  try {
    const times: number[] = []
    for (let i = 0; i < UNLOCKS; i++) {
      await wallet.lock()
      const screen = await wallet.popup()
      times.push(await timeUnlock(screen))
      await screen.close()
    }
    return sampleFigure({ name: 'unlock to home screen', unit: 's', aim: 0.9 }, times)
  } finally {
    await stop()
  }
}

async function timeUnlock(screen: Screen): Promise<number> {
  await screen.fill('textbox', 'Password', PASSWORD)
  const button = await screen.find('button', 'Unlock')
  const ms = await button.evaluate(pressUntilHome)
  return Number(ms) / 1000
}

/** Nothing has to be found out for it: no question that opens the browser's window is there sooner. */
async function measureQuestion(): Promise<Figure[]> {
  const world = await startWorld('chromium')
  try {
    const place = { site: world.site, esploraUrl: world.devnet.esploraUrl }
    const trader = await seatTrader(world.wallet, 'Account 1 Taproot', place)
    const questions: { asked: number; begun: number }[] = []
    for (let run = 0; run < QUESTIONS; run++) {
      questions.push(await clockWindow(trader, 'signMessage', ['hello']))
    }
    return [
      sampleFigure(
        { name: 'signMessage: call to question', unit: 'ms', note: 'the floor of every question' },
        questions.map(({ asked }) => asked),
      ),
      sampleFigure(
        { name: 'the same: until the window that the browser opens begins to load', unit: 'ms' },
        questions.map(({ begun }) => begun),
      ),
    ]
  } finally {
    await world.stop()
  }
}

/** Runs in the page: milliseconds from the press until a frame has shown the balance. */
async function pressUntilHome(button: Element): Promise<number> {
  const start = performance.now()
  if (button instanceof HTMLElement) button.click()
  while (!document.querySelector('section[aria-label="Balance"]')) {
    await new Promise(resolve => setTimeout(resolve))
  }
  await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))
  return performance.now() - start
}
