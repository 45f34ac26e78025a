import { WebSocket } from 'ws'
import { listSubscriptionMethods } from '../../methods/subscription-methods.ts'
import { createRpc } from '../../rpc/rpc.ts'
import { createFeed, createLog, createTransaction } from '../../testing/feed.ts'
import { listen, type TransportLimits } from '../../transport/listen.ts'
import { createSubscriptions } from '../subscriptions.ts'

/**
 * A process that serves subscriptions to made-up blocks. Started with the transport's limits as JSON. Its parent sends the
 * bytes of a block's one transaction, or none to only ask, and hears of the bytes that the process has and of its connections.
 */
export interface FanOutReport {
  readonly url?: string
  readonly memory: number
  readonly connections: number
  /** Those that it has begun to close because they are too slow. */
  readonly tooSlow: number
}

let tooSlow = 0
const { close } = WebSocket.prototype
WebSocket.prototype.close = function (this: WebSocket, code, reason) {
  if (code === 1013 && this.readyState === WebSocket.OPEN) tooSlow += 1
  close.call(this, code, reason)
}

const limits: Partial<TransportLimits> = JSON.parse(process.argv[2] ?? '{}')
const feed = createFeed()
const subscriptions = createSubscriptions(feed.chain, feed.pool)
const rpc = createRpc({
  table: listSubscriptionMethods({ subscriptions }),
  describeError: () => null,
  onFault: stop,
})
const listener = await listen({ host: '127.0.0.1', port: 0, rpc, limits, onFault: stop })

process.on('message', (bytes: number) => {
  if (bytes > 0)
    feed.append([createLog(1)], [{ ...createTransaction(0), input: new Uint8Array(bytes) }])
  report()
})
process.on('disconnect', () => process.exit())
report(listener.wsUrl)

function report(url?: string): void {
  const connections = listener.countConnections()
  process.send?.({ ...(url && { url }), memory: process.memoryUsage.rss(), connections, tooSlow })
}

/** An uncaught error ends the process, and with it the test. */
function stop(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}
