import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JobRecord } from '../../src/background/job-record.ts'
import type { Wallet } from '../driver.ts'
import { poll } from './engine.ts'
import { goTo } from './own-pages.ts'
import type { Screen } from './screen.ts'

export type WrittenInscription = { text: string } | { file: string; bytes: Uint8Array }

/** What is stored of the inscribing that was ever begun, newest first; starts no background. */
export async function readJobs(wallet: Wallet): Promise<JobRecord[]> {
  return ((await wallet.storageDump()).local.jobs ?? []) as JobRecord[]
}

/** Fills the form of what is inscribed, which is on the screen and empty. */
export async function writeInscriptions(
  screen: Screen,
  items: readonly WrittenInscription[],
  feeRate: string,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    if ('text' in item) {
      await screen.click('button', 'Text*')
      await screen.fill('textbox', items.length === 1 ? 'Text' : `${index + 1}. Text`, item.text)
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
  await writeInscriptions(screen, items, feeRate)
  await screen.click('button', 'Review')
  return confirmInscribing(screen)
}

/** From the screen of a job: pays more for it, or takes its money back; gives what the review said. */
export async function changeJob(
  screen: Screen,
  wish: 'Pay more' | 'Take the money back',
  feeRate: string,
): Promise<string> {
  await screen.click('link', `${wish}*`)
  await writeFeeRate(screen, feeRate)
  await screen.click('button', 'Review')
  await screen.find('button', wish === 'Pay more' ? 'Pay more' : 'Take back')
  const review = await screen.text()
  await confirmInscribing(screen)
  return review
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
