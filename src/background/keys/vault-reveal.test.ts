import { describe, expect, it } from 'vitest'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createTestVault, PASSWORD, SECRET, storeTestVault } from './testing/vault-fixture.ts'
import { VaultDamagedError } from './vault-slots.ts'

async function createUnlocked() {
  const made = createTestVault()
  await made.vault.create(SECRET, PASSWORD)
  return made
}

describe('reveal', () => {
  it('opens the secret for the password alone, without unlocking', async () => {
    const { vault } = await createUnlocked()
    await vault.lock()
    expect(await vault.reveal(PASSWORD)).toEqual({ accepted: true, secret: SECRET })
    expect(await vault.status()).toBe('locked')
  })

  it('gives whoever sits at an unlocked wallet no more guesses than at the lock', async () => {
    const { vault, clock } = await createUnlocked()
    for (let i = 0; i < 5; i++) {
      expect(await vault.reveal('wrong')).toMatchObject({ reason: 'WRONG_PASSWORD' })
    }
    const refused = { accepted: false, reason: 'TOO_SOON', retryAfterMs: 1000 }
    expect(await vault.reveal(PASSWORD)).toEqual(refused)
    expect(await vault.changePassword(PASSWORD, 'mine')).toEqual(refused)
    clock.now += 1000
    expect(await vault.reveal(PASSWORD)).toMatchObject({ accepted: true })
    expect(await vault.unlockDelayMs()).toBe(0)
  })

  it('says what is damaged', async () => {
    const { local } = await storeTestVault()
    const { vault } = createTestVault({
      local: createMemoryArea({ ...local, 'vault.a': 1, 'vault.b': 1 }),
    })
    await expect(vault.reveal(PASSWORD)).rejects.toThrow(VaultDamagedError)
  })
})
