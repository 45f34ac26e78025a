import { launch, type Screen, type Wallet } from '../driver/driver.ts'
import { closeWelcomeTab } from '../driver/welcome-tab.ts'
import { PASSWORD, startWorld } from '../fixtures/world.ts'
import { measureScripts } from './debugging.ts'
import { countFigure, type Figure, sampleFigure } from './figure.ts'

const OPENINGS = 15
const UNLOCKS = 8
/** How long scripts are collected, so that what a screen loads late counts too. */
const SCREEN_MS = 3000

/** The popup's page as a tab: how soon something, and how soon the first buttons, are there; and unlocking. */
export async function measureScreens(): Promise<Figure[]> {
  return [...(await measureFirstScreen()), await measureUnlock()]
}

async function measureFirstScreen(): Promise<Figure[]> {
  const wallet = await launch({ browser: 'chromium' })
  try {
    await closeWelcomeTab(wallet)
    // Uncounted: Chromium keeps compiled code from the first opening on.
    await openFirstScreen(wallet)
    const openings: { painted: number; usable: number }[] = []
    for (let i = 0; i < OPENINGS; i++) openings.push(await openFirstScreen(wallet))

    const page = await wallet.browser.newPage()
    const scripts = await measureScripts(page, wallet.extensionUrl, async () => {
      await page.goto(`${wallet.extensionUrl}src/popup/popup.html`)
      await new Promise(resolve => setTimeout(resolve, SCREEN_MS))
    })
    await page.close()
    return [
      countFigure(
        {
          name: 'first screen JS, gzip',
          unit: 'kB',
          aim: 130,
          peer: 461.2,
          note: `raw ${(scripts.raw / 1000).toFixed(1)} kB, ${scripts.files.length} files`,
        },
        scripts.gzip / 1000,
      ),
      sampleFigure(
        { name: 'first screen, first contentful paint', unit: 'ms', aim: 150, peer: 410 },
        openings.map(({ painted }) => painted),
      ),
      sampleFigure(
        { name: 'first screen, usable', unit: 'ms', peer: 425.5 },
        openings.map(({ usable }) => usable),
      ),
    ]
  } finally {
    await wallet.close()
  }
}

async function openFirstScreen(wallet: Wallet) {
  const screen = await wallet.popup()
  try {
    // A tab behind another one draws no frames.
    await screen.page.bringToFront()
    return await screen.evaluate(readPaint, 'Import a wallet')
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
    return sampleFigure({ name: 'unlock to home screen', unit: 's', aim: 1.5 }, times)
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
