import * as secp256k1 from '@bitcoinerlab/secp256k1'
import { BIP32Factory } from 'bip32'
import { mnemonicToSeedSync } from 'bip39'
import { networks, payments } from 'bitcoinjs-lib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { confirmPayment, writePayment } from '../../driver/own-pages.ts'
import type { Screen } from '../../driver/screen.ts'
import { chooseAccount, selectRegtest } from '../../driver/wallet-setup.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { PASSWORD, startWorld, WORDS, type World } from '../../fixtures/world.ts'

/** Of BIP-173's vectors. */
const ALICE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

/** The password is stretched on purpose, which takes seconds on a busy machine. */
const STRETCH_TIMEOUT = 60_000

describe.each(browsersFor('imports'))('an import in %s', browser => {
  let world: World
  let page: Screen

  beforeAll(async () => {
    world = await startWorld(browser, { setUp: false })
    const before = await world.wallet.popup('manifest.json')
    await selectRegtest(before, world.devnet.esploraUrl)
    await before.close()
    page = await world.wallet.popup()
  })
  afterAll(() => world?.stop())

  it('shows the nearest words for a mistyped one, which a press puts in its place', async () => {
    await page.click('button', 'Import a wallet')
    const mistyped = WORDS.replace('abandon abandon', 'abandon abnadon').replace('about', 'abuot')
    await page.fill('textbox', 'Recovery words', mistyped)
    await page.click('button', 'Continue')
    await page.find('list', 'Words you may have meant')
    await page.waitForText('Word 2, “abnadon”')
    await page.waitForText('Word 12, “abuot”')
    await page.click('button', 'abandon')
    await page.waitForText('“abuot” is not a recovery word')
    expect(await page.text()).not.toContain('abnadon')
    await page.click('button', 'about')
    await page.click('button', 'Continue')
    await page.fill('textbox', 'Password', PASSWORD)
    await page.fill('textbox', 'Repeat password', PASSWORD)
    await page.click('button', 'Import wallet')
    await page.find('button', 'Look for them*', STRETCH_TIMEOUT)
  })

  it('finds what lies on another wallet’s path, names the wallet, and spends it', async () => {
    const used = ["m/44'/1'/0'/0/3", "m/44'/1'/0'/1/1"].map(deriveAddress)
    for (const address of used) await world.devnet.faucet(address, 1_000_000n)
    await page.click('button', 'Look for them')
    await page.waitForText('240 addresses looked at', 90_000)
    await page.waitForText('Nothing was used where the common wallets')
    await page.click('button', 'Search the paths of other wallets')
    await page.waitForText('addresses looked at, 2', 120_000)
    await page.waitForText("m/44'/1'/0'/0/3 · used by UniSat, BitPay (Copay)")
    await page.waitForText("m/44'/1'/0'/1/1 · used by UniSat, BitPay (Copay)")
    // Both are addresses of one account, as that wallet has them.
    await page.click('button', 'Add 1 account')
    await page.find('region', 'Balance')
    await chooseAccount(page, 'Account 3')
    await page.waitForText('0.02')
    await page.click('button', 'Send')
    await writePayment(page, { recipients: [{ to: ALICE, btc: '0.015' }], feeRate: '2' })
    await page.click('button', 'Review')
    const txid = await confirmPayment(page)
    await world.devnet.mine()
    const response = await fetch(`${world.devnet.esploraUrl}/tx/${txid}`)
    const { vin, vout, status } = (await response.json()) as {
      vin: { prevout: { scriptpubkey_address: string } }[]
      vout: { value: number; scriptpubkey_address: string }[]
      status: { confirmed: boolean }
    }
    expect(status.confirmed).toBe(true)
    expect(vin.map(({ prevout }) => prevout.scriptpubkey_address).sort()).toEqual([...used].sort())
    expect(vout).toContainEqual(
      expect.objectContaining({ value: 1_500_000, scriptpubkey_address: ALICE }),
    )
  })
})

/** A native segwit address of the words on regtest, by bip32 and bitcoinjs alone. */
function deriveAddress(path: string): string {
  const root = BIP32Factory(secp256k1).fromSeed(mnemonicToSeedSync(WORDS))
  const { publicKey } = root.derivePath(path)
  return payments.p2wpkh({ pubkey: publicKey, network: networks.regtest }).address ?? ''
}
