import { Transaction } from 'bitcoinjs-lib'
import { describe, expect, it } from 'vitest'
import type { CoinAssets } from '../../ordinals/asset.ts'
import { inscription } from '../../ordinals/testing/test-assets.ts'
import type { Coin, Coins } from '../coins/coins.ts'
import { startFunded } from '../testing/funded-wallet.ts'
import { fetchParentTransactions } from './payment-signing.ts'
import { isCleanCoin, withoutAssets } from './transfer-plan.ts'

describe('the transactions that prove what a payment spends', () => {
  it('are fetched, each once, but for taproot, whose signatures cover the amounts', async () => {
    const { world, worker, account, txids } = await startFunded(10_000n, 20_000n)
    const context = { wallet: worker.wallet, network: 'regtest', account } as const
    const asked: string[] = []
    const { fetchTransaction } = world.chain.chain
    world.chain.chain.fetchTransaction = txid => {
      asked.push(txid)
      return fetchTransaction(txid)
    }
    const inputs = [...txids, ...txids].map((txid, vout) => ({
      ...{ txid, vout, amount: 1n, height: 1, scriptPubKey: new Uint8Array() },
    }))
    const fetched = await fetchParentTransactions(context, { addressType: 'p2wpkh', inputs })
    expect(asked).toEqual(txids)
    for (const txid of txids)
      expect(Transaction.fromBuffer(fetched.get(txid) ?? new Uint8Array()).getId()).toBe(txid)
    expect([
      ...(await fetchParentTransactions(context, { addressType: 'p2tr', inputs })).keys(),
    ]).toEqual([])
    expect(asked).toHaveLength(2)
  })
})

describe('the coins that pay for moving others', () => {
  const coin = (outpoint: string, assets: CoinAssets): Coin => ({
    ...{ outpoint, txid: outpoint, vout: 0, amount: 1n, height: 1 },
    ...{ scriptPubKey: new Uint8Array(), assets, held: null, choice: null },
  })
  const CLEAN: CoinAssets = { known: true, assets: [] }

  it('are known to be clean, whatever else the person lets payments spend', () => {
    expect(isCleanCoin(coin('a', CLEAN))).toBe(true)
    expect(isCleanCoin(coin('a', { known: true, assets: [inscription(1, 0n)] }))).toBe(false)
    expect(isCleanCoin(coin('a', { known: false, why: 'behind' }))).toBe(false)
  })

  it('are not those that are moved, and none of these is held against the payment', () => {
    const all = [
      coin('clean', CLEAN),
      coin('moved', CLEAN),
      coin('inscribed', { known: true, assets: [inscription(1, 0n)] }),
    ]
    const coins: Coins = {
      all,
      spendable: all,
      withRequired: chosen => [...chosen],
      isSecret: false,
    }
    const moved = all.slice(1, 2).map(one => ({ ...one, assets: [] }))
    const left = withoutAssets(coins, moved)
    expect(left.all.map(({ outpoint }) => outpoint)).toEqual(['clean', 'inscribed'])
    expect(left.spendable.map(({ outpoint }) => outpoint)).toEqual(['clean'])
  })
})
