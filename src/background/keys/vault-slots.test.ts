import { describe, expect, it } from 'vitest'
import { createCachedArea } from '../../storage/cached-area.ts'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { ABANDON_MNEMONIC, createWorld, PASSWORD, startWorker } from '../testing/test-wallet.ts'
import { VaultWriteError } from './vault-slots.ts'

describe('a new wallet', () => {
  it('is refused when storage keeps something else than was written, cache or no cache', async () => {
    const memory = createMemoryArea()
    const forgetful = {
      ...memory,
      async set(entries: { [key: string]: unknown }) {
        const kept = JSON.parse(JSON.stringify(entries))
        for (const key of Object.keys(kept)) {
          if (key === 'vault.a') kept[key].payload.sealed = `00${kept[key].payload.sealed.slice(2)}`
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
