import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as secp256k1 from '@bitcoinerlab/secp256k1'
import { BIP32Factory } from 'bip32'
import { networks } from 'bitcoinjs-lib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, type Screen, type Wallet } from '../../driver/driver.ts'
import { goTo } from '../../driver/own-pages.ts'
import { NEWS_MS, reviewEtching, writeRune } from '../../driver/runes.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { findRune } from '../../fixtures/ordinals/devnet-ord.ts'
import prepared from '../../fixtures/prepared-wallet.json' with { type: 'json' }
import { PASSWORD, resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** An address of nobody in particular: an example key of BIP-173. */
const ALICE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const FILE_PASSWORD = 'Zebra-Quartz-7741'
const PARTS = [
  ...['Accounts', 'Inscriptions and mints under way', 'Contacts', 'Connected sites'],
  'Locked coins',
]
const RUNE = 'SATCHEL•SAVED•GOLD'
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
    await goTo(page, '/accounts', 'Accounts')
    await page.click('link', 'Details of Account 1')
    await page.click('button', 'Rename*')
    await page.fill('textbox', 'Name', 'Savings')
    await page.click('button', 'Save')
    await page.find('heading', 'Savings')
    await goTo(page, '/contacts', 'Contacts')
    await page.click('button', 'Add*')
    await page.fill('textbox', 'Name', 'Alice')
    await page.fill('textbox', 'Bitcoin address', ALICE)
    await page.click('button', 'Save')
    await page.waitForText('Alice')
    await goTo(page, '/coins', 'Coins')
    await page.evaluate(lockSmallest)
    await goTo(page, '/accounts/watch', 'Watch an address')
    await page.fill('textbox', 'Address*', ALICE)
    await page.fill('textbox', 'Name*', 'Cold store')
    await page.click('button', 'Add account')
    await page.find('button', 'Account: Cold store')
    await page.evaluate(addDevice, describeDevice())
    await goTo(page, '/', 'Wallet')
    await page.click('button', 'Account: *')
    await page.click('button', 'Savings*')
    await page.find('button', 'Account: Savings')
    await goTo(page, '/runes/etch', 'Etch a rune')
    await writeRune(page, { name: RUNE, symbol: 'G', decimals: '2', premine: '1000.5' })
    await reviewEtching(page, RUNE)
    await page.clickTestId('approve')
    await page.find('heading', 'Waiting, 0 of 6 blocks', NEWS_MS)
    await world.devnet.mine()
    await page.find('heading', 'Waiting, 1 of 6 blocks', NEWS_MS)

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
    await goTo(page, '/', 'Wallet')
    await page.find('button', 'Account: Savings')
    await goTo(page, '/accounts', 'Accounts')
    for (const name of ['Savings', 'Cold store', 'Device'])
      await page.find('link', `Details of ${name}`)
    await goTo(page, '/contacts', 'Contacts')
    await page.waitForText('Alice')
    await goTo(page, '/coins', 'Coins')
    await page.waitForText('Locked by you', NEWS_MS)
    await goTo(page, '/settings/sites', 'Connected sites')
    await page.waitForText('127.0.0.1')
  })

  it('has the rune etched to its end there, by the transaction that the lost computer signed', async () => {
    await goTo(page, '/inscribe/jobs', 'Inscribing')
    await page.clickSelector('a[href*="/inscribe/jobs/"]')
    await page.find('heading', 'Waiting, 1 of 6 blocks', NEWS_MS)
    for (let block = 0; block < 4; block++) await world.devnet.mine()
    await page.find('heading', 'Waiting for a block', NEWS_MS)
    await world.devnet.mine()
    await page.find('heading', 'Rune etched', NEWS_MS)
    expect((await findRune(world.devnet, RUNE))?.entry.premine).toBe(100_050)
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

/** The descriptor of a device whose seed nobody uses, by the BIP-32 library. */
function describeDevice(): string {
  const master = BIP32Factory(secp256k1).fromSeed(new Uint8Array(32).fill(0x77), networks.regtest)
  const xpub = master.derivePath("m/84'/1'/0'").neutered().toBase58()
  return `wpkh([${Buffer.from(master.fingerprint).toString('hex')}/84h/1h/0h]${xpub}/<0;1>/*)`
}

/** Run in a page of the extension: the smallest coin of the account in use is locked. */
async function lockSmallest(): Promise<void> {
  const { chrome } = globalThis as unknown as {
    chrome: {
      runtime: { sendMessage(message: object): Promise<{ result: { outpoint: string }[] }> }
    }
  }
  const { result } = await chrome.runtime.sendMessage({ ui: 'getCoins', params: null })
  const outpoint = result.at(-1)?.outpoint
  await chrome.runtime.sendMessage({ ui: 'setCoinChoice', params: { outpoint, choice: 'locked' } })
}

/** The same for an account whose key is on a device. */
async function addDevice(descriptor: string): Promise<void> {
  const { chrome } = globalThis as unknown as {
    chrome: { runtime: { sendMessage(message: object): Promise<unknown> } }
  }
  await chrome.runtime.sendMessage({ ui: 'addDevice', params: { descriptor, name: 'Device' } })
}
