import { touchedScripts } from '../chain/chain.ts'
import { hashScript, parseAddress } from '../chain/script.ts'
import type { TransactionRecord } from '../chain/transaction-record.ts'

/** mempool.space's production limit on mainnet. */
const MAX_TRACKED_ADDRESSES = 10
const TOPICS = ['blocks', 'mempool-blocks', 'stats'] as const

export type Topic = (typeof TOPICS)[number]

/** What one websocket client subscribed to. */
export interface Subscription {
  wants: Set<Topic>
  address: TrackedAddress | null
  addresses: TrackedAddress[]
  txid: string | null
}

export interface TrackedAddress {
  address: string
  script: Uint8Array
}

export interface WebsocketRequest {
  isInit: boolean
  isPing: boolean
  isTrackingTx: boolean
  /** Topics that this message newly subscribes to. */
  news: Set<Topic>
  errors: Record<string, string>
}

/** Reads a client's message into its subscription; a message that is not JSON, or not understood, changes nothing. */
export function parseRequest(data: string, subscription: Subscription): WebsocketRequest {
  const request: WebsocketRequest = {
    isInit: false,
    isPing: false,
    isTrackingTx: false,
    news: new Set(),
    errors: {},
  }
  const message = parseObject(data)
  if (!message) return request
  request.isInit = message.action === 'init'
  request.isPing = message.action === 'ping'
  if (message.action === 'want' && Array.isArray(message.data)) {
    const wanted: unknown[] = message.data
    const wants = new Set(TOPICS.filter(topic => wanted.includes(topic)))
    request.news = new Set([...wants].filter(topic => !subscription.wants.has(topic)))
    subscription.wants = wants
  }
  if ('track-address' in message) {
    subscription.address = readAddress(message['track-address'])
  }
  const addresses = message['track-addresses']
  if (Array.isArray(addresses)) {
    const tracked = addresses.flatMap(address => readAddress(address) ?? [])
    if (tracked.length > MAX_TRACKED_ADDRESSES) {
      request.errors['track-addresses-error'] =
        `too many addresses requested, this connection supports tracking a maximum of ${MAX_TRACKED_ADDRESSES} addresses`
      subscription.addresses = []
    } else subscription.addresses = tracked
  }
  const txid = message['track-tx']
  if (txid !== undefined) {
    subscription.txid = typeof txid === 'string' && /^[0-9a-f]{64}$/i.test(txid) ? txid : null
    request.isTrackingTx = subscription.txid !== null
  }
  return request
}

export function paysOrSpends(record: TransactionRecord, script: Uint8Array): boolean {
  return touchedScripts(record).has(hashScript(script))
}

function readAddress(value: unknown): TrackedAddress | null {
  const script = typeof value === 'string' ? parseAddress(value) : null
  return typeof value === 'string' && script ? { address: value, script } : null
}

function parseObject(data: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(data)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
