import { toUtf8 } from '../../bitcoin/bytes.ts'
import { hashText } from '../primitives/browser-digest.ts'
import type { Argon2Cost } from './argon2/argon2id.ts'
import { isAllowedCost } from './vault-kdf.ts'

/** AES-256-GCM: a 12-byte IV, and the ciphertext with its 16-byte tag; both hex. */
export type Sealed = { iv: string; sealed: string }

/**
 * What is stored. The password's key seals a random data key; the data key seals the secret. The secret's seal covers
 * everything else in the record but the checksum, and the checksum covers all: damage shows before any password is tried.
 */
export type VaultRecord = {
  version: 1
  /** Counts the writes, so that of two records the later one is known. */
  revision: number
  kdf: { name: 'argon2id'; salt: string } & Argon2Cost
  dataKey: Sealed
  payload: Sealed
  checksum: string
}

/** The record as far as the data key's seal needs it. */
export type KeyHeader = Pick<VaultRecord, 'version' | 'kdf'>

export const SALT_BYTES = 16
export const IV_BYTES = 12
export const DATA_KEY_BYTES = 32
export const TAG_BYTES = 16
/** Room for hundreds of accounts; more is not ours. */
const MAX_PAYLOAD_BYTES = 1024 * 1024

/** Additional data of the data key's seal. */
export function keyHeaderBytes({ version, kdf }: KeyHeader, iv: string): Uint8Array {
  return toUtf8(JSON.stringify(['satchel vault data key', version, ...kdfFields(kdf), iv]))
}

/** Additional data of the secret's seal. */
export function payloadHeaderBytes(
  record: Omit<VaultRecord, 'payload' | 'checksum'>,
  iv: string,
): Uint8Array {
  const { version, revision, kdf, dataKey } = record
  return toUtf8(
    JSON.stringify([
      'satchel vault payload',
      version,
      revision,
      ...kdfFields(kdf),
      dataKey.iv,
      dataKey.sealed,
      iv,
    ]),
  )
}

/** Completes a record with its checksum. */
export async function addChecksum(record: Omit<VaultRecord, 'checksum'>): Promise<VaultRecord> {
  return { ...record, checksum: await checksumOf(record) }
}

/** Reads a stored record; null when it is damaged, of another shape or version, or its KDF cost is out of bounds. */
export async function parseVaultRecord(value: unknown): Promise<VaultRecord | null> {
  if (!hasKeys(value, ['version', 'revision', 'kdf', 'dataKey', 'payload', 'checksum'])) return null
  const { version, revision, checksum } = value
  const kdf = parseKdf(value.kdf)
  const dataKey = parseSealed(value.dataKey, DATA_KEY_BYTES, DATA_KEY_BYTES)
  const payload = parseSealed(value.payload, 1, MAX_PAYLOAD_BYTES)
  if (version !== 1 || !kdf || !dataKey || !payload) return null
  if (typeof revision !== 'number' || !Number.isSafeInteger(revision) || revision < 1) return null
  const record = { version, revision, kdf, dataKey, payload } as const
  return checksum === (await checksumOf(record)) ? { ...record, checksum } : null
}

/** Null for a KDF of another shape, or whose cost is out of bounds. */
export function parseKdf(value: unknown): VaultRecord['kdf'] | null {
  if (!hasKeys(value, ['name', 'memoryKib', 'passes', 'lanes', 'salt'])) return null
  const { name, memoryKib, passes, lanes, salt } = value
  if (typeof memoryKib !== 'number' || typeof passes !== 'number' || typeof lanes !== 'number')
    return null
  if (name !== 'argon2id' || !isHex(salt, SALT_BYTES, SALT_BYTES)) return null
  if (!isAllowedCost({ memoryKib, passes, lanes })) return null
  return { name, memoryKib, passes, lanes, salt }
}

/** Null for a seal of another shape, or of what is not as long as said. */
export function parseSealed(value: unknown, minBytes: number, maxBytes: number): Sealed | null {
  if (!hasKeys(value, ['iv', 'sealed'])) return null
  const { iv, sealed } = value
  if (!isHex(iv, IV_BYTES, IV_BYTES)) return null
  if (!isHex(sealed, minBytes + TAG_BYTES, maxBytes + TAG_BYTES)) return null
  return { iv, sealed }
}

/** The values in a fixed order; JSON of an array of strings and numbers has one spelling. */
export function kdfFields({ name, memoryKib, passes, lanes, salt }: VaultRecord['kdf']) {
  return [name, memoryKib, passes, lanes, salt]
}

function checksumOf(record: Omit<VaultRecord, 'checksum'>): Promise<string> {
  const { version, revision, kdf, dataKey, payload } = record
  const fields = [dataKey.iv, dataKey.sealed, payload.iv, payload.sealed]
  return hashText(
    JSON.stringify(['satchel vault record', version, revision, ...kdfFields(kdf), ...fields]),
  )
}

/** An object with exactly these members. */
export function hasKeys<K extends string>(
  value: unknown,
  keys: readonly K[],
): value is { [key in K]: unknown } {
  if (typeof value !== 'object' || value === null) return false
  const own = Object.keys(value)
  return own.length === keys.length && keys.every(key => own.includes(key))
}

/** Lower case only: a record has one spelling. */
export function isHex(value: unknown, minBytes: number, maxBytes: number): value is string {
  return (
    typeof value === 'string' &&
    value.length % 2 === 0 &&
    value.length >= 2 * minBytes &&
    value.length <= 2 * maxBytes &&
    /^[0-9a-f]*$/.test(value)
  )
}
