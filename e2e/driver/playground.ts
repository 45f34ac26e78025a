import type { Dapp } from './dapp.ts'
import { poll } from './engine.ts'

/** Presses a card's Run button. */
export async function runCard(dapp: Dapp, method: string): Promise<void> {
  await dapp.click('button', `Run ${method}`)
}

/** Presses the button of a card's example and waits until its arguments are written. */
export async function makeExample(dapp: Dapp, method: string, label: string): Promise<void> {
  const read = () => dapp.valueOf('textbox', `${method} arguments`)
  const before = await read()
  await dapp.click('button', label)
  await poll(`the example of ${method}`, 15_000, async () =>
    (await read()) === before ? null : true,
  )
}

/** What the card shows when it has an answer: its state, and its text without the heading. */
export async function readOutcome(dapp: Dapp, method: string) {
  return poll(`the playground to show the outcome of ${method}`, 30_000, () =>
    dapp.evaluate(readCard, method),
  )
}

function readCard(method: string): { state: string; text: string } | null {
  const box = document.querySelector<HTMLElement>(`[data-testid="result-${method}"]`)
  const state = box?.dataset.state
  if (!box || (state !== 'ok' && state !== 'error')) return null
  const text = state === 'ok' ? box.querySelector('pre')?.textContent : box.textContent
  return { state, text: text ?? '' }
}
