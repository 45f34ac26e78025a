import { beforeAll, describe, expect, it } from 'vitest'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import type { Argon2Cost } from './argon2/argon2id.ts'
import { createTestVault, PASSWORD, SECRET, storeTestVault } from './testing/vault-fixture.ts'
import { COST_FLOOR, STANDARD_COST } from './vault-kdf.ts'
import { addChecksum, parseVaultRecord, type VaultRecord } from './vault-record.ts'
import { VaultDamagedError } from './vault-slots.ts'

let stored: Awaited<ReturnType<typeof storeTestVault>>
let record: VaultRecord

beforeAll(async () => {
  stored = await storeTestVault()
  const parsed = await parseVaultRecord(stored.local['vault.a'])
  if (!parsed) throw new Error('no record')
  record = parsed
})

/** Local storage with this value in both slots, so that no sound copy can stand in. */
function inBothSlots(value: unknown) {
  return { ...stored.local, 'vault.a': value, 'vault.b': value }
}

async function unlockWith(local: { [key: string]: unknown }) {
  const { vault, session } = createTestVault({ local: createMemoryArea(local) })
  const result = await vault.unlock(PASSWORD)
  return { result, vault, session }
}

/** Every value that JSON text becomes when one bit of one byte changes. */
function* flipBits(json: string): Generator<unknown> {
  for (const [at, byte] of new TextEncoder().encode(json).entries()) {
    for (let bit = 0; bit < 8; bit++) {
      const bytes = new TextEncoder().encode(json)
      bytes[at] = byte ^ (1 << bit)
      try {
        yield JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
      } catch {
        // No longer JSON: storage itself would not give it out.
      }
    }
  }
}

/** The record with one hex digit or number replaced by another valid one, for every byte and number. */
function* alterEveryField(): Generator<{ what: string; altered: VaultRecord }> {
  const digit = (text: string, at: number) =>
    text.slice(0, at) + (Number.parseInt(text[at] ?? '', 16) ^ 1).toString(16) + text.slice(at + 1)
  for (let at = 0; at < record.kdf.salt.length; at++) {
    const kdf = { ...record.kdf, salt: digit(record.kdf.salt, at) }
    yield { what: `kdf.salt[${at}]`, altered: { ...record, kdf } }
  }
  for (const part of ['dataKey', 'payload'] as const) {
    for (const field of ['iv', 'sealed'] as const) {
      // Of the long one, one digit of each byte.
      const step = record[part][field].length > 1000 ? 2 : 1
      for (let at = 0; at < record[part][field].length; at += step) {
        const box = { ...record[part], [field]: digit(record[part][field], at) }
        yield { what: `${part}.${field}[${at}]`, altered: { ...record, [part]: box } }
      }
    }
  }
  const costs = [{ memoryKib: 65_537 }, { memoryKib: COST_FLOOR.memoryKib }, { passes: 4 }]
  for (const cost of costs) {
    yield { what: JSON.stringify(cost), altered: { ...record, kdf: { ...record.kdf, ...cost } } }
  }
  yield {
    what: 'swapped',
    altered: { ...record, payload: { ...record.payload, iv: record.dataKey.iv } },
  }
}

describe('damage', () => {
  it('of any bit of a stored record is noticed without the password', async () => {
    let damaged = 0
    for (const value of flipBits(JSON.stringify(record))) {
      damaged++
      expect(await parseVaultRecord(value), JSON.stringify(value)).toBeNull()
    }
    expect(damaged).toBeGreaterThan(5_000)
  })

  it('of any byte of both copies never opens, neither by password nor while unlocked', async () => {
    const json = JSON.stringify(record)
    let tried = 0
    for (let at = 0; at < json.length; at++) {
      const flipped =
        json.slice(0, at) + String.fromCharCode(json.charCodeAt(at) ^ 1) + json.slice(at + 1)
      const value = parseOr(flipped, flipped)
      const { result, session } = await unlockWith(inBothSlots(value))
      expect(result, `byte ${at}`).toEqual({ unlocked: false, reason: 'DAMAGED', retryAfterMs: 0 })
      expect(session.dump()).toEqual({})
      const { vault } = createTestVault({
        local: createMemoryArea(inBothSlots(value)),
        session: createMemoryArea(stored.session),
      })
      await expect(vault.open(), `byte ${at}`).rejects.toThrow(VaultDamagedError)
      tried++
    }
    expect(tried).toBe(json.length)
  })

  it('of any byte of one copy costs nothing: the other opens, and repairs it', async () => {
    const json = JSON.stringify(record)
    for (const slot of ['vault.a', 'vault.b']) {
      for (let at = 0; at < json.length; at += 7) {
        const flipped =
          json.slice(0, at) + String.fromCharCode(json.charCodeAt(at) ^ 1) + json.slice(at + 1)
        const local = createMemoryArea({ ...stored.local, [slot]: parseOr(flipped, flipped) })
        const { vault } = createTestVault({ local })
        expect(await vault.unlock(PASSWORD)).toEqual({ unlocked: true })
        expect(await vault.open()).toEqual(SECRET)
        expect(local.dump()['vault.a']).toEqual(record)
        expect(local.dump()['vault.b']).toEqual(record)
      }
    }
  })

  it('of any bit of the pointer opens the same wallet', async () => {
    for (const value of [
      ...flipBits(JSON.stringify(stored.local['vault.current'])),
      null,
      7,
      'a',
    ]) {
      const { result, vault } = await unlockWith({ ...stored.local, 'vault.current': value })
      expect(result, JSON.stringify(value)).toEqual({ unlocked: true })
      expect(await vault.open()).toEqual(SECRET)
    }
  })

  it('is told by status as a wallet that is there, so that no new one is made over it', async () => {
    const { vault } = createTestVault({ local: createMemoryArea({ 'vault.a': 'rubble' }) })
    expect(await vault.status()).toBe('damaged')
    await expect(vault.create(SECRET, PASSWORD)).rejects.toThrow('a wallet already')
  })
})

describe('an attacker who knows the format and mends the checksum', () => {
  it('cannot change a byte or a number of any field', async () => {
    const reasons = new Map<string, number>()
    for (const { what, altered } of alterEveryField()) {
      const forged = await addChecksum(altered)
      expect(await parseVaultRecord(forged), what).toEqual(forged)
      const { result, session } = await unlockWith(inBothSlots(forged))
      expect(result.unlocked, what).toBe(false)
      expect(session.dump(), what).toEqual({})
      if (!result.unlocked) reasons.set(result.reason, (reasons.get(result.reason) ?? 0) + 1)
      const { vault } = createTestVault({
        local: createMemoryArea(inBothSlots(forged)),
        session: createMemoryArea(stored.session),
      })
      await expect(vault.open(), what).rejects.toThrow(VaultDamagedError)
      await expect(
        vault.update(() => SECRET),
        what,
      ).rejects.toThrow(VaultDamagedError)
    }
    expect([...reasons.keys()].sort()).toEqual(['DAMAGED', 'WRONG_PASSWORD'])
  })

  it('cannot raise the revision', async () => {
    const forged = await addChecksum({ ...record, revision: 2 })
    const local = { ...inBothSlots(forged), 'vault.current': { slot: 'a', revision: 2 } }
    expect((await unlockWith(local)).result).toMatchObject({ unlocked: false, reason: 'DAMAGED' })
  })

  it('cannot pair the key of one record with the secret of another', async () => {
    const other = await parseVaultRecord((await storeTestVault()).local['vault.a'])
    if (!other) throw new Error('no record')
    const mixed = await addChecksum({ ...record, payload: other.payload })
    expect((await unlockWith(inBothSlots(mixed))).result).toMatchObject({ reason: 'DAMAGED' })
    const rewrapped = await addChecksum({ ...record, kdf: other.kdf, dataKey: other.dataKey })
    expect((await unlockWith(inBothSlots(rewrapped))).result).toMatchObject({ reason: 'DAMAGED' })
  })
})

describe('a header', () => {
  const MIB = 1024
  it.each<[string, Partial<Argon2Cost>]>([
    ['with too little memory', { memoryKib: 32 * MIB - 1 }],
    ['with too few passes', { passes: 2 }],
    ['with one pass and much memory', { passes: 1, memoryKib: 256 * MIB }],
    ['that would exhaust memory', { memoryKib: 2 ** 31 }],
    ['that would run for hours', { passes: 2 ** 31 }],
    ['with another number of lanes', { lanes: 2 }],
  ])('%s is refused before any work, even sealed under the right password', async (_, weak) => {
    let derived = 0
    const forged = await addChecksum({ ...record, kdf: { ...record.kdf, ...weak } })
    const { vault } = createTestVault({
      local: createMemoryArea(inBothSlots(forged)),
      deriveKey: async () => {
        derived++
        return new Uint8Array(32)
      },
    })
    expect(await vault.unlock(PASSWORD)).toMatchObject({ unlocked: false, reason: 'DAMAGED' })
    expect(derived).toBe(0)
  })

  it.each([
    ['another version', { version: 2 }],
    ['a member too many', { note: '' }],
    ['another KDF', { kdf: { name: 'pbkdf2', salt: '00'.repeat(16), ...STANDARD_COST } }],
    ['upper-case hex', { payload: { iv: 'AB'.repeat(12), sealed: '00'.repeat(32) } }],
    ['an empty secret', { payload: { iv: '00'.repeat(12), sealed: '00'.repeat(16) } }],
    ['a huge secret', { payload: { iv: '00'.repeat(12), sealed: '00'.repeat(2 ** 21) } }],
    ['a short salt', { kdf: { name: 'argon2id', salt: '00'.repeat(8), ...STANDARD_COST } }],
    ['a data key of another size', { dataKey: { iv: '00'.repeat(12), sealed: '00'.repeat(32) } }],
    ['revision 0', { revision: 0 }],
  ])('with %s is refused with a right checksum', async (_, change) => {
    const forged = await addChecksum({ ...record, ...change } as VaultRecord)
    expect(await parseVaultRecord(forged)).toBeNull()
  })

  it.each<[string, (record: VaultRecord) => unknown]>([
    ['no KDF', ({ kdf: _, ...others }) => ({ ...others, kdf: null })],
    ['a KDF that is a text', record => ({ ...record, kdf: 'argon2id' })],
    ['a KDF with a member too many', record => ({ ...record, kdf: { ...record.kdf, note: '' } })],
    ['no data key', record => ({ ...record, dataKey: null })],
    ['a box with a member too many', r => ({ ...r, payload: { ...r.payload, note: '' } })],
    ['no IV', r => addChecksum({ ...r, payload: { ...r.payload, iv: null as never } })],
    ['a number as IV', r => addChecksum({ ...r, payload: { ...r.payload, iv: 7 as never } })],
    ['half a byte', r => addChecksum({ ...r, payload: { ...r.payload, sealed: '0'.repeat(65) } })],
  ])('with %s is damage in one copy, and the other opens', async (_, change) => {
    const value = await change(record)
    expect(await parseVaultRecord(value)).toBeNull()
    const { result, vault } = await unlockWith({ ...stored.local, 'vault.a': value })
    expect(result).toEqual({ unlocked: true })
    expect(await vault.open()).toEqual(SECRET)
  })
})

function parseOr(json: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return otherwise
  }
}
