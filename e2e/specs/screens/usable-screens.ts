import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, type Wallet } from '../../driver/driver.ts'
import { callExpression } from '../../driver/engine.ts'
import type { Screen } from '../../driver/screen.ts'
import { closeWelcomeTab } from '../../driver/welcome-tab.ts'
import { COLOUR_RULES, describeViolations, findViolations } from '../../fixtures/accessibility.ts'
import { isLong } from '../../fixtures/flows.ts'
import { loadShots } from '../../shots/fixtures/areas.ts'
import { createCamera, showTheme, type Theme, waitForPauses } from '../../shots/fixtures/camera.ts'

/** Nobody presses Tab more often than this on one screen. */
const MOST_STOPS = 300

/** The same screen in other words, or in another window. */
const VARIANT = /-(german|small|wide|tab)$/

/** The tests of all screens of some areas, one after the other in a browser of their own. */
export async function describeScreens(areas: readonly string[]): Promise<void> {
  const shots = (await Promise.all(areas.map(area => loadShots(area)))).flat()
  const names = new Set(shots.map(({ name }) => name))
  const isVariant = (name: string) => VARIANT.test(name) && names.has(name.replace(VARIANT, ''))

  describe('every screen in every state', () => {
    let wallet: Wallet
    let camera: ReturnType<typeof createCamera>

    beforeAll(async () => {
      wallet = await launch({ browser: 'chromium' })
      await closeWelcomeTab(wallet)
      camera = createCamera(wallet, { scale: 1, reload: isLong })
    })
    afterAll(() => wallet?.close())

    it.each(shots.filter(({ name }) => isLong || !isVariant(name)))(
      '$name: nothing serious for axe, all of it by keyboard',
      async shot => {
        const screen = await camera.show(shot)
        await expectAccessible(screen.page, themesFor(shots.indexOf(shot)))
        await expectUsable(screen)
      },
    )

    it.each(shots.filter(({ name }) => !isLong && isVariant(name)))(
      '$name: no wider than its window, all of it by keyboard',
      async shot => expectUsable(await camera.show(shot)),
    )
  })
}

/** Both in a long run. In a short one they take turns: what a screen is made of is on others too. */
function themesFor(at: number): readonly Theme[] {
  if (isLong) return ['light', 'dark']
  return at % 2 === 0 ? ['light'] : ['dark']
}

async function expectAccessible(page: Page, themes: readonly Theme[]): Promise<void> {
  for (const theme of themes) {
    await showTheme(page, theme)
    const rules = theme === themes[0] ? null : COLOUR_RULES
    expect(describeViolations(await findViolations(page, rules))).toEqual([])
  }
}

async function expectUsable({ page, evaluate }: Screen): Promise<void> {
  expect(await evaluate(measureOverflow)).toBeLessThanOrEqual(0)
  // Tab passes over Approve before it can be pressed.
  await waitForPauses(page)
  expect(await findUnreachable(page)).toEqual([])
}

/** Controls that Tab never comes to, as their HTML's beginnings. */
async function findUnreachable(page: Page): Promise<string[]> {
  await page.bringToFront()
  let left = (await page.evaluate(callExpression(markControls, []))) as number
  // No stop reaches more than one of them: nothing is asked in between.
  for (let stops = 0; left > 0 && stops < MOST_STOPS; stops += left) {
    for (let pressed = 0; pressed < left; pressed++) await page.keyboard.press('Tab')
    left = (await page.evaluate(callExpression(countUnreached, []))) as number
  }
  return (await page.evaluate(callExpression(listUnreached, []))) as string[]
}

/**
 * Runs in the page: marks what a mouse could use, one of each group of radios, behind no open dialog, until the focus comes
 * to it; Tab starts at their beginning. How many there are.
 */
function markControls(): number {
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
  const walk = new AbortController()
  const follow = ({ target: focused }: Event) => {
    if (focused instanceof HTMLInputElement && focused.type === 'radio') {
      for (const radio of document.getElementsByName(focused.name)) delete radio.dataset.unreached
    }
    if (focused instanceof HTMLElement) delete focused.dataset.unreached
  }
  document.addEventListener('focusin', follow, walk)
  walk.signal.addEventListener('abort', () => start.remove())
  // The page may show another screen after this one.
  Object.assign(globalThis, { walk })
  return document.querySelectorAll('[data-unreached]').length
}

/** Runs in the page. */
function countUnreached(): number {
  return document.querySelectorAll('[data-unreached]').length
}

/** Runs in the page. Approve rests for half a second when the window gets the focus back, and Tab passes over it then. */
function listUnreached(): string[] {
  ;(globalThis as unknown as { walk: AbortController }).walk.abort()
  const left = document.querySelectorAll<HTMLElement>('[data-unreached]:not(:disabled)')
  return Array.from(left, control => control.outerHTML.slice(0, 120))
}

/** Runs in the page: pixels by which the page is wider than its window. */
function measureOverflow(): number {
  const { scrollWidth, clientWidth } = document.documentElement
  return scrollWidth - clientWidth
}
