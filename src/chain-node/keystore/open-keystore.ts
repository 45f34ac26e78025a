import type { Hex } from '../codec/hex.ts'
import { createDerivationQueue } from './derivation-queue.ts'
import { SCRYPT_COSTS } from './key-derivation.ts'
import { decryptKey, encryptKey } from './key-file.ts'
import { type KeyEntry, openKeyFolder } from './key-folder.ts'
import { type Keystore, KeystoreError, WrongPassphraseError } from './keystore.ts'
import { createPassphraseLimit, type PassphraseLimit } from './passphrase-limit.ts'
import { assertPrivateKey, createPrivateKey, deriveAddress } from './private-key.ts'

export interface KeystoreOptions {
  readonly folder: string
  /** What new files cost to open: a second and 256 MiB, a sixteenth of a second and 4 MiB, or next to nothing. */
  readonly scrypt: keyof typeof SCRYPT_COSTS
  readonly limit?: PassphraseLimit
}

/** Opens the folder, which is made if it is not there. Throws `KeystoreError`. */
export async function openKeystore(options: KeystoreOptions): Promise<Keystore> {
  const files = await openKeyFolder(options.folder)
  const cost = SCRYPT_COSTS[options.scrypt]
  const queue = createDerivationQueue()
  const limit = options.limit ?? createPassphraseLimit()
  const unlocked = new Map<Hex, UnlockedKey>()
  const storing = new Set<Hex>()
  let closed = false
  let entries: readonly KeyEntry[] = []
  let known: ReadonlySet<Hex> = new Set()
  let addresses: readonly Hex[] = []

  /** Keys whose files are gone are gone too. */
  function refresh(): void {
    const latest = files.list()
    if (latest === entries) return
    entries = latest
    known = new Set(entries.map(entry => entry.address))
    addresses = [...known]
    for (const address of unlocked.keys()) {
      if (!known.has(address)) forget(address)
    }
  }

  function isOurs(address: Hex): boolean {
    refresh()
    return known.has(address)
  }

  /** A file that came a moment ago is found as well. */
  function findFiles(address: Hex): readonly KeyEntry[] {
    if (!isOurs(address)) files.rescan()
    refresh()
    return entries.filter(entry => entry.address === address)
  }

  function findFile(address: Hex): KeyEntry {
    const [entry, ...others] = findFiles(address)
    if (!entry) throw new KeystoreError('no key for given address or file')
    if (others.length === 0) return entry
    const names = [entry, ...others].map(({ name }) => name).join(', ')
    throw new KeystoreError(`multiple keys match address (${names})`)
  }

  /** The caller wipes the key. */
  async function decrypt(address: Hex, passphrase: string): Promise<Buffer> {
    assertOpen()
    const { name } = findFile(address)
    limit.assertMayTry(address)
    const key = await queue.run(async () => {
      assertOpen()
      // Others may have failed while it waited.
      limit.assertMayTry(address)
      return decryptKey(files.read(name), passphrase).catch(error => {
        if (error instanceof WrongPassphraseError) limit.countWrong(address)
        throw error
      })
    })
    limit.countRight(address)
    try {
      assertOpen()
      assertPrivateKey(key)
      const actual = deriveAddress(key)
      if (actual === address) return key
      throw new KeystoreError(
        `key content mismatch: have account ${actual.slice(2)}, want ${address.slice(2)}`,
      )
    } catch (error) {
      key.fill(0)
      throw error
    }
  }

  async function store(privateKey: Uint8Array, address: Hex, passphrase: string): Promise<void> {
    assertOpen()
    if (storing.has(address)) throw new KeystoreError('account already exists')
    storing.add(address)
    try {
      const text = await queue.run(async () => {
        assertOpen()
        return encryptKey(privateKey, address, passphrase, cost)
      })
      await files.write(address, text)
    } finally {
      storing.delete(address)
    }
  }

  function forget(address: Hex): void {
    const found = unlocked.get(address)
    if (!found) return
    found.stopTimer?.()
    found.key.fill(0)
    unlocked.delete(address)
  }

  function assertOpen(): void {
    if (closed) throw new KeystoreError('keystore is closed')
  }

  refresh()
  return {
    accounts() {
      refresh()
      return addresses
    },

    async create(passphrase) {
      const key = createPrivateKey()
      try {
        const address = deriveAddress(key)
        await store(key, address, passphrase)
        return address
      } finally {
        key.fill(0)
      }
    },

    async importKey(privateKey, passphrase) {
      assertPrivateKey(privateKey)
      const key = Buffer.alloc(32)
      key.set(privateKey)
      try {
        const address = deriveAddress(key)
        files.rescan()
        if (isOurs(address)) throw new KeystoreError('account already exists')
        await store(key, address, passphrase)
        return address
      } finally {
        key.fill(0)
      }
    },

    async unlock(address, passphrase, seconds) {
      if (seconds > LONGEST_UNLOCK) throw new KeystoreError('unlock duration too large')
      if (!Number.isInteger(seconds) || seconds < 0) {
        throw new KeystoreError(`invalid unlock duration ${seconds}: want whole seconds`)
      }
      const key = await decrypt(address, passphrase)
      if (unlocked.get(address)?.stopTimer === null) {
        key.fill(0)
        return
      }
      forget(address)
      const stopTimer = seconds === 0 ? null : startTimer(1000 * seconds, () => forget(address))
      const lockedFrom = seconds === 0 ? Number.POSITIVE_INFINITY : Date.now() + 1000 * seconds
      unlocked.set(address, { key, stopTimer, lockedFrom })
    },

    lock(address) {
      forget(address)
      return isOurs(address)
    },

    withUnlocked(address, use) {
      if (!isOurs(address)) throw new KeystoreError('unknown account')
      const found = unlocked.get(address)
      if (found && found.lockedFrom <= Date.now()) forget(address)
      if (!found || !unlocked.has(address)) {
        throw new KeystoreError('authentication needed: password or unlock')
      }
      const copy = Buffer.alloc(32)
      copy.set(found.key)
      try {
        return use(copy)
      } finally {
        copy.fill(0)
      }
    },

    async withPassphrase(address, passphrase, use) {
      if (findFiles(address).length === 0) throw new KeystoreError('unknown account')
      const key = await decrypt(address, passphrase)
      try {
        return use(key)
      } finally {
        key.fill(0)
      }
    },

    close() {
      closed = true
      for (const address of [...unlocked.keys()]) forget(address)
    },
  }
}

interface UnlockedKey {
  readonly key: Buffer
  /** Null for a key that stays until the process ends. */
  readonly stopTimer: (() => void) | null
  /** By the clock of the wall: timers stand still while a machine sleeps. Milliseconds since 1970. */
  readonly lockedFrom: number
}

/** What a duration of Go can be, in seconds. */
const LONGEST_UNLOCK = 9_223_372_036
const LONGEST_TIMEOUT = 2 ** 31 - 1

/** Calls `end` once, also after longer than a timeout can be; keeps no process alive. */
function startTimer(milliseconds: number, end: () => void): () => void {
  let timer: NodeJS.Timeout
  function wait(left: number): void {
    const step = Math.min(left, LONGEST_TIMEOUT)
    timer = setTimeout(() => (left > step ? wait(left - step) : end()), step)
    timer.unref()
  }
  wait(milliseconds)
  return () => clearTimeout(timer)
}
