import { poll } from './engine.ts'
import type { Screen } from './screen.ts'

export type ImportOptions = { words: string; passphrase?: string; password: string }
export type CreateOptions = { wordCount?: 12 | 24; password: string }

/** The password is stretched on purpose, which takes seconds on a busy machine. */
const STRETCH_TIMEOUT = 60_000

/** From the welcome screen to the home screen with a wallet of these words. */
export async function importWallet(screen: Screen, options: ImportOptions): Promise<void> {
  await screen.click('button', 'Import a wallet')
  await screen.fill('textbox', 'Recovery words', options.words)
  if (options.passphrase !== undefined) {
    await screen.click('button', 'Add a passphrase')
    await screen.fill('textbox', 'Passphrase', options.passphrase)
  }
  await screen.click('button', 'Continue')
  await choosePassword(screen, options.password, 'Import wallet')
  // The words may have been used before: the wallet offers to look.
  await screen.find('button', 'Look for them*', STRETCH_TIMEOUT)
  await screen.click('button', 'Not now')
  await screen.find('region', 'Balance')
}

/** From the welcome screen to the home screen with a new wallet; gives its words. */
export async function createWallet(screen: Screen, options: CreateOptions): Promise<string> {
  await screen.click('button', 'Create a wallet')
  await screen.click('radio', `${options.wordCount ?? 12} words`)
  await screen.click('button', 'Continue')
  await screen.click('button', 'Show words')
  await screen.find('list', 'Recovery words')
  const words = await screen.evaluate(readWords)
  await screen.click('checkbox', 'I wrote them down')
  await screen.click('button', 'Continue')
  await screen.find('textbox', 'Word *')
  for (const [index, word] of words.entries()) {
    const field = `Word ${index + 1}`
    if (await screen.has('textbox', field)) await screen.fill('textbox', field, word)
  }
  await screen.click('button', 'Continue')
  await choosePassword(screen, options.password, 'Create wallet')
  await screen.find('region', 'Balance', STRETCH_TIMEOUT)
  return words.join(' ')
}

/** From the unlock screen to the home screen. */
export async function unlock(screen: Screen, password: string): Promise<void> {
  await screen.fill('textbox', 'Password', password)
  await screen.click('button', 'Unlock')
  await screen.find('region', 'Balance', STRETCH_TIMEOUT)
}

/** From the home screen to the unlock screen. */
export async function lock(screen: Screen): Promise<void> {
  await screen.click('button', 'Lock')
  await screen.find('button', 'Unlock')
}

export type NetworkName = 'Mainnet' | 'Testnet4' | 'Signet' | 'Regtest'

/** Chooses the network and, where given, the Esplora server that it is read from, with the indexes beside it. */
export async function chooseNetwork(
  screen: Screen,
  network: NetworkName,
  esploraUrl?: string,
): Promise<void> {
  await openDialog(screen, 'Network: *')
  await screen.click('radio', `${network}*`)
  await poll(`${network} to be chosen`, 15_000, async () =>
    (await screen.has('button', `Network: ${network}`)) || (await isChosen(screen, network))
      ? true
      : null,
  )
  await leaveDialog(screen, `Network: ${network}`)
  if (esploraUrl !== undefined) await setServers(screen, esploraUrl)
}

/** From the home screen and back: has devnet's four servers, of which this is the Esplora one, serve the network in use. */
async function setServers(screen: Screen, esploraUrl: string): Promise<void> {
  await openDialog(screen, 'Network: *')
  await screen.click('link', 'Servers*')
  await setServer(screen, 'Change: Blockchain', esploraUrl)
  await setServer(screen, 'Change: Index of inscriptions', esploraUrl.replace(/api$/, 'ord'))
  await setServer(screen, 'Change: BRC-20', esploraUrl.replace(/api$/, 'opi'))
  await setServer(
    screen,
    'Change: Index of Atomicals',
    esploraUrl.replace(/api$/, 'atomicals/proxy'),
  )
  await screen.click('button', 'Back')
  await screen.find('button', 'Network: *')
}

async function setServer(screen: Screen, change: string, url: string): Promise<void> {
  await screen.click('button', change)
  await screen.fill('textbox', 'Server', url)
  await screen.click('button', 'Check and save')
  const isSaved = () => screen.has('button', change)
  const isRefused = () => screen.has('button', 'Save anyway')
  await poll('the server to be checked', 30_000, async () =>
    (await isSaved()) || (await isRefused()) ? true : null,
  )
  // A server that is broken on purpose.
  if (await isRefused()) {
    await screen.click('button', 'Save anyway')
    await poll('the server to be saved', 15_000, async () => ((await isSaved()) ? true : null))
  }
}

/** Chooses the account whose entry in the list begins so, such as `Account 1 Taproot`. */
export async function chooseAccount(screen: Screen, name: string): Promise<void> {
  await openDialog(screen, 'Account: *')
  const option = (await screen.has('option', `${name}*`)) ? 'option' : 'button'
  await screen.click(option, `${name}*`)
  await poll(`${name} to be chosen`, 15_000, async () =>
    (await screen.has('dialog')) ? null : true,
  )
}

async function openDialog(screen: Screen, button: string): Promise<void> {
  if (await screen.has('dialog')) return
  await screen.click('button', button)
  await screen.find('dialog')
}

/** A dialog that stays open hides the home screen from screen readers: Escape closes it. */
async function leaveDialog(screen: Screen, expectedButton: string): Promise<void> {
  if (await screen.has('dialog')) await screen.page.keyboard.press('Escape')
  await screen.find('button', expectedButton)
}

async function isChosen(screen: Screen, network: string): Promise<boolean> {
  if (!(await screen.has('radio', `${network}*`))) return false
  const radio = await screen.find('radio', `${network}*`)
  return radio.evaluate(element =>
    element instanceof HTMLInputElement
      ? element.checked
      : element.getAttribute('aria-checked') === 'true',
  )
}

async function choosePassword(screen: Screen, password: string, button: string): Promise<void> {
  await screen.fill('textbox', 'Password', password)
  await screen.fill('textbox', 'Repeat password', password)
  await screen.click('button', button)
}

function readWords(): string[] {
  const lists = Array.from(document.querySelectorAll('ol, ul, [role="list"]'))
  const list = lists.find(list => list.children.length === 12 || list.children.length === 24)
  return Array.from(list?.children ?? [], item => item.textContent?.match(/[a-z]+/)?.[0] ?? '')
}
