import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { createMutex } from '../primitives/mutex.ts'
import { drawRandom, type RandomSource } from '../primitives/random-source.ts'
import type { Argon2Cost } from './argon2/argon2id.ts'
import type { DeriveKey } from './vault-kdf.ts'
import {
  addChecksum,
  IV_BYTES,
  type KeyHeader,
  keyHeaderBytes,
  payloadHeaderBytes,
  SALT_BYTES,
  type Sealed,
  type VaultRecord,
} from './vault-record.ts'
import { decodeSecret, encodeSecret, type VaultSecret } from './vault-secret.ts'

/** How long a key that is derived ahead waits for its password to be set. */
const PREPARED_MS = 120_000

/** The key of a password for a fresh salt. Whoever takes it wipes it. */
export type FreshKey = { header: KeyHeader; passwordKey: Uint8Array }

/** A secret as of today; `outdated` when it was sealed in an older form. */
export type OpenedPayload = { secret: VaultSecret; outdated: boolean }

/** A KDF header with a fresh salt. */
export function createKeyHeader(cost: Argon2Cost, random: RandomSource): KeyHeader {
  const { memoryKib, passes, lanes } = cost
  const salt = toHex(drawRandom(random, SALT_BYTES))
  return { version: 1, kdf: { name: 'argon2id', memoryKib, passes, lanes, salt } }
}

type Prepared = {
  password: string
  key: Promise<FreshKey | null>
  timer: ReturnType<typeof setTimeout>
}

/**
 * Keys of passwords, one at a time: two would take twice the memory and end no sooner. One for a new seal may be derived ahead, while
 * its password is typed once more.
 */
export function createPasswordKeys({
  cost,
  random,
  deriveKey,
}: {
  cost: Argon2Cost
  random: RandomSource
  deriveKey: DeriveKey
}) {
  const inTurn = createMutex()
  let prepared: Prepared | null = null

  const derive = (password: string, { kdf }: Pick<KeyHeader, 'kdf'>) =>
    deriveKey(password, fromHex(kdf.salt), kdf)

  async function deriveFresh(password: string): Promise<FreshKey> {
    const header = createKeyHeader(cost, random)
    return { header, passwordKey: await derive(password, header) }
  }

  /** What was prepared is nobody else's from now on. */
  function takePrepared(): Prepared | null {
    const mine = prepared
    clearTimeout(mine?.timer)
    prepared = null
    return mine
  }

  function forget(): void {
    void takePrepared()?.key.then(key => key?.passwordKey.fill(0))
  }

  return {
    /** The key that a password has for a header. The caller wipes it. */
    derive: (password: string, header: Pick<KeyHeader, 'kdf'>): Promise<Uint8Array> =>
      inTurn(() => derive(password, header)),

    /** Begins to derive a key for a new seal, in place of any before; it is kept for two minutes. */
    prepare(password: string): void {
      if (prepared?.password === password) return
      forget()
      const isWanted = (): boolean => prepared === mine
      const mine: Prepared = {
        password,
        // What fails here is tried again by whoever takes it.
        key: inTurn(async () => (isWanted() ? deriveFresh(password) : null)).catch(() => null),
        timer: setTimeout(forget, PREPARED_MS),
      }
      prepared = mine
    },

    /** A key for a new seal: the one that was prepared for this password, else one that is derived now. */
    async take(password: string): Promise<FreshKey> {
      if (prepared?.password !== password) forget()
      const key = await takePrepared()?.key
      return key ?? inTurn(() => deriveFresh(password))
    },

    forget,
  }
}

/** Seals the data key under the password's key. */
export async function sealDataKey(
  header: KeyHeader,
  passwordKey: Uint8Array,
  dataKey: Uint8Array,
  random: RandomSource,
): Promise<Sealed> {
  const iv = drawRandom(random, IV_BYTES)
  return seal(passwordKey, iv, keyHeaderBytes(header, toHex(iv)), dataKey)
}

/** The data key; null when the password is another one or the record was altered. The caller wipes it. */
export function openDataKey(
  record: VaultRecord,
  passwordKey: Uint8Array,
): Promise<Uint8Array | null> {
  return unseal(passwordKey, record.dataKey, keyHeaderBytes(record, record.dataKey.iv))
}

/** A whole record around a data key that is sealed already. */
export async function sealPayload(
  header: Omit<VaultRecord, 'payload' | 'checksum'>,
  dataKey: Uint8Array,
  secret: VaultSecret,
  random: RandomSource,
): Promise<VaultRecord> {
  const { version, revision, kdf, dataKey: sealedKey } = header
  const iv = drawRandom(random, IV_BYTES)
  const plain = encodeSecret(secret)
  const aad = payloadHeaderBytes(header, toHex(iv))
  try {
    const payload = await seal(dataKey, iv, aad, plain)
    return await addChecksum({ version, revision, kdf, dataKey: sealedKey, payload })
  } finally {
    plain.fill(0)
  }
}

/** The secret; null when the data key is another one or anything in the record was altered. */
export async function openPayload(
  record: VaultRecord,
  dataKey: Uint8Array,
): Promise<OpenedPayload | null> {
  const aad = payloadHeaderBytes(record, record.payload.iv)
  const plain = await unseal(dataKey, record.payload, aad)
  if (!plain) return null
  try {
    const secret = decodeSecret(plain)
    if (secret.version === 3) return { secret, outdated: false }
    const { upgradeSecret } = await import('./vault-upgrade.ts')
    return { secret: await upgradeSecret(secret), outdated: true }
  } finally {
    plain.fill(0)
  }
}

/** AES-256-GCM in the form in which it is stored. An IV is used once with a key. */
export async function seal(
  key: Uint8Array,
  iv: Uint8Array,
  additionalData: Uint8Array,
  plain: Uint8Array,
): Promise<Sealed> {
  return { iv: toHex(iv), sealed: toHex(await encrypt(key, iv, additionalData, plain)) }
}

/** Reverses {@link seal}; null when the key is another one or anything was altered. */
export function unseal(
  key: Uint8Array,
  { iv, sealed }: Sealed,
  additionalData: Uint8Array,
): Promise<Uint8Array | null> {
  return decrypt(key, fromHex(iv), additionalData, fromHex(sealed))
}

/** AES-256-GCM: the ciphertext and its 16-byte tag. An IV is used once with a key. */
export async function encrypt(
  key: Uint8Array,
  iv: Uint8Array,
  additionalData: Uint8Array,
  plain: Uint8Array,
): Promise<Uint8Array> {
  const algorithm = gcm(iv, additionalData)
  return new Uint8Array(
    await crypto.subtle.encrypt(algorithm, await importKey(key), ownBuffer(plain)),
  )
}

/** Reverses {@link encrypt}; null when the key is another one or anything was altered. */
export async function decrypt(
  key: Uint8Array,
  iv: Uint8Array,
  additionalData: Uint8Array,
  sealed: Uint8Array,
): Promise<Uint8Array | null> {
  const algorithm = gcm(iv, additionalData)
  const cryptoKey = await importKey(key)
  try {
    return new Uint8Array(await crypto.subtle.decrypt(algorithm, cryptoKey, ownBuffer(sealed)))
  } catch (error) {
    // The one answer of WebCrypto to a tag that does not fit.
    if (error instanceof Error && error.name === 'OperationError') return null
    throw error
  }
}

function gcm(iv: Uint8Array, additionalData: Uint8Array): AesGcmParams {
  return {
    name: 'AES-GCM',
    iv: ownBuffer(iv),
    additionalData: ownBuffer(additionalData),
    tagLength: 128,
  }
}

function importKey(key: Uint8Array): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', ownBuffer(key), 'AES-GCM', false, ['encrypt', 'decrypt'])
}

/** Nothing here shares memory between threads; WebCrypto's types want that said. */
function ownBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>
}
