import { sha256 } from '@noble/hashes/sha2.js'
import { fromBase64, fromHex, toBase64, toHex, toUtf8 } from '../../bitcoin/bytes.ts'
import { drawRandom, type RandomSource } from '../primitives/random-source.ts'
import type { Argon2Cost } from './argon2/argon2id.ts'
import { type DeriveKey, derivePasswordKey, STANDARD_COST } from './vault-kdf.ts'
import {
  hasKeys,
  IV_BYTES,
  isHex,
  kdfFields,
  parseKdf,
  TAG_BYTES,
  type VaultRecord,
} from './vault-record.ts'
import { createKeyHeader, decrypt, encrypt } from './vault-seal.ts'

/**
 * The file of a backup: JSON with exactly these members. The password's key seals the contents as the vault's does, and the
 * seal covers all that stands before it; the checksum covers everything, so that damage shows before a password is tried.
 */
type BackupFile = {
  format: typeof FORMAT
  version: 1
  kdf: VaultRecord['kdf']
  /** 12 bytes in hex. */
  iv: string
  /** Base64 of the ciphertext and its 16-byte tag. */
  sealed: string
  /** SHA-256 in hex. */
  checksum: string
}

const FORMAT = 'satchel backup'
const VERSION = 1

/** Characters of a file: what the browser still hands from a page to the background in one message. */
export const MAX_BACKUP_CHARACTERS = 24 * 1024 * 1024

/** The ciphertext tells the length of what is in it by no more than this. */
const PADDED_TO = 4096

/** Why a file is not opened; of an altered one it cannot be told whether the password is wrong instead. */
export type BackupFileProblem =
  | 'too-large'
  | 'not-a-backup'
  | 'newer-version'
  | 'damaged'
  | 'wrong-password'

/** The file cannot be opened; nothing was changed. */
export class BackupFileError extends Error {
  override name = 'BackupFileError'
  readonly problem: BackupFileProblem
  constructor(problem: BackupFileProblem) {
    super(`backup: ${problem}`)
    this.problem = problem
  }
}

export function damaged(): BackupFileError {
  return new BackupFileError('damaged')
}

type Sealing = {
  random: RandomSource
  /** Not below the floor; {@link STANDARD_COST} unless told. */
  cost?: Argon2Cost | undefined
  deriveKey?: DeriveKey | undefined
}

/** The text of a file with these bytes of JSON. Throws {@link BackupFileError} for more than a file holds. */
export async function sealBackup(
  plain: Uint8Array,
  password: string,
  { random, cost = STANDARD_COST, deriveKey = derivePasswordKey }: Sealing,
): Promise<string> {
  const { kdf } = createKeyHeader(cost, random)
  const iv = toHex(drawRandom(random, IV_BYTES))
  const padded = new Uint8Array(Math.ceil(plain.length / PADDED_TO) * PADDED_TO).fill(0x20)
  padded.set(plain)
  const passwordKey = await deriveKey(password, fromHex(kdf.salt), kdf)
  try {
    const sealed = toBase64(await encrypt(passwordKey, fromHex(iv), headerBytes(kdf, iv), padded))
    const file = { format: FORMAT, version: VERSION, kdf, iv, sealed } as const
    const text = `${JSON.stringify({ ...file, checksum: checksumOf(file) }, null, 1)}\n`
    if (text.length > MAX_BACKUP_CHARACTERS) throw new BackupFileError('too-large')
    return text
  } finally {
    passwordKey.fill(0)
    padded.fill(0)
  }
}

/** Reverses {@link sealBackup}, with the padding; the caller wipes it. Throws {@link BackupFileError}. */
export async function openBackup(
  text: string,
  password: string,
  { deriveKey = derivePasswordKey }: { deriveKey?: DeriveKey | undefined } = {},
): Promise<Uint8Array> {
  const { kdf, iv, sealed } = parseBackupFile(text)
  const passwordKey = await deriveKey(password, fromHex(kdf.salt), kdf)
  try {
    const header = headerBytes(kdf, iv)
    const plain = await decrypt(passwordKey, fromHex(iv), header, fromBase64(sealed))
    if (!plain) throw new BackupFileError('wrong-password')
    return plain
  } finally {
    passwordKey.fill(0)
  }
}

/** Throws {@link BackupFileError} for whatever no wallet of this version wrote, or that costs too much to try. */
function parseBackupFile(text: string): BackupFile {
  if (text.length > MAX_BACKUP_CHARACTERS) throw new BackupFileError('too-large')
  const value = parseFlatJson(text)
  if (Object(value).format !== FORMAT) throw new BackupFileError('not-a-backup')
  const { version } = Object(value)
  if (Number.isSafeInteger(version) && version > VERSION) throw new BackupFileError('newer-version')
  if (!hasKeys(value, ['format', 'version', 'kdf', 'iv', 'sealed', 'checksum']))
    throw new BackupFileError('damaged')
  const { iv, sealed, checksum } = value
  const kdf = parseKdf(value.kdf)
  if (version !== VERSION || !kdf || !isHex(iv, IV_BYTES, IV_BYTES) || !isSealed(sealed))
    throw new BackupFileError('damaged')
  const file = { format: FORMAT, version: VERSION, kdf, iv, sealed } as const
  const expected = checksumOf(file)
  if (checksum !== expected) throw new BackupFileError('damaged')
  return { ...file, checksum: expected }
}

/** JSON of one object whose members hold nothing deeper than an object; else null. */
function parseFlatJson(text: string): unknown {
  try {
    return isShallow(text, 2) ? JSON.parse(text) : null
  } catch {
    return null
  }
}

/** Whether a text of JSON nests no deeper than so many objects and arrays: parsers of browsers recurse. */
export function isShallow(text: string, most: number): boolean {
  let depth = 0
  let isText = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isText) {
      if (code === BACKSLASH) at++
      else if (code === QUOTE) isText = false
    } else if (code === QUOTE) isText = true
    else if (OPENING.has(code)) {
      if (++depth > most) return false
    } else if (CLOSING.has(code)) depth--
  }
  return true
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** `{`, `[` and what closes them. */
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b])
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d])

/** Base64 of more than a tag. */
function isSealed(value: unknown): value is string {
  if (typeof value !== 'string') return false
  try {
    return fromBase64(value).length > TAG_BYTES
  } catch {
    return false
  }
}

/** What the seal covers besides the contents. */
function headerBytes(kdf: VaultRecord['kdf'], iv: string): Uint8Array {
  return toUtf8(JSON.stringify([FORMAT, VERSION, ...kdfFields(kdf), iv]))
}

function checksumOf({ kdf, iv, sealed }: Omit<BackupFile, 'checksum'>): string {
  return toHex(sha256(toUtf8(JSON.stringify([FORMAT, VERSION, ...kdfFields(kdf), iv, sealed]))))
}
