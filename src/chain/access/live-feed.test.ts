import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { checkLiveFeed, type FeedLimits, openLiveFeed, type Socket } from './live-feed.ts'

const connect = (url: string) => new WebSocket(url) as unknown as Socket

let http: Server
let sockets: WebSocketServer
let url: string
/** What the server does with a message; by default it speaks the protocol's ping. */
let answer: (message: string, client: WebSocket) => void
let heard: string[]
let feeds: { close(): void }[]

beforeEach(async () => {
  heard = []
  feeds = []
  answer = (message, client) => {
    if (message.includes('ping')) client.send('{"pong":true}')
  }
  http = createServer((_, response) => response.writeHead(404).end())
  sockets = new WebSocketServer({ server: http, path: '/api/v1/ws' })
  sockets.on('connection', client =>
    client.on('message', data => {
      heard.push(String(data))
      answer(String(data), client)
    }),
  )
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/api`
})
afterEach(() => {
  for (const feed of feeds) feed.close()
  for (const client of sockets.clients) client.terminate()
  sockets.close()
  http.close()
})

function open(limits: FeedLimits = { pingMs: 20, readyMs: 1000, silenceMs: 200 }, at = url) {
  const events: string[] = []
  const feed = openLiveFeed({
    url: at,
    addresses: ['bcrt1qmine'],
    connect,
    limits,
    onReady: () => events.push('ready'),
    onNews: () => events.push('news'),
    onEnd: () => events.push('end'),
  })
  feeds.push(feed)
  return { events, feed }
}

const broadcast = (message: string | Buffer) => {
  for (const client of sockets.clients) client.send(message)
}

describe('a live feed', () => {
  it('asks for blocks and for one address, and says that it is there', async () => {
    const { events } = open()
    await expect.poll(() => events).toEqual(['ready'])
    expect(heard).toContain('{"action":"want","data":["blocks"]}')
    expect(heard).toContain('{"track-address":"bcrt1qmine"}')
  })

  it('pings for as long as it is open, and stays open through quiet times', async () => {
    const { events, feed } = open()
    await new Promise(resolve => setTimeout(resolve, 500))
    expect(events).toEqual(['ready'])
    expect(heard.filter(message => message.includes('ping')).length).toBeGreaterThan(5)
    feed.close()
    await expect.poll(() => sockets.clients.size).toBe(0)
    expect(events).toEqual(['ready'])
  })

  it.each([
    'block',
    'address-transactions',
    'address-removed-transactions',
    'block-transactions',
    'multi-address-transactions',
  ])('takes "%s" for news', async key => {
    const { events } = open()
    await expect.poll(() => events).toEqual(['ready'])
    broadcast(JSON.stringify({ mempoolInfo: {} }))
    broadcast(JSON.stringify({ [key]: 'whatever it says is not believed' }))
    await expect.poll(() => events).toEqual(['ready', 'news'])
  })

  it.each<[string, string | Buffer]>([
    ['text', 'hello'],
    ['html', '<html>502</html>'],
    ['a list', '[]'],
    ['null', 'null'],
    ['bytes', Buffer.from([1, 2, 3])],
    ['more than anyone would say', JSON.stringify({ block: 'x'.repeat(2_000_000) })],
  ])('ends when the server sends %s', async (_, message) => {
    const { events } = open()
    await expect.poll(() => events).toEqual(['ready'])
    broadcast(message)
    await expect.poll(() => events).toEqual(['ready', 'end'])
  })

  it('ends once when the server falls silent', async () => {
    answer = (_, client) => {
      if (heard.length === 3) client.send('{"pong":true}')
    }
    const { events } = open()
    await expect.poll(() => events).toEqual(['ready', 'end'])
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(events).toEqual(['ready', 'end'])
  })

  it('ends when a server that connects never answers', async () => {
    answer = () => {}
    const { events } = open({ pingMs: 20, readyMs: 100, silenceMs: 1000 })
    await expect.poll(() => events).toEqual(['end'])
  })

  it.each([
    ['has no websocket', () => `${url}/elsewhere`],
    ['is not there', () => 'http://127.0.0.1:9/api'],
  ])('ends when the server %s', async (_, at) => {
    const { events } = open(undefined, at())
    await expect.poll(() => events).toEqual(['end'])
  })

  it('ends when the browser does not let it connect', async () => {
    let ended = 0
    openLiveFeed({
      url,
      addresses: [],
      onEnd: () => ended++,
      connect() {
        throw new DOMException('blocked', 'SecurityError')
      },
    })
    await expect.poll(() => ended).toBe(1)
  })
})

describe('whether a server has a live feed', () => {
  it('is told by whether it answers', async () => {
    expect(await checkLiveFeed({ url, connect })).toBe(true)
    expect(await checkLiveFeed({ url: `${url}/elsewhere`, connect })).toBe(false)
    await expect.poll(() => sockets.clients.size).toBe(0)
  })
})
