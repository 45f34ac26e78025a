import { describe, expect, it } from 'vitest'
import { findCoin, startWithCoin } from '../testing/funded-wallet.ts'

describe('another server of what sits on coins', () => {
  it.each(['assets', 'secondAssets', 'atomicals'] as const)(
    'has every coin asked anew when it is one of %s, as no other does',
    async kind => {
      const { world, worker, outpoint } = await startWithCoin(100_000n)
      const count = async () => {
        const before = world.assets.asked.length
        expect(await findCoin(worker, outpoint)).toBeDefined()
        return world.assets.asked.slice(before).filter(one => one.startsWith('assets')).length
      }
      const set = (kind: 'assets' | 'secondAssets' | 'atomicals' | 'price') =>
        worker.ui('setServer', { network: 'regtest', kind, url: '' })
      expect([await count(), await count()]).toEqual([1, 0])
      await set('price')
      expect(await count()).toBe(0)
      await set(kind)
      expect(await count()).toBe(1)
    },
  )

  it('finds what the index of inscriptions alone called empty', async () => {
    const { world, worker, outpoint } = await startWithCoin(100_000n)
    expect(await findCoin(worker, outpoint)).toMatchObject({ held: null })
    world.atomicals.mint(outpoint)
    expect(await findCoin(worker, outpoint)).toMatchObject({ held: null })
    await worker.ui('setServer', { network: 'regtest', kind: 'atomicals', url: '' })
    expect(await findCoin(worker, outpoint)).toMatchObject({ held: 'atomical' })
  })
})
