import type { SpendType } from '../../bitcoin/multisig-type.ts'
import type { Network } from '../../bitcoin/network.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex } from '../primitives/mutex.ts'
import type { ActivityKind, ActivityStatus } from '../views/activity-views.ts'
import type { BatchAbout } from '../views/psbt-views.ts'
import type { StoredAsset } from './stored-assets.ts'
import type { StoredPayment } from './stored-payment.ts'

/** A transaction that this wallet handed to the network. Sats are decimal strings, outpoints `txid:vout`. */
export type SentRecord = {
  txid: string
  network: Network
  accountId: string
  kind: ActivityKind
  /** Effect on the account, fee included; null when not known. */
  net: string | null
  counterparty: string | null
  /** Further addresses that it paid; absent for none, for what sites pushed, and in records of earlier versions. */
  alsoPaid?: string[]
  fee: string | null
  origin: string | null
  at: number
  status: ActivityStatus
  height: number | null
  replacedBy: string | null
  /** What the site said that it is. */
  about: BatchAbout
  /** Hex. This and the four after it are empty once the record is settled. */
  rawTx: string
  /** Coins of the account that it spends, and those that it creates. */
  spends: string[]
  creates: string[]
  /** What the coins that it creates carry, by outpoint: those without an entry are clean. Absent where that was not known. */
  carries?: { [outpoint: string]: StoredAsset[] }
  /** The names (BIP-353) that it paid, and the addresses that they led to. */
  paymentNames?: { [name: string]: string }
  /** What a bump needs; null for what sites pushed. */
  payment: StoredPayment<SpendType> | null
  /** Txid of the record that it replaces. */
  replaces: string | null
  /** Txids of those that it is handed over after; with a refused one of them it comes to nothing. Absent for none. */
  after?: string[]
  /** When it failed or was replaced last; absent before that, and in records of earlier versions. */
  endedAt?: number
  /** What the chain servers at these hosts said when it was last looked for; absent before that. */
  sighting?: Sighting
}

/** Hosts that have a transaction, and that do not; one that did not answer is in neither. `looks` counts, `at` is the last. */
export type Sighting = {
  hosts: string[]
  knows: string[]
  lacks: string[]
  looks: number
  at: number
}

const OPEN = 'activity.open'
const SETTLED = 'activity.settled'

/** Open records are whole; more than this many, and the oldest are settled. */
const MAX_OPEN = 500

/** Open records that touch no coin of an account. Sites push such transactions unasked, so they must not crowd out others. */
const MAX_OPEN_OF_OTHERS = 100

/** A transaction withheld for this long is given up, and its coins are free again; mints are given up by their job. */
const MAX_UNSENT_MS = 24 * 60 * 60 * 1000

/** Hex digits of raw transactions that are kept for handing them over again; the newest have them. */
const MAX_RAW_DIGITS = 2_000_000

/** All accounts together; the oldest fall out. */
const MAX_SETTLED = 5_000

/** Further addresses in settled records of all accounts: the newest have them, an older one that has no room keeps its counterparty. */
const MAX_ALSO_PAID = 10_000

/** Everybody whom a transaction paid, as far as it is on record. */
export function listPaid({
  counterparty,
  alsoPaid = [],
}: Pick<SentRecord, 'counterparty' | 'alsoPaid'>): string[] {
  return counterparty === null ? [] : [counterparty, ...alsoPaid]
}

/** The fields of a record that say whom it paid. */
export function paidFields(addresses: readonly string[]) {
  const [counterparty = null, ...alsoPaid] = new Set(addresses)
  return { counterparty, ...(alsoPaid.length > 0 && { alsoPaid }) }
}

/**
 * What this wallet sent, in local storage. Records are open while the chain may still change its mind about them; settled
 * ones are kept apart, in a short form, so that a change of status never writes thousands of records.
 */
export function createSentRecords({ local, now }: { local: StorageArea; now(): number }) {
  const inTurn = createMutex()

  return {
    /** Newest first. */
    async list(network: Network, accountId: string): Promise<SentRecord[]> {
      const open = (await loadOpen()).filter(isOf(network, accountId))
      const again = new Set(open.map(({ txid }) => txid))
      const settled = (await loadSettled()).filter(
        row => row[1] === network && row[2] === accountId && !again.has(row[0]),
      )
      return [...open, ...settled.map(expand)].sort((a, b) => b.at - a.at)
    },
    /** Those that the chain may still change its mind about. */
    async listOpen(network: Network, accountId: string): Promise<SentRecord[]> {
      return (await loadOpen()).filter(isOf(network, accountId))
    },
    /** The same of all accounts. */
    async listOpenOfAll(network: Network): Promise<SentRecord[]> {
      return (await loadOpen()).filter(record => record.network === network)
    },
    /** Txids in the records of a network's other accounts. */
    async listOthers(network: Network, accountId: string): Promise<string[]> {
      const all = [...(await loadOpen()), ...(await loadSettled()).map(expand)]
      const others = all.filter(
        record => record.network === network && record.accountId !== accountId,
      )
      return others.map(({ txid }) => txid)
    },
    change(next: (open: readonly SentRecord[]) => readonly SentRecord[]): Promise<void> {
      return inTurn(async () => {
        const open = await loadOpen()
        const changed = next(open)
        if (changed === open || changed.length + open.length === 0) return
        const kept = boundOthers(changed)
        await write(boundRaw(kept.slice(0, MAX_OPEN)), kept.slice(MAX_OPEN))
      })
    },
    /** Puts records away for good: their bytes are dropped and nobody asks about them again. */
    settle(isSettled: (record: SentRecord) => boolean): Promise<void> {
      return inTurn(async () => {
        const open = await loadOpen()
        const settled = open.filter(isSettled)
        if (settled.length > 0)
          await write(
            open.filter(record => !settled.includes(record)),
            settled,
          )
      })
    },
    /** Runs a task while no record is written. */
    hold: inTurn,
    /**
     * What storage holds once what one account sent is another's; `own` are the addresses of both. What went from one to the other
     * paid nobody: what it cost is the chain's word from then on.
     */
    async entriesJoined(
      from: string,
      to: string,
      own: ReadonlySet<string>,
    ): Promise<{ [key: string]: unknown }> {
      const isJoined = ({ accountId }: SentRecord) => accountId === from || accountId === to
      const join = (record: SentRecord): SentRecord => {
        if (!isJoined(record)) return record
        const paid = listPaid(record)
        const others = paid.filter(address => !own.has(address))
        if (others.length === paid.length) return { ...record, accountId: to }
        const { alsoPaid: _, ...rest } = record
        return { ...rest, net: null, ...paidFields(others), accountId: to }
      }
      const seen = new Set<string>()
      const isFirst = ({ txid, network, accountId }: SentRecord) => {
        const name = `${network} ${accountId} ${txid}`
        return !seen.has(name) && seen.add(name)
      }
      const open = (await loadOpen()).map(join).filter(isFirst)
      const settled = (await loadSettled()).map(expand).map(join).filter(isFirst)
      return { [OPEN]: open, [SETTLED]: settled.map(shorten) }
    },
    forget(accountId: string): Promise<void> {
      return inTurn(async () => {
        const open = (await loadOpen()).filter(record => record.accountId !== accountId)
        const settled = (await loadSettled()).filter(row => row[2] !== accountId)
        await local.set({ [OPEN]: open, [SETTLED]: settled })
      })
    },
  }

  /** Only this module writes these keys. Records of earlier versions say nothing of what they are. */
  async function loadOpen(): Promise<readonly SentRecord[]> {
    const stored = await local.get(OPEN)
    return Array.isArray(stored) ? stored.map(record => lapse({ about: null, ...record })) : []
  }

  function lapse(record: SentRecord): SentRecord {
    const isOwnJob = record.kind === 'mint'
    const hasLapsed = record.status === 'unsent' && !isOwnJob && now() - record.at > MAX_UNSENT_MS
    return hasLapsed ? { ...record, status: 'failed', endedAt: record.at + MAX_UNSENT_MS } : record
  }

  async function loadSettled(): Promise<readonly SettledRow[]> {
    const stored = await local.get(SETTLED)
    return Array.isArray(stored) ? stored : []
  }

  /** Both keys in one call: a record is never lost between them. */
  async function write(open: readonly SentRecord[], settled: readonly SentRecord[]): Promise<void> {
    if (settled.length === 0) return local.set({ [OPEN]: open })
    const again = new Set(settled.map(({ txid, accountId }) => `${txid} ${accountId}`))
    const before = (await loadSettled()).filter(row => !again.has(`${row[0]} ${row[2]}`))
    const rows = [...settled.map(shorten), ...before]
    rows.sort((a, b) => b[7] - a[7])
    await local.set({ [OPEN]: open, [SETTLED]: boundPaid(rows.slice(0, MAX_SETTLED)) })
  }
}

/** Places of a row that are always there. */
const ALWAYS = 13

type SettledRow = [
  txid: string,
  network: Network,
  accountId: string,
  kind: ActivityKind,
  net: string | null,
  counterparty: string | null,
  fee: string | null,
  at: number,
  origin: string | null,
  status: ActivityStatus,
  height: number | null,
  replacedBy: string | null,
  replaces: string | null,
  /** Absent for most. */
  about?: BatchAbout,
  paymentNames?: SentRecord['paymentNames'] | null,
  alsoPaid?: string[],
]

function shorten(record: SentRecord): SettledRow {
  const { txid, network, accountId, kind, net, counterparty, fee, at, about } = record
  const { origin, status, height, replacedBy, replaces, paymentNames, alsoPaid } = record
  const row = [
    ...[txid, network, accountId, kind, net, counterparty, fee, at],
    ...[origin, status, height, replacedBy, replaces, about, paymentNames ?? null, alsoPaid],
  ]
  // Most have none of the last ones.
  while (!row.at(-1) && row.length > ALWAYS) row.pop()
  return row as SettledRow
}

/** Rows come newest first. */
function boundPaid(rows: readonly SettledRow[]): SettledRow[] {
  let room = MAX_ALSO_PAID
  return rows.map(row => {
    room -= row[15]?.length ?? 0
    return room < 0 ? (row.slice(0, 15) as SettledRow) : row
  })
}

/** Written out, as thousands are read at once. */
function expand(row: SettledRow): SentRecord {
  return {
    txid: row[0],
    network: row[1],
    accountId: row[2],
    kind: row[3],
    net: row[4],
    counterparty: row[5],
    fee: row[6],
    at: row[7],
    origin: row[8],
    status: row[9],
    height: row[10],
    replacedBy: row[11],
    replaces: row[12],
    about: row[13] ?? null,
    ...(row[14] && { paymentNames: row[14] }),
    ...(row[15] && { alsoPaid: row[15] }),
    rawTx: '',
    spends: [],
    creates: [],
    payment: null,
  }
}

function isOf(network: Network, accountId: string): (record: SentRecord) => boolean {
  return record => record.network === network && record.accountId === accountId
}

function boundOthers(records: readonly SentRecord[]): SentRecord[] {
  let others = 0
  return records.filter(({ spends }) => spends.length > 0 || ++others <= MAX_OPEN_OF_OTHERS)
}

function boundRaw(records: readonly SentRecord[]): SentRecord[] {
  let digits = 0
  return records.map(record => {
    digits += record.rawTx.length
    return digits > MAX_RAW_DIGITS && record.kind === 'pushed' ? { ...record, rawTx: '' } : record
  })
}
