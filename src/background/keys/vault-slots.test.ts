import { describe, expect, it } from 'vitest'
import { createCachedArea } from '../../storage/cached-area.ts'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { ABANDON_MNEMONIC, createWorld, startWorker } from '../testing/test-wallet.ts'
import { createTestVault, PASSWORD, storeTestVault } from './testing/vault-fixture.ts'
import { VaultWriteError } from './vault-slots.ts'

describe('a new wallet', () => {
  it('is refused when storage keeps something else than was written, cache or no cache', async () => {
    const memory = createMemoryArea()
    const forgetful = {
      ...memory,
      async set(entries: { [key: string]: unknown }) {
        const kept = JSON.parse(JSON.stringify(entries))
        for (const key of Object.keys(kept)) {
          if (key === 'vault.a')
            kept[key].payload.sealed = changeFirstByte(kept[key].payload.sealed)
        }
        await memory.set(kept)
      },
    }
    const local = { ...createCachedArea(forgetful), dump: memory.dump }
    const { wallet } = startWorker({ ...createWorld(), local })
    const origin = { kind: 'mnemonic', mnemonic: ABANDON_MNEMONIC, passphrase: '' } as const
    const creating = wallet.accounts.create(origin, PASSWORD)
    await expect(creating).rejects.toThrow(VaultWriteError)
    expect(await wallet.vault.status()).toBe('none')
  })
})

describe('a wallet whose pointer was lost', () => {
  it('opens with the newer password alone, whichever slot its record is in', async () => {
    const older = await storeTestVault()
    const local = createMemoryArea(older.local)
    const { vault } = createTestVault({ local })
    await vault.changePassword(PASSWORD, 'a newer password')
    const newer = local.dump()['vault.a']
    const records = [older.local['vault.a'], newer]
    for (const [a, b] of [records, [...records].reverse()]) {
      const lost = createMemoryArea({ 'vault.a': a, 'vault.b': b })
      const { vault: found } = createTestVault({ local: lost })
      expect(await found.unlock(PASSWORD)).toMatchObject({ reason: 'WRONG_PASSWORD' })
      const { vault: again } = createTestVault({
        local: createMemoryArea({ 'vault.a': a, 'vault.b': b }),
      })
      expect(await again.unlock('a newer password')).toEqual({ unlocked: true })
    }
  })

  it('is damaged where one of its records is: the other may have an old password', async () => {
    const { local } = await storeTestVault()
    for (const slot of ['vault.a', 'vault.b']) {
      const lost = createMemoryArea({ ...local, 'vault.current': 0, [slot]: { damaged: true } })
      expect(await createTestVault({ local: lost }).vault.status()).toBe('damaged')
    }
  })
})

function changeFirstByte(hex: string): string {
  return `${hex.startsWith('00') ? '01' : '00'}${hex.slice(2)}`
}
