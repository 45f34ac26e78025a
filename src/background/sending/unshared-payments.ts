import { fromHex } from '../../bitcoin/bytes.ts'
import type { Network } from '../../bitcoin/network.ts'
import {
  BackendUnavailableError,
  BroadcastRejectedError,
  type ChainServer,
} from '../../chain/chain-source.ts'
import { failure, invalidParams } from '../../provider/errors.ts'
import type { Activity, SentRecord } from '../activity/activity.ts'
import type { Sighting } from '../activity/sent-records.ts'
import type { Clock } from '../primitives/clock.ts'
import { nullIfUnanswered } from '../primitives/timeout.ts'
import type { Sources } from '../settings/servers.ts'
import type { UnsharedPayments } from '../views/activity-views.ts'
import { rejected } from './outgoing.ts'

/** Nodes pass a transaction on within seconds, and servers read them every few. */
const FIRST_LOOK_MS = 60_000

/** A server may lose what it had. */
const KNOWN_LOOK_MS = 3_600_000

/** Each further look that finds the same waits twice as long, up to a day. */
const LONGEST_PAUSE_MS = 24 * 3_600_000

/** A server may have been between two answers. */
const LOOKS_BEFORE_NEWS = 2

/** Payments that are looked for at once, one request to each server. */
const MOST_LOOKED_FOR = 5

export type UnsharedPaymentParts = Pick<Sources, 'chain'> &
  Clock & { activity: Pick<Activity, 'listOpen' | 'listOpenOfAll' | 'change'> }

/**
 * The payments of an account that a server took, and which one of the chain servers, or the only one, does not have. Each server is
 * asked a minute after a payment was sent, and then with pauses that double, from a minute where one lacks it and from an hour else.
 */
export async function listUnsharedPayments(
  wallet: UnsharedPaymentParts,
  network: Network,
  accountId: string,
): Promise<UnsharedPayments> {
  const { servers } = await wallet.chain(network)
  const hosts = servers.map(({ host }) => host)
  const due = (await listWaiting(wallet, network, accountId))
    .filter(record => dueAt(record, hosts) <= wallet.now())
    .slice(0, MOST_LOOKED_FOR)
  const found = new Map<string, Sighting>()
  for (const { txid, sighting } of due) {
    const next = { hosts, at: wallet.now(), looks: 1, ...(await lookFor(servers, txid)) }
    const isSame = areAsked(sighting, hosts) && isEverywhere(next) === isEverywhere(sighting)
    found.set(txid, isSame ? { ...next, looks: sighting.looks + 1 } : next)
  }
  if (found.size > 0) await setSightings(wallet, found)
  const waiting = await listWaiting(wallet, network, accountId)
  const next = Math.min(...waiting.map(record => dueAt(record, hosts)))
  return {
    payments: waiting.flatMap(({ txid, rawTx, sighting }) => {
      if (!areAsked(sighting, hosts)) return []
      const { looks, knows, lacks } = sighting
      const isNews = lacks.length > 0 && looks >= LOOKS_BEFORE_NEWS
      return isNews ? [{ txid, rawTx, knows, lacks }] : []
    }),
    askAgainInMs: Number.isFinite(next) ? Math.max(next - wallet.now(), 0) : null,
  }
}

/**
 * Hands a payment, and those of this wallet that it waits for, to each server that lacks it. Throws -32602 for one that no server
 * lacks, BROADCAST_REJECTED or BACKEND_UNAVAILABLE where none of them took it.
 */
export async function shareTransaction(
  wallet: UnsharedPaymentParts,
  network: Network,
  accountId: string,
  txid: string,
): Promise<void> {
  const waiting = await listWaiting(wallet, network, accountId)
  const record = waiting.find(one => one.txid === txid && one.sighting?.lacks.length !== 0)
  if (!record?.sighting) throw invalidParams('txid', txid, 'a payment that a server lacks')
  const { sighting } = record
  const { servers } = await wallet.chain(network)
  const lacking = servers.filter(({ host }) => sighting.lacks.includes(host))
  const family = listFamily(await wallet.activity.listOpenOfAll(network), record)
  const outcomes = await Promise.allSettled(lacking.map(server => handOver(server, family)))
  const errors = outcomes.flatMap(one => (one.status === 'rejected' ? [one.reason] : []))
  if (lacking.length === 0 || errors.length < lacking.length)
    return setSightings(
      wallet,
      // It is not news any more before it was looked for again.
      new Map([[txid, { ...sighting, at: wallet.now(), looks: LOOKS_BEFORE_NEWS - 1 }]]),
    )
  const [cause] = errors
  if (cause instanceof BroadcastRejectedError)
    throw Object.assign(rejected(cause.reason), { cause })
  if (!(cause instanceof BackendUnavailableError)) throw cause
  throw failure('BACKEND_UNAVAILABLE', 'The server did not answer. Try again later.', { cause })
}

async function handOver({ source }: ChainServer, family: readonly SentRecord[]): Promise<void> {
  for (const parent of family.slice(0, -1)) {
    // One that is in a block by now, or is refused: the payment itself tells.
    await source.broadcast(fromHex(parent.rawTx)).catch(passRefusal)
  }
  const record = family.at(-1)
  if (record) await source.broadcast(fromHex(record.rawTx))
}

function passRefusal(error: unknown): void {
  if (!(error instanceof BroadcastRejectedError)) throw error
}

/** The record last, and before it those that wait whose outputs it spends, each after what it spends itself. */
function listFamily(open: readonly SentRecord[], record: SentRecord): SentRecord[] {
  const makers = new Map(
    open.filter(isWaiting).flatMap(one => one.creates.map(outpoint => [outpoint, one] as const)),
  )
  const family: SentRecord[] = []
  const seen = new Set<string>()
  const add = (one: SentRecord) => {
    if (seen.has(one.txid)) return
    seen.add(one.txid)
    for (const outpoint of one.spends) {
      const parent = makers.get(outpoint)
      if (parent) add(parent)
    }
    family.push(one)
  }
  add(record)
  return family
}

/** Oldest first: those that a server took, and no block has. */
async function listWaiting(
  { activity }: UnsharedPaymentParts,
  network: Network,
  accountId: string,
): Promise<SentRecord[]> {
  return (await activity.listOpen(network, accountId)).filter(isWaiting).reverse()
}

function isWaiting({ status, rawTx }: SentRecord): boolean {
  return (status === 'pending' || status === 'reorganised') && rawTx !== ''
}

function dueAt({ at, sighting }: SentRecord, hosts: readonly string[]): number {
  if (!areAsked(sighting, hosts)) return at + FIRST_LOOK_MS
  const pause = isEverywhere(sighting) ? KNOWN_LOOK_MS : FIRST_LOOK_MS
  return sighting.at + Math.min(pause * 2 ** (sighting.looks - 1), LONGEST_PAUSE_MS)
}

/** Whether it was looked for on these servers. */
function areAsked(sighting: Sighting | undefined, hosts: readonly string[]): sighting is Sighting {
  return sighting?.hosts.join() === hosts.join()
}

function isEverywhere({ hosts, knows }: Sighting): boolean {
  return knows.length === hosts.length
}

/** What is not known of a server that does not answer is in neither list. */
async function lookFor(
  servers: readonly ChainServer[],
  txid: string,
): Promise<{ knows: string[]; lacks: string[] }> {
  const answers = await Promise.all(
    servers.map(async ({ host, source }) => {
      // Null stands for the mempool as well.
      const answer = source.fetchTransactionHeight(txid).then(height => ({ height }))
      const told = await nullIfUnanswered(answer)
      return { host, has: told && told.height !== undefined }
    }),
  )
  const hostsWith = (wanted: boolean) =>
    answers.flatMap(({ host, has }) => (has === wanted ? [host] : []))
  return { knows: hostsWith(true), lacks: hostsWith(false) }
}

function setSightings(
  { activity }: UnsharedPaymentParts,
  found: ReadonlyMap<string, Sighting>,
): Promise<void> {
  return activity.change(open =>
    open.map(record => {
      const sighting = found.get(record.txid)
      return sighting ? { ...record, sighting } : record
    }),
  )
}
