import { NETWORKS, type Network } from '../../bitcoin/network.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex } from '../primitives/mutex.ts'

type StoredNote<Note> = Note & { accountId: string; goneSince: number | null }
type Entries<Note> = { [outpoint: string]: StoredNote<Note> }

/** A server may leave a coin out for a while, and a payment that spends it may be taken back. */
const FORGOTTEN_AFTER_MS = 30 * 24 * 3_600_000

/** Notes about single coins, by outpoint and network; in local storage. */
export function createOutpointNotes<Note extends object>({
  local,
  now,
  storageKey,
  most,
  whenFull,
}: {
  local: StorageArea
  now(): number
  storageKey: string
  /** Most notes of one network. Beyond it, notes about coins that are gone are dropped first. */
  most: number
  /** Which of the others are dropped then. */
  whenFull: 'drop-oldest' | 'drop-newest'
}) {
  const inTurn = createMutex()

  return {
    async load(network: Network): Promise<ReadonlyMap<string, Note>> {
      return new Map(Object.entries(await loadEntries(network)))
    },
    /** Null removes a note. */
    put(
      network: Network,
      accountId: string,
      notes: ReadonlyMap<string, Note | null>,
    ): Promise<void> {
      return change(network, entries => {
        const next = { ...entries }
        for (const [outpoint, note] of notes) {
          if (note === null) delete next[outpoint]
          else next[outpoint] = { accountId, ...note, goneSince: null }
        }
        return bound(next, most, whenFull)
      })
    },
    /** Takes note of which coins an account has, and forgets those that it has not had for long. */
    tidy(network: Network, accountId: string, outpoints: ReadonlySet<string>): Promise<void> {
      return change(network, entries => {
        const noted = Object.entries(entries).map(
          ([outpoint, entry]): [string, StoredNote<Note>] => {
            if (entry.accountId !== accountId) return [outpoint, entry]
            return [
              outpoint,
              { ...entry, goneSince: outpoints.has(outpoint) ? null : (entry.goneSince ?? now()) },
            ]
          },
        )
        const isKept = ({ goneSince }: StoredNote<Note>) =>
          goneSince === null || now() - goneSince < FORGOTTEN_AFTER_MS
        return Object.fromEntries(noted.filter(([, entry]) => isKept(entry)))
      })
    },
    /** Runs a task while no note is written. */
    hold: inTurn,
    /** What storage holds with these notes too, and without those that are dropped; others that are there stay. */
    async entriesWith(
      added: readonly { network: Network; accountId: string; outpoint: string; note: Note }[],
      dropped: readonly { network: Network; outpoint: string }[] = [],
    ): Promise<{ [key: string]: unknown }> {
      const next = { ...Object((await local.get(storageKey)) ?? {}) }
      for (const network of NETWORKS) {
        const entries = added.flatMap(({ accountId, outpoint, note, ...one }) =>
          one.network === network ? [[outpoint, { accountId, ...note, goneSince: null }]] : [],
        )
        const gone = dropped.filter(one => one.network === network)
        if (entries.length + gone.length === 0) continue
        next[network] = { ...Object.fromEntries(entries), ...Object(next[network]) }
        for (const { outpoint } of gone) delete next[network][outpoint]
      }
      return { [storageKey]: next }
    },
    /** What storage holds once the coins of one account are another's, without those notes of the two that are dropped. */
    async entriesJoined(
      from: string,
      to: string,
      dropped: readonly { network: Network; outpoint: string }[] = [],
    ): Promise<{ [key: string]: unknown }> {
      const next = { ...Object((await local.get(storageKey)) ?? {}) }
      for (const network of NETWORKS) {
        const entries = Object.entries(await loadEntries(network)).flatMap(([outpoint, entry]) => {
          if (entry.accountId !== from && entry.accountId !== to) return [[outpoint, entry]]
          const isDropped = dropped.some(
            one => one.network === network && one.outpoint === outpoint,
          )
          return isDropped ? [] : [[outpoint, { ...entry, accountId: to }]]
        })
        if (next[network]) next[network] = Object.fromEntries(entries)
      }
      return { [storageKey]: next }
    },
    /** All of a network with the account of each. */
    listOf: async (
      network: Network,
    ): Promise<{ outpoint: string; accountId: string; note: Note }[]> =>
      Object.entries(await loadEntries(network)).map(([outpoint, note]) => {
        return { outpoint, accountId: note.accountId, note }
      }),
    forget,
    async forgetAccount(accountId: string): Promise<void> {
      for (const network of NETWORKS) await forget(network, accountId)
    },
  }

  /** Drops all notes about an account's coins. */
  function forget(network: Network, accountId: string): Promise<void> {
    return change(network, entries =>
      Object.fromEntries(
        Object.entries(entries).filter(([, entry]) => entry.accountId !== accountId),
      ),
    )
  }

  /** Only this module writes it. */
  async function loadEntries(network: Network): Promise<Entries<Note>> {
    return Object(Object(await local.get(storageKey))[network])
  }

  function change(
    network: Network,
    next: (entries: Entries<Note>) => Entries<Note>,
  ): Promise<void> {
    return inTurn(async () => {
      const entries = await loadEntries(network)
      const changed = next(entries)
      if (JSON.stringify(changed) === JSON.stringify(entries)) return
      await local.set({
        [storageKey]: { ...Object(await local.get(storageKey)), [network]: changed },
      })
    })
  }
}

function bound<Note>(
  entries: Entries<Note>,
  most: number,
  whenFull: 'drop-oldest' | 'drop-newest',
): Entries<Note> {
  const all = Object.entries(entries)
  if (all.length <= most) return entries
  const [gone = [], there = []] = [true, false].map(isGone =>
    all.filter(([, { goneSince }]) => (goneSince !== null) === isGone),
  )
  const kept =
    whenFull === 'drop-oldest' || there.length <= most
      ? [...gone, ...there].slice(-most)
      : there.slice(0, most)
  return Object.fromEntries(kept)
}
