import * as secp256k1 from '@bitcoinerlab/secp256k1'
import { BIP32Factory } from 'bip32'
import { mnemonicToSeedSync } from 'bip39'
import { networks, payments } from 'bitcoinjs-lib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Screen } from '../../driver/screen.ts'
import { chooseAccount } from '../../driver/wallet-setup.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { PASSWORD, resultOf, startWorld, WORDS, type World } from '../../fixtures/world.ts'

const NEXT_PASSWORD = 'Zebra-Quartz-7741'
/** The password is stretched on purpose, which takes seconds on a busy machine. */
const STRETCH_TIMEOUT = 60_000

describe.each(browsersFor('own-wallet'))(
  'what a person does with their own wallet in %s',
  browser => {
    let world: World
    let page: Screen

    beforeAll(async () => {
      world = await startWorld(browser)
      page = await world.wallet.popup()
      await page.find('region', 'Balance')
    })
    afterAll(() => world?.stop())

    /** Goes to a screen of the open page by its address. */
    const go = async (path: string, title: string) => {
      await page.evaluate(hash => {
        location.hash = hash
      }, path)
      await page.find('heading', title)
    }

    it('finds what other wallets of the same words were paid to: an address, an account, a change', async () => {
      const addresses = ["m/84'/1'/0'/0/7", "m/84'/1'/2'/0/0", "m/84'/1'/0'/1/3"].map(deriveAddress)
      for (const address of addresses) await world.devnet.faucet(address, 54_600)
      await go('/accounts/restore', 'Look for used addresses')
      await page.click('button', 'Look for them')
      await page.waitForText('addresses looked at', 90_000)
      await page.waitForText('0.000546 BTC')
      // The first account of its kind has all of its addresses, and the other account is one of its own.
      await page.click('button', 'Add 2 accounts')
      await page.find('region', 'Balance')
      await page.click('button', 'Account: *')
      await page.find('dialog')
      await page.waitForText(addresses[1]?.slice(-4) ?? '')
      await page.page.keyboard.press('Escape')
      await chooseAccount(page, 'Account 2')
      await page.waitForText('0.001092')
      await go('/receive', 'Receive on Regtest')
      await page.waitForText(deriveAddress("m/84'/1'/0'/0/8").slice(-4))
      await page.evaluate(() => {
        location.hash = '/'
      })
      await chooseAccount(page, 'Account 1')
    })

    it('adds, names, hides and removes an account', async () => {
      await go('/accounts/add', 'Add an account')
      await page.click('radio', 'Legacy*')
      await page.fill('textbox', 'Name*', 'For the bakery')
      await page.click('button', 'Add account')
      await page.find('button', 'Account: For the bakery')
      await go('/accounts', 'Accounts')
      await page.click('link', 'Details of For the bakery')
      await page.click('button', 'Rename*')
      await page.fill('textbox', 'Name', 'Bread')
      await page.click('button', 'Save')
      await page.find('heading', 'Bread')
      // Without a name it is called by its number.
      await page.click('button', 'Rename*')
      await page.fill('textbox', 'Name', '')
      await page.click('button', 'Save')
      await page.find('heading', 'Account *')
      expect(await page.evaluate(() => document.title)).toMatch(/^Account \d+ · Satchel$/)
      await page.click('button', 'Rename*')
      await page.fill('textbox', 'Name', 'Bread')
      await page.click('button', 'Save')
      await page.find('heading', 'Bread')
      await page.click('button', 'Hide*')
      await page.find('button', 'Show again*')
      await page.click('button', 'Remove*')
      await page.find('dialog')
      await page.click('button', 'Remove')
      await page.find('heading', 'Accounts')
      await page.find('link', 'Details of Account 1')
      expect(await page.has('link', 'Details of Bread')).toBe(false)
    })

    it('takes back what a site was allowed, and its page hears of it at once', async () => {
      const dapp = await world.openConnected()
      expect(await resultOf<string[]>(dapp.request('getAccounts'))).toHaveLength(1)
      await go('/settings/sites', 'Connected sites')
      await page.click('link', '127.0.0.1:*')
      await page.click('button', 'Disconnect')
      await page.waitForText('No site is connected')
      expect(await resultOf<string[]>(dapp.request('getAccounts'))).toEqual([])
      expect(await dapp.request('getPublicKey')).toMatchObject({ error: { code: 4100 } })
    })

    it('is told what is wrong with a server before it is stored', async () => {
      await go('/settings/servers', 'Servers')
      await page.click('button', 'Change: Blockchain')
      await page.fill('textbox', 'Server', 'http://127.0.0.1:9')
      await page.click('button', 'Check and save')
      await page.find('button', 'Save anyway', 60_000)
      await page.click('button', 'Cancel')
      await page.waitForText(new URL(world.devnet.esploraUrl).host)
      await page.waitForText('Up to date')
    })

    it('sees the recovery words only after the password and a press', async () => {
      await go('/settings/backup', 'Backup')
      await page.fill('textbox', 'Password', PASSWORD)
      await page.click('button', 'Continue')
      await page.find('button', 'Show words', STRETCH_TIMEOUT)
      expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toContain('abandon')
      await page.click('button', 'Show words')
      await page.waitForText('abandon')
      await page.click('button', 'Done')
    })

    it('changes language, and the password that opens the wallet', async () => {
      await go('/settings/display', 'Language and display')
      await page.page.select('select', 'de')
      await page.find('heading', 'Sprache und Anzeige')
      await page.page.reload()
      await page.find('heading', 'Sprache und Anzeige')
      await page.evaluate(() => {
        location.hash = '/'
      })
      // Nobody named it, so its name is in the language as well.
      await page.find('button', 'Konto: Konto *')
      await go('/settings/display', 'Sprache und Anzeige')
      await page.page.select('select', 'en')
      await go('/settings/password', 'Change password')
      await page.fill('textbox', 'Current password', PASSWORD)
      await page.fill('textbox', 'New password', NEXT_PASSWORD)
      await page.fill('textbox', 'Repeat password', NEXT_PASSWORD)
      await page.click('button', 'Change password')
      await page.waitForText('The password was changed', STRETCH_TIMEOUT)
      await page.close()
      await world.wallet.lock()
      page = await world.wallet.popup()
      await page.fill('textbox', 'Password', PASSWORD)
      await page.click('button', 'Unlock')
      await page.waitForText('That is not the password.', STRETCH_TIMEOUT)
      await page.close()
      await world.wallet.unlock(NEXT_PASSWORD)
    })

    it('leaves nothing behind after a reset', async () => {
      page = await world.wallet.popup()
      await page.find('region', 'Balance')
      expect(await world.wallet.storageDump()).toHaveProperty(['local', 'vault.a'])
      await go('/settings/reset', 'Reset Satchel')
      await page.fill('textbox', 'Type*', 'erase')
      await page.click('button', 'Erase everything')
      await page.find('button', 'Create a wallet', STRETCH_TIMEOUT)
      expect((await world.wallet.storageDump()).local).toEqual({})
    })
  },
)

/** A native segwit address of the words on regtest, by bip32 and bitcoinjs alone. */
function deriveAddress(path: string): string {
  const root = BIP32Factory(secp256k1).fromSeed(mnemonicToSeedSync(WORDS))
  const { publicKey } = root.derivePath(path)
  return payments.p2wpkh({ pubkey: publicKey, network: networks.regtest }).address ?? ''
}
