import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { goTo, showTransaction } from './driver/own-pages.ts'
import type { Screen } from './driver.ts'
import { whereIs } from './ordinals/devnet-ord.ts'
import { parseDraft } from './psbt/draft.ts'
import { draftBargain } from './psbt/shop.ts'
import { approve, seatTrader, type Trader } from './psbt/trader.ts'
import { BROWSERS, resultOf, startWorld, type World } from './world.ts'

describe.each(BROWSERS)('small coins for a marketplace in %s', browser => {
  let world: World
  let buyer: Trader
  let page: Screen

  beforeAll(async () => {
    world = await startWorld(browser)
    const { site, devnet } = world
    buyer = await seatTrader(world.wallet, 'Account 1 Taproot', {
      site,
      esploraUrl: devnet.esploraUrl,
    })
    await devnet.faucet(buyer.owner.address, 100_000n)
    page = await world.wallet.popup()
  })
  afterAll(() => world?.stop())
  afterEach(async () => {
    expect(await world.wallet.countApprovalWindows()).toBe(0)
  })

  it('are signed and kept back, and can be given up', async () => {
    const { utxos, screen } = await split()
    console.log(screen, utxos)
    await showTransaction(page, utxos[0]?.txId ?? '')
    console.log(await page.text())
  })

  const split = async (amount?: number) => {
    const from = buyer.owner.address
    const order = amount === undefined ? { from } : { from, amount }
    const splitting = buyer.dapp.request('splitUtxo', order)
    const screen = await approve(world.wallet)
    const { utxos } = await resultOf<{ utxos: SmallCoin[] }>(splitting)
    return { utxos, screen }
  }
})

type SmallCoin = { txId: string; vOut: number; amount: number; rawTransaction: string }
