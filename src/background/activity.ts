import { fromHex } from '../bitcoin/bytes.ts'
import type { Network } from '../bitcoin/network.ts'
import {
  BackendUnavailableError,
  BroadcastRejectedError,
  type ChainSource,
} from '../chain/chain-source.ts'
import type { StorageArea } from '../storage/storage-area.ts'
import type { ActivityEntry } from './ui-methods/ui-methods.ts'

/** An entry as it is stored: with its bytes, and the outpoints that it spends and creates, as `txid:vout`. */
export type StoredActivity = ActivityEntry & { rawTx: string; spends: string[]; creates: string[] }

const STORAGE_KEY = 'activity'
const MAX_ENTRIES = 200

/** How many entries are asked about at once; those that are not confirmed come first. */
const MAX_LOOKUPS = 20

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

  /** Asks the chain about entries that may have changed, confirmed ones too: a reorganisation may undo them. */
  async function refresh(chain: ChainSource, accountId: string): Promise<void> {
    const sent = (await list(chain.network, accountId)).filter(({ status }) => status !== 'failed')
    const open = sent.filter(({ status }) => status !== 'confirmed')
    const confirmed = sent.filter(({ status }) => status === 'confirmed')
    for (const entry of [...open, ...confirmed].slice(0, MAX_LOOKUPS)) {
      const status = await lookUp(chain, entry)
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

/** What has become of a transaction. One that the server does not know is handed over again: it was lost, or refused by now. */
async function lookUp(
  chain: ChainSource,
  { txid, rawTx, status }: StoredActivity,
): Promise<ActivityEntry['status']> {
  try {
    const height = await chain.fetchTransactionHeight(txid)
    if (height === undefined) await chain.broadcast(fromHex(rawTx))
    return typeof height === 'number' ? 'confirmed' : 'pending'
  } catch (error) {
    if (error instanceof BroadcastRejectedError) return 'failed'
    if (error instanceof BackendUnavailableError) return status
    throw error
  }
}
