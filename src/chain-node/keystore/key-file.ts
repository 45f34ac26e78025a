import {
  createCipheriv,
  createDecipheriv,
  randomBytes,
  randomUUID,
  timingSafeEqual,
} from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Hex } from '../codec/hex.ts'
import { deriveKey, type KeyDerivation } from './key-derivation.ts'
import { KeystoreError, WrongPassphraseError } from './keystore.ts'

// Web3 Secret Storage, version 3:
// https://ethereum.org/developers/docs/data-structures-and-encoding/web3-secret-storage

/** What scrypt is to cost. */
export interface ScryptCost {
  readonly n: number
  readonly r: number
  readonly p: number
}

/**
 * Encrypts a key as geth does: scrypt, AES-128 in counter mode, and Keccak-256 over the second half of the derived key and
 * the ciphertext.
 *
 * @param privateKey - 32 bytes
 * @returns the text of the file
 */
export async function encryptKey(
  privateKey: Uint8Array,
  address: Hex,
  passphrase: string,
  cost: ScryptCost,
): Promise<string> {
  const salt = randomBytes(32)
  const iv = randomBytes(16)
  const derived = await deriveKey({ kdf: 'scrypt', ...cost, dklen: 32, salt }, passphrase)
  try {
    const cipher = createCipheriv(CIPHER, derived.subarray(0, 16), iv)
    const ciphertext = Buffer.concat([cipher.update(privateKey), cipher.final()])
    const crypto = {
      cipher: CIPHER,
      ciphertext: ciphertext.toString('hex'),
      cipherparams: { iv: iv.toString('hex') },
      kdf: 'scrypt',
      kdfparams: { dklen: 32, ...cost, salt: salt.toString('hex') },
      mac: hashMac(derived, ciphertext).toString('hex'),
    }
    return JSON.stringify({ address: address.slice(2), crypto, id: randomUUID(), version: 3 })
  } finally {
    derived.fill(0)
  }
}

/**
 * Decrypts the key of a file, whichever key derivation of the definition it has. Keys that were written without their leading
 * zeros get them back.
 *
 * @returns 32 bytes, which the caller wipes
 * @throws `KeystoreError` with geth's texts; a wrong passphrase is `could not decrypt key with given password`
 */
export async function decryptKey(text: string, passphrase: string): Promise<Buffer> {
  const { ciphertext, iv, mac, derivation } = parseKeyFile(text)
  const derived = await deriveKey(derivation, passphrase)
  try {
    if (!timingSafeEqual(hashMac(derived, ciphertext), mac)) {
      throw new WrongPassphraseError()
    }
    const decipher = createDecipheriv(CIPHER, derived.subarray(0, 16), iv)
    const plain = decipher.update(ciphertext)
    const key = Buffer.alloc(32)
    key.set(plain, 32 - plain.length)
    plain.fill(0)
    return key
  } finally {
    derived.fill(0)
  }
}

/** The address that a file says it is of, in lower case; null for what is not a file with a key. */
export function readKeyFileAddress(text: string): Hex | null {
  const file = parseObject(text)
  if (!file || !isObject(pick(file, 'crypto'))) return null
  const address = pick(file, 'address')
  if (typeof address !== 'string') return null
  const digits = address.replace(/^0x/i, '').toLowerCase()
  return /^[0-9a-f]{40}$/.test(digits) && /[^0]/.test(digits) ? `0x${digits}` : null
}

const CIPHER = 'aes-128-ctr'

interface EncryptedKey {
  readonly ciphertext: Buffer
  readonly iv: Buffer
  readonly mac: Buffer
  readonly derivation: KeyDerivation
}

function parseKeyFile(text: string): EncryptedKey {
  const file = parseObject(text)
  if (!file) throw new KeystoreError('key file is not a JSON object')
  const version = pick(file, 'version')
  if (version !== 3) throw new KeystoreError(`version not supported: ${describe(version)}`)
  const crypto = readObject(file, 'crypto')
  const cipher = pick(crypto, 'cipher')
  if (cipher !== CIPHER) throw new KeystoreError(`cipher not supported: ${describe(cipher)}`)
  const ciphertext = readBytes(crypto, 'ciphertext', 1, 32)
  const iv = readBytes(readObject(crypto, 'cipherparams'), 'iv', 16, 16)
  const mac = readBytes(crypto, 'mac', 32, 32)
  return { ciphertext, iv, mac, derivation: readDerivation(crypto) }
}

function readDerivation(crypto: object): KeyDerivation {
  const kdf = pick(crypto, 'kdf')
  const parameters = readObject(crypto, 'kdfparams')
  const dklen = readPositive(parameters, 'dklen')
  const salt = readBytes(parameters, 'salt', 0, 1024)
  if (kdf === 'scrypt') {
    const n = readPositive(parameters, 'n')
    const r = readPositive(parameters, 'r')
    const p = readPositive(parameters, 'p')
    return { kdf, n, r, p, dklen, salt }
  }
  if (kdf === 'pbkdf2') {
    const prf = pick(parameters, 'prf')
    if (prf !== 'hmac-sha256') {
      throw new KeystoreError(`unsupported PBKDF2 PRF: ${describe(prf)}`)
    }
    return { kdf, c: readPositive(parameters, 'c'), dklen, salt }
  }
  throw new KeystoreError(`unsupported KDF: ${describe(kdf)}`)
}

function hashMac(derived: Buffer, ciphertext: Buffer): Buffer {
  const body = Buffer.concat([derived.subarray(16, 32), ciphertext])
  const hash = Buffer.from(keccak_256(body))
  body.fill(0)
  return hash
}

function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function readObject(from: object, name: string): object {
  const value = pick(from, name)
  if (!isObject(value)) throw new KeystoreError(`key file has no object ${name}`)
  return value
}

function readPositive(from: object, name: string): number {
  const value = pick(from, name)
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
  throw new KeystoreError(`invalid ${name} in key file: ${describe(value)}, want a positive number`)
}

function readBytes(from: object, name: string, least: number, most: number): Buffer {
  const value = pick(from, name)
  const size = typeof value === 'string' ? value.length / 2 : -1
  if (typeof value === 'string' && /^([0-9a-f]{2})*$/i.test(value)) {
    if (size >= least && size <= most) return Buffer.from(value, 'hex')
  }
  const wanted = least === most ? `${most}` : `${least} to ${most}`
  throw new KeystoreError(`invalid ${name} in key file: want ${wanted} bytes in hexadecimal`)
}

/** Go's names of fields know no case, and files with `Crypto` are about (MyEtherWallet's). */
function pick(from: object, name: string): unknown {
  if (Object.hasOwn(from, name)) return from[name as keyof typeof from]
  return Object.entries(from).find(([key]) => key.toLowerCase() === name)?.[1]
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function describe(value: unknown): string {
  if (isObject(value) || Array.isArray(value)) return 'an object'
  return String(value).slice(0, 40)
}
