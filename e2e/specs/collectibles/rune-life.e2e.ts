import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, type Screen, type Wallet } from '../../driver/driver.ts'
import type { HangPoint } from '../../driver/hang-point.ts'
import { hookExtension } from '../../driver/hooked-extension.ts'
import { goTo } from '../../driver/own-pages.ts'
import { NEWS_MS, openRune, reviewEtching, writeRune } from '../../driver/runes.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { fetchJson } from '../../fixtures/killed-background.ts'
import {
  findRune,
  mintElsewhere,
  runeBalance,
  runesAt,
} from '../../fixtures/ordinals/devnet-ord.ts'
import type { Coin } from '../../fixtures/psbt/coins.ts'
import { draftListing, draftPurchase, FOR_SALE, SELLER_INDEX } from '../../fixtures/psbt/deals.ts'
import { inputOf } from '../../fixtures/psbt/draft.ts'
import { seatTrader, type Trader } from '../../fixtures/psbt/trader.ts'
import { forgetRequests, PASSWORD, resultOf, startWorld, type World } from '../../fixtures/world.ts'

const NAME = 'SATCHEL•LIFE•GOLD'

/** A phrase of BIP-39's vectors, used on regtest only. */
const OTHER_WORDS = `${'zoo '.repeat(11)}wrong`
/** An address of nobody in particular: an example key of BIP-350. */
const BOB = 'bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6'

const PRICE = 150_000n

/** Where the background is stopped for good, right after an approval. */
const JOB_STORED: HangPoint = { call: 'storage.local.set', containing: '"jobs":[', when: 'after' }
const TAKEN: HangPoint = { call: 'fetch', containing: '/api/tx"', when: 'after' }
const SECOND_TAKEN: HangPoint = { ...TAKEN, nth: 2 }
const APPROVED: HangPoint = {
  ...{ call: 'storage.session.set', containing: '"approvedDigest":"', when: 'after' },
}

describe.each(browsersFor('rune-life'))('the whole life of a rune in %s', browser => {
  const otherExtension = hookExtension(browser)
  let world: World
  let otherWallet: Wallet
  let page: Screen
  let seller: Trader
  let buyer: Trader

  beforeAll(async () => {
    world = await startWorld(browser, { hooks: true })
    otherWallet = await launch({ browser, extensionDir: otherExtension })
    const { esploraUrl } = world.devnet
    await otherWallet.setUpOnRegtest({ words: OTHER_WORDS, password: PASSWORD, esploraUrl })
    const place = { site: world.site, esploraUrl }
    seller = await seatTrader(world.wallet, 'Account 1 Taproot', place)
    buyer = await seatTrader(otherWallet, 'Account 2 Native', place)
    for (let coin = 0; coin < 3; coin++)
      await world.devnet.faucet(seller.owner.address, 200_000n, false)
    await world.devnet.mine()
    page = await world.wallet.popup()
    await page.find('region', 'Balance')
  })
  afterAll(async () => {
    await otherWallet?.close()
    rmSync(otherExtension, { recursive: true, force: true })
    await world?.stop()
  })

  it('is etched once though the background dies with the job stored, and is held and proven', async () => {
    const before = await countTransactions()
    await goTo(page, '/runes/etch', 'Etch a rune')
    await writeRune(page, {
      ...{ name: 'satchel life gold', symbol: 'G', decimals: '2', premine: '1000.5' },
      mints: { each: '10', count: '8' },
    })
    await reviewEtching(page, NAME)
    await approveAndDie(JOB_STORED)
    await page.find('heading', 'Waiting, 0 of 6 blocks', NEWS_MS)
    for (const blocks of [1, 2, 3, 4]) {
      await world.devnet.mine()
      await page.find('heading', `Waiting, ${blocks} of 6 blocks`, NEWS_MS)
    }
    await world.devnet.mine()
    await page.find('heading', 'Waiting for a block', NEWS_MS)
    await world.devnet.mine()
    await page.find('heading', 'Rune etched', NEWS_MS)
    const rune = await findRune(world.devnet, NAME)
    expect(rune?.entry).toMatchObject({
      ...{ divisibility: 2, symbol: 'G', premine: 100_050, mints: 0 },
      terms: { amount: 1_000, cap: 8 },
    })
    expect(await runesAt(world.devnet, `${rune?.entry.etching}:0`)).toEqual({ [NAME]: 100_050 })
    // The commit and the reveal.
    expect(await countTransactions()).toBe(before + 2)
    await openRune(page, NAME, '1,000.5')
    await page.waitForText('Checked on the chain', NEWS_MS)
  })

  it('is minted three times where five were approved and three are left, though the background dies between two', async () => {
    const before = await countTransactions()
    await page.click('button', 'Mint')
    await page.waitForText('8 are left')
    await page.fill('textbox', 'How many mints', '5')
    await page.click('button', 'Review')
    await page.find('heading', `You mint 50 ${NAME}`)
    // While the person looks at it.
    await mintElsewhere(world.devnet, NAME, 5)
    await approveAndDie(SECOND_TAKEN)
    await page.find('heading', '3 of 5 sent', NEWS_MS)
    await world.devnet.mine()
    await page.find('heading', 'Stopped', NEWS_MS)
    const text = await page.text()
    expect(text).toContain('All mints of this rune are done.')
    for (const part of ['3. Minted 10', '4. Never sent', '5. Never sent'])
      expect(text).toContain(part)
    expect((await findRune(world.devnet, NAME))?.entry.mints).toBe(8)
    expect(await runeBalance(world.devnet, seller.owner.address, NAME)).toBe('1030.5')
    expect(await countTransactions()).toBe(before + 3)
  })

  it('has its mints again after a reorganisation took them', async () => {
    const before = await countTransactions()
    await world.devnet.reorg(1)
    expect(await runeBalance(world.devnet, seller.owner.address, NAME)).toBe('1000.5')
    await page.find('heading', 'Waiting for a block', NEWS_MS)
    await world.devnet.mine()
    await openRune(page, NAME, '1,030.5')
    await page.waitForText('1,030.5 can be sent now · 4 coins', NEWS_MS)
    expect(await runeBalance(world.devnet, seller.owner.address, NAME)).toBe('1030.5')
    expect(await countTransactions()).toBe(before)
  })

  it('goes to two receivers once, though the background dies with the transaction handed over, and survives a reorganisation', async () => {
    const before = await countTransactions()
    await page.click('button', 'Send')
    await page.fill('textbox', 'Amount', '1022.34')
    await page.fill('textbox', 'To', buyer.owner.address)
    await page.click('button', 'Add a recipient')
    await page.fill('textbox', 'Amount, recipient 2', '0.01')
    await page.fill('textbox', 'To, recipient 2', BOB)
    await page.click('button', 'Review')
    await page.find('heading', 'You send *')
    const review = await page.text()
    // By the coins that they come from: 992.35, 10, 10 and 9.99 go to the first.
    for (const part of [`992.35 ${NAME}`, `9.99 ${NAME}`, `0.01 ${NAME}`, `8.15 ${NAME}`])
      expect(review).toContain(part)
    await approveAndDie(TAKEN)
    await page.find('heading', 'Sent', NEWS_MS)
    const [txid = ''] = (await page.text()).match(/\b[0-9a-f]{64}\b/) ?? []
    await world.devnet.mine()
    const expectSent = async () => {
      expect(await runesAt(world.devnet, `${txid}:0`)).toEqual({ [NAME]: 815 })
      expect(await runesAt(world.devnet, `${txid}:1`)).toEqual({ [NAME]: 102_234 })
      expect(await runesAt(world.devnet, `${txid}:2`)).toEqual({ [NAME]: 1 })
      expect(await listBalances()).toEqual({ seller: '8.15', buyer: '1022.34', bob: '0.01' })
      expect(await countTransactions()).toBe(before + 1)
    }
    await expectSent()
    await world.devnet.reorg(1)
    expect(await listBalances()).toEqual({ seller: '1030.5', buyer: '0', bob: '0' })
    await world.devnet.mine()
    await expectSent()
    await openRune(page, NAME, '8.15')
    const theirs = await otherWallet.popup()
    await openRune(theirs, NAME, '1,022.34')
    await theirs.close()
  })

  it('is sold and bought once, though both backgrounds die right after the approval', async () => {
    const [payment, ...dummies] = await fund(buyer, 400_000n, 1_000n, 800n)
    const sold = await findCoin(seller, NAME)
    const before = await countTransactions()
    const paidBefore = await satsOf(seller)

    const listing = draftListing(sold, PRICE)
    const { address } = seller.owner
    const toSignInputs = [{ index: SELLER_INDEX, address, sighashTypes: [FOR_SALE] }]
    const listed = await signAndDie(
      seller,
      [listing, { autoFinalized: false, toSignInputs }],
      `I let others decide who gets 8.15 ${NAME}`,
    )
    expect(listed.screen).toContain(`You give 8.15 ${NAME} and receive 0.0015 BTC`)

    const purchase = draftPurchase({
      ...{ listed: inputOf(listed.psbt, SELLER_INDEX), sold: sold.sats, price: PRICE },
      ...{ seller: seller.owner, dummies: [some(dummies[0]), some(dummies[1])] },
      payment: some(payment),
    })
    const bought = await signAndDie(buyer, [purchase])
    expect(bought.screen).toContain(`8.15 ${NAME}`)
    await forgetRequests(otherWallet)
    const hang = await otherWallet.hangBackground(TAKEN)
    const pushing = buyer.dapp.request('pushPsbt', bought.psbt)
    await hang.reached()
    await otherWallet.killBackground()
    const txid = await resultOf<string>(pushing)
    await world.devnet.mine()
    expect(await runesAt(world.devnet, `${txid}:0`)).toEqual({ [NAME]: 815 })
    expect(await listBalances()).toEqual({ seller: '0', buyer: '1030.49', bob: '0.01' })
    expect(await satsOf(seller)).toBe(paidBefore - sold.sats + PRICE)
    expect(await countTransactions()).toBe(before + 1)
    const theirs = await otherWallet.popup()
    await openRune(theirs, NAME, '1,030.49')
  })

  /** Approves what the popup's page shows; the background is stopped at the point, and comes back by itself. */
  async function approveAndDie(point: HangPoint): Promise<void> {
    const hang = await world.wallet.hangBackground(point)
    await page.clickTestId('approve')
    await hang.reached()
    await world.wallet.killBackground()
  }

  /** What signPsbt gives although the background is stopped right after the approval, and what stood on the screen. */
  async function signAndDie(trader: Trader, params: readonly unknown[], consent?: string) {
    const { wallet, dapp } = trader
    await forgetRequests(wallet)
    const hang = await wallet.hangBackground(APPROVED)
    const signing = dapp.request('signPsbt', ...params)
    const approval = await wallet.nextApproval()
    const screen = `${approval.title}\n${await approval.text()}`
    if (consent !== undefined) await approval.click('checkbox', consent)
    await approval.approve({ settle: false })
    await hang.reached()
    await wallet.killBackground()
    const psbt = await resultOf<string>(signing)
    await wallet.waitForNoApproval()
    return { psbt, screen }
  }

  /** New coins of an account, in this order. */
  async function fund(trader: Trader, ...amounts: bigint[]): Promise<Coin[]> {
    const txids: string[] = []
    for (const sats of amounts)
      txids.push(await world.devnet.faucet(trader.owner.address, sats, false))
    await world.devnet.mine()
    const coins = await trader.coins()
    return txids.map(txid => some(coins.find(coin => coin.txid === txid)))
  }

  /** The one coin of an account that has the rune by devnet's index. */
  async function findCoin(trader: Trader, name: string): Promise<Coin> {
    const coins = await trader.coins()
    const held = await Promise.all(
      coins.map(({ txid, vout }) => runesAt(world.devnet, `${txid}:${vout}`)),
    )
    const found = coins.filter((_, at) => held[at]?.[name] !== undefined)
    expect(found).toHaveLength(1)
    return some(found[0])
  }

  /** What each of the three has of the rune by devnet's index. */
  async function listBalances() {
    const [ofSeller, ofBuyer, bob] = await Promise.all(
      [seller.owner.address, buyer.owner.address, BOB].map(address =>
        runeBalance(world.devnet, address, NAME),
      ),
    )
    return { seller: ofSeller, buyer: ofBuyer, bob }
  }

  /** How many transactions the first wallet's address is in, mined or not. */
  async function countTransactions(): Promise<number> {
    const { address } = seller.owner
    const { chain_stats, mempool_stats } = (await fetchJson(
      `${world.devnet.esploraUrl}/address/${address}`,
    )) as { chain_stats: { tx_count: number }; mempool_stats: { tx_count: number } }
    return chain_stats.tx_count + mempool_stats.tx_count
  }

  async function satsOf(trader: Trader): Promise<bigint> {
    return (await trader.coins()).reduce((sum, { sats }) => sum + sats, 0n)
  }
})

function some<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('There is no such coin')
  return value
}
