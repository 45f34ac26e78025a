import type { Network } from '../bitcoin/network.ts'
import type { ChainSource } from '../chain/chain-source.ts'
import type { StorageArea } from '../storage/storage-area.ts'
import type { ActivityEntry } from './ui-methods/ui-methods.ts'

/** An entry as it is stored: with the outpoints that it spends and creates, as `txid:vout`. */
export type StoredActivity = ActivityEntry & { spends: string[]; creates: string[] }

const STORAGE_KEY = 'activity'
const MAX_ENTRIES = 200

/** What this wallet sent since the browser started, newest first; kept in session storage. */
export function createActivity({ session }: { session: StorageArea }) {
  let entries: StoredActivity[] | null = null

  return { list, record, setStatus, refresh }

  async function list(network: Network, accountId: string): Promise<StoredActivity[]> {
    return (await load()).filter(
      entry => entry.network === network && entry.accountId === accountId,
    )
  }

  /** Adds an entry, or replaces the one of the same transaction and account. */
  async function record(entry: StoredActivity): Promise<void> {
    const others = (await load()).filter(
      other => other.txid !== entry.txid || other.accountId !== entry.accountId,
    )
    await write([entry, ...others].slice(0, MAX_ENTRIES))
  }

  async function setStatus(txid: string, status: ActivityEntry['status']): Promise<void> {
    await write((await load()).map(entry => (entry.txid === txid ? { ...entry, status } : entry)))
  }

  /** Asks the chain about entries that are not confirmed yet, and about confirmed ones that a reorganisation may undo. */
  async function refresh(chain: ChainSource, accountId: string): Promise<void> {
    const open = (await list(chain.network, accountId)).filter(entry =>
      ['sending', 'pending', 'confirmed'].includes(entry.status),
    )
    for (const entry of open.slice(0, 10)) {
      const height = await chain.fetchTransactionHeight(entry.txid)
      // Not known to the server: being sent still, or dropped from its mempool; neither is news to act on here.
      if (height === undefined) continue
      const status = height === null ? 'pending' : 'confirmed'
      if (status !== entry.status) await setStatus(entry.txid, status)
    }
  }

  async function load(): Promise<StoredActivity[]> {
    if (!entries) {
      const stored = await session.get(STORAGE_KEY)
      entries = Array.isArray(stored) ? stored : []
    }
    return entries
  }

  async function write(next: StoredActivity[]): Promise<void> {
    entries = next
    await session.set({ [STORAGE_KEY]: next })
  }
}

export type Activity = ReturnType<typeof createActivity>
