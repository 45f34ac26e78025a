import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyFromScreen } from '../../driver/device.ts'
import type { Dapp, Screen } from '../../driver/driver.ts'
import { goTo, showTransaction, writePayment } from '../../driver/own-pages.ts'
import { type CoreDevice, startCoreDevice } from '../../fixtures/core-device.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** An address of nobody in particular: the example program of BIP-173. */
const ALICE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

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

  it('what cannot be signed on a device is refused with the reason', async () => {
    expect(await dapp.request('signMessage', 'hello')).toMatchObject({
      error: { data: { reason: 'DEVICE_CANNOT' } },
    })
  })
})

/** Pastes what came back from the device. */
async function giveBack(screen: Screen, text: string): Promise<void> {
  await screen.fill('textbox', 'Paste a PSBT, a descriptor or a key', text)
  await screen.click('button', 'Read this text')
  await screen.waitForText('The signed transaction is here')
}
