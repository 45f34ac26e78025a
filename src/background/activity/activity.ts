// activity: What the accounts did: what this wallet sent (`sent-records.ts`), what the chain says of each account
// (`history.ts`), and the person's notes. It promises that a transaction of ours is on record before it leaves,
// and stays there until nothing can undo it; it never signs, and shows a server's word as what it is.

import { NETWORKS, type Network } from '../../bitcoin/network.ts'
import { parseOutpoint } from '../../bitcoin/outpoint.ts'
import type { ChainSource } from '../../chain/chain-source.ts'
import { fetchCountedHeight } from '../../chain/confirmation-limit.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import type { HasEnded } from '../accounts/ended-accounts.ts'
import { laterPart } from '../primitives/later-part.ts'
import type { AccountView } from '../views/account-views.ts'
import type { ActivityStatus } from '../views/activity-views.ts'
import type { OwnAddress } from './account-history.ts'
import type { Ledger, Peer } from './history.ts'
import { createLabels } from './labels.ts'
import { createSentRecords, listPaid, type SentRecord } from './sent-records.ts'
import {
  applyFinding,
  DEEP_CONFIRMATIONS,
  FINAL_CONFIRMATIONS,
  type Finding,
  fetchFinding,
  isLive,
  type StatusPatch,
  withEnds,
  withStatus,
} from './sent-status.ts'

export type { Peer } from './history.ts'
export type { SentRecord } from './sent-records.ts'

/** Transactions that are asked about one by one in a refresh. */
const MAX_LOOKUPS = 20

/**
 * What the accounts did: what this wallet sent, what the chain says about each account, and the person's notes. Kept in
 * local storage, unencrypted: nothing in it is secret.
 */
export function createActivity(deps: { local: StorageArea; now(): number; hasEnded?: HasEnded }) {
  const { local, now } = deps
  const sent = createSentRecords({ local, now })
  const history = laterPart(async () => (await import('./history.ts')).createHistory(deps))
  const labels = createLabels({ local })
  const refreshing = new Map<string, Promise<void>>()
  const change: typeof sent.change = next => sent.change(open => withEnds(next(open), open, now()))

  return {
    /** What this wallet sent from an account, newest first; records whose bytes are empty are settled. */
    listSent: sent.list,
    /** Those of them that are not settled. */
    listOpen: sent.listOpen,
    listOpenOfAll: sent.listOpenOfAll,

    /** Adds records, the oldest first, or replaces those of the same transactions and accounts, in one write. */
    record(...records: readonly SentRecord[]): Promise<void> {
      const isAdded = (open: SentRecord) =>
        records.some(({ txid, accountId }) => txid === open.txid && accountId === open.accountId)
      return change(open => [...records.toReversed(), ...open.filter(one => !isAdded(one))])
    },

    /** Adds those records that are not there, or of which nothing came. */
    recordAll(records: readonly SentRecord[]): Promise<void> {
      return change(open => {
        const isOf = (one: SentRecord) => (other: SentRecord) =>
          other.txid === one.txid && other.accountId === one.accountId
        const isOver = ({ status }: SentRecord) => status === 'failed' || status === 'replaced'
        const added = records.filter(one => !open.some(other => isOf(one)(other) && !isOver(other)))
        const kept = open.filter(other => !added.some(one => isOf(one)(other)))
        return added.length > 0 ? [...added.toReversed(), ...kept] : open
      })
    },

    /** Changes the records that are not settled; the same array for no change. */
    change,

    /** Once the network took a transaction, those that spend a coin of it become `replaced`. */
    setStatus(txid: string, status: ActivityStatus, patch?: StatusPatch): Promise<void> {
      return change(open => withStatus(open, txid, status, patch))
    },

    /** Asks the chain for news of an account and of what it sent. Throws BackendUnavailableError; what was learnt stays. */
    refresh(
      chain: ChainSource,
      account: AccountView,
      addresses?: readonly OwnAddress[],
    ): Promise<void> {
      const key = `${chain.network} ${account.id}`
      const running = refreshing.get(key) ?? refresh(chain, account, addresses)
      refreshing.set(key, running)
      return running.finally(() => refreshing.delete(key))
    },

    /** Fetches one more page of what is older; false when there is none. */
    extend: history.extend,

    /** What is stored about an account; asks nobody. */
    async load(network: Network, accountId: string) {
      const [records, ledger, notes] = await Promise.all([
        sent.list(network, accountId),
        history.load(network, accountId),
        labels.load(network),
      ])
      return { records, ledger, labels: notes }
    },

    setLabel: labels.set,

    /** The person's notes of all networks: see `labels.ts`. */
    loadLabels: labels.load,
    holdLabels: labels.hold,
    entriesWithLabels: labels.entriesWith,

    /** The person's note on a transaction; empty for none. */
    async labelOf(network: Network, txid: string): Promise<string> {
      return (await labels.load(network))[txid] ?? ''
    },

    /** Everybody this account has dealt with, as far as it is stored; for telling a known address from one that only looks like it. */
    async listPeers(network: Network, accountId: string): Promise<Peer[]> {
      return history.listPeers(network, accountId, await sent.list(network, accountId))
    },

    /**
     * Transactions that brought the account something unasked, with how many scripts each pays: neither this wallet nor this account had a
     * part in them, and nobody whom it has paid.
     */
    async listUnasked(network: Network, accountId: string): Promise<ReadonlyMap<string, number>> {
      const { asked, rows } = await loadOrigins(network, accountId)
      return new Map(
        rows.flatMap(({ txid, recipients = 0 }) => (asked.has(txid) ? [] : [[txid, recipients]])),
      )
    },

    /**
     * Transactions that this wallet or the account had a part in, or somebody whom it has paid, as far as the history is known; and whether
     * the account is known to have had another one than this.
     */
    async listAsked(network: Network, accountId: string) {
      const { asked, rows } = await loadOrigins(network, accountId)
      const all = new Set([...asked, ...rows.map(({ txid }) => txid)])
      return { asked, hasOtherThan: (txid: string) => all.size > (all.has(txid) ? 1 : 0) }
    },

    /** For when storage is erased: what is still being fetched is not stored any more. */
    clear: history.clear,

    /** What this wallet sent: see `sent-records.ts`. */
    holdSent: sent.hold,
    entriesJoined: sent.entriesJoined,
    /** For an account that is part of another by now; what the chain says of that is fetched anew. */
    forgetHistory: history.forget,

    /** Drops all that is stored about an account, its labels too unless another account's transactions have them. */
    async forgetAccount(accountId: string): Promise<void> {
      for (const network of NETWORKS) {
        const ledger = await history.load(network, accountId)
        const records = await sent.list(network, accountId)
        const txids = [...ledger.rows, ...records].map(({ txid }) => txid)
        const others = new Set([
          ...(await sent.listOthers(network, accountId)),
          ...(await history.listOthers(network, accountId)),
        ])
        await labels.forget(network, new Set(txids.filter(txid => !others.has(txid))))
      }
      await history.forget(accountId)
      await sent.forget(accountId)
    },
  }

  async function loadOrigins(network: Network, accountId: string) {
    const [{ rows }, own, others] = await Promise.all([
      history.load(network, accountId),
      sent.list(network, accountId),
      sent.listOthers(network, accountId),
    ])
    const paid = new Set(own.flatMap(listPaid))
    const asked = rows.filter(
      ({ recipients, peers }) => recipients === undefined || peers.some(peer => paid.has(peer)),
    )
    const txids = [...own, ...asked].map(({ txid }) => txid)
    return { rows, asked: new Set([...txids, ...others]) }
  }

  async function refresh(
    chain: ChainSource,
    account: AccountView,
    addresses: readonly OwnAddress[] | undefined,
  ): Promise<void> {
    const accountId = account.id
    await history.refresh(chain, account, addresses)
    const open = await sent.listOpen(chain.network, accountId)
    if (open.length === 0) return
    const ledger = await history.load(chain.network, accountId)
    const height = await fetchCountedHeight(chain)
    const { told, asked } = listQuestions(open, ledger, height)
    const findings = [...told]
    const refused = new Set(open.flatMap(one => (one.status === 'failed' ? one.txid : [])))
    try {
      for (const record of asked) {
        const finding = await fetchFinding(chain, record, refused)
        if (finding) findings.push([record, finding])
        if (finding?.is === 'refused') refused.add(record.txid)
      }
    } finally {
      await change(records =>
        findings.reduce(
          (known, [record, found]) => applyFinding(known, record, found, chain),
          records,
        ),
      )
    }
    const deep = await sent.listOpen(chain.network, accountId)
    const gone = new Set(deep.filter(isSettled).flatMap(record => record.spends))
    await sent.settle(
      record =>
        record.network === chain.network &&
        record.accountId === accountId &&
        (isSettled(record) ||
          (record.status !== 'confirmed' && record.spends.some(outpoint => gone.has(outpoint)))),
    )

    function isSettled({ status, height: at }: SentRecord): boolean {
      return status === 'confirmed' && at !== null && height - at + 1 >= FINAL_CONFIRMATIONS
    }
  }
}

export type Activity = ReturnType<typeof createActivity>

/**
 * The records that there is news of, and those that must be asked about one by one. The account's history answers for what
 * it lists; failed and replaced records come back only there, for they spend coins of the account.
 */
function listQuestions(
  open: readonly SentRecord[],
  { rows, next }: Ledger,
  tip: number,
): { told: [SentRecord, Finding][]; asked: SentRecord[] } {
  const listed = new Map(rows.map(row => [row.txid, row]))
  const oldestHeight = next === null ? 0 : (rows.at(-1)?.height ?? tip)
  const told: [SentRecord, Finding][] = []
  const asked: SentRecord[] = []
  for (const record of open) {
    const row = listed.get(record.txid)
    const isOver = record.status === 'failed' || record.status === 'replaced'
    if (row && row.height !== null) told.push([record, { is: 'in-block', height: row.height }])
    else if (row && !isOver && !row.undone && !row.replacedBy)
      told.push([record, { is: 'waiting' }])
    else if (row || (!isOver && !isDeep(record))) asked.push(record)
  }
  return { told, asked: chooseAsked(asked.reverse()) }

  /** Deep ones are no longer asked about, unless the history reaches as far and does not have them. */
  function isDeep({ status, height, spends }: SentRecord): boolean {
    if (status !== 'confirmed' || height === null) return false
    return tip - height + 1 >= DEEP_CONFIRMATIONS && (height <= oldestHeight || spends.length === 0)
  }
}

/**
 * As many as are asked about in a refresh, oldest first as they are given: one that was lost is handed over again before those that
 * spend its outputs. What holds coins of the account and can be handed over comes before the rest, which may wait for days: what
 * sites pushed of others, mints that are not sent, and what jobs hand over.
 */
function chooseAsked(oldestFirst: readonly SentRecord[]): SentRecord[] {
  const isOurs = (record: SentRecord) =>
    isLive(record) && record.status !== 'unsent' && record.rawTx !== '' && record.spends.length > 0
  const byTxid = new Map(oldestFirst.map(record => [record.txid, record]))
  const first = new Set(oldestFirst.filter(isOurs))
  // A loop over a Set also visits what is added while it runs.
  for (const { spends } of first)
    for (const outpoint of spends) {
      const parent = byTxid.get(parseOutpoint(outpoint).txid)
      if (parent) first.add(parent)
    }
  const [ours, others] = [true, false].map(is =>
    oldestFirst.filter(record => first.has(record) === is),
  )
  const chosen = new Set([...(ours ?? []), ...(others ?? [])].slice(0, MAX_LOOKUPS))
  return oldestFirst.filter(record => chosen.has(record))
}
