import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { carry, connectDevice } from '../../driver/device.ts'
import { type Dapp, launch, type Screen } from '../../driver/driver.ts'
import { confirmPayment, goTo, showTransaction, writePayment } from '../../driver/own-pages.ts'
import { openRune } from '../../driver/runes.ts'
import { type CoreDevice, startCoreDevice } from '../../fixtures/core-device.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { etch, inscribe, runesAt, whereIs } from '../../fixtures/ordinals/devnet-ord.ts'
import { fetchCoins } from '../../fixtures/psbt/coins.ts'
import { draftListing, draftPurchase, FOR_SALE, SELLER_INDEX } from '../../fixtures/psbt/deals.ts'
import { inputOf } from '../../fixtures/psbt/draft.ts'
import { seatTrader } from '../../fixtures/psbt/trader.ts'
import { connectPage, PASSWORD, resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** Addresses of nobody in particular: example programs of BIP-173 and BIP-350. */
const ALICE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const BOB = 'bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6'

/** A phrase of BIP-39’s vectors, used on regtest only. */
const OTHER_WORDS = `${'zoo '.repeat(11)}wrong`

describe.each(browsersFor('device-trades'))('trades of a key on Bitcoin Core, in %s', browser => {
  let world: World
  let device: CoreDevice
  let dapp: Dapp
  let page: Screen
  let address: string

  beforeAll(async () => {
    device = await startCoreDevice()
    address = await device.firstAddress('bech32')
    world = await startWorld(browser)
    page = await world.wallet.popup()
    await page.find('region', 'Balance')
    const keys = await device.exportKeys()
    await connectDevice(page, { keys, kind: 'Native SegWit', name: 'Cold' })
    dapp = await connectPage(world.wallet, world.site)
    for (const sats of [400_000n, 300_000n]) await world.devnet.faucet(address, sats, false)
    await world.devnet.mine()
  })
  afterAll(async () => {
    await world?.stop()
    await device?.stop()
  })

  it('an inscription is listed with the device’s signature, and another profile buys it', async () => {
    const { devnet, site } = world
    const { esploraUrl } = devnet
    const [id = ''] = await inscribe(devnet, address, { body: 'for sale', postage: 10_000 })
    const owner = { address, publicKey: await resultOf<string>(dapp.request('getPublicKey')) }
    const sold = (await fetchCoins(esploraUrl, owner)).find(({ sats }) => sats === 10_000n)
    if (!sold) throw new Error('nothing to sell')
    const price = 60_000n
    const toSignInputs = [{ index: SELLER_INDEX, address, sighashTypes: [FOR_SALE] }]
    const listing = dapp.request('signPsbt', draftListing(sold, price), {
      ...{ autoFinalized: false, toSignInputs },
    })
    const review = await world.wallet.nextApproval()
    await review.clickTestId('confirm-assets-open')
    await review.approve()
    const asked = await world.wallet.nextApproval()
    await carry(asked, psbt => device.sign(psbt, { sighash: 'SINGLE|ANYONECANPAY' }))
    await asked.approve()
    const listed = inputOf(await resultOf<string>(listing), SELLER_INDEX)
    expect(listed.partialSig?.[0]?.[1].at(-1)).toBe(FOR_SALE)

    const otherWallet = await launch({ browser })
    try {
      await otherWallet.setUpOnRegtest({ words: OTHER_WORDS, password: PASSWORD, esploraUrl })
      const buyer = await seatTrader(otherWallet, 'Account 2 Native', { site, esploraUrl })
      for (const sats of [400_000n, 1_000n, 800n])
        await devnet.faucet(buyer.owner.address, sats, false)
      await devnet.mine()
      const [payment, ...dummies] = await buyer.coins()
      if (!payment || !dummies[0] || !dummies[1]) throw new Error('the buyer has no coins')
      const { psbt } = await buyer.sign([
        draftPurchase({
          ...{ listed, sold: sold.sats, seller: owner, price, payment },
          dummies: [dummies[0], dummies[1]],
        }),
      ])
      await resultOf<string>(buyer.dapp.request('pushPsbt', psbt))
      await devnet.mine()
      expect((await whereIs(devnet, id)).address).toBe(buyer.owner.address)
      const paid = (await fetchCoins(esploraUrl, owner)).map(({ sats }) => sats)
      expect(paid).toContain(price)
    } finally {
      await otherWallet.close()
    }
  })

  it('runes are sent to two receivers in exact amounts, and the rest comes back', async () => {
    const name = 'SATCHEL•COLD•SILVER'
    await etch(world.devnet, address, { name, amount: '5000', divisibility: 2 })
    await openRune(page, name, '50')
    await page.click('button', 'Send')
    await page.fill('textbox', 'Amount', '12.34')
    await page.fill('textbox', 'To', ALICE)
    await page.click('button', 'Add a recipient')
    await page.fill('textbox', 'Amount, recipient 2', '0.01')
    await page.fill('textbox', 'To, recipient 2', BOB)
    await page.click('button', 'Review')
    await page.find('heading', 'You send *')
    const txid = await sign()
    await world.devnet.mine()
    expect(await runesAt(world.devnet, `${txid}:0`)).toEqual({ [name]: 3_765 })
    expect(await runesAt(world.devnet, `${txid}:1`)).toEqual({ [name]: 1_234 })
    expect(await runesAt(world.devnet, `${txid}:2`)).toEqual({ [name]: 1 })
  })

  it('a waiting payment is sped up on the device: the network keeps the new one alone', async () => {
    const old = await pay('0.0002')
    await showTransaction(page, old)
    await writeBump('Speed up', '9')
    const txid = await sign()
    expect(await isServed(old)).toBe(false)
    await world.devnet.mine()
    const { fee, vsize, vin, vout } = await readMined(txid)
    expect(vout[0]?.scriptPubKey.address).toBe(ALICE)
    const sats = Math.round(fee * 1e8)
    expect(sats).toBeGreaterThanOrEqual(vsize * 9)
    // A signature may be a byte shorter than what was reckoned with.
    expect(sats).toBeLessThanOrEqual((vsize + vin.length) * 9)
  })

  it('a waiting payment is cancelled on the device: nothing goes to the receiver', async () => {
    const old = await pay('0.0003')
    await showTransaction(page, old)
    await writeBump('Cancel', '8')
    const txid = await sign()
    expect(await isServed(old)).toBe(false)
    await world.devnet.mine()
    const { vout } = await readMined(txid)
    expect(vout.map(output => output.scriptPubKey.address)).not.toContain(ALICE)
    expect(vout).toHaveLength(1)
  })

  it('a deposit that waits is accelerated by a child that the device signs', async () => {
    const parent = await world.devnet.faucet(address, 200_000n, false)
    await showTransaction(page, parent)
    await writeBump('Accelerate', '10')
    const child = await sign()
    await world.devnet.mine()
    const { vin } = await readMined(child)
    expect(vin.map(input => input.txid)).toContain(parent)
  })

  it('two of its keys are one account: a page has an inscription of Taproot sent with a fee from SegWit', async () => {
    const { devnet } = world
    const [payment, holding] = await Promise.all([
      device.firstAddress('p2sh-segwit'),
      device.firstAddress('bech32m'),
    ])
    await goTo(page, '/accounts/device', 'Connect a device')
    const keys = await device.exportKeys()
    await page.fill('textbox', 'Paste a PSBT, a descriptor or a key', keys)
    await page.click('button', 'Read this text')
    await page.click('radio', 'Nested SegWit + Taproot')
    await page.waitForText('SeedSigner and Krux')
    const shown = (await page.text()).replaceAll(/\s/g, '')
    for (const one of [payment, holding]) expect(shown).toContain(one)
    await page.fill('textbox', 'Name*', 'Both')
    await page.click('button', 'Connect')
    await page.find('button', 'Account: Both')

    await devnet.faucet(payment, 200_000n, false)
    const [id = ''] = await inscribe(devnet, holding, { body: 'of two keys' })
    const connected = dapp.request('connect')
    await (await world.wallet.nextApproval()).approve()
    expect(await resultOf(connected)).toMatchObject({
      ...{ address: payment, ordinals: { address: holding } },
    })
    const answer = dapp.request('sendInscription', ALICE, id, { feeRate: 3 })
    const review = await world.wallet.nextApproval()
    await review.approve()
    const asked = await world.wallet.nextApproval()
    await carry(asked, psbt => device.sign(psbt))
    await asked.approve()
    const txid = await resultOf<string>(answer)
    await devnet.mine()
    const { vin } = await readMined(txid)
    expect(vin).toHaveLength(2)
    expect((await whereIs(devnet, id)).address).toBe(ALICE)
  })

  /** From a review by way of the device to the transaction that was sent; gives its txid. */
  const sign = async (): Promise<string> => {
    await page.clickTestId('approve')
    await carry(page, psbt => device.sign(psbt))
    return confirmPayment(page)
  }

  const pay = async (btc: string): Promise<string> => {
    await goTo(page, '/', 'Wallet')
    await page.click('button', 'Send')
    await writePayment(page, { recipients: [{ to: ALICE, btc }], feeRate: '2' })
    await page.click('button', 'Review')
    return sign()
  }

  const writeBump = async (action: string, feeRate: string): Promise<void> => {
    await page.click('button', `${action}*`)
    await page.click('radio', 'Custom*')
    await page.fill('textbox', 'Fee rate in sat/vB', feeRate)
    await page.click('button', 'Review')
  }

  const isServed = async (txid: string): Promise<boolean> =>
    (await fetch(`${world.devnet.esploraUrl}/tx/${txid}`)).ok

  const readMined = async (txid: string) => {
    const mined = await world.devnet.rpc<{
      confirmations: number
      fee: number
      vsize: number
      vin: { txid: string }[]
      vout: { value: number; scriptPubKey: { address?: string } }[]
    }>('getrawtransaction', [txid, 2])
    expect(mined.confirmations).toBe(1)
    return mined
  }
})
