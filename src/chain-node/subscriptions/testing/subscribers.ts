import { expect } from 'vitest'
import type { Hex } from '../../codec/hex.ts'
import { listSubscriptionMethods } from '../../methods/subscription-methods.ts'
import { createRpc } from '../../rpc/rpc.ts'
import { createFeed, createLog } from '../../testing/feed.ts'
import { createSubscriptions } from '../subscriptions.ts'

/** The methods behind the real JSON-RPC, with connections that keep what they are sent. */
export function startSubscriptions() {
  const feed = createFeed()
  const subscriptions = createSubscriptions(feed.chain, feed.pool)
  const append = { parameters: [], answer: () => void feed.append([createLog(7)]) }
  const rpc = createRpc({
    table: { ...listSubscriptionMethods({ subscriptions }), append },
    describeError: () => null,
    onFault: error => {
      throw error
    },
  })
  return {
    feed,
    subscriptions,
    connect: () => connect(rpc),
    client: connect(rpc),
    request(method: string, params: unknown): unknown {
      let answered: unknown
      rpc.handle(JSON.stringify({ id: 1, method, params }), null, text => {
        const { jsonrpc: _, id: __, ...answer } = JSON.parse(text ?? '')
        answered = answer
      })
      return answered
    },
  }
}

function connect(rpc: ReturnType<typeof createRpc>) {
  let sent: string[] = []
  let isClosed = false
  const listeners: (() => void)[] = []
  const connection = {
    send: (text: string) => void sent.push(text),
    onClose(listener: () => void) {
      if (isClosed) listener()
      else listeners.push(listener)
    },
  }
  function take(): unknown[] {
    const texts = sent
    sent = []
    return texts.map(text => JSON.parse(text))
  }
  function call(method: string, params: unknown): { result?: unknown; error?: unknown } {
    let answered = '{}'
    rpc.handle(JSON.stringify({ id: 1, method, params }), connection, text => {
      answered = text ?? '{}'
    })
    const { jsonrpc: _, id: __, ...answer } = JSON.parse(answered)
    return answer
  }
  return {
    take,
    call,
    takeOf(id: unknown): unknown[] {
      const [own, others]: [string[], string[]] = [[], []]
      for (const text of sent) {
        if (JSON.parse(text).params.subscription === id) own.push(text)
        else others.push(text)
      }
      sent = others
      return own.map(text => JSON.parse(text).params.result)
    },
    subscribe(params: unknown): Hex {
      const { result } = call('eth_subscribe', params)
      expect(result).toMatch(/^0x[1-9a-f][0-9a-f]{0,31}$/)
      return result as Hex
    },
    async batch(calls: [string, unknown][]): Promise<void> {
      const body = calls.map(([method, params], id) => ({ id, method, params }))
      await new Promise<void>(resolve => {
        rpc.handle(JSON.stringify(body), connection, text => {
          sent.push(text ?? '')
          resolve()
        })
      })
    },
    close() {
      isClosed = true
      for (const listener of listeners.splice(0)) listener()
    },
  }
}
