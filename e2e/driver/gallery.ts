import type { Screen } from './screen.ts'

/** Ids of the inscriptions whose tiles are drawn, in their order. */
export function tilesOf(screen: Screen): Promise<string[]> {
  return screen.evaluate(() =>
    Array.from(
      document.querySelectorAll('li[aria-posinset] > a'),
      tile => tile.getAttribute('href')?.split('/').at(-1) ?? '',
    ),
  )
}

/** Goes to the card of an inscription in the open page, and waits until what is known of it is there. */
export async function openCard(screen: Screen, id: string): Promise<void> {
  await screen.evaluate(hash => {
    location.hash = hash
  }, `/inscriptions/${id}`)
  // Its whole id stands in the facts, whatever was on the screen before.
  await screen.page.waitForSelector(`[title="${id}"]`)
}

/** Fills the form that sends inscriptions, which is on the screen; `feeRate` in sat/vB. */
export async function writeTransfer(
  screen: Screen,
  { to, feeRate }: { to: string; feeRate: string },
): Promise<void> {
  await screen.fill('textbox', 'To', to)
  await screen.click('radio', 'Custom*')
  await screen.fill('textbox', 'Fee rate in sat/vB', feeRate)
}
