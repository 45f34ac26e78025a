import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeViolations, findViolations } from './accessibility.ts'
import { callExpression } from './driver/engine.ts'
import { closeWelcomeTab } from './driver/welcome-tab.ts'
import { launch, type Wallet } from './driver.ts'
import { loadShots } from './shots/areas.ts'
import { openShot, showTheme } from './shots/camera.ts'

/** Nobody presses Tab more often than this on one screen. */
const MOST_STOPS = 300

const shots = await loadShots(null)

describe('every screen in every state', () => {
  let wallet: Wallet

  beforeAll(async () => {
    wallet = await launch({ browser: 'chromium' })
    await closeWelcomeTab(wallet)
  })
  afterAll(() => wallet?.close())

  it.each(shots)(
    '$name: nothing serious for axe in either theme, all of it by keyboard',
    async shot => {
      const { page, evaluate, close } = await openShot(wallet, shot)
      expect(describeViolations(await findViolations(page))).toEqual([])
      expect(await evaluate(measureOverflow)).toBeLessThanOrEqual(0)
      await showTheme(page, 'dark')
      expect(describeViolations(await findViolations(page))).toEqual([])
      expect(await findUnreachable(page)).toEqual([])
      await close()
    },
  )
})

/** Controls that Tab never comes to, as their HTML's beginnings. */
async function findUnreachable(page: Page): Promise<string[]> {
  await page.bringToFront()
  await page.evaluate(callExpression(markControls, []))
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(callExpression(markReached, []))) break
  }
  return (await page.evaluate(callExpression(listUnreached, []))) as string[]
}

/** Runs in the page: marks what a mouse could use, one of each group of radios, behind no open dialog; Tab starts at their beginning. */
function markControls(): void {
  const dialog = document.querySelector('dialog[open]') ?? document
  const groups = new Set<string>()
  const controls = dialog.querySelectorAll<HTMLElement>(
    'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [role="textbox"]',
  )
  for (const control of controls) {
    if (!control.checkVisibility({ visibilityProperty: true }) || control.closest('[inert]'))
      continue
    if (control instanceof HTMLInputElement && control.type === 'radio') {
      if (groups.has(control.name)) continue
      groups.add(control.name)
      control.dataset.group = control.name
    }
    // Parts of a widget that the arrow keys walk.
    if (
      control.tabIndex < 0 &&
      control.closest('[role="listbox"], [role="menu"], [role="tablist"]')
    )
      continue
    control.dataset.unreached = ''
  }
  const start = document.createElement('span')
  start.tabIndex = -1
  if (dialog instanceof Element) dialog.prepend(start)
  else document.body.prepend(start)
  start.focus()
}

/** Runs in the page: whether nothing is left to be reached. */
function markReached(): boolean {
  const focused = document.activeElement
  if (focused instanceof HTMLInputElement && focused.type === 'radio') {
    for (const radio of document.getElementsByName(focused.name)) delete radio.dataset.unreached
  }
  if (focused instanceof HTMLElement) delete focused.dataset.unreached
  return document.querySelector('[data-unreached]') === null
}

/** Runs in the page. Approve rests for half a second when the window gets the focus back, and Tab passes over it then. */
function listUnreached(): string[] {
  const left = document.querySelectorAll<HTMLElement>('[data-unreached]:not(:disabled)')
  return Array.from(left, control => control.outerHTML.slice(0, 120))
}

/** Runs in the page: pixels by which the page is wider than its window. */
function measureOverflow(): number {
  const { scrollWidth, clientWidth } = document.documentElement
  return scrollWidth - clientWidth
}
