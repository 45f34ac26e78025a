import { createDecipheriv, createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import { equalBytes, fromHex, toHex, toUtf8 } from '../../bitcoin/bytes.ts'
import { randomBytes } from '../primitives/random-source.ts'
import { createSeededRandom } from '../testing/seeded-random.ts'
import {
  BackupFileError,
  type BackupFileProblem,
  MAX_BACKUP_CHARACTERS,
  openBackup,
  sealBackup,
} from './backup-file.ts'
import { deriveQuickly } from './testing/vault-fixture.ts'
import { COST_FLOOR, derivePasswordKey } from './vault-kdf.ts'

const { count: COUNT, seed: SEED } = campaign('damaged backups')

const PASSWORD = 'a battery of horses'
const CONTENTS = toUtf8(JSON.stringify({ version: 1, contacts: [{ name: 'Zoë' }] }))
const quick = { random: randomBytes, deriveKey: deriveQuickly }

async function problemOf(text: string, password = PASSWORD): Promise<BackupFileProblem | null> {
  try {
    await openBackup(text, password, quick)
    return null
  } catch (error) {
    if (error instanceof BackupFileError) return error.problem
    throw error
  }
}

/** The file with its checksum put right, as whoever alters it on purpose would. */
function recheck(file: ReturnType<typeof JSON.parse>): string {
  const { kdf, iv, sealed } = file
  const fields = [kdf.name, kdf.memoryKib, kdf.passes, kdf.lanes, kdf.salt, iv, sealed]
  const all = JSON.stringify([file.format, file.version, ...fields])
  return JSON.stringify({ ...file, checksum: createHash('sha256').update(all).digest('hex') })
}

describe('the file of a backup', () => {
  it('is opened again by its password alone, in any Unicode spelling of it', async () => {
    const text = await sealBackup(CONTENTS, 'zoë’s pass word', quick)
    const plain = await openBackup(text, 'zoë’s pass word'.normalize('NFD'), quick)
    expect(new TextDecoder().decode(plain).trimEnd()).toBe(new TextDecoder().decode(CONTENTS))
    expect(await problemOf(text, 'zoe’s pass word')).toBe('wrong-password')
  })

  it('is decrypted by Node’s own AES-GCM under the documented header', async () => {
    const text = await sealBackup(CONTENTS, PASSWORD, { random: randomBytes, cost: COST_FLOOR })
    const { format, version, kdf, iv, sealed } = JSON.parse(text)
    expect(kdf).toMatchObject({ name: 'argon2id', memoryKib: 32_768, passes: 3, lanes: 1 })
    const key = await derivePasswordKey(PASSWORD, fromHex(kdf.salt), kdf)
    const bytes = Buffer.from(sealed, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'hex'))
    decipher.setAuthTag(bytes.subarray(-16))
    const cost = [kdf.name, kdf.memoryKib, kdf.passes, kdf.lanes, kdf.salt]
    decipher.setAAD(Buffer.from(JSON.stringify([format, version, ...cost, iv])))
    const plain = Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()])
    expect(plain).toHaveLength(4096)
    expect(JSON.parse(plain.toString())).toEqual({ version: 1, contacts: [{ name: 'Zoë' }] })
  })

  it('costs the standard KDF unless told, and says nothing of what is in it', async () => {
    const text = await sealBackup(CONTENTS, PASSWORD, quick)
    expect(Object.keys(JSON.parse(text))).toEqual([
      ...['format', 'version', 'kdf', 'iv', 'sealed', 'checksum'],
    ])
    expect(JSON.parse(text).kdf).toMatchObject({ memoryKib: 65_536, passes: 3 })
    const other = await sealBackup(toUtf8('{}'), PASSWORD, quick)
    expect(other).toHaveLength(text.length)
    expect(JSON.parse(other).kdf.salt).not.toBe(JSON.parse(text).kdf.salt)
  })

  it('is refused by name where it is something else, newer, or too large', async () => {
    const text = await sealBackup(CONTENTS, PASSWORD, quick)
    const file = JSON.parse(text)
    expect(await problemOf('')).toBe('not-a-backup')
    expect(await problemOf('null')).toBe('not-a-backup')
    expect(await problemOf('{"format":"another wallet"}')).toBe('not-a-backup')
    expect(await problemOf(`${'['.repeat(1_000_000)}`)).toBe('not-a-backup')
    expect(await problemOf(JSON.stringify({ ...file, version: 2, more: 1 }))).toBe('newer-version')
    expect(await problemOf(' '.repeat(MAX_BACKUP_CHARACTERS + 1))).toBe('too-large')
    const most = new Uint8Array((MAX_BACKUP_CHARACTERS / 4) * 3)
    await expect(sealBackup(most, PASSWORD, quick)).rejects.toThrow('too-large')
  })

  it('of many megabytes comes back whole', async () => {
    const large = new Uint8Array(16 * 1024 * 1024).fill(0x61)
    const text = await sealBackup(large, PASSWORD, quick)
    expect(equalBytes(await openBackup(text, PASSWORD, quick), large)).toBe(true)
  })

  it('is refused before any work where it claims a KDF that is too weak, or that nobody could pay for', async () => {
    const file = JSON.parse(await sealBackup(CONTENTS, PASSWORD, quick))
    const costs = [
      { memoryKib: 1024 },
      { memoryKib: 2 ** 31 },
      { memoryKib: 262_145 },
      { passes: 1 },
      { passes: 1_000_000 },
      { passes: 3.5 },
      { lanes: 4 },
      { name: 'scrypt' },
      { salt: 'ab' },
      { more: 1 },
    ]
    for (const cost of costs) {
      const text = recheck({ ...file, kdf: { ...file.kdf, ...cost } })
      const derive = () => Promise.reject(new Error('was derived'))
      await expect(openBackup(text, PASSWORD, { deriveKey: derive })).rejects.toThrow('damaged')
    }
  })

  it('whose header was altered on purpose opens no more: the seal covers it', async () => {
    const file = JSON.parse(await sealBackup(CONTENTS, PASSWORD, quick))
    const flip = (hex: string) => (hex.startsWith('0') ? '1' : '0') + hex.slice(1)
    const kdf = { ...file.kdf, passes: 4 }
    const sealed = Buffer.from(file.sealed, 'base64')
    sealed[0] = Number(sealed[0]) ^ 1
    expect(await problemOf(recheck({ ...file, kdf }))).toBe('wrong-password')
    expect(await problemOf(recheck({ ...file, iv: flip(file.iv) }))).toBe('wrong-password')
    const altered = recheck({ ...file, sealed: sealed.toString('base64') })
    expect(await problemOf(altered)).toBe('wrong-password')
    expect(await problemOf(recheck(file))).toBeNull()
  })
})

describe(`${COUNT} damaged files (seed ${SEED})`, () => {
  it(
    'are all refused with a reason, or are the file itself',
    async () => {
      const text = await sealBackup(CONTENTS, PASSWORD, quick)
      const random = createSeededRandom(SEED)
      const counts = new Map<string, number>()
      for (let i = 0; i < COUNT; i++) {
        const damaged = damage(text, random)
        const problem = await problemOf(damaged)
        if (problem === null)
          expect(JSON.parse(damaged), 'taken though altered').toEqual(JSON.parse(text))
        counts.set(String(problem), (counts.get(String(problem)) ?? 0) + 1)
      }
      console.info(JSON.stringify({ seed: SEED, ...Object.fromEntries(counts) }))
      // Where all were refused at the door, little would have been tried.
      expect(counts.get('damaged') ?? 0).toBeGreaterThan(COUNT / 10)
      expect(counts.get('wrong-password') ?? 0).toBeGreaterThan(COUNT / 20)
    },
    Math.max(120_000, 5 * COUNT),
  )
})

/** A piece cut out, doubled, moved or overwritten, a member altered; every third time with the checksum put right. */
function damage(text: string, random: ReturnType<typeof createSeededRandom>): string {
  const at = random.below(text.length)
  const length = 1 + random.below(random.chance(0.5) ? 3 : 500)
  const piece = text.slice(at, at + length)
  const rest = text.slice(0, at) + text.slice(at + length)
  const to = random.below(rest.length)
  const noise = toHex(random.bytes(Math.ceil(length / 2)))
  switch (random.below(6)) {
    case 0:
      return rest
    case 1:
      return text.slice(0, at) + piece + text.slice(at)
    case 2:
      return rest.slice(0, to) + piece + rest.slice(to)
    case 3:
      return text.slice(0, at) + noise.slice(0, length) + text.slice(at + length)
    default: {
      const file = JSON.parse(text)
      const member = random.pick(['kdf', 'iv', 'sealed', 'version'] as const)
      if (member === 'version') file.version = random.pick([0, 1, '1', null, -1])
      else if (member === 'kdf') file.kdf.salt = toHex(random.bytes(16))
      else if (member === 'iv') file.iv = toHex(random.bytes(12))
      else file.sealed = Buffer.from(random.bytes(1 + random.below(500))).toString('base64')
      return recheck(file)
    }
  }
}
