import * as secp256k1 from '@bitcoinerlab/secp256k1'
import { BIP32Factory } from 'bip32'
import { mnemonicToSeedSync } from 'bip39'
import { initEccLib, networks, payments } from 'bitcoinjs-lib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { goTo, pay } from '../../driver/own-pages.ts'
import type { Screen } from '../../driver/screen.ts'
import { chooseAccount } from '../../driver/wallet-setup.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { PASSWORD, startWorld, WORDS, type World } from '../../fixtures/world.ts'

initEccLib(secp256k1)

/** Of BIP-39's vectors. */
const SECOND_WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
/** Of BIP-173's vectors. */
const ALICE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
/** The password is stretched on purpose, which takes seconds on a busy machine. */
const STRETCH_TIMEOUT = 60_000

describe.each(browsersFor('wallets'))('a second wallet in %s', browser => {
  let world: World
  let page: Screen
  const first = deriveTaproot(WORDS)
  const second = deriveTaproot(SECOND_WORDS)

  beforeAll(async () => {
    world = await startWorld(browser)
    await world.devnet.faucet(first, 500_000n)
    page = await world.wallet.popup()
    await page.find('region', 'Balance')
    await page.waitForText('0.005 BTC')
  })
  afterAll(() => world?.stop())

  it('goes back from its name to the proof of its new words, and not to other words', async () => {
    await goTo(page, '/accounts/add-wallet', 'Add a wallet')
    await page.click('button', 'Create a wallet*')
    const words = await proveNewWords(page)
    await page.find('textbox', 'Name of the wallet')
    await page.click('button', 'Back')
    // Were these other words, they would not be taken.
    await proveWords(page, words)
    await page.find('textbox', 'Name of the wallet')
    await goTo(page, '/accounts', 'Accounts')
  })

  it('is imported beside the first, under a name, and its words are not taken twice', async () => {
    await importSecond(page, 'Holidays')
    await page.find('button', 'Look for them*')
    await page.click('button', 'Not now')
    await page.find('region', 'Balance')
    await goTo(page, '/accounts', 'Accounts')
    await page.find('heading', 'Wallet 1')
    await page.find('heading', 'Holidays')
    await page.waitForText(second.slice(-4))
    await importSecond(page, 'Again')
    await page.waitForText('already, as “Holidays”')
  })

  it('receives, and pays with its own coins alone', async () => {
    await goTo(page, '/receive', 'Receive on Regtest')
    await page.waitForText(second.slice(-4))
    const txid = await world.devnet.faucet(second, 400_000n)
    const sent = await pay(page, { recipients: [{ to: ALICE, btc: '0.0015' }], feeRate: '2' })
    await world.devnet.mine()
    const transaction = await world.devnet.rpc('getrawtransaction', [sent, true])
    expect(transaction).toMatchObject({ confirmations: 1, vin: [{ txid }] })
    expect(Object(transaction).vout).toContainEqual(
      expect.objectContaining({
        value: 0.0015,
        scriptPubKey: expect.objectContaining({ address: ALICE }),
      }),
    )
    expect(await readBalance(world, first)).toBe(500_000)
  })

  it('shows its own words, after the password', async () => {
    await openSecond(page)
    await page.click('link', 'Show recovery words*')
    expect(await page.text()).not.toContain('sausage')
    await page.fill('textbox', 'Password', PASSWORD)
    await page.click('button', 'Continue')
    await page.find('button', 'Show words', STRETCH_TIMEOUT)
    await page.click('button', 'Show words')
    await page.find('list', 'Recovery words')
    await page.waitForText('Holidays')
    expect(await page.evaluate(readWords)).toBe(SECOND_WORDS)
  })

  it('goes with the password and a tick, and the first wallet is as it was', async () => {
    await openSecond(page)
    await page.click('button', 'Remove wallet')
    await page.find('dialog')
    await page.click('checkbox', 'I have these words*')
    await page.fill('textbox', 'Password', 'not the password')
    await page.click('button', 'Remove')
    await page.waitForText('That is not the password.', STRETCH_TIMEOUT)
    await page.fill('textbox', 'Password', PASSWORD)
    await page.click('button', 'Remove')
    await page.waitForText('Holidays was removed', STRETCH_TIMEOUT)
    await page.find('heading', 'Accounts')
    expect(await page.has('heading', 'Holidays')).toBe(false)
    expect(await page.text()).not.toContain(second.slice(-4))
    await goTo(page, '/', 'Wallet')
    await chooseAccount(page, 'Account 1 Taproot')
    await page.waitForText('0.005 BTC')
    const sent = await pay(page, { recipients: [{ to: ALICE, btc: '0.001' }], feeRate: '2' })
    await world.devnet.mine()
    expect(await world.devnet.rpc('getrawtransaction', [sent, true])).toMatchObject({
      confirmations: 1,
    })
    expect(await readBalance(world, first)).toBeGreaterThan(398_000)
  })
})

async function importSecond(page: Screen, name: string): Promise<void> {
  await goTo(page, '/accounts/add-wallet', 'Add a wallet')
  await page.click('button', 'Import a wallet*')
  await page.fill('textbox', 'Recovery words', SECOND_WORDS)
  await page.click('button', 'Continue')
  await page.fill('textbox', 'Name of the wallet', name)
  await page.click('button', 'Add a wallet')
}

async function openSecond(page: Screen): Promise<void> {
  await goTo(page, '/accounts', 'Accounts')
  await page.click('link', 'Details of Holidays')
  await page.find('heading', 'Holidays')
}

/** Lets new words be made, notes them and proves them; gives them. */
async function proveNewWords(page: Screen): Promise<string[]> {
  await page.click('button', 'Show words')
  await page.find('list', 'Recovery words')
  const words = (await page.evaluate(readWords)).split(' ')
  await page.click('checkbox', 'I wrote them down')
  await page.click('button', 'Continue')
  await proveWords(page, words)
  return words
}

async function proveWords(page: Screen, words: readonly string[]): Promise<void> {
  await page.find('textbox', 'Word *')
  for (const [index, word] of words.entries()) {
    const field = `Word ${index + 1}`
    if (await page.has('textbox', field)) await page.fill('textbox', field, word)
  }
  await page.click('button', 'Continue')
}

/** Runs in the page. */
function readWords(): string {
  const list = document.querySelector('ol[aria-label="Recovery words"]')
  return Array.from(list?.children ?? [], item => item.textContent?.match(/[a-z]+/)?.[0]).join(' ')
}

/** Sats of an address, mined ones and others, as the devnet's Esplora counts them. */
async function readBalance(world: World, address: string): Promise<number> {
  const response = await fetch(`${world.devnet.esploraUrl}/address/${address}/utxo`)
  const coins = (await response.json()) as { value: number }[]
  return coins.reduce((sum, { value }) => sum + value, 0)
}

/** The first Taproot address of words on regtest, by bip32 and bitcoinjs alone. */
function deriveTaproot(words: string): string {
  const root = BIP32Factory(secp256k1).fromSeed(mnemonicToSeedSync(words))
  const { publicKey } = root.derivePath("m/86'/1'/0'/0/0")
  const { address } = payments.p2tr({
    internalPubkey: publicKey.slice(1),
    network: networks.regtest,
  })
  return address ?? ''
}
