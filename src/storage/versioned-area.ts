import type { StorageArea } from './storage-area.ts'

/** What the version of everything stored is kept under, in the area itself. */
export const STAMP_KEY = 'storage'

/**
 * `version` counts the migrations that what is stored has been through; `writtenBy` is the extension's version that wrote last;
 * `left` are keys that the last migration did without, for as long as they may still be there.
 */
type Stamp = { version: number; writtenBy: string; left?: string[] }

/**
 * Makes what version n has stored that of version n + 1: reads what it needs, and says what is to be stored in its place, with
 * null for keys that are no longer used. Any key may be missing: a new wallet begins at version 0 too.
 */
export type Migration = (get: StorageArea['get']) => Promise<{ [key: string]: unknown }>

/** All migrations that there were, oldest first, and the version of the extension. */
export type StorageVersions = { migrations: readonly Migration[]; writtenBy: string }

/** What is stored comes from a newer version of the extension: nothing is read and nothing written. */
export class NewerStorageError extends Error {
  override name = 'NewerStorageError'
  readonly writtenBy: string
  constructor(writtenBy: string) {
    super(`The storage is from Satchel ${writtenBy}, which is newer than this version.`)
    this.writtenBy = writtenBy
  }
}

/**
 * An area whose content is of the version that `migrations` lead to: whatever is older is migrated before anything is read, a
 * step a write, each with its new version in the same write, as the browser stores the keys of one call or none. What carries no
 * version counts as 0. Where a newer extension has written, all calls throw {@link NewerStorageError}.
 */
export function createVersionedArea(
  area: StorageArea,
  { migrations, writtenBy }: StorageVersions,
): StorageArea {
  const current: Stamp = { version: migrations.length, writtenBy }
  let isStamped = false
  /** A write that began before everything was erased says nothing of the stamp after it. */
  let erasures = 0
  let isOpen = false
  let opening: Promise<boolean> | null = null
  // Read at once, and each call tells of it.
  opened().catch(() => {})

  return {
    get: key => readBeside(() => area.get(key)),
    getStored: key => readBeside(() => area.getStored(key)),
    async set(entries) {
      await opened()
      const before = erasures
      await area.set(isStamped ? entries : { ...entries, [STAMP_KEY]: current })
      if (erasures === before) isStamped = true
    },
    async remove(keys) {
      await opened()
      await area.remove(keys)
    },
    async clear() {
      await opened()
      erasures++
      isStamped = false
      await area.clear()
    },
  }

  /** Reads while the version is read, which no start has to wait for; and again where that found something to migrate. */
  async function readBeside(read: () => Promise<unknown>): Promise<unknown> {
    const early = read()
    if (isOpen) return early
    early.catch(() => {})
    return (await opened()) ? read() : early
  }

  /** Whether something was migrated. What failed is tried again by the next call. */
  function opened(): Promise<boolean> {
    opening ??= open().catch(error => {
      if (!(error instanceof NewerStorageError)) opening = null
      throw error
    })
    return opening
  }

  async function open(): Promise<boolean> {
    const stored = parseStamp(await area.get(STAMP_KEY))
    if (stored.version > current.version) throw new NewerStorageError(stored.writtenBy)
    await removeLeft(stored)
    isStamped = stored.version === current.version && stored.writtenBy === writtenBy
    for (const [at, migrate] of [...migrations.entries()].slice(stored.version)) {
      const entries = Object.entries(await migrate(area.get))
      const kept = entries.filter(([, value]) => value !== null)
      const left = entries.filter(([, value]) => value === null).map(([key]) => key)
      const stamp = { version: at + 1, writtenBy, ...(left.length > 0 && { left }) }
      await area.set({ ...Object.fromEntries(kept), [STAMP_KEY]: stamp })
      await removeLeft(stamp)
      isStamped = true
    }
    isOpen = true
    return stored.version < current.version
  }

  async function removeLeft({ left, ...stamp }: Stamp): Promise<void> {
    if (left === undefined) return
    await area.remove(left)
    await area.set({ [STAMP_KEY]: stamp })
  }
}

const EXTENSION_VERSION = /^\d{1,9}(\.\d{1,9}){0,3}$/

/** A stamp of another shape is no reason to refuse: what is stored is judged by each room that reads it. */
function parseStamp(value: unknown): Stamp {
  const { version, writtenBy, left } = Object(value)
  // What others wrote into storage is not to speak in the wallet's words.
  const name = EXTENSION_VERSION.test(String(writtenBy)) ? String(writtenBy) : '?'
  if (!Number.isSafeInteger(version) || version < 0) return { version: 0, writtenBy: name }
  const isList = Array.isArray(left) && left.every(key => typeof key === 'string')
  return { version, writtenBy: name, ...(isList && { left }) }
}
