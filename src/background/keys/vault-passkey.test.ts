import { createDecipheriv, hkdfSync } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import {
  createTestVault,
  GROWN_SECRET,
  PASSWORD,
  SECRET,
  storeTestVault,
} from './testing/vault-fixture.ts'
import type { Vault } from './vault.ts'
import { COST_FLOOR } from './vault-kdf.ts'
import { VaultLockedError } from './vault-session.ts'

const NEXT = 'another password'
const KEY = 'vault.passkey'
/** What a passkey answers is 32 bytes that nobody else knows. */
const PRF = '5a'.repeat(31).concat('01')
const OTHER_PRF = '5a'.repeat(31).concat('02')
const CREDENTIAL = 'c0ffee'.repeat(8)

type Stored = { [key: string]: unknown }
type PasskeyRecord = {
  version: number
  credentialId: string
  salt: string
  createdAt: number
  dataKey: { iv: string; sealed: string }
}

async function addPasskey(vault: Vault, prf = PRF, credentialId = CREDENTIAL): Promise<string> {
  const prepared = await vault.preparePasskey(PASSWORD)
  if (!prepared.accepted) throw new Error('the password is another one')
  await vault.addPasskey({ salt: prepared.salt, credentialId, prf })
  return prepared.salt
}

/** A vault that a passkey opens, locked as after a restart. */
function restart(local: Stored) {
  return createTestVault({ local: createMemoryArea(local) })
}

const WRONG = { unlocked: false, reason: 'WRONG_PASSKEY' }

let stored: Stored
let record: PasskeyRecord
let salt: string
beforeEach(async () => {
  const { vault, local } = createTestVault()
  await vault.create(SECRET, PASSWORD)
  salt = await addPasskey(vault)
  stored = local.dump()
  record = stored[KEY] as PasskeyRecord
})

describe('a passkey', () => {
  it('opens the wallet as the password does, which stays', async () => {
    const { vault } = restart(stored)
    expect(await vault.unlockWithPasskey(PRF)).toEqual({ unlocked: true })
    expect(await vault.status()).toBe('unlocked')
    expect(await vault.open()).toEqual(SECRET)
    await vault.lock()
    expect(await vault.unlock(PASSWORD)).toEqual({ unlocked: true })
    expect(await vault.open()).toEqual(SECRET)
  })

  it('opens nothing where a lock comes before it has', async () => {
    const { vault, session } = restart(stored)
    const unlocking = vault.unlockWithPasskey(PRF)
    await vault.lock()
    await expect(unlocking).rejects.toThrow(VaultLockedError)
    expect(await vault.status()).toBe('locked')
    expect(session.dump()).toEqual({})
  })

  it('is shown with when it was made, locked or not, and nothing of its key', async () => {
    const { vault, clock } = restart(stored)
    expect(await vault.passkey()).toEqual({
      credentialId: CREDENTIAL,
      salt,
      createdAt: clock.now,
    })
    expect(JSON.stringify(stored)).not.toContain(PRF)
  })

  it('wraps the data key by HKDF-SHA-256 and AES-256-GCM, with all of its record as additional data', async () => {
    const { iv, sealed } = record.dataKey
    const key = hkdfSync('sha256', Buffer.from(PRF, 'hex'), '', 'satchel vault passkey', 32)
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key), Buffer.from(iv, 'hex'))
    decipher.setAAD(
      Buffer.from(
        JSON.stringify(['satchel vault passkey', 1, CREDENTIAL, salt, record.createdAt, iv]),
      ),
    )
    const bytes = Buffer.from(sealed, 'hex')
    decipher.setAuthTag(bytes.subarray(-16))
    const dataKey = Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()])
    const { vault, session } = restart(stored)
    await vault.unlock(PASSWORD)
    expect(session.dump()['vault.unlocked']).toMatchObject({ dataKey: dataKey.toString('hex') })
    expect(Object.keys(record).sort()).toEqual([
      'createdAt',
      'credentialId',
      'dataKey',
      'salt',
      'version',
    ])
  })

  it('that is another one opens nothing, counts as no wrong password and is not slowed down by those', async () => {
    const { vault } = restart(stored)
    for (let i = 0; i < 20; i++) expect(await vault.unlockWithPasskey(OTHER_PRF)).toEqual(WRONG)
    expect([await vault.status(), await vault.unlockDelayMs()]).toEqual(['locked', 0])
    for (let i = 0; i < 6; i++) await vault.unlock('wrong')
    expect(await vault.unlockDelayMs()).toBeGreaterThan(0)
    expect(await vault.unlockWithPasskey(PRF)).toEqual({ unlocked: true })
    // Whoever guessed at the password still has to wait.
    expect(await vault.unlockDelayMs()).toBeGreaterThan(0)
  })

  it('opens nothing where there is none, and says so of a wallet that is damaged', async () => {
    const { local } = await storeTestVault()
    expect(await restart(local).vault.passkey()).toBeNull()
    expect(await restart(local).vault.unlockWithPasskey(PRF)).toEqual(WRONG)
    const damaged = restart({ ...stored, 'vault.a': 1, 'vault.b': 1 })
    expect(await damaged.vault.unlockWithPasskey(PRF)).toEqual({
      unlocked: false,
      reason: 'DAMAGED',
    })
    await expect(restart({}).vault.unlockWithPasskey(PRF)).rejects.toThrow('no wallet')
  })

  it('of another wallet opens nothing, though its seal is whole', async () => {
    const other = createTestVault()
    await other.vault.create(GROWN_SECRET, PASSWORD)
    await addPasskey(other.vault, OTHER_PRF)
    const { vault, session } = restart({ ...stored, [KEY]: other.local.dump()[KEY] })
    expect(await vault.unlockWithPasskey(OTHER_PRF)).toEqual(WRONG)
    expect(await vault.unlockWithPasskey(PRF)).toEqual(WRONG)
    expect(session.dump()).toEqual({})
    expect(await vault.unlock(PASSWORD)).toEqual({ unlocked: true })
  })

  it('opens nothing once any digit of its record was altered', async () => {
    const digit = (text: string, at: number) =>
      text.slice(0, at) +
      (Number.parseInt(text[at] ?? '', 16) ^ 1).toString(16) +
      text.slice(at + 1)
    const altered: PasskeyRecord[] = [{ ...record, createdAt: record.createdAt + 1 }]
    for (const field of ['credentialId', 'salt'] as const)
      for (let at = 0; at < record[field].length; at++)
        altered.push({ ...record, [field]: digit(record[field], at) })
    for (const field of ['iv', 'sealed'] as const)
      for (let at = 0; at < record.dataKey[field].length; at++) {
        const dataKey = { ...record.dataKey, [field]: digit(record.dataKey[field], at) }
        altered.push({ ...record, dataKey })
      }
    expect(altered.length).toBeGreaterThan(200)
    for (const value of altered) {
      const { vault } = restart({ ...stored, [KEY]: value })
      expect(await vault.unlockWithPasskey(PRF), JSON.stringify(value)).toEqual(WRONG)
    }
  })

  it.each([
    ['a text', 'x'],
    ['nothing', null],
    ['another version', () => ({ ...record, version: 2 })],
    ['a member more', () => ({ ...record, more: 1 })],
    ['no salt', () => ({ ...record, salt: '' })],
    ['a credential id that is too long', () => ({ ...record, credentialId: '00'.repeat(1024) })],
    ['a time that is none', () => ({ ...record, createdAt: '1' })],
    ['a seal of another length', () => ({ ...record, dataKey: { iv: '', sealed: '' } })],
  ])('whose record is %s is none', async (_, value) => {
    const { vault } = restart({ ...stored, [KEY]: typeof value === 'function' ? value() : value })
    expect(await vault.passkey()).toBeNull()
    expect(await vault.unlockWithPasskey(PRF)).toEqual(WRONG)
    expect(await vault.unlock(PASSWORD)).toEqual({ unlocked: true })
  })

  it('reads no key longer than auto-lock says', async () => {
    const { vault, clock } = restart(stored)
    await vault.unlockWithPasskey(PRF)
    clock.now += 15 * 60_000
    expect(await vault.status()).toBe('locked')
    await expect(vault.open()).rejects.toThrow(VaultLockedError)
  })
})

describe('setting up a passkey', () => {
  it('takes the password, of which a wrong one counts as at unlock', async () => {
    const { vault } = restart(stored)
    for (let i = 0; i < 5; i++) await vault.preparePasskey('wrong')
    expect(await vault.preparePasskey('wrong')).toMatchObject({
      accepted: false,
      reason: 'TOO_SOON',
    })
    expect(await vault.unlockDelayMs()).toBeGreaterThan(0)
  })

  it('takes a salt of 32 random bytes that is another one each time', async () => {
    const { vault } = restart(stored)
    await vault.unlock(PASSWORD)
    const salts = [await addPasskey(vault, PRF, 'aa'), await addPasskey(vault, PRF, 'bb')]
    for (const each of salts) expect(each).toMatch(/^[0-9a-f]{64}$/)
    expect(new Set([salt, ...salts]).size).toBe(3)
  })

  it('fails for a salt that nobody prepared, that was used, or that is ten minutes old', async () => {
    const { vault, clock, local } = restart(stored)
    await vault.unlock(PASSWORD)
    const add = (which: string) =>
      vault.addPasskey({ salt: which, credentialId: 'dd', prf: OTHER_PRF })
    await expect(add('00'.repeat(32))).rejects.toThrow(/^salt: expected/)
    await expect(add(salt)).rejects.toThrow(/^salt: expected/)
    const prepared = await vault.preparePasskey(PASSWORD)
    clock.now += 10 * 60_000
    await vault.touch()
    await expect(add(prepared.accepted ? prepared.salt : '')).rejects.toThrow(/^salt: expected/)
    expect(local.dump()[KEY]).toEqual(record)
  })

  it('asked for twice, as after an answer that was lost, is done once', async () => {
    const { vault, local } = restart(stored)
    await vault.unlock(PASSWORD)
    await vault.addPasskey({ salt, credentialId: CREDENTIAL, prf: PRF })
    expect(local.dump()[KEY]).toEqual(record)
  })

  it('needs a wallet that is open, so that a lock ends it', async () => {
    const { vault, local } = restart(stored)
    const prepared = await vault.preparePasskey(PASSWORD)
    const added = { salt: prepared.accepted ? prepared.salt : '', credentialId: 'dd', prf: PRF }
    await expect(vault.addPasskey(added)).rejects.toThrow(VaultLockedError)
    expect(local.dump()[KEY]).toEqual(record)
  })

  it('leaves the one before where storage does not keep the new one', async () => {
    const area = createMemoryArea(stored)
    const forgetful = { ...area, getStored: async () => null }
    const { vault } = createTestVault({ local: forgetful })
    await vault.unlock(PASSWORD)
    await expect(addPasskey(vault, OTHER_PRF, 'ee')).rejects.toThrow('could not be written')
    expect(area.dump()[KEY]).toEqual(record)
  })
})

describe('a passkey goes', () => {
  async function expectGone(local: Stored, password: string) {
    const { vault } = restart(local)
    expect(await vault.passkey()).toBeNull()
    expect(await vault.unlockWithPasskey(PRF)).toEqual(WRONG)
    expect(await vault.unlock(password)).toEqual({ unlocked: true })
    expect(await vault.open()).toEqual(SECRET)
  }

  it('with the password that is changed, and opens nothing newer with an old record of it either', async () => {
    const { vault, local } = restart(stored)
    await vault.changePassword(PASSWORD, NEXT)
    await expectGone(local.dump(), NEXT)
    const putBack = restart({ ...local.dump(), [KEY]: record })
    expect(await putBack.vault.unlockWithPasskey(PRF)).toEqual(WRONG)
  })

  it('when it is removed, which new keys under the same password do', async () => {
    const { vault, local } = restart(stored)
    expect(await vault.changePassword(PASSWORD, PASSWORD)).toEqual({ accepted: true })
    await expectGone(local.dump(), PASSWORD)
    const putBack = restart({ ...local.dump(), [KEY]: record })
    expect(await putBack.vault.unlockWithPasskey(PRF)).toEqual(WRONG)
  })

  it('with a weaker cost that an unlock by password raises', async () => {
    const weak = createTestVault({ cost: COST_FLOOR })
    await weak.vault.create(SECRET, PASSWORD)
    await addPasskey(weak.vault)
    const { vault, local } = restart(weak.local.dump())
    expect(await vault.unlockWithPasskey(PRF)).toEqual({ unlocked: true })
    await vault.lock()
    await vault.unlock(PASSWORD)
    await expectGone(local.dump(), PASSWORD)
  })

  it('with the wallet that is erased, and one that a damaged start left is none of the next', async () => {
    const { vault, local } = restart(stored)
    await vault.erase()
    expect(local.dump()).toEqual({})
    const next = restart({ [KEY]: record })
    await next.vault.create(SECRET, NEXT)
    await expectGone(next.local.dump(), NEXT)
  })
})

it('a passkey stays while accounts are added or a backup is restored, and opens what is there then', async () => {
  const { vault, local } = restart(stored)
  await vault.unlockWithPasskey(PRF)
  await vault.update(() => GROWN_SECRET, { beside: 1 })
  expect(local.dump()[KEY]).toEqual(record)
  const after = restart(local.dump())
  expect(await after.vault.unlockWithPasskey(PRF)).toEqual({ unlocked: true })
  expect(await after.vault.open()).toEqual(GROWN_SECRET)
})
