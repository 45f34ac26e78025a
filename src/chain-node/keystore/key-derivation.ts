import { pbkdf2, scrypt } from 'node:crypto'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { KeystoreError } from './keystore.ts'

export interface ScryptDerivation {
  readonly kdf: 'scrypt'
  readonly n: number
  readonly r: number
  readonly p: number
  readonly dklen: number
  readonly salt: Uint8Array
}

export interface Pbkdf2Derivation {
  readonly kdf: 'pbkdf2'
  /** Iterations of HMAC-SHA-256. */
  readonly c: number
  readonly dklen: number
  readonly salt: Uint8Array
}

export type KeyDerivation = ScryptDerivation | Pbkdf2Derivation

/** Geth's two choices: a second and 256 MiB, or a sixteenth of a second and 4 MiB; and one for keys that everybody knows. */
export const SCRYPT_COSTS = {
  standard: { n: 262_144, r: 8, p: 1 },
  light: { n: 4096, r: 8, p: 6 },
  public: { n: 1024, r: 8, p: 1 },
} as const

/**
 * Derives a key from a passphrase, never in the main thread.
 *
 * @returns `dklen` bytes, which the caller wipes
 * @throws `KeystoreError` for parameters that are not possible or cost too much
 */
export async function deriveKey(derivation: KeyDerivation, passphrase: string): Promise<Buffer> {
  assertAffordable(derivation)
  const password = Buffer.from(new TextEncoder().encode(passphrase))
  try {
    if (derivation.kdf === 'pbkdf2') return await runPbkdf2(derivation, password)
    return await (isRefusedByOpenSsl(derivation)
      ? runScryptInWorker(derivation, password)
      : runScrypt(derivation, password))
  } finally {
    password.fill(0)
  }
}

const MOST_MEMORY = 2 ** 30
/** Steps of scrypt's block mix, n · r · p: 64 times what geth's standard takes, about a minute. */
const MOST_SCRYPT_WORK = 2 ** 27
/** About a minute. */
const MOST_ITERATIONS = 2 ** 26
const LONGEST_KEY = 1024

function assertAffordable(derivation: KeyDerivation): void {
  const { dklen } = derivation
  if (dklen < 32 || dklen > LONGEST_KEY) {
    throw new KeystoreError(`invalid dklen ${dklen}: want 32 to ${LONGEST_KEY} bytes`)
  }
  if (derivation.kdf === 'pbkdf2') {
    const iterations = derivation.c * Math.ceil(dklen / 32)
    if (iterations > MOST_ITERATIONS) {
      throw new KeystoreError(
        `pbkdf2 parameters cost too much: ${iterations} iterations, at most ${MOST_ITERATIONS}`,
      )
    }
    return
  }
  const { n, r, p } = derivation
  if (n < 2 || !Number.isInteger(Math.log2(n))) {
    throw new KeystoreError(`invalid scrypt n ${n}: want a power of two above 1`)
  }
  if (memoryOf(derivation) > MOST_MEMORY) {
    throw new KeystoreError(
      `scrypt parameters cost too much: ${memoryOf(derivation)} bytes of memory, at most ${MOST_MEMORY}`,
    )
  }
  if (n * r * p > MOST_SCRYPT_WORK) {
    throw new KeystoreError(
      `scrypt parameters cost too much: n * r * p is ${n * r * p}, at most ${MOST_SCRYPT_WORK}`,
    )
  }
}

/** As OpenSSL counts: p blocks, and the n blocks of one of them with two to work on. */
function memoryOf({ n, r, p }: ScryptDerivation): number {
  return 128 * r * (n + p + 2)
}

/**
 * RFC 7914 wants n below 2^(128 · r / 8), and OpenSSL insists. Go and the Web3 Secret Storage definition do not: its vector has
 * n = 2^18 with r = 1.
 */
function isRefusedByOpenSsl({ n, r }: ScryptDerivation): boolean {
  return n >= 2 ** (16 * r)
}

function runPbkdf2({ c, dklen, salt }: Pbkdf2Derivation, password: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    pbkdf2(password, salt, c, dklen, 'sha256', (error, key) => {
      if (error) reject(new KeystoreError(`pbkdf2 failed: ${error.message}`))
      else resolve(key)
    })
  })
}

function runScrypt(derivation: ScryptDerivation, password: Buffer): Promise<Buffer> {
  const { n, r, p, dklen, salt } = derivation
  const options = { N: n, r, p, maxmem: memoryOf(derivation) + 1 }
  return new Promise<Buffer>((resolve, reject) => {
    scrypt(password, salt, dklen, options, (error, key) => {
      if (error) reject(error)
      else resolve(key)
    })
  }).catch(error => {
    throw new KeystoreError(`scrypt failed: ${error.message}`)
  })
}

const WORKER = `
const { parentPort, workerData } = require('node:worker_threads')
require(workerData.module).scrypt(workerData.options).then(key => parentPort.postMessage(key))
`

function runScryptInWorker(derivation: ScryptDerivation, password: Buffer): Promise<Buffer> {
  const { n, r, p, dklen, salt } = derivation
  const options = {
    password,
    salt,
    costFactor: n,
    blockSize: r,
    parallelism: p,
    hashLength: dklen,
    outputType: 'binary',
  }
  const module = createRequire(import.meta.url).resolve('hash-wasm')
  return new Promise((resolve, reject) => {
    const worker = new Worker(WORKER, { eval: true, workerData: { module, options } })
    worker.once('message', (key: Uint8Array) => resolve(Buffer.from(key.buffer)))
    worker.once('error', error => reject(new KeystoreError(`scrypt failed: ${error.message}`)))
    worker.once('exit', () => reject(new KeystoreError('scrypt failed: its worker has ended')))
  })
}
