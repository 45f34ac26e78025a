import { Verifier } from 'bip322-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDevice, copyFromScreen, giveBack } from '../../driver/device.ts'
import { type Dapp, launch, type Screen } from '../../driver/driver.ts'
import { confirmInscribing, waitForState, writeInscriptions } from '../../driver/inscribing.ts'
import { goTo, showTransaction, writePayment } from '../../driver/own-pages.ts'
import { type CoreDevice, startCoreDevice } from '../../fixtures/core-device.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { inscribe, whereIs } from '../../fixtures/ordinals/devnet-ord.ts'
import { fetchCoins } from '../../fixtures/psbt/coins.ts'
import { draftListing, draftPurchase, FOR_SALE, SELLER_INDEX } from '../../fixtures/psbt/deals.ts'
import { inputOf } from '../../fixtures/psbt/draft.ts'
import { seatTrader } from '../../fixtures/psbt/trader.ts'
import { PASSWORD, resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** An address of nobody in particular: the example program of BIP-173. */
const ALICE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

/** A phrase of BIP-39’s vectors, used on regtest only. */
const OTHER_WORDS = `${'zoo '.repeat(11)}wrong`

describe.each(browsersFor('device'))('Bitcoin Core as the device with the key, in %s', browser => {
  let world: World
  let device: CoreDevice
  let dapp: Dapp
  let page: Screen
  let address: string

  beforeAll(async () => {
    device = await startCoreDevice()
    world = await startWorld(browser)
    dapp = await world.openConnected()
    page = await world.wallet.popup()
    await page.find('region', 'Balance')
  })
  afterAll(async () => {
    await world?.stop()
    await device?.stop()
  })

  it('an account is connected by what the device exports, and has the device’s addresses', async () => {
    address = await device.firstAddress('bech32')
    await goTo(page, '/accounts/device', 'Connect a device')
    await page.fill('textbox', 'Paste a PSBT, a descriptor or a key', await device.exportKeys())
    await page.click('button', 'Read this text')
    await page.find('heading', 'Compare the first addresses')
    await page.click('radio', 'Native SegWit*')
    const shown = (await page.text()).replaceAll(/\s/g, '')
    expect(shown).toContain(address)
    await page.fill('textbox', 'Name*', 'Cold')
    await page.click('button', 'Connect')
    await page.find('button', 'Account: Cold')
    await world.devnet.faucet(address, 1_000_000n)
    await page.waitForText('1,000,000 sats')
  })

  it('a payment is reviewed, taken to the device, brought back and sent', async () => {
    await page.click('button', 'Send')
    await writePayment(page, { recipients: [{ to: ALICE, btc: '0.002' }], feeRate: '2' })
    await page.click('button', 'Review')
    await page.clickTestId('approve')
    await page.find('heading', 'Sign on your device')
    await page.waitForText('200,000 sats')
    const psbt = await copyFromScreen(page)
    await giveBack(page, psbt)
    await page.clickTestId('approve')
    await page.waitForText('The device has not signed input 1.')
    await page.click('button', 'Replace')
    await giveBack(page, await device.sign(psbt))
    await page.clickTestId('approve')
    await page.find('heading', 'Sent')
    await page.click('button', 'See it')
    await world.devnet.mine()
    await page.waitForText('1 confirmation')
  })

  it('a site’s payment is approved, and signed on the device in the same window', async () => {
    const connected = dapp.request('connect')
    await (await world.wallet.nextApproval()).approve()
    expect(await resultOf<{ address: string }>(connected)).toMatchObject({ address })
    const answer = dapp.request('sendBitcoin', ALICE, 50_000, { feeRate: 3 })
    await (await world.wallet.nextApproval()).approve()
    const asked = await world.wallet.nextApproval()
    expect(asked.title).toBe('Sign on your device')
    const psbt = await copyFromScreen(asked)
    await giveBack(asked, await device.sign(psbt, { final: true }))
    await asked.approve()
    const txid = await resultOf<string>(answer)
    await showTransaction(page, txid)
    await page.waitForText('Pending')
  })

  it('a PSBT that the person brings is signed on the device, finalized and broadcast', async () => {
    await world.devnet.faucet(address, 300_000n)
    await world.devnet.mine()
    const { unspents } = await world.devnet.rpc<{
      unspents: { txid: string; vout: number; amount: number }[]
    }>('scantxoutset', ['start', [`addr(${address})`]])
    const coin = unspents.find(({ amount }) => amount === 0.003)
    const drafted = await world.devnet.rpc<string>('createpsbt', [[coin], [{ [ALICE]: 0.00298 }]])
    const given = await world.devnet.rpc<string>('utxoupdatepsbt', [drafted])
    await goTo(page, '/psbt', 'Sign a transaction (PSBT)')
    await page.fill('textbox', 'PSBT as text*', given)
    await page.click('button', 'Open')
    await page.find('heading', 'You *')
    await page.clickTestId('approve')
    await page.find('heading', 'Sign on your device')
    await page.waitForText('298,000 sats')
    await giveBack(page, await device.sign(await copyFromScreen(page)))
    await page.clickTestId('approve')
    await page.waitForText('All signatures are there')
    await page.click('button', 'Finalize*')
    await page.waitForText('It is complete')
    await page.click('button', 'Broadcast')
    await page.find('heading', 'You pay *')
    await page.clickTestId('approve')
    await page.find('heading', 'Sent')
    await page.click('button', 'See it')
    await world.devnet.mine()
    await page.waitForText('1 confirmation')
  })

  it('an inscribing is reviewed, its commit signed on the device, and its reveals by the wallet', async () => {
    await goTo(page, '/inscribe', 'Inscribe')
    await writeInscriptions(page, [{ text: 'from cold storage' }, { text: 'and another' }], '2')
    await page.click('button', 'Review')
    await page.clickTestId('approve')
    await page.find('heading', 'Sign on your device')
    await page.waitForText('Their key is in the wallet')
    const psbt = await copyFromScreen(page)
    await giveBack(page, await device.sign(psbt))
    const jobId = await confirmInscribing(page)
    expect(jobId).toMatch(/^[0-9a-f]{32}$/)
    await world.devnet.mine()
    await waitForState(page, 'done')
  })

  it('a site’s text is signed on the device by BIP-322, and shown again on the way there', async () => {
    const answer = dapp.request('signMessage', 'Log in, cold', 'bip322-simple')
    await (await world.wallet.nextApproval()).approve()
    const asked = await world.wallet.nextApproval()
    await asked.waitForText('It signs this text and pays nobody.')
    await giveBack(asked, await device.sign(await copyFromScreen(asked), { final: true }))
    await asked.approve()
    const signature = await resultOf<string>(answer)
    expect(Verifier.verifySignature(address, 'Log in, cold', signature)).toBe(true)
  })

  it.runIf(browser === 'chromium')(
    'an inscription that another profile lists is bought with the device’s coins',
    async () => {
      const { devnet, site } = world
      const { esploraUrl } = devnet
      const otherWallet = await launch({ browser })
      try {
        await otherWallet.setUpOnRegtest({ words: OTHER_WORDS, password: PASSWORD, esploraUrl })
        const seller = await seatTrader(otherWallet, 'Account 1 Taproot', { site, esploraUrl })
        const [id = ''] = await inscribe(devnet, seller.owner.address, { body: 'for sale' })
        const [sold] = await seller.coins()
        if (!sold) throw new Error('nothing to sell')
        const price = 60_000n
        const toSignInputs = [
          { index: SELLER_INDEX, address: seller.owner.address, sighashTypes: [FOR_SALE] },
        ]
        const { psbt: listed } = await seller.sign(
          [draftListing(sold, price), { autoFinalized: false, toSignInputs }],
          'assets-open',
        )
        const publicKey = await resultOf<string>(dapp.request('getPublicKey'))
        const buyer = { address, publicKey }
        for (const sats of [400_000n, 1_000n, 800n]) await devnet.faucet(address, sats)
        await devnet.mine()
        const coins = await fetchCoins(esploraUrl, buyer)
        const coinOf = (sats: bigint) => {
          const coin = coins.find(one => one.sats === sats)
          if (!coin) throw new Error(`no coin of ${sats} sats`)
          return coin
        }
        const purchase = draftPurchase({
          ...{
            listed: inputOf(listed, SELLER_INDEX),
            sold: sold.sats,
            seller: seller.owner,
            price,
          },
          ...{ dummies: [coinOf(1_000n), coinOf(800n)], payment: coinOf(400_000n) },
        })
        const signing = dapp.request('signPsbt', purchase)
        await (await world.wallet.nextApproval()).approve()
        const asked = await world.wallet.nextApproval()
        await giveBack(asked, await device.sign(await copyFromScreen(asked)))
        await asked.approve()
        const complete = await resultOf<string>(signing)
        await resultOf<string>(dapp.request('pushPsbt', complete))
        await devnet.mine()
        expect((await whereIs(devnet, id)).address).toBe(address)
      } finally {
        await otherWallet.close()
      }
    },
  )

  it('what cannot be signed on a device is refused with the reason', async () => {
    expect(await dapp.request('signMessage', 'hello')).toMatchObject({
      error: { data: { reason: 'DEVICE_CANNOT' } },
    })
  })

  it.runIf(browser === 'chromium')(
    'its Taproot account is put together with that of SegWit, as the address for ordinals',
    async () => {
      const keys = await device.exportKeys()
      await connectDevice(page, { keys, kind: 'Taproot', name: 'Cold Taproot' })
      await goTo(page, '/accounts', 'Accounts')
      await page.click('link', 'Details of Cold Taproot')
      await page.click('switch', 'A fresh address for each payment*')
      await page.waitForText('One address is used for everything')
      await goTo(page, '/accounts', 'Accounts')
      await page.click('link', 'Details of Cold')
      await page.find('heading', 'Cold')
      await page.click('switch', 'Separate Taproot address for ordinals*')
      await page.find('heading', 'Combine the two accounts?')
      await page.click('button', 'Combine')
      await page.waitForText('For ordinals: inscriptions, runes, BRC-20')
      const shown = (await page.text()).replaceAll(/\s/g, '')
      for (const one of [address, await device.firstAddress('bech32m')])
        expect(shown).toContain(one)
      await goTo(page, '/', 'Wallet')
      await page.find('button', 'Account: Cold')
    },
  )
})
