import type { AppendedBlock, Chain, StoredLog } from '../chain/chain.ts'
import type { Hex } from '../codec/hex.ts'
import type { LogFilter } from '../codec/log-filter.ts'
import type { Transaction } from '../engine/transaction.ts'
import { isInRange, type LiveRange, readLiveRange } from '../filters/live-range.ts'
import { createLogIndex } from '../filters/log-index.ts'
import { createRandomId } from '../filters/random-id.ts'
import { joinTransactions, quoteHash } from '../json/block-json.ts'
import { headerJson } from '../json/header-json.ts'
import { minedTransactionJson, pooledTransactionJson } from '../json/transaction-json.ts'
import type { Pool } from '../pool/pool.ts'
import type { Connection } from '../rpc/connection.ts'
import { LIMIT_EXCEEDED, RpcError } from '../rpc/rpc-error.ts'

/** What a subscriber wants to be told of. */
export type Event =
  | { readonly name: 'newHeads'; readonly withTransactions: boolean }
  | { readonly name: 'newPendingTransactions'; readonly withTransactions: boolean }
  | { readonly name: 'logs'; readonly filter: LogFilter }
  /** Never happens: the one producer of a chain is never behind. */
  | { readonly name: 'syncing' }

/** What connections are told without asking again, each event in its order and once. */
export interface Subscriptions {
  /** Events from now on are the subscriber's; what `start` is given runs when they may be sent. Throws `RpcError`. */
  subscribe(connection: Connection, event: Event, start: (work: () => void) => void): Hex
  /** Whether the connection had such a subscription. */
  unsubscribe(connection: Connection, id: string): boolean
  count(): number
  close(): void
}

export interface SubscriptionOptions {
  /** Most of one connection; 1000 unless told. */
  readonly maxSubscriptions?: number
}

interface Subscription {
  readonly connection: Connection
  /** The notification's text as far as the result. */
  readonly head: string
  /** What cannot be sent before the answer with the id; null from then on. */
  held: string[] | null
  /** Takes it out of those that are told. */
  leave: () => void
}

/** What waits for an answer; with more the wait ends, which happens only in a batch that goes on for very long. */
const MAX_HELD = 10_000

export function createSubscriptions(
  chain: Pick<Chain, 'onAppend' | 'shape'>,
  pool: Pick<Pool, 'onPending'>,
  { maxSubscriptions = 1000 }: SubscriptionOptions = {},
): Subscriptions {
  const connections = new Map<Connection, Map<string, Subscription>>()
  const heads = { short: new Set<Subscription>(), full: new Set<Subscription>() }
  const transactions = { short: new Set<Subscription>(), full: new Set<Subscription>() }
  const logs = createLogIndex<{ subscription: Subscription; range: LiveRange }>()

  function join(subscription: Subscription, event: Event): () => void {
    if (event.name === 'syncing') return () => {}
    if (event.name === 'logs') {
      return logs.add(event.filter, { subscription, range: readLiveRange(event.filter) })
    }
    const groups = event.name === 'newHeads' ? heads : transactions
    const group = event.withTransactions ? groups.full : groups.short
    group.add(subscription)
    return () => group.delete(subscription)
  }

  function forget(connection: Connection): void {
    for (const { leave } of connections.get(connection)?.values() ?? []) leave()
    connections.delete(connection)
  }

  function tellBlock({ block, logs: found }: AppendedBlock): void {
    const { header } = block
    if (heads.short.size > 0) tell(heads.short, headerJson(header))
    if (heads.full.size > 0) {
      const texts = block.transactions.map((transaction, index) =>
        minedTransactionJson(transaction, header, index, chain.shape),
      )
      tell(heads.full, joinTransactions(headerJson(header), texts))
    }
    if (logs.size > 0) for (const log of found) tellLog(log, header.number)
  }

  function tellLog(log: StoredLog, number: bigint): void {
    const found = logs.find(log).filter(({ range }) => isInRange(range, number))
    tell(
      found.map(({ subscription }) => subscription),
      log.json,
    )
  }

  function tellTransaction(transaction: Transaction): void {
    if (transactions.short.size > 0) tell(transactions.short, quoteHash(transaction.hash))
    if (transactions.full.size > 0) {
      tell(transactions.full, pooledTransactionJson(transaction, chain.shape))
    }
  }

  const stops = [chain.onAppend(tellBlock), pool.onPending(tellTransaction)]

  return {
    subscribe(connection, event, start) {
      const known = connections.get(connection)
      const own = known ?? new Map<string, Subscription>()
      if (own.size >= maxSubscriptions) {
        throw new RpcError(
          LIMIT_EXCEEDED,
          `too many subscriptions, at most ${maxSubscriptions} for one connection`,
        )
      }
      const id = createRandomId()
      const head = `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}","result":`
      const subscription: Subscription = { connection, head, held: [], leave: () => {} }
      subscription.leave = join(subscription, event)
      own.set(id, subscription)
      if (!known) {
        connections.set(connection, own)
        connection.onClose(() => forget(connection))
      }
      start(() => release(subscription))
      return id
    },
    unsubscribe(connection, id) {
      const own = connections.get(connection)
      own?.get(id)?.leave()
      return own?.delete(id) ?? false
    },
    count() {
      let count = 0
      for (const own of connections.values()) count += own.size
      return count
    },
    close() {
      for (const stop of stops) stop()
    },
  }
}

/** One text for all; only what stands before it differs. */
function tell(subscriptions: Iterable<Subscription>, result: string): void {
  const rest = `${result}}}`
  for (const subscription of subscriptions) {
    const { connection, head, held } = subscription
    if (!held) connection.send(head + rest)
    else if (held.push(rest) > MAX_HELD) release(subscription)
  }
}

function release(subscription: Subscription): void {
  const { connection, head, held } = subscription
  subscription.held = null
  for (const rest of held ?? []) connection.send(head + rest)
}
