import type { StorageArea } from '../../storage/storage-area.ts'
import { parseVaultRecord, type VaultRecord } from './vault-record.ts'

type Slot = 'a' | 'b'
type Pointer = { slot: Slot; revision: number }
export type Located = { slot: Slot; record: VaultRecord }

/** Further keys of storage. */
export type Entries = { [key: string]: unknown }

/** The stored record: `damaged` when there is something but nothing that is safe to open. */
export type Loaded = { state: 'none' } | { state: 'damaged' } | ({ state: 'sound' } & Located)

export type VaultSlots = {
  load(): Promise<Loaded>
  /**
   * Puts a record in the place of `previous` (null for the first). `alongside` is stored in the same write that puts it in
   * force: both or neither. Throws {@link VaultWriteError} with the old one in force.
   */
  commit(
    record: VaultRecord,
    previous: Located | null,
    verify: (readBack: VaultRecord) => Promise<boolean>,
    alongside?: Entries,
  ): Promise<void>
  /** Points at the record in use and makes the other slot its copy: heals damage and ends what a crash interrupted. */
  settle(located: Located): Promise<void>
}

const POINTER = 'vault.current'
const SLOTS = { a: 'vault.a', b: 'vault.b' } as const

/**
 * Two slots and a pointer. A new record goes into the slot that is not in use, is read back and checked, and only then
 * pointed at; afterwards it overwrites the old one too, so that an old password or weaker KDF does not linger and one
 * damaged slot costs nothing. An older record is never opened in place of a newer one that is damaged.
 */
export function createVaultSlots(local: StorageArea): VaultSlots {
  // The lock is looked at on every request, and the area gives the same object until it is written.
  const parsed = new WeakMap<object, VaultRecord | null>()
  const parse = async (stored: unknown): Promise<VaultRecord | null> => {
    if (typeof stored !== 'object' || stored === null) return null
    const known = parsed.get(stored)
    if (known !== undefined) return known
    const record = await parseVaultRecord(stored)
    parsed.set(stored, record)
    return record
  }
  const write = (slot: Slot, record: VaultRecord) => local.set({ [SLOTS[slot]]: record })

  const point = (slot: Slot, { revision }: VaultRecord, alongside: Entries = {}) =>
    local.set({ ...alongside, [POINTER]: { slot, revision } satisfies Pointer })

  async function settle({ slot, record }: Located): Promise<void> {
    const pointer = parsePointer(await local.get(POINTER))
    if (pointer?.slot !== slot || pointer.revision !== record.revision) await point(slot, record)
    const spare = await parseVaultRecord(await local.get(SLOTS[other(slot)]))
    if (spare?.checksum !== record.checksum) await write(other(slot), record)
  }

  return {
    settle,
    async load() {
      const pointer = await local.get(POINTER)
      const stored = { a: await local.get(SLOTS.a), b: await local.get(SLOTS.b) }
      const known = [pointer, stored.a, stored.b].filter(value => value !== undefined)
      if (known.length === 0) return { state: 'none' }
      const [a, b] = await Promise.all([
        readSlot('a', stored.a, parse),
        readSlot('b', stored.b, parse),
      ])
      const located = locate(parsePointer(pointer), a, b)
      return located ? { state: 'sound', ...located } : { state: 'damaged' }
    },
    async commit(record, previous, verify, alongside) {
      const slot = previous ? other(previous.slot) : 'a'
      try {
        // A first record is in force as soon as it is written.
        await local.set({ ...(previous ? {} : alongside), [SLOTS[slot]]: record })
        const readBack = await parseVaultRecord(await local.getStored(SLOTS[slot]))
        if (readBack?.checksum !== record.checksum || !(await verify(readBack)))
          throw new Error('what was read back is not what was written')
        await point(slot, record, alongside)
      } catch (cause) {
        await undo(slot, previous).catch(() => {})
        throw new VaultWriteError({ cause })
      }
      // The record is in force; a copy that fails now is made good at the next unlock.
      await settle({ slot, record }).catch(() => {})
    },
  }

  async function undo(slot: Slot, previous: Located | null): Promise<void> {
    if (previous) await write(slot, previous.record)
    else await local.remove(SLOTS[slot])
  }
}

/** Storage did not keep a record; the one before is still in force. */
export class VaultWriteError extends Error {
  override name = 'VaultWriteError'
  constructor(options: ErrorOptions) {
    super('The wallet could not be written to storage.', options)
  }
}

type SlotState = { slot: Slot; state: 'absent' | 'damaged' } | ({ state: 'sound' } & Located)

async function readSlot(
  slot: Slot,
  stored: unknown,
  parse: typeof parseVaultRecord,
): Promise<SlotState> {
  if (stored === undefined) return { slot, state: 'absent' }
  const record = await parse(stored)
  return record ? { slot, state: 'sound', record } : { slot, state: 'damaged' }
}

function locate(pointer: Pointer | null, a: SlotState, b: SlotState): Located | null {
  const sound = [a, b].filter(slot => slot.state === 'sound')
  const pointed = pointer && (pointer.slot === 'a' ? a : b)
  if (pointed?.state === 'sound') {
    if (pointed.record.revision === pointer?.revision) return pointed
  } else if (pointer) {
    // The pointed record is lost. The other will do unless it is older, as then it may have an old password.
    return sound.find(({ record }) => record.revision >= pointer.revision) ?? null
  }
  // The pointer is lost. With both slots in order (or only one ever written) the later record is the one in force.
  if (a.state === 'damaged' || b.state === 'damaged') return null
  return sound.sort((x, y) => y.record.revision - x.record.revision)[0] ?? null
}

function parsePointer(value: unknown): Pointer | null {
  if (typeof value !== 'object' || value === null) return null
  const { slot, revision } = value as { slot?: unknown; revision?: unknown }
  if ((slot !== 'a' && slot !== 'b') || !Number.isSafeInteger(revision)) return null
  return { slot, revision: Number(revision) }
}

function other(slot: Slot): Slot {
  return slot === 'a' ? 'b' : 'a'
}

export class VaultExistsError extends Error {
  override name = 'VaultExistsError'
  constructor() {
    super('There is a wallet already.')
  }
}

export class VaultMissingError extends Error {
  override name = 'VaultMissingError'
  constructor() {
    super('There is no wallet yet.')
  }
}

/** Something is stored, but it was altered or cannot be read. */
export class VaultDamagedError extends Error {
  override name = 'VaultDamagedError'
  constructor() {
    super('The stored wallet is damaged. Restore it from its recovery phrase.')
  }
}
