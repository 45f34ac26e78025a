import { describe, expect, it } from 'vitest'
import type { CoinAssets } from '../../ordinals/asset.ts'
import { draft, findCoin, startFunded } from '../testing/funded-wallet.ts'
import { startInscribed } from '../testing/inscribed-wallet.ts'
import { startWorker } from '../testing/test-wallet.ts'
import type { AssetView } from '../views/asset-views.ts'

/** By ord's tests: the first sat of block 1, of the second difficulty period, and of the first halving. */
const UNCOMMON = 5_000_000_000n
const RARE = 10_080_000_000_000n
const EPIC = 1_050_000_000_000_000n

const holding = (...sats: bigint[]): CoinAssets => ({
  ...{ known: true, assets: [] },
  rareSats: sats.map((sat, at) => ({ sat, offset: BigInt(at) })),
})

/** A wallet with two coins, the first of which has rare sats by the word of its index. */
async function startRare(...sats: bigint[]) {
  const funded = await startFunded(60_000n, 60_000n)
  const [coin = '', other = ''] = funded.txids.map(txid => `${txid}:0`)
  funded.world.assets.lie(coin, holding(...sats))
  return { ...funded, coin, other }
}

describe('a coin with a rare sat', () => {
  it('is shown with it and held from payments, which say why', async () => {
    const { worker, coin, other } = await startRare(UNCOMMON)
    expect(await findCoin(worker, coin)).toMatchObject({
      ...{ held: 'rare', unchecked: null, mergeable: false },
      rareSats: [
        // The name as ord shows it.
        { sat: '5000000000', offset: '0', rarity: 'uncommon', name: 'nvtcsezkbth', height: 1 },
      ],
    })
    const { review } = await worker.ui('planPayment', draft())
    expect(review.inputs.map(({ outpoint }) => outpoint)).toEqual([other])
    await expect(
      worker.ui(
        'planPayment',
        draft({ recipients: [{ to: review.recipients[0]?.address ?? '', sats: '90000' }] }),
      ),
    ).rejects.toMatchObject({ data: { reason: 'COINS_HELD', heldRare: '60000' } })
    await expect(worker.ui('planPayment', draft({ coins: [coin] }))).rejects.toMatchObject({
      data: { reason: 'COINS_HELD' },
    })
  })

  it('is held from the rarity on that the person chose, and shown in any case', async () => {
    const { worker, coin } = await startRare(RARE)
    const heldFrom = async (holdRareSats: 'uncommon' | 'rare' | 'epic' | null) => {
      await worker.ui('changeSettings', { holdRareSats })
      const found = await findCoin(worker, coin)
      expect(found?.rareSats).toMatchObject([{ rarity: 'rare', height: 2_016 }])
      return found?.held
    }
    expect(await heldFrom('uncommon')).toBe('rare')
    expect(await heldFrom('rare')).toBe('rare')
    expect(await heldFrom('epic')).toBeNull()
    expect(await heldFrom(null)).toBeNull()
    await expect(
      worker.ui('changeSettings', { holdRareSats: 'common' } as unknown as { holdRareSats: null }),
    ).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('holdRareSats') })
  })

  it('is never merged, also where payments may spend it: the end of what is merged is spent as a fee', async () => {
    const { worker, coin, other } = await startRare(RARE)
    await worker.ui('changeSettings', { holdRareSats: null })
    expect(await findCoin(worker, coin)).toMatchObject({ held: null, mergeable: false })
    expect(await findCoin(worker, other)).toMatchObject({ held: null, mergeable: true })
    await expect(
      worker.ui('planMerge', { coins: [coin, other], feeRate: 1 }),
    ).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('confirmed coins with nothing on them'),
    })
  })

  it('is let go by the person for those sats that were shown, and held again where another is told of', async () => {
    const { world, worker, coin } = await startRare(UNCOMMON)
    const shown = await findCoin(worker, coin)
    if (!shown) throw new Error('No coin')
    await worker.ui('setCoinChoice', { outpoint: coin, choice: 'unlocked', shown })
    expect(await findCoin(worker, coin)).toMatchObject({ held: null, choice: 'unlocked' })
    world.assets.lie(coin, holding(UNCOMMON, EPIC))
    world.clock.now += 120_000
    expect(await findCoin(startWorker(world), coin)).toMatchObject({ held: 'rare' })
  })

  it('is let go on the screen of the inscription that it carries, which shows both', async () => {
    const started = await startInscribed([{ sats: 20_000n, with: [{ offset: 0n }] }])
    const { world, worker } = started
    const [outpoint = ''] = started.outpoints
    const [id = ''] = started.ids
    world.assets.lie(outpoint, {
      known: true,
      assets: [{ kind: 'inscription', id, offset: 0n }],
      rareSats: [{ sat: UNCOMMON, offset: 0n }],
    })
    const { number, companions, rareSats } = await worker.ui('getInscription', { id })
    expect(rareSats).toMatchObject([{ sat: '5000000000', rarity: 'uncommon', height: 1 }])
    const assets: AssetView[] = [{ kind: 'inscription', id, number }, ...companions]
    const shown = { assets, rareSats, unchecked: null }
    await worker.ui('setCoinChoice', { outpoint, choice: 'unlocked', shown })
    expect(await findCoin(worker, outpoint)).toMatchObject({ held: null, choice: 'unlocked' })
    expect(await worker.ui('getInscription', { id })).toMatchObject({ isReleased: true })
  })

  it('stays held where it was unlocked before an index told of its sats', async () => {
    const { world, worker, coin } = await startRare(UNCOMMON)
    const shown = { assets: [], unchecked: null }
    await worker.ui('setCoinChoice', { outpoint: coin, choice: 'unlocked', shown })
    expect(await findCoin(worker, coin)).toMatchObject({ held: 'rare' })
    world.assets.inscribe(coin)
    world.assets.lie(coin, 'forget')
    world.clock.now += 120_000
    expect(await findCoin(worker, coin), 'and for what is worth more').toMatchObject({
      held: 'inscribed',
    })
  })

  it('stays held in the next worker, which has the answer from session storage, while the index is away', async () => {
    const { world, worker, coin } = await startRare(UNCOMMON)
    expect(await findCoin(worker, coin)).toMatchObject({ held: 'rare' })
    world.assets.faults.unreachable = true
    const next = await findCoin(startWorker(world), coin)
    expect(next).toMatchObject({ held: 'rare', rareSats: [{ sat: String(UNCOMMON) }] })
  })
})
