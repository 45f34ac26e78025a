import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex } from '../primitives/mutex.ts'
import { loadSettings } from '../settings/settings.ts'
import { DATA_KEY_BYTES } from './vault-record.ts'

export type VaultSession = {
  /** Unlocks: keeps the data key until the deadline. */
  hold(dataKey: Uint8Array): Promise<void>
  /** The data key, or null when locked. The caller wipes it. */
  read(): Promise<Uint8Array | null>
  /** Moves the deadline; does nothing when locked. */
  touch(): Promise<void>
  clear(): Promise<void>
  /** When it locks by itself (milliseconds since 1970); null when locked. */
  deadline(): Promise<number | null>
}

type Held = { dataKey: string; touchedAt: number }

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
      ? held.touchedAt + (await loadSettings(local)).autoLockMinutes * 60_000
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
  const write = (dataKey: string) =>
    session.set({ [KEY]: { dataKey, touchedAt: now() } satisfies Held })

  return {
    hold: dataKey => inTurn(() => write(toHex(dataKey))),
    read: () =>
      inTurn(async () => {
        const held = await readHeld()
        return held && fromHex(held.dataKey)
      }),
    touch: () =>
      inTurn(async () => {
        const held = await readHeld()
        if (held) await write(held.dataKey)
      }),
    clear: () => inTurn(forget),
    deadline: () => inTurn(async () => (await readHeld())?.deadline ?? null),
  }
}

function parseHeld(value: unknown): Held | null {
  if (typeof value !== 'object' || value === null) return null
  const { dataKey, touchedAt } = value as { dataKey?: unknown; touchedAt?: unknown }
  if (typeof dataKey !== 'string' || !/^[0-9a-f]+$/.test(dataKey)) return null
  if (dataKey.length !== 2 * DATA_KEY_BYTES || typeof touchedAt !== 'number') return null
  return { dataKey, touchedAt }
}
