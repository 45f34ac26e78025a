import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromHex } from '../../../src/bitcoin/bytes.ts'
import {
  type Receiver,
  scanTransaction,
  silentAddressOf,
} from '../../../src/bitcoin/testing/silent-payment-scanner.ts'
import type { Fault } from '../../../src/devnet/server/faults.ts'
import type { Screen } from '../../driver/driver.ts'
import {
  bump,
  confirmPayment,
  goTo,
  pay,
  shortenTxid,
  showTransaction,
  tabTo,
  writePayment,
} from '../../driver/own-pages.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { PASSWORD, resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** Addresses of nobody in particular: example programs of BIP-173, and the generator point's of BIP-350. */
const ALICE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const BOB = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry'
const CAROL = 'bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6'
/** Keys of nobody in particular, which only look for what they are paid. */
const DAN: Receiver = { scanKey: fromHex('61'.repeat(32)), spendKey: fromHex('62'.repeat(32)) }

/** Wallet and devnet have news of each other within this. */
const NEWS = { timeout: 15_000 }

describe.each(browsersFor('popup-payment'))(
  'payments from the wallet’s own pages in %s',
  browser => {
    let world: World
    let page: Screen
    let address: string

    beforeAll(async () => {
      world = await startWorld(browser)
      const dapp = await world.openConnected()
      address = (await resultOf<string[]>(dapp.request('getAccounts')))[0] ?? ''
      await dapp.close()
      page = await world.wallet.popup()
      await page.find('region', 'Balance')
    })
    afterAll(() => world?.stop())

    it('a deposit appears on the open start screen by itself, and so does its block', async () => {
      await world.devnet.faucet(address, 1_000_000n, false)
      await page.waitForText('1,000,000 sats of it not confirmed yet')
      await page.find('link', 'Received Pending*')
      await world.devnet.mine()
      await expect.poll(() => page.text(), NEWS).not.toContain('not confirmed yet')
      await page.waitForText('1,000,000 sats')
    })

    it('bitcoind gets what the review says: recipient, amount, and a fee of size times rate', async () => {
      await page.click('button', 'Send')
      await writePayment(page, { recipients: [{ to: ALICE, btc: '0.00123456' }], feeRate: '2.5' })
      await page.click('button', 'Review')
      await page.find('heading', 'You send 0.00123456 BTC to *')
      await page.find('figure', 'Where the bitcoin goes')
      const review = await page.text()
      const txid = await confirmPayment(page)

      await page.click('button', 'See it')
      await page.waitForText('Pending')
      await world.devnet.mine()
      await page.waitForText('1 confirmation')
      const mined = await readMined(txid)
      expect(mined.outputs).toEqual([
        { sats: 123_456, address: ALICE },
        { sats: 1_000_000 - 123_456 - mined.fee, address },
      ])
      expect(mined.fee).toBe(Math.ceil(mined.vsize * 2.5))
      expect(review).toContain(`${mined.fee} sats`)
      expect(review).toContain('2.5 sat/vB')
    })

    it('a waiting payment is sped up: the network keeps the new one alone', async () => {
      const old = await pay(page, { recipients: [{ to: ALICE, btc: '0.0002' }], feeRate: '1' })
      await page.click('button', 'See it')
      const txid = await bump(page, 'Speed up', '4.5')
      expect(await isServed(old)).toBe(false)
      await page.click('button', 'See it')
      await page.waitForText('Pending')
      await showTransaction(page, old)
      await page.waitForText('Replaced')
      await page.click('link', 'See what took its place')
      await page.waitForText(shortenTxid(txid))
      await world.devnet.mine()
      await page.waitForText('1 confirmation')
      const mined = await readMined(txid)
      expect(mined.outputs[0]).toEqual({ sats: 20_000, address: ALICE })
      expect(mined.fee).toBe(Math.ceil(mined.vsize * 4.5))
    })

    it('a waiting payment is cancelled: its coins come back', async () => {
      const old = await pay(page, { recipients: [{ to: ALICE, btc: '0.0003' }], feeRate: '1' })
      await page.click('button', 'See it')
      const txid = await bump(page, 'Cancel', '4')
      expect(await isServed(old)).toBe(false)
      await world.devnet.mine()
      const { outputs } = await readMined(txid)
      expect(outputs.map(output => output.address)).toEqual([address])
      await showTransaction(page, old)
      await page.waitForText('Replaced')
      await showTransaction(page, txid)
      await page.waitForText('1 confirmation')
    })

    it('a deposit that waits is accelerated by spending it on', async () => {
      const parent = await world.devnet.faucet(address, 200_000n, false)
      await showTransaction(page, parent)
      const child = await bump(page, 'Accelerate', '10')
      const before = await Promise.all([parent, child].map(readServed))
      expect(before[1]?.vin.map(input => input.txid)).toContain(parent)
      const fees = before.reduce((sum, { fee }) => sum + fee, 0)
      const vsize = before.reduce((sum, { weight }) => sum + Math.ceil(weight / 4), 0)
      expect(fees).toBe(Math.ceil(vsize * 10))
      await world.devnet.mine()
      await page.click('button', 'See it')
      await page.waitForText('1 confirmation')
    })

    it('a payment whose block leaves the chain waits again, and is confirmed by the next', async () => {
      const txid = await pay(page, { recipients: [{ to: ALICE, btc: '0.0001' }], feeRate: '3' })
      await page.click('button', 'See it')
      await page.waitForText('Pending')
      await world.devnet.mine()
      await page.waitForText('1 confirmation')
      await world.devnet.reorg(1)
      await page.waitForText('Unconfirmed again')
      await world.devnet.mine()
      await page.waitForText('1 confirmation')
      expect((await readMined(txid)).outputs[0]).toEqual({ sats: 10_000, address: ALICE })
    })

    it('several are paid at once, with a public note after them and a note to oneself', async () => {
      const txid = await pay(page, {
        recipients: [
          { to: BOB, btc: '0.0001' },
          { to: CAROL, btc: '0.0002' },
          { to: ALICE, btc: '0.00015' },
        ],
        feeRate: '2.125',
        memo: 'Miete März',
        label: 'For the flat',
      })
      await world.devnet.mine()
      const mined = await readMined(txid)
      expect(mined.outputs.slice(0, 4)).toEqual([
        { sats: 10_000, address: BOB },
        { sats: 20_000, address: CAROL },
        { sats: 15_000, address: ALICE },
        { sats: 0, memo: 'Miete März' },
      ])
      expect(mined.fee).toBe(Math.ceil(mined.vsize * 2.125))
      await showTransaction(page, txid)
      expect(await page.valueOf('textbox', 'Your note')).toBe('For the flat')
    })

    it('a silent payment address is shown with what it becomes, and its receiver finds it', async () => {
      const to = silentAddressOf(DAN, 'tsp')
      await goTo(page, '/', 'Wallet')
      await page.click('button', 'Send')
      await writePayment(page, { recipients: [{ to, btc: '0.00025' }], feeRate: '2' })
      await page.click('button', 'Review')
      const review = await page.waitForText('Silent payment: in this transaction')
      const txid = await confirmPayment(page)
      await world.devnet.mine()
      const [first] = (await readTransaction(txid)).vout
      const output = first?.scriptPubKey.address ?? ''
      for (const shown of [to, output]) expect(review.replaceAll(/\s/g, '')).toContain(shown)
      expect(await findPaid(txid, DAN)).toEqual([{ vout: 0, amount: 25_000n }])
      await showTransaction(page, txid)
      expect((await page.text()).replaceAll(/\s/g, '')).toContain(to)
    })

    it('what was typed outlives the closed page and the lock', async () => {
      await goTo(page, '/', 'Wallet')
      await page.click('button', 'Send')
      await writePayment(page, { recipients: [{ to: BOB, btc: '0.00077' }], feeRate: '6.25' })
      await page.close()

      page = await world.wallet.popup()
      await page.click('button', 'Send')
      expect(await readForm(page)).toEqual([BOB, '0.00077', '6.25'])
      await world.wallet.lock()
      await page.find('button', 'Unlock')
      await page.fill('textbox', 'Password', PASSWORD)
      await page.click('button', 'Unlock')
      await page.find('heading', 'Send', 60_000)
      expect(await readForm(page)).toEqual([BOB, '0.00077', '6.25'])
      await page.click('button', 'Clear')
      expect(await page.valueOf('textbox', 'To')).toBe('')
    })

    it('a press of Review counts while the fee rates are read, unless more is written or none come', async () => {
      const writeUnread = async (fault: Partial<Fault>) => {
        await goTo(page, '/', 'Wallet')
        await world.admin.addFault({ endpoint: '/api/v1/fees/*', delay: 2000, ...fault })
        await page.click('button', 'Send')
        await page.fill('textbox', 'To', ALICE)
        await page.fill('textbox', 'Amount', '0.00031')
        await page.click('button', 'Review')
        await page.find('button', 'Calculating…')
      }
      await writeUnread({ times: 1 })
      await page.find('heading', 'You send 0.00031 BTC to *')

      await writeUnread({ times: 1 })
      await page.fill('textbox', 'Amount', '0.0003')
      await page.waitForText('About')
      expect(await page.has('button', 'Review')).toBe(true)

      await writeUnread({ endpoint: '/api/*fee*', status: 500 })
      await page.waitForText('The server gave no fee rates')
      expect(await page.evaluate(() => document.activeElement?.getAttribute('value'))).toBe(
        'custom',
      )
      await world.admin.repair()
      await page.click('button', 'Clear')
    })

    it.runIf(browser === 'chromium')('a payment is made without a mouse', async () => {
      await goTo(page, '/', 'Wallet')
      const { keyboard } = page.page
      await page.page.bringToFront()
      await tabTo(page, 'button', 'Send')
      await keyboard.press('Enter')
      await page.find('heading', 'Send')
      await tabTo(page, 'textbox', 'To')
      await keyboard.type(ALICE)
      await tabTo(page, 'textbox', 'Amount')
      await keyboard.type('0.00042')
      await keyboard.press('Enter')
      await page.find('heading', 'You send 0.00042 BTC to *')
      await tabTo(page, 'button', 'Send')
      await keyboard.press('Space')
      await page.find('heading', 'Sent', 30_000)
      const [txid = ''] = (await page.text()).match(/[0-9a-f]{64}/) ?? []
      await tabTo(page, 'button', 'Done')
      await keyboard.press('Enter')
      await page.find('heading', 'Wallet')
      await world.devnet.mine()
      expect((await readMined(txid)).outputs[0]).toEqual({ sats: 42_000, address: ALICE })
    })

    const readForm = async (screen: Screen) => [
      await screen.valueOf('textbox', 'To'),
      await screen.valueOf('textbox', 'Amount'),
      await screen.valueOf('textbox', 'Fee rate in sat/vB'),
    ]

    const readTransaction = (txid: string) =>
      world.devnet.rpc<Decoded>('getrawtransaction', [txid, 2])

    /** Where a receiver of silent payments finds coins in a transaction. */
    const findPaid = async (txid: string, receiver: Receiver) => {
      const { hex, vin } = await readTransaction(txid)
      const parents = await Promise.all(vin.map(input => readTransaction(input.txid)))
      const scriptOf = (from: string, vout: number) =>
        fromHex(parents.find(parent => parent.txid === from)?.vout[vout]?.scriptPubKey.hex ?? '')
      const found = scanTransaction(receiver, fromHex(hex), scriptOf)
      return found.map(({ vout, amount }) => ({ vout, amount }))
    }

    /** The transaction as bitcoind has it in a block; throws while it is in none. */
    const readMined = async (txid: string) => {
      const { vsize, fee, vout } = await readTransaction(txid)
      const outputs = vout.map(({ value, scriptPubKey: { address, asm } }) => ({
        sats: toSats(value),
        address,
        memo: address === undefined ? readMemo(asm) : undefined,
      }))
      return { vsize, fee: toSats(fee), outputs }
    }

    const isServed = async (txid: string) =>
      (await fetch(`${world.devnet.esploraUrl}/tx/${txid}`)).ok

    const readServed = async (txid: string) =>
      (await (await fetch(`${world.devnet.esploraUrl}/tx/${txid}`)).json()) as {
        fee: number
        weight: number
        vin: { txid: string }[]
      }
  },
)

type Decoded = {
  txid: string
  hex: string
  vsize: number
  fee: number
  vin: { txid: string }[]
  vout: { value: number; scriptPubKey: { address?: string; asm: string; hex: string } }[]
}

function toSats(btc: number): number {
  return Math.round(btc * 1e8)
}

/** The text in bitcoind's words for an output, such as `OP_RETURN 4d69657465`. */
function readMemo(asm: string): string {
  return Buffer.from(asm.replace('OP_RETURN ', ''), 'hex').toString('utf8')
}
