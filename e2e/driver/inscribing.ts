import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoredJob } from '../../src/background/inscribing/stored-job.ts'
import type { WordKey } from '../../src/popup/platform/words.ts'
import type { Wallet } from './driver.ts'
import { poll } from './engine.ts'
import { goTo } from './own-pages.ts'
import type { Screen } from './screen.ts'

const MESSAGES = JSON.parse(
  readFileSync(new URL('../../public/_locales/en/messages.json', import.meta.url), 'utf8'),
) as { [key in WordKey]: { message: string } }

/** What the interface says for a key, in English. */
export function wordsOf(key: WordKey): string {
  return MESSAGES[key].message
}

export type WrittenInscription = { text: string } | { file: string; bytes: Uint8Array }

/** What is stored of the inscribing that was ever begun, newest first; starts no background. */
export async function readJobs(wallet: Wallet): Promise<StoredJob[]> {
  return ((await wallet.storageDump()).local.jobs ?? []) as StoredJob[]
}

/** Fills the form of what is inscribed, which is on the screen and empty. */
export async function writeInscriptions(
  screen: Screen,
  items: readonly WrittenInscription[],
  feeRate: string,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    if ('text' in item) {
      await screen.click('button', `${wordsOf('inscribeFormText')}*`)
      await screen.fill('textbox', index === 0 ? 'Text' : `${index + 1}. Text`, item.text)
    } else await chooseFile(screen, item)
  }
  await writeFeeRate(screen, feeRate)
}

/** Has the form read a file, as its file dialog does. */
async function chooseFile(
  screen: Screen,
  { file, bytes }: { file: string; bytes: Uint8Array },
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-file-'))
  try {
    const path = join(folder, file)
    writeFileSync(path, bytes)
    const input = await screen.page.waitForSelector('[data-testid="inscribe-files"]')
    await (input as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(path)
    await screen.find('button', `Remove ${file}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export async function writeFeeRate(screen: Screen, feeRate: string): Promise<void> {
  await screen.click('radio', 'Custom*')
  await screen.fill('textbox', 'Fee rate in sat/vB', feeRate)
}

/** From the review to the screen of the job; gives its id. */
export async function confirmInscribing(screen: Screen): Promise<string> {
  await screen.clickTestId('approve')
  return poll('the job to appear', 30_000, async () => {
    const shown = (await stateOf(screen)) !== null
    const [, jobId] = /inscribe\/jobs\/([^/]+)$/.exec(screen.page.url()) ?? []
    return shown && jobId !== undefined ? jobId : null
  })
}

/** From the start screen: writes it, looks at it, confirms it; gives the id of the job that is then on the screen. */
export async function inscribeOwn(
  screen: Screen,
  items: readonly WrittenInscription[],
  feeRate: string,
): Promise<string> {
  await goTo(screen, '/', 'Wallet')
  await screen.click('link', 'Inscribe')
  await screen.find('heading', 'Inscribe')
  // What was written before and not confirmed.
  if (await screen.has('button', 'Clear')) await screen.click('button', 'Clear')
  await writeInscriptions(screen, items, feeRate)
  await screen.click('button', wordsOf('sendReview'))
  return confirmInscribing(screen)
}

/** From the screen of a job to the review of paying more for it, or of taking its money back; gives what that says. */
export async function reviewChange(
  screen: Screen,
  wish: 'bump' | 'refund',
  feeRate: string,
): Promise<string> {
  await screen.click('link', `${wordsOf(wish === 'bump' ? 'jobBump' : 'jobRefund')}*`)
  await writeFeeRate(screen, feeRate)
  await screen.click('button', wordsOf('sendReview'))
  await screen.find('button', wordsOf(wish === 'bump' ? 'jobBump' : 'jobRefundDo'))
  return screen.text()
}

/** The state of the job on the screen; null when there is none. */
export function stateOf(screen: Screen): Promise<string | null> {
  return screen.evaluate(
    () => document.querySelector('[data-testid="job-state"]')?.getAttribute('data-state') ?? null,
  )
}

/** Waits until the job on the screen is in this state. */
export async function waitForState(screen: Screen, state: JobState): Promise<void> {
  let last: string | null = null
  await poll(`the job to be ${state}`, 30_000, async () => {
    last = await stateOf(screen)
    return last === state ? true : null
  }).catch(async error => {
    throw new Error(`${error.message}; it is ${last}\n${await screen.text()}`, { cause: error })
  })
}

export type JobState =
  | 'sending'
  | 'revealing'
  | 'waiting'
  | 'stuck'
  | 'done'
  | 'refunding'
  | 'refunded'
  | 'ended'
