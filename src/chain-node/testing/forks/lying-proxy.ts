import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request that a proxy passes on, and the answer to it. */
export interface Exchange {
  readonly method: string
  readonly params: readonly unknown[]
  answer: { id?: unknown; result?: unknown; error?: unknown }
}

/** A server between a node and who asks it, which changes what the node answers. */
export interface LyingProxy {
  readonly url: string
  /** Every call that came, in its order. */
  readonly calls: { method: string; params: readonly unknown[] }[]
  /** HTTP requests. */
  count: number
  /** Changes an answer in place; null for none. */
  change: ((exchange: Exchange) => void) | null
  /** Whether it ends every connection without an answer. */
  isDown: boolean
  /** Headers of the last request. */
  headers: NodeJS.Dict<string | string[]>
}

/** Starts one for the time of a test. */
export async function startLyingProxy(target: string): Promise<LyingProxy> {
  const proxy: LyingProxy = {
    url: '',
    calls: [],
    count: 0,
    change: null,
    isDown: false,
    headers: {},
  }
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    proxy.count++
    proxy.headers = request.headers
    if (proxy.isDown) {
      request.socket.destroy()
      return
    }
    const body = Buffer.concat(parts).toString()
    const asked = [JSON.parse(body)].flat() as { id: unknown; method: string; params: unknown[] }[]
    const answer = await fetch(target, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    })
    const given = (await answer.json()) as Exchange['answer'] | Exchange['answer'][]
    const exchanges = asked.map(({ id, method, params }): Exchange => {
      proxy.calls.push({ method, params })
      const found = [given].flat().find(one => one.id === id)
      return { method, params, answer: found ?? {} }
    })
    for (const exchange of exchanges) proxy.change?.(exchange)
    const answers = exchanges.map(one => one.answer)
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(Array.isArray(given) ? answers : answers[0]))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return Object.assign(proxy, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}
