import type { ElementHandle, Page } from 'puppeteer-core'
import { callExpression, poll } from './engine.ts'
import { findByRole } from './find-by-role.ts'

/** Far longer than any screen takes, even on a slow machine: what never comes fails all the same. */
const FIND_TIMEOUT = 30_000

/** Characters that are typed one by one. */
const MOST_TYPED = 20

/** A page used as a person with a screen reader would: by role and accessible name. */
export type Screen = {
  page: Page
  /** Runs `fn` in the page with JSON arguments and gives its JSON result. */
  evaluate<A extends readonly unknown[], R>(fn: (...args: A) => R, ...args: A): Promise<Awaited<R>>
  /** Waits for the element; a name that ends in `*` is a beginning, no name means any. */
  find(role: string, name?: string, timeout?: number): Promise<ElementHandle<Element>>
  has(role: string, name?: string): Promise<boolean>
  /** Waits until the element can be pressed, then presses it with the mouse. */
  click(role: string, name?: string): Promise<void>
  /** Replaces what the field holds, by keyboard. */
  fill(role: string, name: string, text: string): Promise<void>
  /** What the field holds. */
  valueOf(role: string, name: string): Promise<string>
  /** What the element with this test id shows; null when it is not there. */
  textOf(testId: string): Promise<string | null>
  clickTestId(testId: string): Promise<void>
  clickSelector(selector: string): Promise<void>
  /** The visible text of the page. */
  text(): Promise<string>
  /** Waits until the visible text, in one line, contains this; gives the whole text as it is. */
  waitForText(text: string, timeout?: number): Promise<string>
  /** Saves a PNG, once what moves on the page has come to rest. */
  screenshot(path: string): Promise<void>
  isClosed(): boolean
  close(): Promise<void>
}

/** Wraps a page of either browser. */
export function describeScreen(page: Page): Screen {
  const evaluate = async <A extends readonly unknown[], R>(
    fn: (...args: A) => R,
    ...args: A
  ): Promise<Awaited<R>> => (await page.evaluate(callExpression(fn, args))) as Awaited<R>

  const findAll = async (role: string, name: string | null) => {
    const list = await page.evaluateHandle(callExpression(findByRole, [role, name]))
    const properties = await list.getProperties()
    await list.dispose()
    return [...properties.values()].flatMap(handle => {
      const element = handle.asElement()
      return element ? [element as ElementHandle<Element>] : []
    })
  }

  const find = async (role: string, name?: string, timeout = FIND_TIMEOUT) => {
    const what = `${role}${name === undefined ? '' : ` "${name}"`}`
    try {
      return await poll(what, timeout, async () => (await findAll(role, name ?? null))[0] ?? null)
    } catch (error) {
      throw await explain(error, page)
    }
  }

  const press = async (what: string, locate: () => Promise<ElementHandle<Element> | null>) => {
    try {
      const findEnabled = async () => {
        const found = await locate()
        return found && (await found.evaluate(isEnabled)) ? found : null
      }
      let element = await poll(`${what} to be enabled`, FIND_TIMEOUT, findEnabled)
      await poll(`${what} to be hit`, FIND_TIMEOUT, async () => {
        // Another tab, such as the one that an installation opens, may have come before it: what is hidden is not drawn.
        await page.bringToFront()
        // What was drawn anew since it was found cannot be brought into view, and has no point.
        await element.scrollIntoView().catch(() => {})
        await element.evaluate(nextFrame)
        const point = await element.evaluate(findPoint)
        if (point) {
          await element.evaluate(watchPress)
          // puppeteer's own click waits for ever in a tab that is hidden meanwhile.
          await page.mouse.click(point.x, point.y)
          // Who is asked no more has gone, by this press.
          if (await element.evaluate(wasPressed).catch(() => true)) return true
        }
        // What came in above has moved it away from under the mouse, or another stands in its place.
        element = (await findEnabled()) ?? element
        return null
      })
    } catch (error) {
      throw await explain(error, page)
    }
  }

  return {
    page,
    evaluate,
    find,
    has: async (role, name) => (await findAll(role, name ?? null)).length > 0,
    click: (role, name) =>
      press(`${role} "${name ?? ''}"`, async () => (await findAll(role, name ?? null))[0] ?? null),
    async fill(role, name, text) {
      await poll(`${role} "${name}" to be filled`, FIND_TIMEOUT, async () => {
        await page.bringToFront()
        const field = await find(role, name)
        await field.focus()
        await field.evaluate(selectContent)
        await page.keyboard.press('Backspace')
        // What nobody types, such as an address, comes in one piece, as it is pasted.
        await page.keyboard.type(text.slice(0, MOST_TYPED))
        if (text.length > MOST_TYPED) await field.evaluate(insertText, text.slice(MOST_TYPED))
        // A tab that was hidden meanwhile has not got all of it.
        return (await field.evaluate(isAtHand)) ? true : null
      })
    },
    async valueOf(role, name) {
      return (await find(role, name)).evaluate(readValue)
    },
    async textOf(testId) {
      return evaluate(readTestId, testId)
    },
    clickTestId: testId => press(testId, () => page.$(`[data-testid="${testId}"]`)),
    clickSelector: selector => press(selector, () => page.$(selector)),
    text: () => evaluate(readText),
    async waitForText(text, timeout = FIND_TIMEOUT) {
      try {
        return await poll(`the text "${text}"`, timeout, async () => {
          const shown = await evaluate(readText)
          return joinLines(shown).includes(text) ? shown : null
        })
      } catch (error) {
        throw await explain(error, page)
      }
    },
    async screenshot(path) {
      await page.bringToFront()
      await evaluate(finishAnimations)
      await page.screenshot({ path: path as `${string}.png` })
    },
    isClosed: () => page.isClosed(),
    close: () => page.close(),
  }
}

/** Words that stand below each other as if beside each other. */
export function joinLines(text: string): string {
  return text.replace(/\s+/g, ' ')
}

/** Adds what the page shows to an error, so that a failed run can be understood from its log. */
async function explain(error: unknown, page: Page): Promise<Error> {
  const shown = await page
    .evaluate(callExpression(readText, []))
    .catch(reason => `(no text: ${reason instanceof Error ? reason.message : reason})`)
  const message = error instanceof Error ? error.message : String(error)
  return new Error(`${message}\nThe page shows:\n${shown}`, { cause: error })
}

function readText(): string {
  // What a person sees is asked for: hidden text is not.
  return document.body.innerText
}

/** Runs in the page; what never ends, such as a skeleton's pulse, is not waited for. */
async function finishAnimations(): Promise<void> {
  const ending = document
    .getAnimations()
    .filter(animation => animation.effect?.getComputedTiming().endTime !== Infinity)
  const finished = Promise.allSettled(ending.map(animation => animation.finished))
  await Promise.race([finished, new Promise(resolve => setTimeout(resolve, 1000))])
}

function readTestId(testId: string): string | null {
  const element = document.querySelector(`[data-testid="${testId}"]`)
  return element?.textContent.trim() ?? null
}

function readValue(field: Element): string {
  const isControl = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
  return isControl ? field.value : (field.textContent ?? '')
}

/** What is scrolled into view may not be drawn yet, and then it cannot be hit. */
function nextFrame(): Promise<unknown> {
  const nextFrame = new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))
  return Promise.race([nextFrame, new Promise(resolve => setTimeout(resolve, 200))])
}

/** The middle of what can be seen of an element, or of its first line; null where nothing can. */
function findPoint(element: Element): { x: number; y: number } | null {
  for (const { left, right, top, bottom } of element.getClientRects()) {
    const [west, east] = [Math.max(left, 0), Math.min(right, innerWidth)]
    const [north, south] = [Math.max(top, 0), Math.min(bottom, innerHeight)]
    if (west < east && north < south) return { x: (west + east) / 2, y: (north + south) / 2 }
  }
  return null
}

type Watched = Element & { pressed?: boolean }

/** Notices a press of the element; one that lands beside it, because the page has moved meanwhile, does nothing. */
function watchPress(element: Watched): void {
  const view = window as typeof window & { pressWatch?: AbortController }
  view.pressWatch?.abort()
  view.pressWatch = new AbortController()
  element.pressed = false
  window.addEventListener(
    'click',
    event => {
      const target = event.target instanceof Element ? event.target : document.documentElement
      if (element.contains(target)) {
        element.pressed = true
        view.pressWatch?.abort()
      } else if (target.closest('label')?.control !== element) {
        event.preventDefault()
        event.stopImmediatePropagation()
      }
    },
    { capture: true, signal: view.pressWatch.signal },
  )
}

/** What left the page was hit, or there is no use in trying again. A press may take a moment to arrive. */
async function wasPressed(element: Watched): Promise<boolean> {
  const isOver = () => element.pressed === true || !element.isConnected
  for (let looks = 0; looks < 50 && !isOver(); looks++)
    await new Promise(resolve => setTimeout(resolve, 20))
  ;(window as typeof window & { pressWatch?: AbortController }).pressWatch?.abort()
  return isOver()
}

function isAtHand(element: Element): boolean {
  return document.visibilityState === 'visible' && element === document.activeElement
}

/** Runs in the page: as the browser does at a paste, with the events of one. */
function insertText(_: Element, text: string): void {
  document.execCommand('insertText', false, text)
}

function isEnabled(element: Element): boolean {
  return !element.matches(':disabled, [aria-disabled="true"]')
}

function selectContent(element: Element): void {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    element.select()
  } else {
    getSelection()?.selectAllChildren(element)
  }
}
