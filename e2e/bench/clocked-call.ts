import type { Approval } from '../driver/driver.ts'
import { describeScreen } from '../driver/screen.ts'
import type { Trader } from '../fixtures/psbt/trader.ts'

/** Milliseconds from the page's call until a frame shows the question; it is answered with no. */
export async function clockQuestion(
  trader: Trader,
  method: string,
  params: readonly unknown[],
): Promise<number> {
  return (await clockWindow(trader, method, params)).asked
}

/** The same, and of it the milliseconds until the window that the browser opens for the question begins to load. */
export async function clockWindow(
  trader: Trader,
  method: string,
  params: readonly unknown[],
): Promise<{ asked: number; begun: number }> {
  const opening = trader.wallet.browser.waitForTarget(target => target.url().includes(WINDOW), {
    timeout: 60_000,
  })
  opening.catch(() => {})
  const calling = trader.dapp.evaluate(callAndClock, method, params)
  const page = await (await unlessEnded(calling, opening)).page()
  if (!page) throw new Error('The window has no page')
  const window = describeScreen(page)
  const { shown, begun } = await unlessEnded(calling, window.evaluate(waitForQuestion))
  await (await nextQuestion(trader, calling)).reject()
  await trader.wallet.waitForNoApproval()
  const { called } = await calling
  return { asked: shown - called, begun: begun - called }
}

/** Of the address of the window in which questions are asked. */
const WINDOW = 'popup.html?approval'

/**
 * Runs in the window: resolves when a frame with the question has been drawn. Nobody else looks meanwhile: the driver does each
 * tenth of a second only, and gives the window its size then.
 */
async function waitForQuestion(): Promise<{ shown: number; begun: number }> {
  while (
    !document.querySelector('h1') ||
    !document.querySelector('[data-testid="reject"]') ||
    document.querySelector('[data-testid="preparing"]')
  )
    await new Promise(resolve => requestAnimationFrame(resolve))
  await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve, 0)))
  return { shown: Date.now(), begun: performance.timeOrigin }
}

/** Milliseconds from the press on Approve to the page's answer. */
export async function clockAnswer(
  trader: Trader,
  method: string,
  params: readonly unknown[],
): Promise<number> {
  const calling = trader.dapp.evaluate(callAndClock, method, params)
  const approval = await nextQuestion(trader, calling)
  const pressed = await pressAndClock(approval)
  const { answered, error } = await calling
  await trader.wallet.waitForNoApproval()
  if (error !== null) throw new Error(`${method}: ${error}`)
  return answered - pressed
}

function nextQuestion({ wallet }: Trader, calling: Promise<Clocked>): Promise<Approval> {
  return unlessEnded(calling, wallet.nextApproval({ timeout: 60_000 }))
}

/** Says why where the call ends without a question. */
function unlessEnded<T>(calling: Promise<Clocked>, asking: Promise<T>): Promise<T> {
  const ending = calling.then(({ error }) => {
    throw new Error(`Nobody was asked: ${error}`)
  })
  return Promise.race([asking, ending])
}

async function pressAndClock(approval: Approval): Promise<number> {
  await approval.evaluate(confirmDangers)
  await approval.ready()
  return approval.evaluate(() => {
    const pressed = Date.now()
    document.querySelector<HTMLElement>('[data-testid="approve"]')?.click()
    return pressed
  })
}

/** Runs in the window: ticks what has to be confirmed beside approving, such as coins of which an index knows nothing. */
function confirmDangers(): void {
  for (const box of document.querySelectorAll<HTMLElement>('[data-testid^="confirm-"]')) box.click()
}

type Clocked = { called: number; answered: number; error: string | null }

/** Runs in the page; all of them have the machine's clock. */
async function callAndClock(method: string, params: readonly unknown[]): Promise<Clocked> {
  type Provider = { [method: string]: (...params: unknown[]) => Promise<unknown> }
  const { bitcoin } = (globalThis as unknown as { satchel: { bitcoin: Provider } }).satchel
  const called = Date.now()
  let error: string | null = null
  try {
    await bitcoin[method]?.(...params)
  } catch (thrown) {
    error = String(Object(thrown).message)
  }
  return { called, answered: Date.now(), error }
}
