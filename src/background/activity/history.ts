import type { Network } from '../../bitcoin/network.ts'
import { parseOutpoint } from '../../bitcoin/outpoint.ts'
import type { ChainSource } from '../../chain/chain-source.ts'
import { isCounted } from '../../chain/confirmation-limit.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import type { HasEnded } from '../accounts/ended-accounts.ts'
import { firstAddress } from '../accounts/fixed-addresses.ts'
import { VaultLockedError } from '../keys/vault-session.ts'
import { createMutex } from '../primitives/mutex.ts'
import type { AccountView } from '../views/account-views.ts'
import {
  type AccountHistory,
  ONE_ADDRESS,
  type OwnAddress,
  openAccountHistory,
} from './account-history.ts'
import {
  decodeRow,
  describeTransaction,
  encodeRow,
  type HistoryRow,
  type StoredRow,
} from './history-rows.ts'
import { listPaid, type SentRecord } from './sent-records.ts'
import { fetchConflictingTxid, isLive } from './sent-status.ts'

/**
 * What is known of an account's history: unconfirmed rows, then those of blocks, newest first and without gaps. `next` is
 * what the server is asked for the rows after the last one; null at the end, undefined when nothing was ever fetched.
 */
export type Ledger = {
  rows: readonly HistoryRow[]
  next: string | null | undefined
  /** {@link AccountHistory.of} of the addresses that it is of; null where that is not known. */
  of: string | null
}

/** An address that an account has dealt with. What the history tells is the server's word. */
export type Peer = {
  address: string
  /** Whether a record of this wallet says that the account paid it. */
  paid: boolean
  /** Txids of the history that are said to pay it. */
  paidIn: string[]
  /** Transactions of the history with it among the senders, and what they are said to have brought in sats. */
  receivedIn: { txid: string; sats: bigint }[]
}

/** Rows of one account that are stored; older ones are fetched again when somebody looks at them. */
const MAX_ROWS = 2_000

/** Accounts whose rows are stored, per network: with {@link MAX_ROWS} well below the 10 MB of an extension. */
const MAX_LEDGERS = 12

/** Pages that are fetched to meet what is known; after these the older part is dropped, and fetched again when asked for. */
const MAX_PAGES = 10

/** Transactions that vanished from the mempool and are asked about in one refresh. */
const MAX_LOOKUPS = 10

/** Transactions that were replaced and are still shown. */
const MAX_REPLACED = 20

/** How long a transaction that was in a block is shown after the network forgot it; mempools keep theirs as long. */
const FORGOTTEN_AFTER_MS = 14 * 24 * 3_600_000

const NOTHING: Ledger = { rows: [], next: undefined, of: null }
const INDEX = 'history'

/** The chain's word on accounts, in local storage; it can be lost and fetched again. */
export function createHistory({
  local,
  now,
  hasEnded = () => false,
}: {
  local: StorageArea
  now(): number
  hasEnded?: HasEnded
}) {
  const inTurn = createMutex()
  const ledgers = new Map<string, Ledger>()
  let erasures = 0

  return {
    load,

    /** Everybody whom an account has dealt with, by its records and the history. */
    async listPeers(
      network: Network,
      accountId: string,
      records: readonly SentRecord[],
    ): Promise<Peer[]> {
      return collectPeers(records, await load(network, accountId))
    },

    /** For when storage is erased: what is still being fetched is not stored any more. */
    async clear(): Promise<void> {
      erasures++
      ledgers.clear()
    },

    /** Fetches what is new, and corrects what a reorganisation undid. Throws BackendUnavailableError. */
    refresh(
      chain: ChainSource,
      account: AccountView,
      addresses: readonly OwnAddress[] = [firstAddress(account, chain.network)],
    ): Promise<void> {
      const history = openAccountHistory(chain, addresses)
      return fetchInTurn(async store => {
        const known = await load(chain.network, account.id)
        await store(chain.network, account.id, history, await fetchChanges(chain, history, known))
      })
    },

    /** Fetches one more page of older rows; false when there are none. Throws BackendUnavailableError. */
    extend(
      chain: ChainSource,
      account: AccountView,
      addresses: readonly OwnAddress[] = [firstAddress(account, chain.network)],
    ): Promise<boolean> {
      const history = openAccountHistory(chain, addresses)
      const accountId = account.id
      return fetchInTurn(async store => {
        let ledger = await load(chain.network, accountId)
        if (!isOfSame(ledger, history)) {
          ledger = await fetchChanges(chain, history, ledger)
          await store(chain.network, accountId, history, ledger)
        }
        if (ledger.next === null) return false
        let page = await fetchPage(chain, history, ledger.next ?? null)
        if (isReorganised(ledger.rows, page.rows)) {
          ledger = await fetchChanges(chain, history, ledger)
          await store(chain.network, accountId, history, ledger)
          if (ledger.next === null) return true
          page = await fetchPage(chain, history, ledger.next ?? null)
        }
        const { rows } = ledger
        const known = new Map(rows.map(row => [row.txid, row.height]))
        // A block may have taken what was thought to wait.
        const older = page.rows.filter(
          ({ txid, height }) => !known.has(txid) || (height !== null && known.get(txid) === null),
        )
        const moved = new Set(older.map(({ txid }) => txid))
        const kept = rows.filter(({ txid }) => !moved.has(txid))
        // A server that repeats itself has no more to say.
        const next = older.length === 0 ? null : page.next
        const extended = { ...ledger, rows: [...kept, ...older], next }
        await store(chain.network, accountId, history, extended, rows.length < MAX_ROWS)
        return older.length > 0
      })
    },

    /** Txids in the stored histories of a network's other accounts. */
    async listOthers(network: Network, accountId: string): Promise<Set<string>> {
      const keys = (await loadIndex()).filter(
        key => key.startsWith(`${INDEX}.${network}.`) && key !== keyOf(network, accountId),
      )
      const others = await Promise.all(keys.map(loadKey))
      return new Set(others.flatMap(({ rows }) => rows.map(({ txid }) => txid)))
    },

    forget(accountId: string): Promise<void> {
      return inTurn(async () => {
        const index = await loadIndex()
        const gone = index.filter(key => key.endsWith(`.${accountId}`))
        for (const key of gone) ledgers.delete(key)
        await local.remove(gone)
        await local.set({ [INDEX]: index.filter(key => !gone.includes(key)) })
      })
    },
  }

  function load(network: Network, accountId: string): Promise<Ledger> {
    return loadKey(keyOf(network, accountId))
  }

  async function loadKey(key: string): Promise<Ledger> {
    const kept = ledgers.get(key)
    if (kept) return kept
    // Only this module writes it. Earlier versions kept how many addresses it is of, where there are several.
    const stored = (await local.get(key)) as
      | { rows: StoredRow[]; next: string | null; of?: string; addresses?: number }
      | undefined
    const { rows = [], next, of = stored && !stored.addresses ? ONE_ADDRESS : null } = stored ?? {}
    const ledger = stored ? { rows: rows.map(decodeRow), next, of } : NOTHING
    ledgers.set(key, ledger)
    return ledger
  }

  /** Runs the task in turn, with a function that saves: after a `clear`, and for an account that has ended, it throws, which ends the task. */
  function fetchInTurn<T>(task: (store: typeof save) => Promise<T>): Promise<T> {
    const before = erasures
    return inTurn(() =>
      task(async (network, accountId, ...ledger) => {
        if (erasures !== before || hasEnded(accountId)) throw new VaultLockedError()
        await save(network, accountId, ...ledger)
      }),
    )
  }

  /** All of it in memory, the newest rows in storage; the account used longest ago gives way to a new one. */
  async function save(
    network: Network,
    accountId: string,
    history: AccountHistory,
    ledger: Ledger,
    reachesStorage = true,
  ): Promise<void> {
    const key = keyOf(network, accountId)
    ledgers.set(key, ledger)
    if (!reachesStorage) return
    const rows = ledger.rows.slice(0, MAX_ROWS)
    const last = rows.at(-1)
    const isCut = last !== undefined && rows.length < ledger.rows.length
    const next = isCut ? history.after(last) : ledger.next
    const { of } = ledger
    const stored = { rows: rows.map(encodeRow), next, ...(of !== ONE_ADDRESS && { of }) }
    if (JSON.stringify(stored) === JSON.stringify(await local.get(key))) return
    const index = await loadIndex()
    const recent = [key, ...index.filter(other => other !== key)]
    const gone = recent.slice(MAX_LEDGERS)
    for (const other of gone) ledgers.delete(other)
    if (gone.length > 0) await local.remove(gone)
    await local.set({ [key]: stored, [INDEX]: recent.slice(0, MAX_LEDGERS) })
  }

  async function loadIndex(): Promise<string[]> {
    const stored = await local.get(INDEX)
    return Array.isArray(stored) ? stored : []
  }

  /** What is known now, with what is new and without what a reorganisation undid. */
  async function fetchChanges(
    chain: ChainSource,
    history: AccountHistory,
    known: Ledger,
  ): Promise<Ledger> {
    // What further addresses took part in may be older than all that is known.
    const met = isOfSame(known, history) ? known : NOTHING
    const fresh = await fetchNewest(chain, history, met)
    const vanished = await fetchVanished(chain, known, fresh)
    return { ...fresh, rows: [...vanished, ...keepFirstSeen(chain, fresh.rows, known)] }
  }

  async function fetchPage(
    { network }: ChainSource,
    { own, fetchPage }: AccountHistory,
    after: string | null,
  ) {
    const { transactions, next } = await fetchPage(after)
    const rows = transactions.map(one => describeTransaction(one, own, network, now()))
    return { rows, next }
  }

  /** Pages from the newest on until one of them meets what is known, or, where nothing is, until all that waits is there. */
  async function fetchNewest(
    chain: ChainSource,
    history: AccountHistory,
    known: Ledger,
  ): Promise<Ledger> {
    const { of } = history
    const inBlocks = known.rows.filter(({ height }) => height !== null)
    const blocks = new Map(inBlocks.map(({ txid, block }) => [txid, block]))
    const fresh: HistoryRow[] = []
    let after: string | null = null
    for (let count = 0; count < MAX_PAGES; count++) {
      const page = await fetchPage(chain, history, after)
      fresh.push(...page.rows)
      const isFirst = blocks.size === 0 && page.rows.some(({ height }) => height !== null)
      if (page.next === null || isFirst) return { rows: fresh, next: page.next, of }
      // A block's hash covers all blocks before it: what is known up to there still holds.
      const meeting = page.rows.find(({ txid, block }) => block && blocks.get(txid) === block)
      if (meeting) return { ...join(fresh, page.next, known, meeting.height ?? 0), of }
      after = page.next
    }
    return { rows: fresh, next: after, of }
  }

  /**
   * What was known and is not in the newest rows any more: still waiting although the server did not list it, replaced by a
   * transaction of others, or, having been in a block, waiting to come back. What was never in one is just left out.
   */
  async function fetchVanished(
    chain: ChainSource,
    known: Ledger,
    fresh: Ledger,
  ): Promise<HistoryRow[]> {
    const listed = new Set(fresh.rows.map(({ txid }) => txid))
    const oldestHeight = fresh.next === null ? 0 : (fresh.rows.at(-1)?.height ?? 0)
    const missing = known.rows.filter(
      ({ txid, height }) => !listed.has(txid) && (height === null || height > oldestHeight),
    )
    const replaced = missing.filter(row => row.replacedBy !== null && !listed.has(row.replacedBy))
    const unsure = missing.filter(row => row.replacedBy === null)
    // Those that are not asked about now come first the next time; of other addresses they may be in their blocks as before.
    const later = known.of === fresh.of ? unsure.slice(MAX_LOOKUPS) : []
    const kept = [...later.map(row => wait(chain, row)), ...replaced.slice(0, MAX_REPLACED)]
    for (const row of unsure.slice(0, MAX_LOOKUPS)) {
      const height = await chain.fetchTransactionHeight(row.txid)
      if (typeof height === 'number') continue
      const waiting = wait(chain, row)
      const inputs = row.spends.map(parseOutpoint)
      const replacedBy =
        height === null ? null : await fetchConflictingTxid(chain, row.txid, inputs)
      const isFresh = waiting.undone && now() - row.at < FORGOTTEN_AFTER_MS
      const stays = height === null || isFresh
      if (replacedBy === null ? stays : !listed.has(replacedBy))
        kept.push({ ...waiting, replacedBy })
    }
    return kept
  }
}

/**
 * Whether a page of older rows contradicts the known ones: it has a higher block, another block of a known height, or an
 * unconfirmed row.
 */
function isReorganised(rows: readonly HistoryRow[], page: readonly HistoryRow[]): boolean {
  const last = rows.findLast(({ height }) => height !== null)
  if (!last || last.height === null) return false
  const { height: oldest, block: oldestBlock } = last
  return page.some(
    ({ height, block }) =>
      height === null || height > oldest || (height === oldest && block !== oldestBlock),
  )
}

/** Whether what is known is of the same addresses. */
function isOfSame({ of }: Ledger, history: AccountHistory): boolean {
  return of === history.of
}

function keyOf(network: Network, accountId: string): string {
  return `${INDEX}.${network}.${accountId}`
}

/** What was fetched, then what was known up to the height where both agree. */
function join(
  fresh: readonly HistoryRow[],
  next: string | null,
  known: Ledger,
  height: number,
): Pick<Ledger, 'rows' | 'next'> {
  const fetched = new Set(fresh.map(({ txid }) => txid))
  const last = known.rows.at(-1)
  const older = known.rows.filter(
    row => row.height !== null && row.height <= height && !fetched.has(row.txid),
  )
  const endsBefore = last !== undefined && !fetched.has(last.txid)
  return { rows: [...fresh, ...older], next: endsBefore ? known.next : next }
}

/** A row that is in no block now, whether it was in one or not. One that does not count is not undone. */
function wait(chain: ChainSource, row: HistoryRow): HistoryRow {
  return { ...row, height: null, block: null, undone: row.undone || isCounted(chain, row.height) }
}

/** Unconfirmed rows keep when they were first seen, and that they were in a block before. */
function keepFirstSeen(
  chain: ChainSource,
  rows: readonly HistoryRow[],
  known: Ledger,
): HistoryRow[] {
  const before = new Map(known.rows.map(row => [row.txid, row]))
  return rows.map(row => {
    const old = row.height === null ? before.get(row.txid) : undefined
    return old ? { ...row, at: old.at, undone: old.undone || isCounted(chain, old.height) } : row
  })
}

/** `pushed` records that cost the account nothing are other people's payments. */
function collectPeers(records: readonly SentRecord[], { rows }: Ledger): Peer[] {
  const peers = new Map<string, Peer>()
  const meet = (address: string): Peer => {
    const peer = peers.get(address) ?? { address, paid: false, paidIn: [], receivedIn: [] }
    peers.set(address, peer)
    return peer
  }
  const cancelled = new Set<string>()
  for (const record of records) {
    // What was cancelled paid nobody, whatever a server goes on listing.
    if (!isLive(record)) {
      cancelled.add(record.txid)
      continue
    }
    if (record.kind !== 'pushed' || Number(record.net) < 0)
      for (const address of listPaid(record)) meet(address).paid = true
  }
  for (const { txid, kind, net, height, peers: addresses } of rows) {
    if (height === null && cancelled.has(txid)) continue
    for (const address of addresses) {
      const peer = meet(address)
      if (kind === 'sent') peer.paidIn.push(txid)
      if (kind === 'received') peer.receivedIn.push({ txid, sats: BigInt(net) })
    }
  }
  return [...peers.values()]
}
