import { goTo } from './own-pages.ts'
import type { Screen } from './screen.ts'

/** The form of a deploy as it is typed. */
export type WrittenDeploy = { tick: string; supply: string; limit: string }

/** From wherever it is: fills the form that deploys a token, by way of the list of tokens. */
export async function writeDeploy(
  screen: Screen,
  { tick, supply, limit }: WrittenDeploy,
): Promise<void> {
  await goTo(screen, '/brc20', 'BRC-20 tokens')
  await screen.click('button', 'Deploy a token')
  await screen.fill('textbox', 'Ticker', tick)
  await screen.fill('textbox', 'Supply', supply)
  await screen.fill('textbox', 'At most per mint', limit)
}

/** From wherever it is: fills the form that mints a token; as much as one mint may take where no amount is given. */
export async function writeMint(
  screen: Screen,
  { tick, amount, times }: { tick: string; amount?: string; times?: string },
): Promise<void> {
  await goTo(screen, `/brc20/mint/${tick}`, 'Mint a token')
  // The limit is filled in once the token is known.
  await screen.waitForText(' minted (')
  if (amount !== undefined) await screen.fill('textbox', 'Amount of each mint', amount)
  if (times !== undefined) await screen.fill('textbox', 'How many mints', times)
}

/** From a token's screen: fills the form that inscribes a transfer. */
export async function writeTransferable(screen: Screen, amount: string): Promise<void> {
  await screen.click('button', 'Prepare to send')
  await screen.fill('textbox', 'Amount', amount)
}

/** From the filled form to the review of its inscribing; gives what the review says. */
export async function reviewOperations(screen: Screen): Promise<string> {
  await screen.click('radio', 'Custom*')
  await screen.fill('textbox', 'Fee rate in sat/vB', '2')
  await screen.click('button', 'Review')
  await screen.find('heading', 'You inscribe *')
  return screen.text()
}

/** From the review until all of it is with the network. */
export async function confirmInscribing(screen: Screen): Promise<void> {
  await screen.clickTestId('approve')
  // Its words, so that a failure shows what came instead.
  await screen.waitForText('Waiting for a block', 30_000)
}

/** Goes to a token's screen; gives what it says once it says what the account holds. */
export async function openToken(screen: Screen, tick: string): Promise<string> {
  await goTo(screen, '/brc20', 'BRC-20 tokens')
  await goTo(screen, `/brc20/token/${tick}`, tick)
  await screen.page.waitForSelector('[data-testid="brc20-balance"]')
  return screen.text()
}

/** Whether the review or the approval that is on the screen can be approved, once it could be. */
export async function isApprovable(screen: Screen): Promise<boolean> {
  // Every button to approve waits for a moment.
  await new Promise(resolve => setTimeout(resolve, 1_500))
  return screen.evaluate(
    () => document.querySelector('[data-testid="approve"]')?.matches(':enabled') ?? false,
  )
}
