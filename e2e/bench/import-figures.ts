import { startDevnet } from '../../src/devnet/start-devnet.ts'
import { launch, type Screen } from '../driver/driver.ts'
import { selectRegtest } from '../driver/wallet-setup.ts'
import { closeWelcomeTab } from '../driver/welcome-tab.ts'
import { OWNERS } from '../fixtures/account-owners.ts'
import { PASSWORD, WORDS } from '../fixtures/world.ts'
import { type Figure, sampleFigure } from './figure.ts'

const RUNS = 5

/** The words' address at m/49'/1'/0'/0/0, of BIP-49's vectors. */
const NESTED = '2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2'

/** Where the words were used before: a line each of Taproot, Native SegWit and Nested SegWit. */
const USED = [OWNERS.regtest.taproot.address, OWNERS.regtest.nativeSegwit.address, NESTED]

/** What it takes to type a password of twenty letters once more: a practised typist's 120 words a minute. */
const REPEAT_MS = 2_000

/** From the press that ends the import of twelve words to the home screen with what was found of them on devnet. */
export async function measureImport(): Promise<Figure[]> {
  const devnet = await startDevnet()
  try {
    for (const address of USED) await devnet.faucet(address, 54_600)
    const runs = { typed: [] as ImportTimes[], pasted: [] as ImportTimes[] }
    for (let run = 0; run < RUNS; run++) {
      runs.typed.push(await importOnce(devnet.esploraUrl, REPEAT_MS))
      runs.pasted.push(await importOnce(devnet.esploraUrl, 0))
    }
    const lines = `import of 12 words to home with ${USED.length} lines found`
    return [
      ...listTimes(`${lines}, the password repeated in ${REPEAT_MS / 1000} s`, runs.typed, 2),
      ...listTimes(`${lines}, the password pasted twice and sent at once`, runs.pasted, null),
    ]
  } finally {
    await devnet.stop()
  }
}

function listTimes(name: string, runs: readonly ImportTimes[], aim: number | null): Figure[] {
  const figure = (name: string, read: (times: ImportTimes) => number, aim: number | null = null) =>
    sampleFigure(
      { name, unit: 's', aim },
      runs.map(times => read(times) / 1000),
    )
  return [
    figure(name, ({ sealed, searched, home }) => sealed + searched + home, aim),
    figure('of which: sealed, and asked whether to look', ({ sealed }) => sealed),
    figure('of which: looked for used addresses', ({ searched }) => searched),
    figure('of which: accounts added and home shown', ({ home }) => home),
  ]
}

/** Milliseconds; each part ends with what a person presses next, which is pressed at once. */
type ImportTimes = { sealed: number; searched: number; home: number }

/** In a browser of its own, which has never had a wallet. */
async function importOnce(esploraUrl: string, repeatMs: number): Promise<ImportTimes> {
  const wallet = await launch({ browser: 'chromium' })
  try {
    await closeWelcomeTab(wallet)
    const before = await wallet.popup('manifest.json')
    await selectRegtest(before, esploraUrl)
    await before.close()
    const screen = await wallet.popup()
    await writeImport(screen, repeatMs)
    const times = await screen.evaluate(pressToHome, USED.length)
    await screen.close()
    return times
  } finally {
    await wallet.close()
  }
}

/** Up to the last form, whose button is not pressed. */
async function writeImport(screen: Screen, repeatMs: number): Promise<void> {
  await screen.click('button', 'Import a wallet')
  await screen.fill('textbox', 'Recovery words', WORDS)
  await screen.click('button', 'Continue')
  await screen.fill('textbox', 'Password', PASSWORD)
  await screen.fill('textbox', 'Repeat password', PASSWORD)
  await new Promise(resolve => setTimeout(resolve, repeatMs))
  await screen.find('button', 'Import wallet')
}

/** Runs in the page; throws where the search finds another number of lines. */
async function pressToHome(lines: number): Promise<ImportTimes> {
  const until = async <T>(look: () => T | null | undefined): Promise<T> => {
    for (;;) {
      const found = look()
      if (found) return found
      await new Promise(resolve => setTimeout(resolve))
    }
  }
  const find = (name: string) => () =>
    Array.from(document.querySelectorAll('button')).find(
      ({ textContent, disabled }) => !disabled && textContent.startsWith(name),
    )
  const start = performance.now()
  find('Import wallet')()?.click()
  const look = await until(find('Look for them'))
  const offered = performance.now()
  look.click()
  await until(() => document.querySelector('progress'))
  await until(() => document.querySelector('progress') === null)
  const add = await until(find('Add '))
  const found = document.querySelectorAll('main li').length
  if (found !== lines) throw new Error(`The search found ${found} lines, not ${lines}`)
  const ended = performance.now()
  add.click()
  await until(() => document.querySelector('section[aria-label="Balance"] .amount__amount'))
  await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))
  return { sealed: offered - start, searched: ended - offered, home: performance.now() - ended }
}
