import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { BlockRecord } from '../chain/chain.ts'
import type { TransactionRecord } from '../chain/transaction-record.ts'
import { formatBlock, formatTransaction } from '../esplora/format.ts'
import type { TransactionJson } from '../esplora/shapes.ts'
import { createView } from '../esplora/view.ts'
import { type FeeRates, roundFeeRates } from '../mempool/fees.ts'
import type { LocalNetwork, NetworkEvent } from '../mempool/local-network.ts'
import type { Removed } from '../mempool/mempool.ts'
import { projectBlocks } from './projected-blocks.ts'
import { parseRequest, paysOrSpends, type Subscription } from './subscription.ts'

const INITIAL_BLOCKS = 8
const MAX_MESSAGE = 50_000

/** mempool.space's websocket: blocks, statistics, and what happens to tracked addresses and transactions. */
export interface Websocket {
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close(): void
}

type Message = Record<string, unknown>

export function createWebsocket(network: LocalNetwork, feeRates: () => FeeRates): Websocket {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE })
  const clients = new Map<WebSocket, Subscription>()

  function describe(record: TransactionRecord): TransactionJson {
    const status = createView(network, 0).find(record.txid)?.status ?? { confirmed: false }
    return formatTransaction(record, status)
  }

  function statistics(): Message {
    const entries = network.pool().entries()
    return {
      mempoolInfo: {
        loaded: true,
        size: entries.length,
        bytes: entries.reduce((sum, { record }) => sum + record.vsize, 0),
      },
      vBytesPerSecond: 0,
      fees: roundFeeRates(feeRates()),
    }
  }

  function newestBlocks() {
    const { chain } = network
    const first = Math.max(0, chain.height() - INITIAL_BLOCKS + 1)
    const heights = Array.from({ length: chain.height() - first + 1 }, (_, i) => first + i)
    return heights.flatMap(height => chain.block(height) ?? []).map(formatBlock)
  }

  function answer(client: WebSocket, data: string): void {
    const subscription = clients.get(client)
    if (!subscription) return
    const { news, ...request } = parseRequest(data, subscription)
    const message: Message = { ...request.errors }
    if (request.isInit) {
      Object.assign(message, statistics(), { blocks: newestBlocks() })
      message['mempool-blocks'] = projectBlocks(network.pool())
    }
    if (news.has('blocks')) message.blocks = newestBlocks()
    if (news.has('mempool-blocks')) message['mempool-blocks'] = projectBlocks(network.pool())
    if (news.has('stats')) Object.assign(message, statistics())
    const tracked = subscription.txid ? network.pool().get(subscription.txid) : undefined
    if (request.isTrackingTx && tracked) Object.assign(message, positionOf(tracked.record))
    if (request.isPing) message.pong = true
    send(client, message)
  }

  function announcePool(added: readonly TransactionRecord[], removed: readonly Removed[]): void {
    for (const [client, subscription] of clients) {
      const message: Message = {}
      if (subscription.wants.has('stats')) Object.assign(message, statistics())
      if (subscription.wants.has('mempool-blocks')) {
        message['mempool-blocks'] = projectBlocks(network.pool())
      }
      if (subscription.address) {
        const { script } = subscription.address
        const fresh = added.filter(record => paysOrSpends(record, script))
        const gone = removed.filter(({ record }) => paysOrSpends(record, script))
        if (fresh.length > 0) message['address-transactions'] = fresh.map(describe)
        if (gone.length > 0) {
          message['address-removed-transactions'] = gone.map(({ record }) => describe(record))
        }
      }
      addMulti(message, subscription, script => ({
        mempool: added.filter(record => paysOrSpends(record, script)),
        confirmed: [],
        removed: removed.map(({ record }) => record).filter(record => paysOrSpends(record, script)),
      }))
      const replaced = removed.find(({ record }) => record.txid === subscription.txid)
      if (replaced?.replacedBy) {
        message.rbfTransaction = { txid: replaced.replacedBy }
        message.txReplaced = { txid: replaced.replacedBy }
      }
      const tracked = added.find(({ txid }) => txid === subscription.txid)
      if (tracked) Object.assign(message, positionOf(tracked))
      send(client, message)
    }
  }

  function announceBlock(block: BlockRecord): void {
    for (const [client, subscription] of clients) {
      const message: Message = {}
      if (subscription.wants.has('blocks')) message.block = formatBlock(block)
      if (subscription.wants.has('stats')) Object.assign(message, statistics())
      if (subscription.wants.has('mempool-blocks')) {
        message['mempool-blocks'] = projectBlocks(network.pool())
      }
      if (subscription.address) {
        const { script } = subscription.address
        const found = block.transactions.filter(record => paysOrSpends(record, script))
        if (found.length > 0) message['block-transactions'] = found.map(describe)
      }
      addMulti(message, subscription, script => ({
        mempool: [],
        confirmed: block.transactions.filter(record => paysOrSpends(record, script)),
        removed: [],
      }))
      if (block.transactions.some(({ txid }) => txid === subscription.txid)) {
        message.txConfirmed = subscription.txid
      }
      send(client, message)
    }
  }

  function addMulti(
    message: Message,
    { addresses }: Subscription,
    find: (script: Uint8Array) => Record<'mempool' | 'confirmed' | 'removed', TransactionRecord[]>,
  ): void {
    const found = addresses.flatMap(({ address, script }) => {
      const { mempool, confirmed, removed } = find(script)
      if (mempool.length + confirmed.length + removed.length === 0) return []
      return [
        [
          address,
          {
            mempool: mempool.map(describe),
            confirmed: confirmed.map(describe),
            removed: removed.map(describe),
          },
        ] as const,
      ]
    })
    if (found.length > 0) message['multi-address-transactions'] = Object.fromEntries(found)
  }

  const unsubscribe = network.subscribe((event: NetworkEvent) => {
    if (event.type === 'pool') announcePool(event.added, event.removed)
    if (event.type === 'connected') announceBlock(event.block)
  })

  return {
    accept(request, socket, head) {
      server.handleUpgrade(request, socket, head, client => {
        clients.set(client, { wants: new Set(), address: null, addresses: [], txid: null })
        client.on('message', data => answer(client, data.toString()))
        client.on('close', () => clients.delete(client))
        client.on('error', () => client.terminate())
      })
    },
    close() {
      unsubscribe()
      for (const client of clients.keys()) client.terminate()
      server.close()
    },
  }
}

/** Where a tracked transaction stands: devnet's pool fits the next block. */
function positionOf({ txid, vsize }: TransactionRecord): Message {
  return { txPosition: { txid, position: { block: 0, vsize } } }
}

function send(client: WebSocket, message: Message): void {
  if (Object.keys(message).length > 0) client.send(JSON.stringify(message))
}
