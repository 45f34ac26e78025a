import { goTo } from './own-pages.ts'
import type { Screen } from './screen.ts'

/** The wallet has news of a block within this. */
export const NEWS_MS = 30_000

/** A rune as a person types it; without `mints` nobody can mint it. */
export type WrittenRune = {
  name: string
  symbol: string
  decimals: string
  premine: string
  mints?: { each: string; count: string }
}

/** Fills the form of an etching, which is on the screen. */
export async function writeRune(screen: Screen, rune: WrittenRune): Promise<void> {
  await screen.fill('textbox', 'Name', rune.name)
  await screen.fill('textbox', 'Symbol', rune.symbol)
  await screen.fill('textbox', 'Decimals', rune.decimals)
  await screen.fill('textbox', 'Premine', rune.premine)
  if (!rune.mints) return
  await screen.click('switch', 'Anyone can mint it')
  await screen.fill('textbox', 'Each mint', rune.mints.each)
  await screen.fill('textbox', 'Number of mints', rune.mints.count)
}

/** From the form of an etching to its review. */
export async function reviewEtching(screen: Screen, name: string): Promise<void> {
  await screen.click('button', 'Review')
  await screen.find('heading', `You etch ${name} for *`)
}

/** Goes to a rune that the wallet has some of, and waits until it says that so many can be sent. */
export async function openRune(screen: Screen, name: string, sendable: string): Promise<void> {
  await goTo(screen, '/runes', 'Runes')
  await screen.find('link', `${name} *`, NEWS_MS)
  await screen.clickSelector(`a[href$="/rune/${encodeURIComponent(name)}"]`)
  await screen.waitForText(`${sendable} can be sent now`, NEWS_MS)
}
