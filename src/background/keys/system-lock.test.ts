import { describe, expect, it } from 'vitest'
import { followSystemLock } from './system-lock.ts'
import { createTestVault, deriveQuickly, PASSWORD, SECRET } from './testing/vault-fixture.ts'
import { VaultLockedError } from './vault.ts'
import type { DeriveKey } from './vault-kdf.ts'

async function createFollowing() {
  const made = createTestVault()
  await made.vault.create(SECRET, PASSWORD)
  const listeners: ((state: string) => void)[] = []
  const errors: unknown[] = []
  const idle = { onStateChanged: { addListener: listeners.push.bind(listeners) } }
  const report = (error: unknown) => errors.push(error)
  return {
    ...made,
    idle,
    report,
    errors,
    tell: (state: string) => listeners.map(tell => tell(state)),
  }
}

describe('the vault', () => {
  it('locks when the system’s screen is locked, and its key is gone', async () => {
    const { vault, session, idle, report, errors, tell } = await createFollowing()
    followSystemLock(idle, vault.lock, report)
    tell('locked')
    await expect.poll(() => vault.status()).toBe('locked')
    expect(session.dump()).toEqual({})
    expect(errors).toEqual([])
  })

  it('stays open while somebody reads, and when they are back', async () => {
    const { vault, idle, report, tell } = await createFollowing()
    followSystemLock(idle, vault.lock, report)
    tell('idle')
    tell('active')
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(await vault.status()).toBe('unlocked')
  })

  it('stays locked when the screen is locked while a password is stretched', async () => {
    const { local } = await createFollowing()
    let endStretching = () => {}
    const stretched = new Promise<void>(resolve => {
      endStretching = resolve
    })
    const deriveKey: DeriveKey = async (...input) => {
      await stretched
      return deriveQuickly(...input)
    }
    const { vault, session } = createTestVault({ local, deriveKey })
    const unlocking = vault.unlock(PASSWORD)
    await vault.lock()
    endStretching()
    await expect(unlocking).rejects.toThrow(VaultLockedError)
    expect(await vault.status()).toBe('locked')
    expect(session.dump()).toEqual({})
    expect(await vault.unlock(PASSWORD)).toEqual({ unlocked: true })
  })

  it('tells of a lock that fails', async () => {
    const { idle, report, errors, tell } = await createFollowing()
    followSystemLock(idle, () => Promise.reject(new Error('no storage')), report)
    tell('locked')
    await expect.poll(() => errors).toEqual([new Error('no storage')])
  })

  it('goes without where the browser tells of no lock', async () => {
    const { vault, report } = await createFollowing()
    followSystemLock(undefined, vault.lock, report)
    expect(await vault.status()).toBe('unlocked')
  })
})
