import { confirmInscribing, waitForState, writeFeeRate } from './inscribing.ts'
import { goTo } from './own-pages.ts'
import { joinLines, type Screen } from './screen.ts'

/** By way of the list of tokens: fills the form that deploys one. */
export async function writeDeploy(
  screen: Screen,
  { tick, supply, limit }: { tick: string; supply: string; limit: string },
): Promise<void> {
  await goTo(screen, '/brc20', 'BRC-20 tokens')
  await screen.click('button', 'Deploy a token')
  await screen.fill('textbox', 'Ticker', tick)
  await screen.fill('textbox', 'Supply', supply)
  await screen.fill('textbox', 'Limit per mint', limit)
}

/** Fills the form that mints a token; without an amount, what it proposes stays. */
export async function writeMint(
  screen: Screen,
  { tick, amount, times }: { tick: string; amount?: string; times?: string },
): Promise<void> {
  await goTo(screen, '/brc20', 'BRC-20 tokens')
  await goTo(screen, `/brc20/mint/${tick}`, 'Mint a token')
  // What it proposes depends on the token.
  await screen.waitForText(' minted (')
  if (amount !== undefined) await screen.fill('textbox', 'Amount of each mint', amount)
  if (times !== undefined) await screen.fill('textbox', 'How many mints', times)
}

/** From the form to the review of what is inscribed; gives its words. */
export async function reviewOperations(screen: Screen): Promise<string> {
  await writeFeeRate(screen, '2')
  await screen.click('button', 'Review')
  await screen.find('heading', 'You inscribe *')
  return readWords(screen)
}

/** From the review until all of it is with the network. */
export async function inscribeReviewed(screen: Screen): Promise<void> {
  await confirmInscribing(screen)
  await waitForState(screen, 'waiting')
}

/** Goes to a token's screen, and waits until it says that the account holds so much of it. */
export async function waitForHolding(
  screen: Screen,
  tick: string,
  { available, ready }: { available: string; ready: string },
): Promise<void> {
  await goTo(screen, '/brc20', 'BRC-20 tokens')
  await screen.click('link', `${tick} *`)
  await screen.waitForText(`${available} available · ${ready} ready to send`, 20_000)
}

/** Chooses transfer inscriptions of the token on the screen, and goes to where they are sent from. */
export async function chooseTransferables(
  screen: Screen,
  ids: readonly string[],
  sum: string,
): Promise<void> {
  for (const id of ids) await screen.clickTestId(`brc20-transferable-${id}`)
  await screen.click('button', `Send ${sum}`)
}

/** The visible text, in one line. */
export async function readWords(screen: Screen): Promise<string> {
  return joinLines(await screen.text())
}

/** Whether the button that approves can be pressed, once it is armed. */
export async function isApprovable(screen: Screen): Promise<boolean> {
  await new Promise(resolve => setTimeout(resolve, 1_000))
  const button = await screen.page.waitForSelector('[data-testid="approve"]')
  return (await button?.evaluate(element => element.matches(':enabled'))) ?? false
}
