import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromBase64, fromHex, toBase64, toHex } from '../../../src/bitcoin/bytes.ts'
import { copyFromScreen } from '../../driver/device.ts'
import type { Screen } from '../../driver/driver.ts'
import { goTo, writePayment } from '../../driver/own-pages.ts'
import { type CoreSigners, startCoreSigners } from '../../fixtures/core-signers.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { startWorld, type World } from '../../fixtures/world.ts'

/** An address of nobody in particular: the example program of BIP-173. */
const ALICE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

describe.each(browsersFor('multisig'))(
  'three wallets of Bitcoin Core as the signers, in %s',
  browser => {
    let world: World
    let signers: CoreSigners
    let page: Screen

    beforeAll(async () => {
      signers = await startCoreSigners('p2wsh')
      world = await startWorld(browser)
      page = await world.wallet.popup()
      await page.find('region', 'Balance')
    })
    afterAll(async () => {
      await world?.stop()
      await signers?.stop()
    })

    it('a shared account is connected by its descriptor, and has the signers’ addresses', async () => {
      const [address = ''] = await signers.rpc<string[]>('deriveaddresses', [
        ...[signers.branch(0), [0, 0]],
      ])
      await goTo(page, '/accounts/device', 'Connect a device')
      await page.fill('textbox', 'Paste a PSBT, a descriptor or a key', signers.descriptor)
      await page.click('button', 'Read this text')
      await page.find('heading', 'Connect several signers')
      await page.waitForText('Native SegWit, 2 of 3 signatures')
      expect((await page.text()).replaceAll(/\s/g, '')).toContain(address)
      await page.fill('textbox', 'Name*', 'Family')
      await page.click('button', 'Connect')
      await page.find('button', 'Account: Family')
      await world.devnet.faucet(address, 1_000_000n)
      await page.waitForText('1,000,000 sats')
    })

    it('a payment goes round two signers, with a way home between, and is sent', async () => {
      await page.click('button', 'Send')
      await writePayment(page, { recipients: [{ to: ALICE, btc: '0.002' }], feeRate: '2' })
      await page.click('button', 'Review')
      await page.clickTestId('approve')
      await page.find('heading', 'Collect signatures')
      await page.find('heading', '0 of 2 signatures')
      const first = await copyFromScreen(page)
      await giveBack(page, first)
      await page.waitForText('It has no signature that was not there already')
      await giveBack(page, await sign(0, first))
      await page.find('heading', '1 of 2 signatures')

      await goTo(page, '/', 'Wallet')
      await page.click('link', 'Waits for signatures*')
      await page.find('heading', '1 of 2 signatures')
      await giveBack(page, await sign(2, await copyFromScreen(page)))
      await page.find('heading', '2 of 2 signatures')
      await page.clickTestId('approve')
      await page.find('heading', 'Sent')
      await page.click('button', 'See it')
      await world.devnet.mine()
      await page.waitForText('1 confirmation')
    })

    it('a PSBT that another signer began is shown with who has signed it, and sent once enough have', async () => {
      await goTo(page, '/', 'Wallet')
      await page.click('button', 'Send')
      await writePayment(page, { recipients: [{ to: ALICE, btc: '0.003' }], feeRate: '2' })
      await page.click('button', 'Review')
      await page.clickTestId('approve')
      await page.find('heading', '0 of 2 signatures')
      const psbt = await copyFromScreen(page)
      await page.click('button', 'Discard payment')
      await page.click('button', 'Discard')
      await page.find('region', 'Balance')

      await page.click('link', 'Sign PSBT')
      await page.fill('textbox', 'PSBT as text*', await sign(1, psbt))
      await page.click('button', 'Open')
      await page.find('heading', '1 of 2 signatures')
      await page.waitForText('It waits for its signers')
      await page.click('button', 'Combine with another PSBT*')
      await page.fill('textbox', 'PSBT as text*', await sign(2, psbt))
      await page.click('button', 'Combine')
      await page.find('heading', '2 of 2 signatures')
      await page.click('button', 'Broadcast')
      await page.find('heading', 'You*')
      await page.clickTestId('approve')
      await page.find('heading', 'Sent')
    })

    async function sign(signer: number, psbt: string): Promise<string> {
      const signed = await signers.sign(signer, toHex(fromBase64(psbt)))
      return toBase64(fromHex(signed))
    }
  },
)

async function giveBack(screen: Screen, text: string): Promise<void> {
  await screen.fill('textbox', 'Paste a PSBT, a descriptor or a key', text)
  await screen.click('button', 'Read this text')
}
