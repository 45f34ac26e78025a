import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bytesToHex } from '@noble/hashes/utils.js'
import { mnemonicToEntropy, mnemonicToSeedSync } from 'bip39'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, type Wallet } from '../../driver/driver.ts'
import { goTo } from '../../driver/own-pages.ts'
import { browsersFor } from '../../fixtures/flows.ts'

const PASSWORD = 'Zebra-Quartz-7741'

describe.each(browsersFor('vault'))('the vault in %s', browser => {
  let wallet: Wallet
  let words: string
  const profileDir = mkdtempSync(join(tmpdir(), 'satchel-vault-'))

  beforeAll(async () => {
    wallet = await launch({ browser, profileDir })
    words = await wallet.createWallet({ wordCount: 12, password: PASSWORD })
  })
  afterAll(async () => {
    await wallet?.close()
    rmSync(profileDir, { recursive: true, force: true, maxRetries: 5 })
  })

  it('keeps no secret in any storage area, open or locked, but the vault’s key while open', async () => {
    const open = JSON.stringify(await wallet.storageDump())
    for (const secret of listSecrets(words)) expect(open.includes(secret)).toBe(false)
    const { session: whileOpen } = await wallet.storageDump()
    const keys = listHexKeys(whileOpen)
    await wallet.lock()
    const locked = await wallet.storageDump()
    const text = JSON.stringify(locked)
    for (const secret of [...listSecrets(words), ...keys]) expect(text.includes(secret)).toBe(false)
    // Addresses go with the lock too.
    expect(text).not.toMatch(/"(bc|tb|bcrt)1[a-z0-9]{30,}/)
  })

  it('opens with the password alone, also after the background was stopped, and says a wrong one', async () => {
    await wallet.killBackground()
    const popup = await wallet.popup()
    await popup.fill('textbox', 'Password', 'not the password')
    await popup.click('button', 'Unlock')
    await popup.waitForText('password', 30_000)
    expect(await popup.has('region', 'Balance')).toBe(false)
    await popup.close()
    await wallet.unlock(PASSWORD)
    await wallet.killBackground()
    const again = await wallet.popup()
    await again.find('region', 'Balance')
    await again.close()
  })

  it('shows what somebody else wrote into its storage, and does not use it', async () => {
    await wallet.evaluateInBackground(writeContact, 'Mallory')
    await wallet.killBackground()
    const popup = await wallet.popup()
    await popup.waitForText('Something changed what Satchel stores')
    await popup.waitForText('Mallory')
    await popup.click('button', 'Discard')
    await popup.find('region', 'Balance')
    await goTo(popup, '/contacts', 'Contacts')
    await popup.waitForText('No contacts yet')
    await popup.close()
  })

  it('leaves no secret in the browser’s profile folder, after words were typed, shown and locked away', async () => {
    await wallet.lock()
    await wallet.close()
    const secrets = listSecrets(words).flatMap(secret => [
      Buffer.from(secret, 'utf8'),
      Buffer.from(secret, 'utf16le'),
    ])
    const files = readdirSync(profileDir, { withFileTypes: true, recursive: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
    expect(files.length).toBeGreaterThan(10)
    const found = files.filter(path => {
      const bytes = readFileSync(path)
      return secrets.some(secret => bytes.includes(secret))
    })
    expect(found).toEqual([])
    // The vault itself is there: the folder that was searched is the one that the wallet writes to.
    expect(files.some(path => readFileSync(path).includes('argon2id'))).toBe(true)
  })
})

/** Runs in the background, past the wallet's own code, which reads storage once. */
function writeContact(name: string): Promise<void> {
  const contacts = [{ id: '1', name, address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }]
  return Object(globalThis).chrome.storage.local.set({ contacts })
}

/**
 * Three neighbouring words each (two stand together in a browser's own scripts now and then), the entropy, the seed and the
 * password, as text that could lie about.
 */
function listSecrets(words: string): string[] {
  const list = words.split(' ')
  const runs = list.slice(2).map((_, index) => list.slice(index, index + 3))
  const plain = runs.map(run => run.join(' '))
  const quoted = runs.map(run => JSON.stringify(run).slice(1, -1))
  const seed = bytesToHex(mnemonicToSeedSync(words))
  return [...plain, ...quoted, mnemonicToEntropy(words), seed, seed.slice(0, 64), PASSWORD]
}

/** 32-byte values in hex anywhere in session storage: the vault's key is one of them. */
function listHexKeys(session: unknown): string[] {
  const keys = JSON.stringify(session).match(/"[0-9a-f]{64}"/g) ?? []
  expect(keys.length).toBeGreaterThan(0)
  return keys
}
