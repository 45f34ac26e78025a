import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hex } from '../codec/hex.ts'
import { makeFolder } from '../store/make-folder.ts'
import { readKeyFileAddress } from './key-file.ts'
import { KeystoreError } from './keystore.ts'

/** A file with an encrypted key. */
export interface KeyEntry {
  readonly name: string
  readonly address: Hex
}

/**
 * Key files in a folder, which others write to as well. The folder is looked at when something is asked, at most once a second;
 * what is not a key file is left alone.
 */
export interface KeyFolder {
  /** In the order of their names; another array once something has changed. */
  list(): readonly KeyEntry[]
  /** Looks at the folder now. */
  rescan(): void
  /** The text of a file; throws `KeystoreError` where it is no longer there. */
  read(name: string): string
  /** Writes a new file, all of it or nothing. */
  write(address: Hex, text: string): Promise<void>
}

/** Makes the folder, for its owner alone, if it is not there; throws `KeystoreError` where that cannot be. */
export async function openKeyFolder(folder: string): Promise<KeyFolder> {
  await makeKeyFolder(folder)
  const files = new Map<string, KnownFile>()
  let entries: readonly KeyEntry[] = []
  let scannedAt = Number.NEGATIVE_INFINITY
  let settled: string | null = null
  let lastNanoseconds = 0n

  function rescan(): void {
    scannedAt = Date.now()
    const stamp = stampFolder(folder)
    if (stamp !== null && stamp === settled) {
      lookAgain()
      return
    }
    const names = listNames(folder)
    if (!names) return
    settled = stamp
    const present = new Set(names)
    let changed = false
    for (const name of files.keys()) {
      if (!present.has(name)) changed = files.delete(name)
    }
    for (const name of names) changed = look(name) || changed
    if (changed) index()
  }

  /** A file that somebody is still writing becomes a key file without a change of the folder. */
  function lookAgain(): void {
    let changed = false
    for (const [name, file] of files) {
      if (file.address === null) changed = look(name) || changed
    }
    if (changed) index()
  }

  function look(name: string): boolean {
    const stamp = stampFile(join(folder, name))
    const known = files.get(name)
    if (known?.stamp === stamp) return false
    const address = readAddress(join(folder, name))
    files.set(name, { stamp, address })
    return known?.address !== address
  }

  function index(): void {
    entries = [...files]
      .flatMap(([name, { address }]) => (address === null ? [] : [{ name, address }]))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  rescan()
  return {
    list() {
      const since = Date.now() - scannedAt
      if (since >= SCAN_INTERVAL || since < 0) rescan()
      return entries
    },
    rescan,
    read(name) {
      try {
        return readText(join(folder, name))
      } catch {
        throw new KeystoreError('no key for given address or file')
      }
    },
    async write(address, text) {
      const now = BigInt(Date.now()) * 1_000_000n
      lastNanoseconds = now > lastNanoseconds ? now : lastNanoseconds + 1n
      const name = formatFileName(lastNanoseconds, address)
      await makeKeyFolder(folder)
      await writeWhole(folder, name, text)
      files.set(name, { stamp: stampFile(join(folder, name)), address })
      index()
    },
  }
}

const SCAN_INTERVAL = 1000
/** Time stamps of folders are this coarse at worst (FAT): a folder that changed later than this may change again unseen. */
const COARSEST_STAMP = 2000
const LONGEST_FILE = 65_536

interface KnownFile {
  /** Changes when the file does. */
  readonly stamp: string
  /** Null for what is not a key file. */
  readonly address: Hex | null
}

/** Null while the folder's time says nothing about what comes next. */
function stampFolder(folder: string): string | null {
  try {
    const { mtimeMs, ino } = statSync(folder)
    return Date.now() - mtimeMs > COARSEST_STAMP ? `${ino} ${mtimeMs}` : null
  } catch {
    return null
  }
}

function stampFile(path: string): string {
  try {
    const { mtimeMs, ctimeMs, size, ino } = lstatSync(path)
    return `${ino} ${size} ${mtimeMs} ${ctimeMs}`
  } catch {
    return 'gone'
  }
}

/** As geth: no backups of editors, nothing hidden, no folders, no links. Null where the folder cannot be read now. */
function listNames(folder: string): string[] | null {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(isKeyFile)
      .map(entry => entry.name)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? [] : null
  }
}

function isKeyFile(entry: Dirent): boolean {
  return entry.isFile() && !entry.name.startsWith('.') && !entry.name.endsWith('~')
}

function readAddress(path: string): Hex | null {
  try {
    return readKeyFileAddress(readText(path))
  } catch {
    return null
  }
}

/** Throws for what is not a file, or longer than any key file; never waits for a pipe. */
function readText(path: string): string {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const file = openSync(path, flags)
  try {
    const stat = fstatSync(file)
    if (!stat.isFile() || stat.size > LONGEST_FILE) throw new KeystoreError('not a key file')
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/** Geth's: `UTC--2016-03-22T12-57-55.920751759Z--7ef5a6135f1fd6a02593eedc869c6d41d934aef8`. */
function formatFileName(nanoseconds: bigint, address: Hex): string {
  const seconds = new Date(Number(nanoseconds / 1_000_000n)).toISOString().slice(0, 19)
  const fraction = String(nanoseconds % 1_000_000_000n).padStart(9, '0')
  return `UTC--${seconds.replaceAll(':', '-')}.${fraction}Z--${address.slice(2)}`
}

async function makeKeyFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder)
  } catch (error) {
    throw fail('make the folder of the keys', error)
  }
}

/** Under a hidden name first, so that nobody reads half a file; then under its own, on the disk. */
async function writeWhole(folder: string, name: string, text: string): Promise<void> {
  const temporary = join(folder, `.${name}.tmp${randomBytes(4).toString('hex')}`)
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, join(folder, name))
    await syncFolder(folder)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw fail('write the key file', error)
  }
}

/** Windows has no such thing as a folder's own content to write. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function fail(what: string, error: unknown): KeystoreError {
  return new KeystoreError(`cannot ${what}: ${(error as NodeJS.ErrnoException).code ?? error}`)
}
