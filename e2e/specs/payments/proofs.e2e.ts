import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Dapp } from '../../driver/driver.ts'
import { confirmPayment, goTo, writePayment } from '../../driver/own-pages.ts'
import { fetchCoins } from '../../fixtures/psbt/coins.ts'
import { draftSold, inscribePicture, SHOP } from '../../fixtures/psbt/shop.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

const RECIPIENT = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

describe('a payment that a server calls confirmed', () => {
  let world: World
  let dapp: Dapp
  let address: string

  beforeAll(async () => {
    world = await startWorld('chromium')
    dapp = await world.openConnected()
    address = (await resultOf<string[]>(dapp.request('getAccounts')))[0] ?? ''
  })
  afterAll(() => world?.stop())
  afterEach(() => world.admin.repair())

  /** Three coins of the account, the one that pays first. */
  const fundBuyer = async () => {
    const owner = { address, publicKey: await resultOf<string>(dapp.request('getPublicKey')) }
    const made: string[] = []
    for (const sats of [200_000n, 1_000n, 800n]) made.push(await world.devnet.faucet(address, sats))
    const coins = await fetchCoins(world.devnet.esploraUrl, owner)
    return coins.filter(({ txid }) => made.includes(txid))
  }

  const askToSign = async (psbt: string) => {
    void dapp.request('signPsbt', psbt)
    return world.wallet.nextApproval()
  }

  it('says that its block was checked, and counts what comes after it', async () => {
    const txid = await world.devnet.faucet(address, 500_000n)
    const page = await world.wallet.popup()
    await goTo(page, `/activity/${txid}`, 'Received')
    await page.waitForText('1 confirmation')
    await page.waitForText('Its block was checked')
    await world.devnet.mine(2)
    await page.waitForText('3 confirmations')
    await page.close()
  })

  it('is the server’s word alone where the block cannot be shown to hold it, until it can', async () => {
    const txid = await world.devnet.faucet(address, 77_000n)
    await world.admin.tellLie('other-proof', { txid })
    const page = await world.wallet.popup()
    await page.waitForText('A payment is not proven')
    await page.click('button', 'Look at it')
    const text = await page.waitForText('Not proven')
    expect(text).toContain('Only your server says that it is in a block.')
    expect(text).not.toContain('confirmation')
    await world.admin.repair()
    await page.click('button', 'Try again')
    await page.waitForText('Its block was checked')
    await page.waitForText('1 confirmation')
    await page.close()
  })

  it('is not counted on while the server keeps the proof back', async () => {
    const txid = await world.devnet.faucet(address, 44_000n, false)
    await world.admin.addFault({ endpoint: `/api/tx/${txid}/merkle-proof`, status: 503 })
    await world.devnet.mine()
    const page = await world.wallet.popup()
    await page.waitForText('A payment is not checked yet')
    await page.click('button', 'Look at it')
    expect(await page.waitForText('gives no proof')).not.toContain('confirmation')
    await page.close()
  })

  it('is not confirmed where its block is of a fork that took no more work, until the truth is told', async () => {
    // What came before stays confirmed below the fork.
    await world.devnet.mine(4)
    const txid = await world.devnet.faucet(address, 33_000n, false)
    const page = await world.wallet.popup()
    await page.waitForText('33,000 sats of it not confirmed yet')
    await page.close()
    await world.admin.tellLie('private-fork', { txid })
    const forked = await world.wallet.popup()
    const text = await forked.waitForText('shows others in the place of 3 blocks')
    expect(text).toContain('Satchel counts nothing after block')
    await forked.waitForText('33,000 sats of it not confirmed yet')
    await forked.close()
    await world.admin.repair()
    await world.devnet.mine(4)
    const later = await world.wallet.popup()
    await later.waitForText('sats')
    await expect.poll(() => later.text()).not.toContain('not confirmed yet')
    expect(await later.text()).not.toContain('counts nothing after block')
    await later.close()
  })

  it('is doubted in the review of a payment that spends it, which can be approved all the same', async () => {
    const txid = await world.devnet.faucet(address, 900_000n, false)
    await world.admin.addFault({
      endpoint: `/api/tx/${txid}/merkle-proof`,
      status: 404,
      body: 'none',
    })
    await world.devnet.mine()
    const page = await world.wallet.popup()
    await page.find('region', 'Balance')
    await page.click('button', 'Send')
    await writePayment(page, { recipients: [{ to: RECIPIENT, btc: '0.015' }], feeRate: '2' })
    await page.click('button', 'Review')
    await page.waitForText('Not proven: one of the transactions that these coins come from')
    expect(await page.text()).toContain('The server cannot show that the block holds it.')
    await world.admin.repair()
    await page.click('button', 'Edit')
    await page.click('button', 'Review')
    expect(await page.waitForText('The blocks of these coins were checked.')).not.toContain(
      'Not proven',
    )
    await confirmPayment(page)
    await page.close()
  })

  it('is doubted where a purchase brings it, and is said to be proven with its depth once it is', async () => {
    const sold = await inscribePicture(world.devnet)
    await world.admin.tellLie('other-proof', { txid: sold.txid })
    const purchase = draftSold(sold, await fundBuyer())
    const doubted = await askToSign(purchase)
    await doubted.waitForText('What you receive is not proven')
    expect(await doubted.text()).toContain('The server cannot show that the block holds it.')
    await doubted.reject()
    await world.admin.repair()
    await world.devnet.mine()
    const proven = await askToSign(purchase)
    const text = await proven.waitForText('What you receive: its coin is proven in a block')
    expect(text).toMatch(/proven in a block, \d+ deep\. On this network blocks take little work\./)
    expect(text).not.toContain('not proven')
    await proven.approve()
    await world.wallet.waitForNoApproval()
  })

  it('is said to be in no block where a purchase brings it before that', async () => {
    const payer = await fundBuyer()
    await world.devnet.faucet(SHOP.address, 12_345n, false)
    const coins = await fetchCoins(world.devnet.esploraUrl, SHOP)
    const sold = coins.find(({ sats }) => sats === 12_345n)
    if (!sold) throw new Error('The shop has no coin')
    const approval = await askToSign(draftSold(sold, payer))
    await approval.waitForText('What you receive is not proven')
    expect(await approval.text()).toContain('Your server has it in no block.')
    await approval.reject()
  })

  it('is doubted on the start screen while the blocks of the server do not pass', async () => {
    const page = await world.wallet.popup()
    await page.waitForText('sats')
    await world.admin.tellLie('no-work')
    await world.devnet.mine()
    await page.waitForText('Do not rely on confirmations')
    await world.admin.repair()
    await world.devnet.mine()
    await expect.poll(() => page.text()).not.toContain('Do not rely on confirmations')
    await world.admin.addFault({ endpoint: '/api/*', staleBlocks: 4 })
    await page.close()
    const later = await world.wallet.popup()
    await later.waitForText('The server shows old blocks')
    await later.close()
  })
})
