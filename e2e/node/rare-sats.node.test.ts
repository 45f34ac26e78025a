import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findCoin, RECIPIENT, selectedAccount } from '../../src/background/testing/funded-wallet.ts'
import type { Worker } from '../../src/background/testing/test-wallet.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { type Client, createClient } from '../../src/devnet/testing/devnet-client.ts'
import { createOrdClient } from '../../src/devnet/testing/ord-client.ts'
import { startOnDevnet } from '../fixtures/devnet-wallet.ts'

let devnet: Devnet
let client: Client

beforeAll(async () => {
  devnet = await startDevnet({ indexSats: true })
  client = createClient(devnet)
})
afterAll(() => devnet?.stop())

const BLOCK = 5_000_000_000

const planAll = (worker: Worker) =>
  worker.ui('planPayment', {
    ...{ recipients: [{ to: RECIPIENT, sats: 'max' as const }], memo: null, feeRate: 2 },
    ...{ coins: null, label: '' },
  })

describe('coins with rare sats, on the index of a real chain', () => {
  it('are shown and held from payments until they are let go, or held no more by the setting', async () => {
    const { worker } = await startOnDevnet(devnet)
    const { address } = await selectedAccount(worker)
    for (let at = 0; at < 4; at++) await devnet.faucet(address, 50_000)
    const ord = createOrdClient(devnet, client, address)
    const coins = await worker.ui('getCoins', null)
    expect(coins).toHaveLength(4)
    /** First sats of blocks, as the ranges of the index have them. */
    const rare: { [outpoint: string]: string[] } = {}
    for (const { outpoint } of coins) {
      const { sat_ranges } = await ord.get(`/output/${outpoint}`)
      rare[outpoint] = (sat_ranges as [number, number][]).flatMap(([start, end]) => {
        const first = Math.ceil(start / BLOCK) * BLOCK
        return first < end ? [String(first)] : []
      })
    }
    const told = coins.map(coin => [coin.outpoint, coin.rareSats.map(({ sat }) => sat)])
    expect(Object.fromEntries(told)).toEqual(rare)
    const [held = ''] = Object.keys(rare).filter(outpoint => rare[outpoint]?.length)
    expect(await findCoin(worker, held)).toMatchObject({
      ...{ held: 'rare', mergeable: false },
      rareSats: [{ rarity: 'uncommon', height: Number(rare[held]?.[0]) / BLOCK }],
    })
    const spends = async () => (await planAll(worker)).review.inputs.map(input => input.outpoint)
    expect(await spends()).not.toContain(held)
    const shown = await findCoin(worker, held)
    if (!shown) throw new Error('No coin')
    await worker.ui('setCoinChoice', { outpoint: held, choice: 'unlocked', shown })
    expect(await spends()).toContain(held)
    await worker.ui('setCoinChoice', { outpoint: held, choice: null })
    expect(await spends()).not.toContain(held)
    await worker.ui('changeSettings', { holdRareSats: 'rare' })
    expect(await spends()).toContain(held)
  }, 120_000)
})
