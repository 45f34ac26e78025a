import { fromHex, toHex, toUtf8 } from '../../bitcoin/bytes.ts'
import { invalidParams } from '../../provider/errors.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { drawRandom, type RandomSource } from '../primitives/random-source.ts'
import type { PasskeyView } from '../views/account-views.ts'
import {
  DATA_KEY_BYTES,
  hasKeys,
  IV_BYTES,
  isHex,
  parseSealed,
  type Sealed,
} from './vault-record.ts'
import { seal, unseal } from './vault-seal.ts'
import { VaultWriteError } from './vault-slots.ts'

/** What is stored of a passkey (WebAuthn): how to ask for it, and the vault's data key sealed under what it answers. */
type PasskeyRecord = PasskeyView & { version: 1; dataKey: Sealed }

/** A passkey that was just made: its credential id, and the 32 bytes that its PRF gives for the salt; all hex. */
export type NewPasskey = { salt: string; credentialId: string; prf: string }

/** The second wrapper of the vault's data key, beside the password's. */
export type VaultPasskey = {
  /** Null where there is none, or none that can be read. */
  view(): Promise<PasskeyView | null>
  /** Draws the salt of a passkey that is to be made (32 bytes in hex), and remembers it for ten minutes. */
  prepare(): Promise<string>
  /**
   * Seals the data key under a new passkey, in the place of the one before. The same again does nothing. Throws -32602 for a salt
   * that was not prepared, and {@link VaultWriteError} with what was there before.
   */
  add(dataKey: Uint8Array, passkey: NewPasskey): Promise<void>
  /** The data key; null where there is no passkey, or it is another one, or the record was altered. The caller wipes it. */
  openDataKey(prf: string): Promise<Uint8Array | null>
  /** What is to be stored with a new data key, so that no wrapper of the old one stays. */
  entriesWithout(): Promise<{ [key: string]: null }>
}

export const PRF_BYTES = 32
/** The most that a credential id has by WebAuthn. */
export const MAX_CREDENTIAL_ID_BYTES = 1023
const SALT_BYTES = 32
const KEY = 'vault.passkey'
const PREPARED_KEY = 'vault.passkeySalt'
const PREPARED_FOR_MS = 10 * 60_000

/**
 * The data key under AES-256-GCM, whose key is HKDF-SHA-256 of what the passkey's PRF gives for a random salt. The seal covers all
 * of the record. There is nothing to guess: the PRF's answer has 256 bits and never leaves the authenticator before it has
 * verified the person.
 */
export function createVaultPasskey(deps: {
  local: StorageArea
  session: StorageArea
  now(): number
  random: RandomSource
}): VaultPasskey {
  const { local, session, now, random } = deps
  const load = async () => parsePasskeyRecord(await local.get(KEY))

  return {
    async view() {
      const record = await load()
      if (!record) return null
      const { credentialId, salt, createdAt } = record
      return { credentialId, salt, createdAt }
    },
    async prepare() {
      const salt = toHex(drawRandom(random, SALT_BYTES))
      await session.set({ [PREPARED_KEY]: { salt, at: now() } })
      return salt
    },
    async add(dataKey, { salt, credentialId, prf }) {
      const known = await load()
      if (known?.salt === salt && known.credentialId === credentialId) return
      if (!isPrepared(await session.get(PREPARED_KEY), salt, now()))
        throw invalidParams(
          'salt',
          null,
          'the salt that was given for this passkey, within minutes',
        )
      const iv = drawRandom(random, IV_BYTES)
      const header = { version: 1, credentialId, salt, createdAt: now() } as const
      const record = await withKey(prf, async key => ({
        ...header,
        dataKey: await seal(key, iv, headerBytes(header, toHex(iv)), dataKey),
      }))
      await write(record, prf, dataKey)
      await session.remove(PREPARED_KEY)
    },
    async openDataKey(prf) {
      const record = await load()
      return record && openWrapper(record, prf)
    },
    async entriesWithout() {
      return ((await local.get(KEY)) ?? null) === null ? {} : { [KEY]: null }
    },
  }

  async function write(record: PasskeyRecord, prf: string, dataKey: Uint8Array): Promise<void> {
    const before = (await local.get(KEY)) ?? null
    try {
      await local.set({ [KEY]: record })
      const readBack = parsePasskeyRecord(await local.getStored(KEY))
      const opened = readBack && (await openWrapper(readBack, prf))
      const isSame = opened !== null && toHex(opened) === toHex(dataKey)
      opened?.fill(0)
      if (!isSame) throw new Error('what was read back is not what was written')
    } catch (cause) {
      await local.set({ [KEY]: before }).catch(() => {})
      throw new VaultWriteError({ cause })
    }
  }
}

function openWrapper(record: PasskeyRecord, prf: string): Promise<Uint8Array | null> {
  const { dataKey } = record
  return withKey(prf, key => unseal(key, dataKey, headerBytes(record, dataKey.iv)))
}

async function withKey<T>(prf: string, use: (key: Uint8Array) => Promise<T>): Promise<T> {
  const bytes = new Uint8Array(fromHex(prf))
  const algorithm = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(),
    info: new Uint8Array(toUtf8('satchel vault passkey')),
  }
  let key: Uint8Array | null = null
  try {
    const material = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveBits'])
    key = new Uint8Array(await crypto.subtle.deriveBits(algorithm, material, 256))
    return await use(key)
  } finally {
    bytes.fill(0)
    key?.fill(0)
  }
}

/** Additional data of the seal. */
function headerBytes(
  { version, credentialId, salt, createdAt }: Omit<PasskeyRecord, 'dataKey'>,
  iv: string,
): Uint8Array {
  return toUtf8(
    JSON.stringify(['satchel vault passkey', version, credentialId, salt, createdAt, iv]),
  )
}

/** Null for a record of another shape or version. */
function parsePasskeyRecord(value: unknown): PasskeyRecord | null {
  if (!hasKeys(value, ['version', 'credentialId', 'salt', 'createdAt', 'dataKey'])) return null
  const { version, credentialId, salt, createdAt } = value
  const dataKey = parseSealed(value.dataKey, DATA_KEY_BYTES, DATA_KEY_BYTES)
  if (version !== 1 || !dataKey || !isHex(credentialId, 1, MAX_CREDENTIAL_ID_BYTES)) return null
  if (!isHex(salt, SALT_BYTES, SALT_BYTES)) return null
  if (typeof createdAt !== 'number' || !Number.isSafeInteger(createdAt)) return null
  return { version, credentialId, salt, createdAt, dataKey }
}

function isPrepared(value: unknown, salt: string, now: number): boolean {
  if (!hasKeys(value, ['salt', 'at']) || value.salt !== salt) return false
  return typeof value.at === 'number' && now >= value.at && now < value.at + PREPARED_FOR_MS
}
