import { p2tr, p2wpkh, TEST_NETWORK, WIF } from '@scure/btc-signer'
import { pubECDSA, pubSchnorr } from '@scure/btc-signer/utils.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Dapp, launch, type Screen } from '../../driver/driver.ts'
import { moveClock } from '../../driver/hooked-extension.ts'
import { goTo } from '../../driver/own-pages.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import firstVersion from '../../fixtures/wallet-version-1.json' with { type: 'json' }
import { PASSWORD, resultOf, startWorld, type World } from '../../fixtures/world.ts'

const REGTEST = { ...TEST_NETWORK, bech32: 'bcrt' }
/** Keys of nobody's. */
const KEY = new Uint8Array(32).fill(0x11)
const WATCHED = p2tr(pubSchnorr(new Uint8Array(32).fill(0x22)), undefined, REGTEST).address ?? ''
/** Regtest addresses of the words at m/86'/1'/0'/0/0 and m/84'/1'/0'/0/0, as lists show them. */
const ACCOUNTS_OF_WORDS = ['bcrt1p…prhg', 'bcrt1q…cppk']
/** The password is stretched on purpose, which takes seconds on a busy machine. */
const STRETCH_TIMEOUT = 60_000

describe.each(browsersFor('accounts'))('accounts in %s', browser => {
  let world: World
  let page: Screen
  let dapp: Dapp

  beforeAll(async () => {
    world = await startWorld(browser, { hooks: true })
    dapp = await world.openConnected()
    page = await world.wallet.popup()
    await page.find('region', 'Balance')
  })
  afterAll(() => world?.stop())

  it('a private key becomes an account at the address that an independent implementation gives it', async () => {
    await goTo(page, '/accounts/key', 'Import a private key')
    await page.fill('textbox', 'Private key', WIF(TEST_NETWORK).encode(KEY))
    await page.click('radio', 'Native SegWit*')
    await page.fill('textbox', 'Name*', 'Paper')
    await page.click('button', 'Add account')
    await page.find('button', 'Account: Paper')
    const connecting = dapp.request('connect')
    await (await world.wallet.nextApproval()).approve()
    const { address } = await resultOf<{ address: string }>(connecting)
    await world.wallet.waitForNoApproval()
    expect(address).toBe(p2wpkh(pubECDSA(KEY), REGTEST).address)

    await world.devnet.faucet(address, 300_000n)
    await page.waitForText('300,000 sats')
    const paying = dapp.request('sendBitcoin', WATCHED, 120_000, { feeRate: 2 })
    await (await world.wallet.nextApproval()).approve()
    const txid = await resultOf<string>(paying)
    await world.wallet.waitForNoApproval()
    await world.devnet.mine()
    expect(await world.devnet.rpc('getrawtransaction', [txid, true])).toMatchObject({
      confirmations: 1,
      vout: [{ value: 0.0012, scriptPubKey: { address: WATCHED } }, {}],
    })
  })

  it('a key that is mistyped, of mainnet or uncompressed is refused in words', async () => {
    await goTo(page, '/accounts/key', 'Import a private key')
    const wif = WIF(TEST_NETWORK).encode(KEY)
    await page.fill('textbox', 'Private key', wif.replace(/.$/, wif.endsWith('x') ? 'y' : 'x'))
    await page.waitForText('This is not a private key.')
    await page.fill('textbox', 'Private key', WIF().encode(KEY))
    await page.waitForText('This key belongs to another network.')
    await page.fill('textbox', 'Private key', UNCOMPRESSED)
    await page.waitForText('This is an old, uncompressed key')
    await goTo(page, '/', 'Wallet')
  })

  it('a watched address shows what it has, spends nothing, and no site is connected to it', async () => {
    await goTo(page, '/accounts/watch', 'Watch an address')
    await page.fill('textbox', 'Address', WATCHED)
    await page.fill('textbox', 'Name*', 'Savings')
    await page.click('button', 'Add account')
    await page.find('button', 'Account: Savings')
    await page.waitForText('120,000 sats')
    expect(await page.has('button', 'Send')).toBe(false)
    expect(await dapp.request('getAccounts')).toEqual({ result: [] })
    for (const method of ['getBalance', 'getPublicKey']) {
      expect(await dapp.request(method)).toMatchObject({ error: { code: 4100 } })
    }
    expect(await world.wallet.countApprovalWindows()).toBe(0)
  })

  it('the account is changed by keyboard alone', async () => {
    const { keyboard } = page.page
    await page.page.bringToFront()
    await keyboard.down('Alt')
    await keyboard.press('KeyA')
    await keyboard.up('Alt')
    await page.find('dialog')
    // The one in use has the focus; it is the last, and the first comes after it.
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await page.find('button', 'Account: Account 1')
    expect(await resultOf<string[]>(dapp.request('getAccounts'))).toHaveLength(1)
  })

  it.runIf(browser === 'chromium')(
    'it locks by itself when nobody was there for as long as was set',
    async () => {
      await goTo(page, '/settings/security', 'Security')
      await page.page.select('select', '1')
      await goTo(page, '/', 'Wallet')
      await world.wallet.evaluateInBackground(moveClock, 50_000)
      expect(await resultOf<string[]>(dapp.request('getAccounts'))).toHaveLength(1)
      await world.wallet.evaluateInBackground(moveClock, 15_000)
      expect(await dapp.request('getAccounts')).toEqual({ result: [] })
      await page.find('button', 'Unlock')
      await page.fill('textbox', 'Password', PASSWORD)
      await page.click('button', 'Unlock')
      await page.find('region', 'Balance', STRETCH_TIMEOUT)
    },
  )
})

describe.each(browsersFor('accounts'))('a wallet of the first version in %s', browser => {
  // What its version 0.1.0 stored for the phrase of BIP-39's vectors, after the second account and regtest were chosen.
  it('opens with its password, with its accounts, names and the one in use', async () => {
    const wallet = await launch({ browser })
    try {
      const files = await wallet.popup('manifest.json')
      await files.evaluate(store, firstVersion)
      await files.close()
      await wallet.killBackground()
      await wallet.unlock(PASSWORD)
      const page = await wallet.popup()
      await page.find('button', 'Account: Account 1')
      await page.find('button', 'Network: Regtest')
      await goTo(page, '/accounts', 'Accounts')
      const [first, second] = ACCOUNTS_OF_WORDS
      await page.find('button', `Account 1 Taproot ${first}`)
      await page.find('button', `Account 1 Native SegWit ${second} In use`)
    } finally {
      await wallet.close()
    }
  })
})

/** The private key 1 in the form that has no mark for a compressed public key, for test networks. */
const UNCOMPRESSED = '91avARGdfge8E4tZfYLoxeJ5sGBdNJQH4kvjJoQFacbgwmaKkrx'

/** Runs in a page of the extension. */
function store(items: object): Promise<void> {
  type Area = { set(items: object): Promise<void> }
  const { chrome } = globalThis as unknown as { chrome: { storage: { local: Area } } }
  return chrome.storage.local.set(items)
}
