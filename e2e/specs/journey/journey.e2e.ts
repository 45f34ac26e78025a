import { hexToBytes } from '@noble/hashes/utils.js'
import { p2tr, TEST_NETWORK } from '@scure/btc-signer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Dapp, Screen } from '../../driver/driver.ts'
import { tilesOf } from '../../driver/gallery.ts'
import { inscribeOwn, waitForState, wordsOf } from '../../driver/inscribing.ts'
import { goTo, pay, showTransaction } from '../../driver/own-pages.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { provesMessage } from '../../fixtures/message-proof.ts'
import { openAtomicals } from '../../fixtures/ordinals/devnet-atomicals.ts'
import { mintTokens } from '../../fixtures/ordinals/devnet-brc20.ts'
import { whereIs } from '../../fixtures/ordinals/devnet-ord.ts'
import {
  expectInscribed,
  heightOf,
  textContent,
} from '../../fixtures/ordinals/mined-inscriptions.ts'
import { fetchCoins } from '../../fixtures/psbt/coins.ts'
import { draftPayment } from '../../fixtures/psbt/deals.ts'
import { parseDraft } from '../../fixtures/psbt/draft.ts'
import { approve } from '../../fixtures/psbt/trader.ts'
import { PASSWORD, resultOf, startWorld, type World } from '../../fixtures/world.ts'

const REGTEST = { ...TEST_NETWORK, bech32: 'bcrt' }
/** An address of nobody in particular: BIP-173's example key. */
const RECIPIENT = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const NEWS = { timeout: 30_000 }

/** Every test goes on with the wallet that the one before left. */
describe.each(browsersFor('journey'))('a new wallet in %s', browser => {
  let world: World
  let dapp: Dapp
  let page: Screen
  let account: { address: string; publicKey: string }

  beforeAll(async () => {
    world = await startWorld(browser, { setUp: false })
  })
  afterAll(() => world?.stop())

  it('is created, pointed at a network, and shown to a site', async () => {
    const { wallet, devnet, site } = world
    const words = await wallet.createWallet({ wordCount: 12, password: PASSWORD })
    expect(words.split(' ')).toHaveLength(12)
    await wallet.chooseNetwork('Regtest', devnet.esploraUrl)
    dapp = await wallet.openDapp(`${site}plain.html`)
    const connecting = dapp.request('connect')
    await (await wallet.nextApproval()).approve()
    account = await resultOf(connecting)
    await wallet.waitForNoApproval()
    const key = hexToBytes(account.publicKey).slice(1)
    expect(account.address).toBe(p2tr(key, undefined, REGTEST).address)
    page = await wallet.popup()
    await page.find('region', 'Balance')
  })

  it('receives, pays from its own pages, and shows what became of it', async () => {
    for (let coin = 0; coin < 4; coin++)
      await world.devnet.faucet(account.address, 250_000n, coin === 3)
    await page.waitForText('1,000,000 sats')
    await goTo(page, '/receive', 'Receive on Regtest')
    await page.waitForText(account.address.slice(-4))
    const recipients = [{ to: RECIPIENT, btc: '0.0002' }]
    const txid = await pay(page, { recipients, feeRate: '2', label: 'For the flat' })
    await world.devnet.mine()
    await showTransaction(page, txid)
    await page.waitForText('1 confirmation')
    expect(await page.valueOf('textbox', 'Your note')).toBe('For the flat')
    expect(await minedOutputs(txid)).toContainEqual({ address: RECIPIENT, value: 0.0002 })
    await goTo(page, '/coins', 'Coins')
    await page.waitForText('4 coins')
  })

  it('signs a message and a PSBT for the site, and hands over what it signed', async () => {
    const signing = dapp.request('signMessage', 'hello', 'bip322-simple')
    expect(await approve(world.wallet)).toContain('hello')
    const signature = await resultOf<string>(signing)
    expect(provesMessage(account.address, 'hello', signature)).toBe(true)

    const [coin] = await fetchCoins(world.devnet.esploraUrl, account)
    if (!coin) throw new Error('The coins are not there')
    const drafting = dapp.request('signPsbt', draftPayment([coin], RECIPIENT, 12_345n))
    expect(await approve(world.wallet)).toContain('You send 0.00012345 BTC')
    const psbt = await resultOf<string>(drafting)
    const txid = await resultOf<string>(dapp.request('pushPsbt', psbt))
    await world.devnet.mine()
    expect(txid).toBe(parseDraft(psbt).id)
    expect(await minedOutputs(txid)).toContainEqual({ address: RECIPIENT, value: 0.00012345 })
  })

  it('inscribes, finds it in the gallery, and sends it for the site', async () => {
    const above = await heightOf(world.devnet)
    await inscribeOwn(page, [{ text: 'Für immer 🧡' }], '2')
    await waitForState(page, 'waiting')
    await world.devnet.mine()
    await waitForState(page, 'done')
    const contents = [textContent('Für immer 🧡')]
    await expectInscribed(world.devnet, { above, address: account.address, contents })
    await page.click('button', wordsOf('jobSee'))
    await page.waitForText('Verified by this wallet')
    await goTo(page, '/inscriptions', 'Inscriptions')
    await expect.poll(() => tilesOf(page), NEWS).toHaveLength(1)
    const [id = ''] = await tilesOf(page)
    const sending = dapp.request('sendInscription', RECIPIENT, id, { feeRate: 2 })
    await approve(world.wallet)
    await resultOf(sending)
    await world.devnet.mine()
    expect((await whereIs(world.devnet, id)).address).toBe(RECIPIENT)
  })

  it('shows tokens and Atomicals that it was given', async () => {
    await mintTokens(world.devnet, account.address)
    await openAtomicals(world.devnet, account.address).mint({ kind: 'nft', realm: 'journey' })
    await goTo(page, '/brc20', 'BRC-20 tokens')
    await page.find('link', 'play *', NEWS.timeout).catch(async error => {
      throw new Error(`${error.message}\n${await page.text()}`, { cause: error })
    })
    await goTo(page, '/', 'Wallet')
    await page.find('link', 'Atomicals*', NEWS.timeout)
  })

  it('watches another address, names a contact, and forgets the site', async () => {
    await goTo(page, '/accounts/watch', 'Watch an address')
    await page.fill('textbox', 'Address', RECIPIENT)
    await page.fill('textbox', 'Name*', 'Shop')
    await page.click('button', 'Add account')
    await page.find('button', 'Account: Shop')
    await world.wallet.chooseAccount('Account 1 Taproot')
    await goTo(page, '/settings/sites', 'Connected sites')
    await page.click('link', '127.0.0.1:*')
    await page.click('button', 'Disconnect')
    await page.waitForText('No site is connected')
    expect(await resultOf<string[]>(dapp.request('getAccounts'))).toEqual([])
  })

  it('speaks German, locks, opens with its password, and leaves nothing after a reset', async () => {
    await goTo(page, '/settings/display', 'Language and display')
    await page.page.select('select', 'de')
    await page.find('heading', 'Sprache und Anzeige')
    // The next popup is in German before anything is drawn.
    await page.close()
    page = await world.wallet.popup()
    await page.find('region', 'Guthaben')
    await goTo(page, '/settings/display', 'Sprache und Anzeige')
    await page.page.select('select', 'en')
    await page.find('heading', 'Language and display')
    await page.close()
    await world.wallet.lock()
    await world.wallet.unlock(PASSWORD)
    page = await world.wallet.popup()
    await page.find('region', 'Balance')
    await goTo(page, '/settings/reset', 'Reset Satchel')
    await page.fill('textbox', 'Type*', 'erase')
    await page.click('button', 'Erase everything')
    await page.find('button', 'Create a wallet', 60_000)
    expect((await world.wallet.storageDump()).local).toEqual({})
  })

  const minedOutputs = async (txid: string) => {
    const { vout } = await world.devnet.rpc<{
      vout: { value: number; scriptPubKey: { address?: string } }[]
    }>('getrawtransaction', [txid, true])
    return vout.map(({ value, scriptPubKey: { address } }) => ({ address, value }))
  }
})
