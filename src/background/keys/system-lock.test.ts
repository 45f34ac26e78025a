import { describe, expect, it } from 'vitest'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { followSystemLock } from './system-lock.ts'
import {
  createTestVault,
  deriveQuickly,
  PASSWORD,
  SECRET,
  storeTestVault,
} from './testing/vault-fixture.ts'
import { COST_FLOOR, type DeriveKey } from './vault-kdf.ts'
import { VaultLockedError } from './vault-session.ts'

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

  it.each([
    ['a password is stretched', {}, 0],
    ['a vault of a weaker cost is sealed anew', { cost: COST_FLOOR }, 1],
  ])('stays locked when the screen is locked while %s', async (_, old, before) => {
    const local = createMemoryArea((await storeTestVault(old)).local)
    const session = createMemoryArea()
    let locking = () => {}
    const stretching = new Promise<void>(resolve => {
      locking = resolve
    })
    let goOn = () => {}
    const locked = new Promise<void>(resolve => {
      goOn = resolve
    })
    let derived = 0
    const deriveKey: DeriveKey = async (...input) => {
      if (derived++ === before) {
        locking()
        await locked
      }
      return deriveQuickly(...input)
    }
    const { vault } = createTestVault({ local, session, deriveKey })
    const unlocking = vault.unlock(PASSWORD)
    await stretching
    await vault.lock()
    goOn()
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
