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

/** A wallet as the extension stores it: a sealed vault, and the key that opens it (see `fixtures/prepared-wallet.json`). */
export type PreparedWallet = { local: { [key: string]: unknown }; dataKey: string }

/** A network, and devnet's servers as which it is read. */
export type ServedNetwork = { network: 'mainnet' | 'testnet4' | 'regtest'; esploraUrl: string }

/** Puts a prepared wallet in the place of none, unlocked, on a network; spares the stretching of the password, which takes seconds. */
export async function restoreWallet(
  screen: Screen,
  { local, dataKey, ...served }: PreparedWallet & ServedNetwork,
  killBackground: () => Promise<void>,
): Promise<void> {
  await screen.evaluate(storeWallet, local, dataKey)
  // It may have looked for a wallet before, and remembers that there was none.
  await killBackground()
  await screen.evaluate(askInTurn, selectServed(served))
}

/** Runs in a page of the extension. */
async function storeWallet(local: object, dataKey: string): Promise<void> {
  type Area = { set(items: object): Promise<void> }
  const { chrome } = globalThis as unknown as { chrome: { storage: { [area: string]: Area } } }
  await chrome.storage.session?.set({ 'vault.unlocked': { dataKey, touchedAt: Date.now() } })
  await chrome.storage.local?.set(local)
}

/**
 * What {@link importWallet} and {@link chooseNetwork} lead to on regtest, asked of the background without the screens between,
 * for tests that are about something else.
 */
export async function setUpOnRegtest(
  screen: Screen,
  { words, passphrase = '', password, esploraUrl }: ImportOptions & { esploraUrl: string },
): Promise<void> {
  const origin = { kind: 'mnemonic', mnemonic: words, passphrase }
  await screen.evaluate(askInTurn, [
    { ui: 'createVault', params: { origin, password } },
    ...selectServed({ network: 'regtest', esploraUrl }),
  ])
}

/** Has devnet's servers serve regtest, and the wallet be on it, also where there is none yet. */
export async function selectRegtest(screen: Screen, esploraUrl: string): Promise<void> {
  await screen.evaluate(askInTurn, selectServed({ network: 'regtest', esploraUrl }))
}

type Message = { ui: string; params: unknown }

/** The servers come first: nobody else is asked about the network. */
function selectServed({ network, esploraUrl }: ServedNetwork): Message[] {
  return [
    ...listServers(esploraUrl).map(({ kind, url }) => ({
      ui: 'setServer',
      params: { network, kind, url },
    })),
    { ui: 'selectNetwork', params: { network } },
  ]
}

/** Runs in a page of the extension; throws what the background does not do. */
async function askInTurn(messages: readonly Message[]): Promise<void> {
  type Answer = { error?: { message: string } } | undefined
  const { chrome } = globalThis as unknown as {
    chrome: { runtime: { sendMessage(message: unknown): Promise<Answer> } }
  }
  for (const message of messages) {
    const answer = await chrome.runtime.sendMessage(message)
    if (!answer || answer.error) throw new Error(`${message.ui}: ${answer?.error?.message}`)
  }
}

/** From the welcome screen to the home screen with a new wallet; gives its words. */
export async function createWallet(screen: Screen, options: CreateOptions): Promise<string> {
  await screen.click('button', 'Create a wallet')
  await screen.find('button', 'Show words')
  if (options.wordCount === 24) {
    await screen.click('button', 'Use 24 words instead')
    await screen.find('heading', 'Write down 24 words')
  }
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
  for (const { name, url } of listServers(esploraUrl)) {
    await setServer(screen, `Change: ${name}`, url)
  }
  await screen.click('button', 'Back')
  await screen.find('button', 'Network: *')
}

/** Devnet's four, as the screen and as the background name them. */
function listServers(esploraUrl: string) {
  const at = (path: string) => esploraUrl.replace(/api$/, path)
  return [
    { name: 'Blockchain', kind: 'chain', url: esploraUrl },
    { name: 'Index of inscriptions', kind: 'assets', url: at('ord') },
    { name: 'BRC-20', kind: 'brc20', url: at('opi') },
    { name: 'Index of Atomicals', kind: 'atomicals', url: at('atomicals/proxy') },
  ]
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

/** Where the wallet answers in the place of other wallets; a site is its origin, or a page of it. */
export type OkxAliasChoice = { everywhere: boolean } | { site: string; on: boolean }

/** From the home screen and back: as a person does it in the settings, and only where it is not so already. */
export async function chooseOkxAlias(screen: Screen, choice: OkxAliasChoice): Promise<void> {
  await screen.click('button', 'Settings')
  await screen.click('link', 'Stand in for other wallets*')
  await screen.find('switch', 'On every site')
  if ('everywhere' in choice) await chooseEverywhere(screen, choice.everywhere)
  else await chooseSite(screen, choice)
  await screen.click('button', 'Back')
  await screen.find('heading', 'Settings')
  await screen.click('button', 'Back')
  await screen.find('region', 'Balance')
}

async function chooseEverywhere(screen: Screen, on: boolean): Promise<void> {
  const isOn = async () =>
    (await screen.find('switch', 'On every site')).evaluate(
      element => element instanceof HTMLInputElement && element.checked,
    )
  if ((await isOn()) === on) return
  await untilSaved(screen, () => screen.click('switch', 'On every site'))
  if ((await isOn()) !== on) throw new Error('The switch for every site did not stay as pressed')
}

async function chooseSite(screen: Screen, { site, on }: { site: string; on: boolean }) {
  const url = new URL(site)
  const remove = `Remove: ${url.protocol === 'http:' ? url.origin : url.host}`
  if ((await screen.has('button', remove)) === on) return
  if (on) await screen.fill('textbox', 'Address of a site', site)
  await untilSaved(screen, () => screen.click('button', on ? 'Add' : remove))
  await poll(`${site} to be ${on ? 'added' : 'removed'}`, 15_000, async () =>
    (await screen.has('button', remove)) === on ? true : null,
  )
}

/** Presses, and waits for "Saved.", which stands for less time than a busy machine may need to look. */
export async function untilSaved(screen: Screen, press: () => Promise<void>): Promise<void> {
  await screen.evaluate(watchForSaved)
  await press()
  await poll('"Saved."', 15_000, () =>
    screen.evaluate(() => (Object(globalThis).sawSaved === true ? true : null)),
  )
}

/** Runs in the page: notes that these words were added to it. */
function watchForSaved(): void {
  const scope = Object(globalThis)
  scope.sawSaved = false
  const observer = new MutationObserver(changes => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes])
    if (!added.some(({ textContent }) => textContent?.startsWith('Saved.'))) return
    scope.sawSaved = true
    observer.disconnect()
  })
  observer.observe(document.body, { childList: true, subtree: true })
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
