import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { Transaction } from '@scure/btc-signer'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Screen } from '../../driver/driver.ts'
import { tilesOf } from '../../driver/gallery.ts'
import { goTo, showTransaction } from '../../driver/own-pages.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { whereIs } from '../../fixtures/ordinals/devnet-ord.ts'
import { scriptsOf } from '../../fixtures/psbt/coins.ts'
import { parseDraft } from '../../fixtures/psbt/draft.ts'
import { draftBargain } from '../../fixtures/psbt/shop.ts'
import { approve, seatTrader, type Trader } from '../../fixtures/psbt/trader.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** An address of nobody in particular: BIP-173's example key. */
const RECIPIENT = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

/** The wallet has news of a block within this. */
const NEWS = { timeout: 20_000 }

type SmallCoin = { txId: string; vOut: number; amount: number; rawTransaction: string }

describe.each(browsersFor('split-utxo'))('small coins for a marketplace in %s', browser => {
  let world: World
  let buyer: Trader
  let page: Screen

  beforeAll(async () => {
    world = await startWorld(browser)
    const { site, devnet } = world
    const place = { site, esploraUrl: devnet.esploraUrl }
    buyer = await seatTrader(world.wallet, 'Account 1 Taproot', place)
    await devnet.faucet(buyer.owner.address, 100_000n)
    page = await world.wallet.popup()
  })
  afterAll(() => world?.stop())
  afterEach(async () => {
    expect(await world.wallet.countApprovalWindows()).toBe(0)
  })

  it('are signed and kept back, and given up when the person wants their money', async () => {
    const { utxos, screen } = await split(3)
    expect(screen).toContain('You make 3 small coins of your own ready')
    const [{ txId, rawTransaction }] = utxos
    const made = Transaction.fromRaw(hexToBytes(rawTransaction))
    expect(made.id).toBe(txId)
    expect(utxos).toEqual([0, 1, 2].map(vOut => ({ txId, vOut, amount: 546, rawTransaction })))
    const script = bytesToHex(scriptsOf(buyer.owner).script)
    for (const { vOut, amount } of utxos) {
      const output = made.getOutput(vOut)
      expect(output.amount).toBe(BigInt(amount))
      expect(bytesToHex(output.script ?? new Uint8Array())).toBe(script)
    }
    await world.devnet.mine()
    expect(await statusOf(txId)).toBe(404)

    expect(await buyer.dapp.request('sendBitcoin', RECIPIENT, 50_000)).toMatchObject({
      error: { code: -32000, data: { reason: 'COINS_HELD', heldByPayments: '100000' } },
    })
    await showTransaction(page, txId)
    await page.find('heading', 'Small coins prepared')
    await page.click('button', 'Free its coins*')
    await page.waitForText('Its coins are free again')
    const sending = buyer.dapp.request('sendBitcoin', RECIPIENT, 50_000)
    await approve(world.wallet)
    await resultOf(sending)
    await world.devnet.mine()
    // The site has it still, but it is worth nothing any more.
    expect(await buyer.dapp.request('pushTx', rawTransaction)).toMatchObject({
      error: { code: -32000, data: { reason: 'BROADCAST_REJECTED' } },
    })
  })

  it('are made with the purchase that takes them, in the order that it depends on', async () => {
    await world.devnet.faucet(buyer.owner.address, 100_000n)
    const { utxos } = await split()
    const [{ txId, rawTransaction }] = utxos
    expect(utxos).toHaveLength(2)
    const purchase = await draftBargain(world.devnet, buyer.owner, rawTransaction)
    const { psbt, screen } = await buyer.sign([purchase])
    expect(screen).toMatch(/^You pay 0\.0002\d+ BTC and receive Inscription \d+$/m)
    expect(await statusOf(txId)).toBe(404)

    const batch = [
      { itemId: 'buy', signedTx: psbt, type: 52, dependItemId: ['split'] },
      { itemId: 'split', signedTx: rawTransaction, type: 52 },
    ]
    const { id } = parseDraft(purchase)
    const sent = await resultOf(buyer.dapp.request('sendPsbt', batch, buyer.owner.address))
    expect(sent).toEqual([{ buy: id }, { split: txId }])
    await world.devnet.mine()
    for (const txid of [txId, id]) {
      const { confirmations } = await world.devnet.rpc<{ confirmations: number }>(
        'getrawtransaction',
        [txid, true],
      )
      expect(confirmations).toBe(1)
    }

    const { list } = await resultOf<{ list: { inscriptionId: string; output: string }[] }>(
      buyer.dapp.request('getInscriptions'),
    )
    expect(list).toHaveLength(1)
    const [{ inscriptionId = '', output = '' } = {}] = list
    expect(output).toBe(`${id}:1`)
    expect((await whereIs(world.devnet, inscriptionId)).address).toBe(buyer.owner.address)
    await goTo(page, '/inscriptions', 'Inscriptions')
    await expect.poll(() => tilesOf(page), NEWS).toEqual([inscriptionId])
    await showTransaction(page, txId)
    await page.waitForText('1 confirmation')
  })

  const split = async (amount?: number) => {
    const from = buyer.owner.address
    const splitting = buyer.dapp.request(
      'splitUtxo',
      amount === undefined ? { from } : { from, amount },
    )
    const screen = await approve(world.wallet)
    const { utxos } = await resultOf<{ utxos: [SmallCoin, ...SmallCoin[]] }>(splitting)
    return { utxos, screen }
  }

  /** What devnet's Esplora answers about a transaction: 404 where neither a block nor the pool has it. */
  const statusOf = async (txid: string) =>
    (await fetch(`${world.devnet.esploraUrl}/tx/${txid}`)).status
})
