import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, type Screen, type Wallet } from '../../driver/driver.ts'
import { goTo } from '../../driver/own-pages.ts'
import { ALICE, expectEtched, expectFilled, fillWallet } from '../../fixtures/filled-wallet.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import prepared from '../../fixtures/prepared-wallet.json' with { type: 'json' }
import { PASSWORD, resultOf, startWorld, type World } from '../../fixtures/world.ts'

const FILE_PASSWORD = 'Zebra-Quartz-7741'
const PARTS = [
  ...['Accounts', 'Inscriptions and mints under way', 'Contacts', 'Connected sites'],
  'Locked coins and hidden inscriptions',
]
/** The password is stretched on purpose, which takes seconds on a busy machine. */
const STRETCH_MS = 60_000

describe.each(browsersFor('backup-file'))('a backup file in %s', browser => {
  let world: World
  let other: Wallet | undefined
  let page: Screen
  let folder: string

  beforeAll(async () => {
    world = await startWorld(browser)
    folder = mkdtempSync(join(tmpdir(), 'satchel-backup-'))
    const dapp = await world.openConnected()
    const [address = ''] = await resultOf<string[]>(dapp.request('getAccounts'))
    await dapp.close()
    for (const sats of [200_000n, 200_000n, 54_321n]) await world.devnet.faucet(address, sats)
    page = await world.wallet.popup()
    await page.find('region', 'Balance')
  })
  afterAll(async () => {
    await other?.close()
    await world?.stop()
    if (folder) rmSync(folder, { recursive: true, force: true })
  })

  it('is saved with all that the words do not bring back, while a rune waits to be etched', async () => {
    await fillWallet(world, page)

    await goTo(page, '/settings', 'Settings')
    await page.click('link', 'Backup file*')
    await page.click('link', 'Save a backup file')
    const session = await page.page.createCDPSession()
    await session.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder })
    await page.fill('textbox', 'Your Satchel password', PASSWORD)
    await page.fill('textbox', 'Password of the file', FILE_PASSWORD)
    await page.fill('textbox', 'Repeat password', FILE_PASSWORD)
    await page.click('button', 'Save file')
    await page.find('heading', 'Backup file saved', STRETCH_MS)
    await expect.poll(findSaved, { timeout: 15_000 }).not.toBeNull()
    const text = readFileSync(findSaved() ?? '', 'utf8')
    for (const secret of ['Savings', ALICE, 'SATCHEL', 'abandon'])
      expect(text).not.toContain(secret)
    // The computer is lost with all that was on it.
    await world.wallet.close()
  })

  it('is refused with another password', async () => {
    other = await launch({ browser })
    await other.restoreWallet({
      ...{ ...prepared, network: 'regtest', esploraUrl: world.devnet.esploraUrl },
    })
    page = await other.popup()
    await page.find('region', 'Balance')
    await goTo(page, '/backup/restore', 'Restore from a backup file')
    await chooseFile()
    await page.fill('textbox', 'Password of the file', PASSWORD)
    await page.click('button', 'Open')
    await page.waitForText('Wrong password of the file', STRETCH_MS)
  })

  it('shows on another computer what it would add, and brings all of it back', async () => {
    await page.fill('textbox', 'Password of the file', FILE_PASSWORD)
    await page.click('button', 'Open')
    await page.find('heading', 'What is in the file', STRETCH_MS)
    for (const part of PARTS) expect(await page.has('checkbox', part), part).toBe(true)
    await page.click('button', 'Restore')
    await page.find('heading', 'Restored', STRETCH_MS)
    await expectFilled(page)
  })

  it('has the rune etched to its end there, by the transaction that the lost computer signed', async () => {
    await expectEtched(world, page)
  })

  async function chooseFile(): Promise<void> {
    const input = await page.page.waitForSelector('input[type="file"]')
    if (!input) throw new Error('There is no field for files')
    await (input as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(
      findSaved() ?? '',
    )
    await page.find('button', 'Choose another file')
  }

  function findSaved(): string | null {
    const name = readdirSync(folder).find(each => /^satchel-backup-.*\.json$/.test(each))
    return name === undefined ? null : join(folder, name)
  }
})
