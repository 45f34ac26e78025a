import { goTo } from './own-pages.ts'
import type { Screen } from './screen.ts'

/** Ids of the NFTs whose tiles are drawn, in their order. */
export function nftsOf(screen: Screen): Promise<string[]> {
  return screen.evaluate(() =>
    Array.from(
      document.querySelectorAll('li[aria-posinset] > a'),
      tile => tile.getAttribute('href')?.split('/').at(-1) ?? '',
    ),
  )
}

/** What stands on the tile of an NFT; nothing where there is none. */
export function readTile(screen: Screen, id: string): Promise<string> {
  return screen.evaluate(
    id => document.querySelector(`li[aria-posinset] > a[href$="/${id}"]`)?.textContent ?? '',
    id,
  )
}

/** Goes to an NFT's own screen by way of the list. */
export async function openNft(screen: Screen, id: string): Promise<void> {
  await goTo(screen, '/atomicals', 'Atomicals')
  await screen.clickSelector(`li[aria-posinset] > a[href$="/${id}"]`)
  await screen.page.waitForSelector(`[title="${id}"]`)
}

/** Goes to a token's own screen by way of the list, and waits until it says that so many units can be sent. */
export async function openToken(screen: Screen, id: string, sendable: string): Promise<void> {
  await goTo(screen, '/atomicals', 'Atomicals')
  await screen.clickSelector(`a[href$="/token/${id}"]`)
  await screen.waitForText(`${sendable} can be sent now`)
}

/** From a token's own screen: fills the form that sends units of it; `feeRate` in sat/vB. */
export async function writeTokenTransfer(
  screen: Screen,
  { amount, to, feeRate }: { amount: string; to: string; feeRate: string },
): Promise<void> {
  await screen.click('button', 'Send')
  await screen.fill('textbox', 'Amount', amount)
  await screen.fill('textbox', 'To', to)
  await screen.click('radio', 'Custom*')
  await screen.fill('textbox', 'Fee rate in sat/vB', feeRate)
}
