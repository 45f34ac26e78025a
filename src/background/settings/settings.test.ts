import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createPlainRecords } from '../../storage/testing/plain-records.ts'
import { createWorld, startUnlocked } from '../testing/test-wallet.ts'
import { createSettings } from './settings.ts'

const DEFAULTS = {
  autoLockMinutes: 15,
  language: 'auto',
  theme: 'system',
  currency: null,
  hideAmounts: false,
  sortSpam: true,
  disconnectUnusedDays: null,
  feeAlert: null,
  toolbarOpens: 'popup',
  holdRareSats: 'uncommon',
  expert: {
    spendUnconfirmed: false,
    spendUnchecked: false,
    burnAssets: false,
    anySighash: false,
    holdSmallCoins: false,
  },
}

describe('settings', () => {
  it('are the careful defaults in a new wallet', async () => {
    expect(
      await createSettings({ records: createPlainRecords(createMemoryArea()) }).load(),
    ).toEqual(DEFAULTS)
  })

  it('change one by one, and a restarted background still has them', async () => {
    const local = createMemoryArea()
    const settings = createSettings({ records: createPlainRecords(local) })
    await Promise.all([settings.change({ language: 'de' }), settings.change({ currency: 'EUR' })])
    const expert = {
      spendUnconfirmed: false,
      spendUnchecked: true,
      burnAssets: false,
      anySighash: false,
      holdSmallCoins: true,
    }
    const changed = { ...DEFAULTS, language: 'de', currency: 'EUR', expert }
    expect(await settings.change({ expert })).toEqual(changed)
    expect(await createSettings({ records: createPlainRecords(local) }).load()).toEqual(changed)
  })

  it('that make no sense in storage are read as defaults, and the others kept', async () => {
    const stored = {
      autoLockMinutes: 1e9,
      language: 'de',
      theme: { dark: true },
      currency: 'XXX',
      hideAmounts: 1,
      sortSpam: 'no',
      expert: { spendUnconfirmed: 'yes' },
    }
    const local = createMemoryArea({ settings: stored })
    expect(await createSettings({ records: createPlainRecords(local) }).load()).toEqual({
      ...DEFAULTS,
      language: 'de',
    })
  })

  it('of a version with other switches keep those that there still are, and the new ones are off', async () => {
    const expert = { spendUnconfirmed: true, spendSmall: true, anySighash: false }
    const local = createMemoryArea({ settings: { expert } })
    const settings = createSettings({ records: createPlainRecords(local) })
    const kept = { ...DEFAULTS, expert: { ...DEFAULTS.expert, spendUnconfirmed: true } }
    expect(await settings.load()).toEqual(kept)
    expect(await settings.change({ language: 'de' })).toEqual({ ...kept, language: 'de' })
  })

  it('are always complete, whatever is in storage', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (whole, part) => {
        for (const settings of [whole, { expert: part, theme: part, autoLockMinutes: part }]) {
          const loaded = await createSettings({
            records: createPlainRecords(createMemoryArea({ settings })),
          }).load()
          expect(Object.keys(loaded)).toEqual(Object.keys(DEFAULTS))
          expect(loaded.autoLockMinutes).toBeGreaterThanOrEqual(1)
          expect(loaded.autoLockMinutes).toBeLessThanOrEqual(1440)
          expect(Object.values(loaded.expert).every(on => typeof on === 'boolean')).toBe(true)
        }
      }),
    )
  })

  it.each([
    [{ autoLockMinutes: 0 }, 'autoLockMinutes'],
    [{ autoLockMinutes: 1441 }, 'autoLockMinutes'],
    [{ autoLockMinutes: 1.5 }, 'autoLockMinutes'],
    [{ autoLockMinutes: '15' }, 'autoLockMinutes'],
    [{ language: 'nl' }, 'language'],
    [{ theme: null }, 'theme'],
    [{ currency: 'usd' }, 'currency'],
    [{ hideAmounts: 'yes' }, 'hideAmounts'],
    [{ sortSpam: null }, 'sortSpam'],
    [{ expert: { spendUnchecked: true } }, 'expert'],
    [{ expert: { ...DEFAULTS.expert, spendEverything: true } }, 'expert'],
    [{ language: 'de', spendUnchecked: true }, 'spendUnchecked'],
    [['language', 'de'], 'settings'],
    [null, 'settings'],
  ])('refuse %j with -32602, name the field and change nothing', async (patch, field) => {
    const settings = createSettings({ records: createPlainRecords(createMemoryArea()) })
    await expect(settings.change(patch)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(`${field}: expected`),
    })
    expect(await settings.load()).toEqual(DEFAULTS)
  })
})

describe('the minutes until the lock', () => {
  it('count at once when they are made fewer', async () => {
    const world = createWorld()
    const { ui, wallet } = await startUnlocked(world)
    world.clock.now += 5 * 60_000
    await ui('changeSettings', { autoLockMinutes: 10 })
    expect(await wallet.vault.status()).toBe('unlocked')
    expect(await wallet.vault.autoLockAt()).toBe(world.clock.now + 5 * 60_000)
    await ui('changeSettings', { autoLockMinutes: 3 })
    expect(await wallet.vault.status()).toBe('locked')
  })

  it('are planned anew when they change, and only then', async () => {
    const { ui, wallet } = await startUnlocked()
    let plans = 0
    wallet.announce = () => {
      plans += 1
    }
    await ui('changeSettings', { theme: 'dark' })
    expect(plans).toBe(0)
    await ui('changeSettings', { autoLockMinutes: 30 })
    expect(plans).toBe(1)
  })
})
