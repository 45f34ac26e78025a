import { createDecipheriv, createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { randomBytes } from '../primitives/random-source.ts'
import { createTestVault, GROWN_SECRET, PASSWORD, SECRET } from './testing/vault-fixture.ts'
import sealedElsewhere from './testing/vault-sealed-elsewhere.json' with { type: 'json' }
import { createVault } from './vault.ts'
import { derivePasswordKey, STANDARD_COST } from './vault-kdf.ts'
import { parseVaultRecord, type VaultRecord } from './vault-record.ts'

describe('a vault at the standard cost', () => {
  let record: VaultRecord

  beforeAll(async () => {
    // With nothing said of the KDF, as the extension makes its own.
    const local = createMemoryArea()
    const session = createMemoryArea()
    const vault = createVault({ local, session, now: () => 1_800_000_000_000, random: randomBytes })
    await vault.create(SECRET, PASSWORD)
    record = await readRecord(local.dump())
    await vault.lock()
    expect(await vault.unlock('correct horse battery stable')).toEqual({
      unlocked: false,
      reason: 'WRONG_PASSWORD',
      retryAfterMs: 0,
    })
    await expect(vault.open()).rejects.toThrow('locked')
    expect(await vault.unlock(PASSWORD)).toEqual({ unlocked: true })
    expect(await vault.open()).toEqual(SECRET)
  })

  it('says in its header what it costs', () => {
    expect(record.kdf).toMatchObject({ name: 'argon2id', memoryKib: 65_536, passes: 3, lanes: 1 })
  })

  it('is decrypted by Node’s own AES-GCM under the documented header', async () => {
    const { version, revision, kdf, dataKey, payload } = record
    const kdfPart = [kdf.name, kdf.memoryKib, kdf.passes, kdf.lanes, kdf.salt]
    const passwordKey = await derivePasswordKey(PASSWORD, fromHex(kdf.salt), STANDARD_COST)
    const keyHeader = ['satchel vault data key', version, ...kdfPart, dataKey.iv]
    const openedKey = decrypt(passwordKey, dataKey, keyHeader)
    const head = [version, revision, ...kdfPart, dataKey.iv, dataKey.sealed, payload.iv]
    const plain = decrypt(openedKey, payload, ['satchel vault payload', ...head]).toString()
    const phrases = SECRET.phrases.map(({ kind: _, ...phrase }) => phrase)
    expect(JSON.parse(plain)).toEqual({ ...SECRET, phrases })
    expect(plain).toHaveLength(2048)
    const all = JSON.stringify(['satchel vault record', ...head, payload.sealed])
    expect(record.checksum).toBe(createHash('sha256').update(all).digest('hex'))
  })
})

describe('a vault that another program sealed (Python, OpenSSL’s Argon2id and AES-GCM)', () => {
  it('opens, and takes an update', async () => {
    const local = createMemoryArea({
      'vault.a': sealedElsewhere,
      'vault.current': { slot: 'a', revision: 1 },
    })
    const { vault } = createTestVault({ local, deriveKey: derivePasswordKey })
    expect(await vault.unlock('sealed elsewhere ₿')).toEqual({ unlocked: true })
    const id = '00112233445566778899aabbccddeeff'
    const place = { addressType: 'p2tr', line: 'accounts', index: 0 }
    expect(await vault.open()).toMatchObject({
      version: 3,
      phrases: [{ mnemonic: `${'abandon '.repeat(11)}about`, passphrase: 'Ünïcode' }],
      accounts: [{ id, name: 'Account 1', hidden: false, source: 'seed', ...place }],
    })
    await vault.update(() => GROWN_SECRET)
    expect(await vault.open()).toEqual(GROWN_SECRET)
  })
})

async function readRecord(stored: { [key: string]: unknown }): Promise<VaultRecord> {
  const record = await parseVaultRecord(stored['vault.a'])
  if (!record) throw new Error('no record')
  return record
}

function decrypt(key: Uint8Array, { iv, sealed }: { iv: string; sealed: string }, header: unknown) {
  const bytes = Buffer.from(sealed, 'hex')
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'hex'))
  decipher.setAAD(Buffer.from(JSON.stringify(header)))
  decipher.setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()])
}
