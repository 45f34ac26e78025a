import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex } from '../primitives/mutex.ts'
import { parseSettings, SETTINGS_KEY } from '../settings/settings.ts'
import { DATA_KEY_BYTES } from './vault-record.ts'

export type VaultSession = {
  /** Unlocks: keeps the data key until the deadline. Throws {@link VaultLockedError} where it was cleared since {@link clears} gave `since`. */
  hold(dataKey: Uint8Array, since?: number): Promise<void>
  /** How often it was cleared. */
  clears(): number
  /** The data key, or null when locked; two while one replaces the other. The caller wipes them. */
  read(): Promise<Uint8Array[] | null>
  /** Keeps the key in force and `next`, which is about to be; does nothing when locked. */
  prepare(dataKey: Uint8Array, next: Uint8Array): Promise<void>
  /** Keeps this data key alone, which is in force; does nothing when locked. */
  replace(dataKey: Uint8Array): Promise<void>
  /** Moves the deadline; does nothing when locked. */
  touch(): Promise<void>
  clear(): Promise<void>
  /** When it locks by itself (milliseconds since 1970); null when locked. */
  deadline(): Promise<number | null>
  /** When it was unlocked (milliseconds since 1970); null when locked. */
  unlockedAt(): Promise<number | null>
}

/** `next` is there only while a new key is put in force, as either may be found in force after a crash. */
type Held = { dataKey: string; next?: string; touchedAt: number; unlockedAt: number }
type Keys = Pick<Held, 'dataKey' | 'next'>

const KEY = 'vault.unlocked'
/** A clock may be put right by this much; set back further it could keep the wallet open, so that locks it. */
const CLOCK_TOLERANCE_MS = 60_000

/**
 * The data key of an unlocked vault, in session storage only, for as many minutes as the setting says since the person was
 * last there. The time is checked at every read, as alarms can come late. `onClear` runs at each lock.
 */
export function createVaultSession(deps: {
  local: StorageArea
  session: StorageArea
  now(): number
  onClear(): Promise<void>
}): VaultSession {
  const { local, session, now } = deps
  const mutex = createMutex()
  let cleared = false
  let clears = 0

  /** One at a time, or a touch that is under way when a lock comes would write the key back. */
  async function inTurn<T>(task: () => Promise<T>): Promise<T> {
    const result = await mutex(task)
    // Outside the queue, as whoever hears of the lock may ask for the state.
    if (cleared) {
      cleared = false
      await deps.onClear()
    }
    return result
  }
  async function readHeld(): Promise<(Held & { deadline: number }) | null> {
    const stored = await session.get(KEY)
    if (stored === undefined) return null
    const held = parseHeld(stored)
    const deadline = held
      ? held.touchedAt + parseSettings(await local.get(SETTINGS_KEY)).autoLockMinutes * 60_000
      : 0
    if (held && now() < deadline && now() >= held.touchedAt - CLOCK_TOLERANCE_MS)
      return { ...held, deadline }
    await forget()
    return null
  }
  async function forget(): Promise<void> {
    await session.remove(KEY)
    cleared = true
  }
  const write = (keys: Keys, unlockedAt: number) =>
    session.set({ [KEY]: { ...keys, touchedAt: now(), unlockedAt } satisfies Held })
  const rewrite = (change: (held: Held) => Keys) =>
    inTurn(async () => {
      const held = await readHeld()
      if (held) await write(change(held), held.unlockedAt)
    })

  return {
    hold: (dataKey, since = clears) =>
      inTurn(async () => {
        const unlockedAt = (await readHeld())?.unlockedAt ?? now()
        if (since !== clears) throw new VaultLockedError()
        await write({ dataKey: toHex(dataKey) }, unlockedAt)
      }),
    clears: () => clears,
    read: () =>
      inTurn(async () => {
        const held = await readHeld()
        return held && [held.dataKey, held.next].flatMap(key => (key ? [fromHex(key)] : []))
      }),
    prepare: (dataKey, next) => rewrite(() => ({ dataKey: toHex(dataKey), next: toHex(next) })),
    replace: dataKey => rewrite(() => ({ dataKey: toHex(dataKey) })),
    touch: () => rewrite(({ dataKey, next }) => (next ? { dataKey, next } : { dataKey })),
    clear() {
      clears++
      return inTurn(forget)
    },
    deadline: () => inTurn(async () => (await readHeld())?.deadline ?? null),
    unlockedAt: () => inTurn(async () => (await readHeld())?.unlockedAt ?? null),
  }
}

function parseHeld(value: unknown): Held | null {
  if (typeof value !== 'object' || value === null) return null
  const { dataKey, next, touchedAt, unlockedAt } = value as { [key: string]: unknown }
  if (!isKey(dataKey) || typeof touchedAt !== 'number') return null
  // The worker of an earlier version kept no such time.
  const times = { touchedAt, unlockedAt: typeof unlockedAt === 'number' ? unlockedAt : 0 }
  if (next === undefined) return { dataKey, ...times }
  return isKey(next) ? { dataKey, next, ...times } : null
}

function isKey(value: unknown): value is string {
  return (
    typeof value === 'string' && value.length === 2 * DATA_KEY_BYTES && /^[0-9a-f]+$/.test(value)
  )
}

export class VaultLockedError extends Error {
  override name = 'VaultLockedError'
  constructor() {
    super('The wallet is locked.')
  }
}
