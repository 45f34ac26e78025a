import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { ChangedRecordError, type Records, RecordsLockedError } from '../../storage/records.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { authenticateText, digestInBrowser } from '../primitives/browser-digest.ts'
import { canonicalJson } from '../primitives/canonical-json.ts'
import { createMutex } from '../primitives/mutex.ts'
import { drawRandom, type RandomSource } from '../primitives/random-source.ts'
import type { Vault } from './vault.ts'
import { RECORD_KEY_BYTES } from './vault-secret.ts'

/** For each key of storage, the part of its value that is guarded. */
export type GuardedParts = { readonly [key: string]: (stored: unknown) => unknown }

export type ChangedRecord = { key: string; stored: unknown }

export type AuthenticRecords = Records & {
  /** What somebody else wrote, or took away. Empty while locked. */
  listChanged(): Promise<ChangedRecord[]>
  /** Stores entries and has them count from now on, whoever wrote what they replace. Throws {@link RecordsLockedError}. */
  settle(entries: { [key: string]: unknown }): Promise<void>
  /** The tag of a value under a name of its own, for who stores it elsewhere; null while there is no unlocked vault. */
  tagValue(name: string, value: unknown): Promise<string | null>
  /**
   * Stores entries with a change of the vault, all or nothing. Throws as `write` does, and RecordsLockedError while there is no
   * unlocked vault.
   */
  writeWithVault(
    entries: { [key: string]: unknown },
    change: Parameters<Vault['update']>[0],
  ): Promise<void>
}

/** HMAC-SHA-256 in hex, by key of storage: one, or two while a write is under way. */
type Tags = { [key: string]: string[] }

const TAGS_KEY = 'recordTags'

/**
 * Guards records in local storage, which other programs of this computer and, in Firefox, content scripts can write: each has
 * a tag under a key that the vault seals. A vault that has no such key gets one, and what is stored then counts. It does not
 * keep anybody from putting a record back that was the wallet's own once, together with its tag.
 */
export function createAuthenticRecords({
  local,
  vault,
  random,
  parts,
}: {
  local: StorageArea
  vault: Pick<Vault, 'open' | 'update'>
  random: RandomSource
  parts: GuardedParts
}): AuthenticRecords {
  const keys = Object.keys(parts)
  const inTurn = createMutex()
  /** The objects that were looked at: an area gives the same ones until they are written. */
  const verified = new Map<string, { stored: unknown; tags: unknown }>()

  return {
    async read(key) {
      const stored = await local.get(key)
      if (!Object.hasOwn(parts, key)) return { stored, isChanged: false }
      const known = verified.get(key)
      if (known?.stored === stored && known?.tags === (await local.get(TAGS_KEY)))
        return { stored, isChanged: false }
      // A write that is under way is waited for, or half of it would look like somebody else's.
      return inTurn(async () => {
        const recordKey = await openKey()
        const isChanged = recordKey !== null && !(await isOwn(recordKey, key))
        return { stored: await local.get(key), isChanged }
      })
    },
    write: entries => inTurn(() => write(entries, isOwn)),
    listChanged: () =>
      inTurn(async () => {
        const recordKey = await openKey()
        if (!recordKey) return []
        const changed: ChangedRecord[] = []
        for (const key of keys)
          if (!(await isOwn(recordKey, key))) changed.push({ key, stored: await local.get(key) })
        return changed
      }),
    tagValue: (name, value) =>
      inTurn(async () => {
        const recordKey = await openKey()
        const digest = await digestInBrowser(['value', name, value])
        return recordKey && authenticateText(recordKey, digest)
      }),
    settle: entries =>
      inTurn(async () => {
        if (!(await openKey())) throw new RecordsLockedError()
        await write(entries, async () => true)
      }),
    writeWithVault: (entries, change) =>
      inTurn(async () => {
        if (!(await openKey())) throw new RecordsLockedError()
        await write(entries, isOwn, all => vault.update(change, all))
      }),
  }

  async function write(
    entries: { [key: string]: unknown },
    mayReplace: (recordKey: Uint8Array, key: string) => Promise<boolean>,
    store = (all: { [key: string]: unknown }) => local.set(all),
  ): Promise<void> {
    const guarded = Object.keys(entries).filter(key => Object.hasOwn(parts, key))
    const recordKey = await openKey()
    if (!recordKey) {
      // Before there is a vault nothing is guarded, and there are no tags.
      const areGuarded = (await local.get(TAGS_KEY)) !== undefined
      for (const key of guarded)
        if (areGuarded && !isSamePart(key, entries[key], await local.get(key)))
          throw new RecordsLockedError()
      return local.set(entries)
    }
    const tags = await loadTags()
    const under: Tags = { ...tags }
    const after: Tags = { ...tags }
    for (const key of guarded) {
      if (!(await mayReplace(recordKey, key))) throw new ChangedRecordError(key)
      const tag = await tagOf(recordKey, key, entries[key])
      under[key] = [...new Set([await tagOf(recordKey, key, await local.get(key)), tag])]
      after[key] = [tag]
    }
    if (canonicalJson(under) === canonicalJson(tags)) return store(entries)
    // Either value counts until it is sure which one is stored: after a crash no write of our own looks like another's.
    await store({ [TAGS_KEY]: under, ...entries })
    await local.set({ [TAGS_KEY]: after }).catch(() => {})
  }

  /** The key of the tags; null while there is no unlocked vault. */
  async function openKey(): Promise<Uint8Array | null> {
    const secret = await vault.open().catch(() => null)
    if (!secret) return null
    if (secret.recordKey !== undefined) return fromHex(secret.recordKey)
    // Where it cannot be stored, the next reader tries again.
    return adopt().catch(() => null)
  }

  /** Tags first: whoever has a key has tags of all records, so that one without a tag is not ours. */
  async function adopt(): Promise<Uint8Array> {
    const recordKey = drawRandom(random, RECORD_KEY_BYTES)
    const tags: Tags = {}
    for (const key of keys) tags[key] = [await tagOf(recordKey, key, await local.get(key))]
    await local.set({ [TAGS_KEY]: tags })
    await vault.update(secret => ({ ...secret, recordKey: toHex(recordKey) }))
    return recordKey
  }

  async function isOwn(recordKey: Uint8Array, key: string): Promise<boolean> {
    const stored = await local.get(key)
    const tags = await local.get(TAGS_KEY)
    const own: unknown = Object(tags)[key]
    const is = Array.isArray(own) && own.includes(await tagOf(recordKey, key, stored))
    if (is) verified.set(key, { stored, tags })
    return is
  }

  async function loadTags(): Promise<Tags> {
    return Object((await local.get(TAGS_KEY)) ?? {})
  }

  async function tagOf(recordKey: Uint8Array, key: string, stored: unknown): Promise<string> {
    return authenticateText(recordKey, await digestInBrowser([key, partOf(key, stored)]))
  }

  function isSamePart(key: string, a: unknown, b: unknown): boolean {
    return canonicalJson([partOf(key, a)]) === canonicalJson([partOf(key, b)])
  }

  function partOf(key: string, stored: unknown): unknown {
    return parts[key]?.(stored)
  }
}
