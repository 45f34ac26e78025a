import { describe, expect, it } from 'vitest'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createTestVault, PASSWORD, SECRET } from './testing/vault-fixture.ts'
import { VaultLockedError } from './vault-session.ts'

const MINUTE = 60_000

async function createUnlocked() {
  const made = createTestVault()
  await made.vault.create(SECRET, PASSWORD)
  return made
}

describe('auto-lock', () => {
  it('locks after 15 minutes, at the request itself, and removes the key', async () => {
    const { vault, clock, session } = await createUnlocked()
    clock.now += 15 * MINUTE - 1
    expect(await vault.open()).toEqual(SECRET)
    clock.now += 1
    await expect(vault.open()).rejects.toThrow(VaultLockedError)
    expect(session.dump()).toEqual({})
    clock.now -= 10 * MINUTE
    expect(await vault.status()).toBe('locked')
  })

  it('starts anew at a touch, which wakes nothing that is locked', async () => {
    const { vault, clock } = await createUnlocked()
    const start = clock.now
    clock.now += 10 * MINUTE
    await vault.touch()
    expect(await vault.autoLockAt()).toBe(start + 25 * MINUTE)
    clock.now += 14 * MINUTE
    expect(await vault.status()).toBe('unlocked')
    clock.now += MINUTE
    await vault.touch()
    expect(await vault.status()).toBe('locked')
    expect(await vault.autoLockAt()).toBeNull()
  })

  it('follows the setting at once, and a nonsensical one not', async () => {
    const { vault, clock, local } = await createUnlocked()
    const start = clock.now
    for (const [setting, minutes] of [
      [1, 1],
      [60, 60],
      [1440, 1440],
      [0, 15],
      [-5, 15],
      [1e9, 15],
      ['never', 15],
      [null, 15],
    ]) {
      await local.set({ settings: { autoLockMinutes: setting } })
      expect(await vault.autoLockAt(), String(setting)).toBe(start + Number(minutes) * MINUTE)
    }
  })

  it('is not put off by setting the clock back', async () => {
    const { vault, clock } = await createUnlocked()
    clock.now -= 30_000
    expect(await vault.status()).toBe('unlocked')
    clock.now -= 60_000
    expect(await vault.status()).toBe('locked')
  })

  it('tells its listeners at every lock', async () => {
    const { vault, clock } = await createUnlocked()
    let locks = 0
    vault.onLock(async () => {
      locks++
      expect(await vault.status()).toBe('locked')
    })
    await vault.lock()
    expect(locks).toBe(1)
    await vault.unlock(PASSWORD)
    clock.now += 15 * MINUTE
    await vault.status()
    expect(locks).toBe(2)
    await vault.status()
    expect(locks).toBe(2)
  })

  it('wins over touches that are under way', async () => {
    const { vault, session } = await createUnlocked()
    await Promise.all([vault.touch(), vault.touch(), vault.lock(), vault.touch()])
    expect(session.dump()).toEqual({})
  })

  it('takes rubble in session storage for locked', async () => {
    const { local } = await createUnlocked()
    for (const held of [
      'x',
      {},
      null,
      { dataKey: 'zz', touchedAt: 0 },
      { dataKey: '00'.repeat(32) },
    ]) {
      const session = createMemoryArea({ 'vault.unlocked': held })
      expect(await createTestVault({ local, session }).vault.status()).toBe('locked')
    }
  })
})
