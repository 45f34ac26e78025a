import { createDecipheriv } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import {
  createTestVault,
  deriveQuickly,
  GROWN_SECRET,
  PASSWORD,
  SECRET,
  storeTestVault,
} from './testing/vault-fixture.ts'
import { COST_FLOOR } from './vault-kdf.ts'
import { parseVaultRecord, payloadHeaderBytes, type VaultRecord } from './vault-record.ts'
import { openDataKey } from './vault-seal.ts'

const NEXT = 'another password'

/** What a thief has who copied the record while the old password was good, and learns that password later. */
async function stealDataKey(local: { dump(): { [key: string]: unknown } }, password: string) {
  const record = await readRecord(local, 'vault.a')
  const passwordKey = await deriveQuickly(password, fromHex(record.kdf.salt), record.kdf)
  const dataKey = await openDataKey(record, passwordKey)
  if (!dataKey) throw new Error('the password is another one')
  return dataKey
}

async function readRecord(
  local: { dump(): { [key: string]: unknown } },
  slot: string,
): Promise<VaultRecord> {
  const record = await parseVaultRecord(local.dump()[slot])
  if (!record) throw new Error(`${slot}: no record`)
  return record
}

/** With Node's own AES-GCM, so that nothing of the vault's code is asked whether it opens. */
function decrypts(record: VaultRecord, dataKey: Uint8Array): boolean {
  const sealed = Buffer.from(record.payload.sealed, 'hex')
  const decipher = createDecipheriv('aes-256-gcm', dataKey, Buffer.from(record.payload.iv, 'hex'))
  decipher.setAAD(payloadHeaderBytes(record, record.payload.iv))
  decipher.setAuthTag(sealed.subarray(-16))
  decipher.update(sealed.subarray(0, -16))
  try {
    decipher.final()
    return true
  } catch {
    return false
  }
}

describe('whoever has an old record and its password', () => {
  it('opens nothing that is sealed after the password was changed', async () => {
    const { vault, local, session } = createTestVault()
    await vault.create(SECRET, PASSWORD)
    const stolen = await stealDataKey(local, PASSWORD)
    expect(decrypts(await readRecord(local, 'vault.a'), stolen)).toBe(true)
    await vault.changePassword(PASSWORD, NEXT)
    await vault.update(() => GROWN_SECRET)
    for (const slot of ['vault.a', 'vault.b'])
      expect(decrypts(await readRecord(local, slot), stolen)).toBe(false)
    expect(JSON.stringify(session.dump())).not.toContain(Buffer.from(stolen).toString('hex'))
  })

  it('opens nothing that is sealed after a change to the same password', async () => {
    const { vault, local } = createTestVault()
    await vault.create(SECRET, PASSWORD)
    const stolen = await stealDataKey(local, PASSWORD)
    await vault.changePassword(PASSWORD, PASSWORD)
    expect(decrypts(await readRecord(local, 'vault.a'), stolen)).toBe(false)
    expect(await vault.open()).toEqual(SECRET)
  })

  it('opens nothing that is sealed after its weaker cost was raised', async () => {
    const weak = await storeTestVault({ cost: COST_FLOOR })
    const { vault, local } = createTestVault({ local: createMemoryArea(weak.local) })
    const stolen = await stealDataKey(local, PASSWORD)
    expect(await vault.unlock(PASSWORD)).toEqual({ unlocked: true })
    expect(await vault.open()).toEqual(SECRET)
    for (const slot of ['vault.a', 'vault.b'])
      expect(decrypts(await readRecord(local, slot), stolen)).toBe(false)
  })
})

describe('a change of the password', () => {
  it('keeps an unlocked wallet open at every moment of it', async () => {
    const open: Promise<unknown>[] = []
    const { local, session } = await storeTestVault()
    const watched = createMemoryArea(local, () => {
      open.push(made.vault.open())
    })
    const made = createTestVault({ local: watched, session: createMemoryArea(session) })
    expect(await made.vault.changePassword(PASSWORD, NEXT)).toEqual({ accepted: true })
    expect(open.length).toBeGreaterThanOrEqual(4)
    for (const secret of await Promise.all(open)) expect(secret).toEqual(SECRET)
    expect(await made.vault.status()).toBe('unlocked')
  })

  it('opens nothing where the wallet was locked, or is locked meanwhile', async () => {
    const { local, session } = await storeTestVault()
    const locked = createTestVault({ local: createMemoryArea(local) })
    await locked.vault.changePassword(PASSWORD, NEXT)
    expect(locked.session.dump()).toEqual({})
    const { vault, ...open } = createTestVault({
      local: createMemoryArea(local),
      session: createMemoryArea(session),
    })
    const change = vault.changePassword(PASSWORD, NEXT)
    await vault.lock()
    await change
    expect(open.session.dump()).toEqual({})
    expect(await vault.status()).toBe('locked')
    expect(await vault.unlock(NEXT)).toEqual({ unlocked: true })
  })
})
