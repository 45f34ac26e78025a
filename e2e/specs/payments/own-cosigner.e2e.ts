import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromBase64, fromHex, toBase64, toHex } from '../../../src/bitcoin/bytes.ts'
import { copyFromScreen } from '../../driver/device.ts'
import type { Screen } from '../../driver/driver.ts'
import { writeTransfer } from '../../driver/gallery.ts'
import { goTo, writePayment } from '../../driver/own-pages.ts'
import { type CoreSigners, startCoreSigners } from '../../fixtures/core-signers.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { inscribe, whereIs } from '../../fixtures/ordinals/devnet-ord.ts'
import { startWorld, type World } from '../../fixtures/world.ts'

/** An address of nobody in particular: the example program of BIP-173. */
const ALICE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

/** The wallet has news of a block within this. */
const NEWS = 20_000

describe.each(browsersFor('own-cosigner'))(
  'this wallet and two of Bitcoin Core as the signers, in %s',
  browser => {
    let world: World
    let signers: CoreSigners
    let page: Screen
    let address = ''

    beforeAll(async () => {
      world = await startWorld(browser)
      page = await world.wallet.popup()
      await page.find('region', 'Balance')
    })
    afterAll(async () => {
      await world?.stop()
      await signers?.stop()
    })

    it('the wallet’s own key goes to who sets the account up, and comes back in its descriptor', async () => {
      await goTo(page, '/accounts/device', 'Connect a device')
      const key = await copyFromScreen(page, 'Copy the key for Native SegWit')
      expect(key).toMatch(/^\[[0-9a-f]{8}\/48[h']\/1[h']\/0[h']\/2[h']\]tpub/)
      signers = await startCoreSigners('p2wsh', key)
      const [first = ''] = await signers.rpc<string[]>('deriveaddresses', [
        ...[signers.branch(0), [0, 0]],
      ])
      address = first
      await page.fill('textbox', 'Paste a PSBT, a descriptor or a key', signers.descriptor)
      await page.click('button', 'Read this text')
      await page.waitForText('Native SegWit, 2 of 3 signatures')
      await page.fill('textbox', 'Name*', 'Family')
      await page.click('button', 'Connect')
      await page.find('button', 'Account: Family')
      for (let coin = 0; coin < 2; coin++) await world.devnet.faucet(address, 500_000n)
      await page.waitForText('1,000,000 sats')
    })

    it('a payment is signed here and by one other, and sent', async () => {
      await page.click('button', 'Send')
      await writePayment(page, { recipients: [{ to: ALICE, btc: '0.002' }], feeRate: '2' })
      await page.click('button', 'Review')
      await page.clickTestId('approve')
      await signTwice(0)
      await page.clickTestId('approve')
      await page.find('heading', 'Sent')
      await page.click('button', 'See it')
      await world.devnet.mine()
      await page.waitForText('1 confirmation')
    })

    it('an inscription goes from the account’s gallery, signed here and by one other', async () => {
      const [id = ''] = await inscribe(world.devnet, address, { body: 'a poem of the family' })
      const { number } = await whereIs(world.devnet, id)
      await goTo(page, '/inscriptions', 'Inscriptions')
      await page.waitForText('1 inscription', NEWS)
      await page.click('link', `#${number}*`)
      await page.find('heading', `Inscription ${number}`)
      await page.click('button', 'Send')
      await writeTransfer(page, { to: ALICE, feeRate: '3' })
      await page.click('button', 'Review')
      await page.find('heading', `You send Inscription ${number} to *`)
      await page.clickTestId('approve')
      expect((await whereIs(world.devnet, id)).address).toBe(address)
      await signTwice(1)
      await page.waitForText(`Inscription ${number}`)
      await page.clickTestId('approve')
      await page.find('heading', 'Sent')
      await world.devnet.mine()
      expect((await whereIs(world.devnet, id)).address).toBe(ALICE)
      await goTo(page, '/inscriptions', 'Inscriptions')
      await page.waitForText('No inscriptions yet', NEWS)
    })

    /** On the screen that collects signatures: with this wallet's key first, then by a signer elsewhere. */
    async function signTwice(signer: number): Promise<void> {
      await page.find('heading', '0 of 2 signatures')
      await page.waitForText('One of the keys is in this wallet.')
      await page.click('button', 'Sign with this wallet')
      await page.find('heading', '1 of 2 signatures')
      expect(await page.text()).not.toContain('Sign with this wallet')
      const psbt = await copyFromScreen(page)
      const signed = await signers.sign(signer, toHex(fromBase64(psbt)))
      await page.fill('textbox', 'Paste a PSBT, a descriptor or a key', toBase64(fromHex(signed)))
      await page.click('button', 'Read this text')
      await page.find('heading', '2 of 2 signatures')
    }
  },
)
