import { base64, hex } from '@scure/base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allowCall, type ClientCalls, reachClient } from '../../driver/client.ts'
import { launch, type Screen } from '../../driver/driver.ts'
import { goTo, pay } from '../../driver/own-pages.ts'
import { FIRST, SECOND } from '../../fixtures/account-owners.ts'
import { broadcast, finishPsbt } from '../../fixtures/broadcast.ts'
import { bundleClients } from '../../fixtures/client-bundle.ts'
import type { satsConnect } from '../../fixtures/clients/sats-connect.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { provesMessage } from '../../fixtures/message-proof.ts'
import { inscribe, whereIs } from '../../fixtures/ordinals/devnet-ord.ts'
import { fetchCoins } from '../../fixtures/psbt/coins.ts'
import { draft, spend } from '../../fixtures/psbt/draft.ts'
import { PASSWORD, startWorld, WORDS, type World } from '../../fixtures/world.ts'

/** An address of nobody in particular: the example program of BIP-173. */
const ALICE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
/** Where the words have ordinals and payments: BIP-86 and BIP-84 at the same place. */
const [ORDINALS, PAYMENT] = [FIRST, SECOND]
const PURPOSES = ['ordinals', 'payment']

describe.each(browsersFor('two-addresses'))('an account of two addresses in %s', browser => {
  let world: World
  let page: Screen
  let client: ClientCalls<typeof satsConnect>
  let id: string

  beforeAll(async () => {
    world = await startWorld(browser, { pages: await bundleClients(['sats-connect']) })
    page = await world.wallet.popup()
    await page.find('region', 'Balance')
  })
  afterAll(() => world?.stop())

  it('is made of the two accounts that a new wallet has, under one name', async () => {
    await goTo(page, '/accounts', 'Accounts')
    await page.click('link', 'Details of Account 2')
    await page.find('heading', 'Account 2')
    await page.click('switch', 'Separate Taproot address for ordinals*')
    await page.find('heading', 'Combine the two accounts?')
    await page.fill('textbox', 'Name', 'Everyday')
    await page.click('button', 'Combine')
    await page.find('heading', 'Everyday')
    await page.waitForText('For ordinals: inscriptions, runes, BRC-20')
    await goTo(page, '/', 'Wallet')
    await page.find('button', 'Account: Everyday')
  })

  it('receives on both: each purpose has its address', async () => {
    await page.click('button', 'Receive')
    await page.find('heading', 'Receive*')
    const shown = async () => (await page.text()).replaceAll(/\s/g, '')
    await expect.poll(shown).toContain(PAYMENT.address)
    await page.click('radio', 'Ordinals*')
    await expect.poll(shown).toContain(ORDINALS.address)
    await world.devnet.faucet(PAYMENT.address, 300_000n)
    await world.devnet.faucet(ORDINALS.address, 90_000n)
    ;[id = ''] = await inscribe(world.devnet, ORDINALS.address, { body: 'to keep' })
    await goTo(page, '/', 'Wallet')
    await page.waitForText('390,546 sats')
    await page.waitForText('Inscriptions 1')
  })

  it('a payment spends and comes back to the one for payments alone', async () => {
    const txid = await pay(page, { recipients: [{ to: ALICE, btc: '0.001' }], feeRate: '2' })
    await world.devnet.mine()
    const { vin, vout } = await readTransaction(txid)
    expect(vin.map(({ prevout }) => prevout.scriptPubKey.address)).toEqual([PAYMENT.address])
    expect(vout.map(({ scriptPubKey }) => scriptPubKey.address)).toEqual([ALICE, PAYMENT.address])
    expect((await whereIs(world.devnet, id)).address).toBe(ORDINALS.address)
  })

  it('and where that has too little, says that the rest is kept for ordinals', async () => {
    await goTo(page, '/', 'Wallet')
    await page.click('button', 'Send')
    await page.fill('textbox', 'To', ALICE)
    await page.fill('textbox', 'Amount', '0.0025')
    await page.click('button', 'Review')
    await page.waitForText('0.00090546 held back')
    await page.waitForText('0.00199718 BTC can be spent')
  })

  it('a page of sats-connect is told each address for its purpose', async () => {
    const dapp = await world.wallet.openDapp(`${world.site}sats-connect.html`)
    await expect.poll(() => dapp.evaluate(() => 'dappClient' in globalThis)).toBe(true)
    client = reachClient(dapp)
    const answer = client.request('getAccounts', { purposes: PURPOSES })
    await allowCall(world.wallet, answer)
    expect(await answer.result()).toMatchObject({
      status: 'success',
      result: [
        { address: ORDINALS.address, publicKey: ORDINALS.publicKey.slice(2), purpose: 'ordinals' },
        { address: PAYMENT.address, publicKey: PAYMENT.publicKey, purpose: 'payment' },
      ],
    })
  })

  it('has a text of the page signed by the address that it names', async () => {
    for (const { address } of [ORDINALS, PAYMENT]) {
      const answer = client.request('signMessage', { address, message: 'hi', protocol: 'BIP322' })
      await allowCall(world.wallet, answer)
      const settled = await answer.result()
      if (settled.status !== 'success') throw new Error(JSON.stringify(settled))
      const { signature } = settled.result as { signature: string }
      expect(provesMessage(address, 'hi', signature)).toBe(true)
    }
  })

  it('has a PSBT of the page signed that spends from both, and the node takes it', async () => {
    const { esploraUrl } = world.devnet
    const laden = (await fetchCoins(esploraUrl, ORDINALS)).find(({ sats }) => sats < 90_000n)
    const [paying] = await fetchCoins(esploraUrl, PAYMENT)
    if (!laden || !paying) throw new Error('there are no coins')
    const psbt = draft(
      [spend(laden), spend(paying)],
      [
        { address: ALICE, sats: laden.sats },
        { address: PAYMENT.address, sats: paying.sats - 2_000n },
      ],
    )
    const answer = client.request('signPsbt', {
      psbt: base64.encode(hex.decode(psbt)),
      signInputs: { [ORDINALS.address]: [0], [PAYMENT.address]: [1] },
    })
    const asked = await world.wallet.nextApproval()
    expect(asked.title).toContain('You send 546 sats and Inscription 0')
    await asked.click('checkbox', 'I give away *')
    await asked.approve()
    const settled = await answer.result()
    if (settled.status !== 'success') throw new Error(JSON.stringify(settled))
    const { psbt: signed } = settled.result as { psbt: string }
    await broadcast(world.devnet, finishPsbt(signed))
    await world.devnet.mine()
    expect((await whereIs(world.devnet, id)).address).toBe(ALICE)
  })

  it('is offered when the words are restored elsewhere, as both addresses were used', async () => {
    const { esploraUrl } = world.devnet
    const other = await launch({ browser })
    try {
      await other.setUpOnRegtest({ words: WORDS, password: PASSWORD, esploraUrl })
      const tab = await other.popup()
      await tab.find('region', 'Balance')
      await goTo(tab, '/accounts/restore', 'Look for used addresses')
      await tab.click('button', 'Look for them')
      await tab.waitForText('addresses looked at', 120_000)
      await tab.find('checkbox', 'Payments and ordinals in one account.*')
      await tab.click('button', 'Combine')
      await tab.find('heading', 'Wallet')
      await goTo(tab, '/accounts', 'Accounts')
      const { session } = await other.storageDump()
      const views = Object(session['accounts.views']).views.regtest
      expect(views).toMatchObject([
        { address: PAYMENT.address, ordinals: { address: ORDINALS.address } },
      ])
    } finally {
      await other.close()
    }
  }, 180_000)

  const readTransaction = (txid: string) =>
    world.devnet.rpc<{
      vin: { prevout: { scriptPubKey: { address: string } } }[]
      vout: { scriptPubKey: { address: string } }[]
    }>('getrawtransaction', [txid, 2])
})
