import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, type Wallet } from '../../driver/driver.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import type { Coin } from '../../fixtures/psbt/coins.ts'
import {
  draftFlatteringListing,
  draftJointPayment,
  draftListing,
  draftPurchase,
  draftSwap,
  FOR_SALE,
  SELLER_INDEX,
} from '../../fixtures/psbt/deals.ts'
import { graft, inputOf, parseDraft } from '../../fixtures/psbt/draft.ts'
import { seatTrader, type Trader } from '../../fixtures/psbt/trader.ts'
import { PASSWORD, resultOf, startWorld, type World } from '../../fixtures/world.ts'

const TAPROOT = 'Account 1 Taproot'
const SEGWIT = 'Account 2 Native'
/** A phrase of BIP-39's vectors, used on regtest only. */
const OTHER_WORDS = `${'zoo '.repeat(11)}wrong`

describe.each(browsersFor('psbt'))('two people with a wallet each in %s', browser => {
  let world: World
  let otherWallet: Wallet

  beforeAll(async () => {
    world = await startWorld(browser)
    otherWallet = await launch({ browser })
    const { esploraUrl } = world.devnet
    await otherWallet.setUpOnRegtest({ words: OTHER_WORDS, password: PASSWORD, esploraUrl })
  })
  afterAll(async () => {
    await otherWallet?.close()
    await world?.stop()
  })

  it('sell and buy a coin: the seller is told what he is sure of, the buyer completes the sale, the node mines it', async () => {
    const [seller, buyer] = await seat(TAPROOT, SEGWIT)
    await fund(seller, 10_000n)
    const [payment, ...dummies] = await fund(buyer, 400_000n, 1_000n, 800n)
    const [sold] = await seller.coins()
    const price = 150_000n

    const listing = draftListing(some(sold), price)
    const { psbt: listed, screen } = await seller.sign([
      listing,
      forSale(seller.owner.address, { autoFinalized: false }),
    ])
    // What he gives, what he is sure of, and that the rest is open.
    expect(screen).toContain('You receive 0.0015 BTC for a coin of 10,000 sats')
    expect(screen).toContain('Others can still change a part of it')
    expect(screen).toContain('your balance grows by at least 0.0014 BTC')
    expect(screen).not.toContain('too small')
    const sellersInput = inputOf(listed, SELLER_INDEX)
    expect(sellersInput.tapKeySig?.at(-1)).toBe(FOR_SALE)
    expect(idOf(listed)).toBe(idOf(listing))

    const purchase = draftPurchase({
      listed: sellersInput,
      sold: some(sold).sats,
      seller: seller.owner,
      price,
      dummies: [some(dummies[0]), some(dummies[1])],
      payment: some(payment),
    })
    const { psbt: complete } = await buyer.sign([purchase])
    // He has seen all of it when he signed: it is not asked again.
    const txid = await resultOf<string>(buyer.dapp.request('pushPsbt', complete))
    expect(await otherWallet.countApprovalWindows()).toBe(0)
    const { fee, outputs } = await mine(txid)
    expect(outputs[SELLER_INDEX]).toEqual({ sats: price, address: seller.owner.address })
    expect(await seller.balance()).toBe(Number(price))
    expect(await buyer.balance()).toBe(Number(401_800n - 140_000n - fee))
  })

  it.runIf(browser === 'chromium')(
    'sell and buy where the listing flatters and the signatures are put together by the marketplace',
    async () => {
      const [seller, buyer] = await seat(SEGWIT, TAPROOT)
      const before = { seller: await seller.balance(), buyer: await buyer.balance() }
      await fund(seller, 20_000n)
      const [payment, ...dummies] = await fund(buyer, 500_000n, 1_100n, 900n)
      const sold = some((await seller.coins()).find(({ sats }) => sats === 20_000n))
      const price = 100_000n

      const { psbt: listed, screen } = await seller.sign(
        [draftFlatteringListing(sold, price), forSale(seller.owner.address, {})],
        'open-signature',
      )
      // Drawn is 0.001 more than before; his signature makes sure of 0.0008 only.
      expect(screen).toContain('unless others change it')
      expect(screen).toContain('At worst you receive only 0.0008 BTC')

      const purchase = draftPurchase({
        listed: inputOf(draftListing(sold, price), SELLER_INDEX),
        sold: sold.sats,
        seller: seller.owner,
        price,
        dummies: [some(dummies[0]), some(dummies[1])],
        payment: some(payment),
      })
      const { psbt: bought } = await buyer.sign([purchase])
      const complete = graft(bought, SELLER_INDEX, inputOf(listed, SELLER_INDEX))
      const txid = await resultOf<string>(buyer.dapp.request('pushPsbt', complete))
      const { fee } = await mine(txid)
      expect(await seller.balance()).toBe(before.seller + Number(price))
      expect(await buyer.balance()).toBe(before.buyer + Number(502_000n - 80_000n - fee))
    },
  )

  it.runIf(browser === 'chromium')(
    'swap their coins, each signing all of it, in a PSBT that proves no amount',
    async () => {
      const [anna, ben] = await seat(SEGWIT, TAPROOT)
      const before = { anna: await anna.balance(), ben: await ben.balance() }
      const [annas] = await fund(anna, 70_000n)
      const [bens] = await fund(ben, 90_000n)
      const swap = draftSwap(some(annas), some(bens))
      const half = await anna.sign([swap, { autoFinalized: false }])
      expect(half.screen).toContain('Others must complete it first')
      const whole = await ben.sign([half.psbt])
      expect(whole.screen).toContain('The site can broadcast it at once')
      const txid = await resultOf<string>(ben.dapp.request('pushPsbt', whole.psbt))
      const { fee } = await mine(txid)
      expect(await anna.balance()).toBe(before.anna + Number(90_000n - fee))
      expect(await ben.balance()).toBe(before.ben + 70_000)
    },
  )

  it.runIf(browser === 'chromium')(
    'pay with a coin of the payee’s among the inputs, in a PSBT of version 2',
    async () => {
      const [payer, payee] = await seat(TAPROOT, SEGWIT)
      const before = { payer: await payer.balance(), payee: await payee.balance() }
      const [payers] = await fund(payer, 200_000n)
      const [payees] = await fund(payee, 30_000n)
      const joint = draftJointPayment(some(payers), some(payees), 45_000n)
      const paid = await payer.sign([joint, { autoFinalized: false }])
      const { psbt } = await payee.sign([paid.psbt])
      const txid = await resultOf<string>(payee.dapp.request('pushPsbt', psbt))
      const { fee } = await mine(txid)
      expect(paid.screen).toContain('You pay 0.00045')
      expect(await payer.balance()).toBe(before.payer + Number(200_000n - 45_000n - fee))
      expect(await payee.balance()).toBe(before.payee + 75_000)
    },
  )

  /** The accounts of the two wallets that take part. */
  const seat = async (first: string, second: string): Promise<[Trader, Trader]> => {
    const place = { site: world.site, esploraUrl: world.devnet.esploraUrl }
    return [
      await seatTrader(world.wallet, first, place),
      await seatTrader(otherWallet, second, place),
    ]
  }

  /** New coins of an account, in this order. */
  const fund = async (trader: Trader, ...amounts: bigint[]): Promise<Coin[]> => {
    const txids: string[] = []
    for (const sats of amounts)
      txids.push(await world.devnet.faucet(trader.owner.address, sats, false))
    await world.devnet.mine()
    const coins = await trader.coins()
    return txids.map(txid => some(coins.find(coin => coin.txid === txid)))
  }

  /** The fee and the outputs of a transaction as bitcoind has it in the next block. */
  const mine = async (txid: string) => {
    await world.devnet.mine()
    const { confirmations, fee, vout } = await world.devnet.rpc<{
      confirmations: number
      fee: number
      vout: { value: number; scriptPubKey: { address: string } }[]
    }>('getrawtransaction', [txid, 2])
    expect(confirmations).toBe(1)
    const outputs = vout.map(({ value, scriptPubKey: { address } }) => ({
      sats: toSats(value),
      address,
    }))
    return { fee: toSats(fee), outputs }
  }
})

/** Options that ask for the seller's signature, as marketplaces write them. */
function forSale(address: string, options: { autoFinalized?: boolean }) {
  return { ...options, toSignInputs: [{ index: SELLER_INDEX, address, sighashTypes: [FOR_SALE] }] }
}

function idOf(psbtHex: string): string {
  return parseDraft(psbtHex).id
}

function toSats(btc: number): bigint {
  return BigInt(Math.round(btc * 1e8))
}

function some<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('There is no such coin')
  return value
}
