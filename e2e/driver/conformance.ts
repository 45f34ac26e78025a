import type { Report } from '../dapp/conformance/report.ts'
import type { Dapp, Wallet } from './driver.ts'
import { poll } from './engine.ts'

/** A step that the conformance page asks a person for. */
type Step = { person: string; step: string }

export type ConformanceOptions = {
  /** How the wallet switches to an account that has not allowed the page, and back. */
  accounts?: { first: string; other: string }
  log?(line: string): void
}

/** Opens the page, does what it asks for until it is done, and gives its report. */
export async function runConformance(
  wallet: Wallet,
  url: string,
  { accounts, log }: ConformanceOptions = {},
): Promise<{ page: Dapp; report: Report }> {
  const page = await wallet.openDapp(url)
  let last = ''
  for (;;) {
    const state = await poll('the next step of the conformance page', 300_000, async () => {
      const now = await page.evaluate(readState)
      return now.state === 'done' || (now.person && now.step !== last) ? now : null
    })
    if (state.state === 'done') break
    last = state.step
    log?.(`${state.check}: ${state.person}`)
    await answer(state)
  }
  const report = (await page.evaluate(
    () => (globalThis as unknown as { conformanceReport: unknown }).conformanceReport,
  )) as Report
  return { page, report }

  async function answer({ person, step }: Step): Promise<void> {
    if (person === 'switch' || person === 'switch back') {
      if (!accounts) throw new Error('No accounts to switch between')
      await wallet.chooseAccount(person === 'switch' ? accounts.other : accounts.first)
      return waitForEnd(step)
    }
    const amount = /^fill (.*)$/.exec(person)?.[1]
    let isFilled = amount === undefined
    while (await isOpen(step)) {
      const approval = await wallet.nextApproval({ timeout: 100 }).catch(() => null)
      // A question that came after the step has ended belongs to the next one.
      if (!approval || !(await isOpen(step))) continue
      if (person === 'reject') await approval.reject()
      else {
        if (!isFilled) await approval.fill('textbox', 'Amount', amount ?? '')
        isFilled = true
        await approval.approve()
      }
    }
  }

  async function isOpen(step: string): Promise<boolean> {
    const now = await page.evaluate(readState)
    return now.person !== '' && now.step === step
  }

  async function waitForEnd(step: string): Promise<void> {
    await poll('the step to end', 60_000, async () => ((await isOpen(step)) ? null : true))
  }
}

/** Runs in the page. */
function readState() {
  const { state = '', person = '', step = '', check = '' } = document.body.dataset
  return { state, person, step, check }
}
