import type { Approval } from '../driver/driver.ts'
import type { Trader } from '../fixtures/psbt/trader.ts'

/** Milliseconds from the page's call to the question on the screen, give or take 25; it is answered with no. */
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
  const calling = trader.dapp.evaluate(callAndClock, method, params)
  const approval = await nextQuestion(trader, calling)
  const shown = Date.now()
  const begun = await approval.evaluate(() => performance.timeOrigin)
  await approval.reject()
  await trader.wallet.waitForNoApproval()
  const { called } = await calling
  return { asked: shown - called, begun: begun - called }
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

/** Says why where the call ends without a question. */
function nextQuestion({ wallet }: Trader, calling: Promise<Clocked>): Promise<Approval> {
  const ending = calling.then(({ error }) => {
    throw new Error(`Nobody was asked: ${error}`)
  })
  return Promise.race([wallet.nextApproval({ timeout: 60_000 }), ending])
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
