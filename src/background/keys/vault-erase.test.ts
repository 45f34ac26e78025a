import { describe, expect, it } from 'vitest'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import {
  createTestVault,
  GROWN_SECRET,
  PASSWORD,
  SECRET,
  storeTestVault,
} from './testing/vault-fixture.ts'

async function createUnlocked() {
  const made = createTestVault()
  await made.vault.create(SECRET, PASSWORD)
  return made
}

describe('erase', () => {
  it('leaves nothing of the wallet, nor of anything else, and room for a new one', async () => {
    const { vault, local, session } = await createUnlocked()
    await local.set({ contacts: ['someone'], sites: ['somewhere'] })
    await session.set({ requests: ['something'] })
    await vault.erase()
    expect([local.dump(), session.dump()]).toEqual([{}, {}])
    expect(await vault.status()).toBe('none')
    await vault.create(GROWN_SECRET, 'other')
    expect(await vault.open()).toEqual(GROWN_SECRET)
  })

  it('takes a wallet that is damaged or whose password is lost, and the wait after wrong ones', async () => {
    const { local } = await storeTestVault()
    const { vault } = createTestVault({
      local: createMemoryArea({ ...local, 'vault.a': 1, 'vault.b': 1 }),
    })
    expect(await vault.status()).toBe('damaged')
    await vault.erase()
    expect(await vault.status()).toBe('none')
    const locked = createTestVault({ local: createMemoryArea(local) })
    for (let i = 0; i < 6; i++) await locked.vault.unlock('wrong')
    await locked.vault.erase()
    expect([await locked.vault.status(), await locked.vault.unlockDelayMs()]).toEqual(['none', 0])
  })

  it('wins over an update that is under way', async () => {
    const { vault, local, session } = await createUnlocked()
    const update = vault.update(() => GROWN_SECRET).catch(() => {})
    await vault.erase()
    await update
    expect([local.dump(), session.dump()]).toEqual([{}, {}])
  })
})
