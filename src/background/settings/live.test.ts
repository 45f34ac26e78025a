import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { openLiveFeed, type Socket } from '../../chain/access/live-feed.ts'
import { createMemoryArea, type MemoryArea } from '../../storage/testing/memory-area.ts'
import { createLive } from './live.ts'
import { LIVE_KEY, type LiveSubject } from './live-listening.ts'

let http: Server
let sockets: WebSocketServer
let subject: LiveSubject | null
/** Connections that the server takes and then ends; negative for always. */
let refusals: number
let heard: string[]
/** How long the server takes to answer a ping. */
let answersAfterMs: number
let session: MemoryArea
let leaves: (() => Promise<void>)[]
/** How often news were told. */
let told: number

beforeEach(async () => {
  heard = []
  leaves = []
  told = 0
  refusals = 0
  answersAfterMs = 0
  session = createMemoryArea()
  http = createServer((_, response) => response.writeHead(404).end())
  sockets = new WebSocketServer({ server: http, path: '/api/v1/ws' })
  sockets.on('connection', client => {
    if (refusals-- !== 0) {
      client.terminate()
      return
    }
    refusals = 0
    client.on('message', data => {
      heard.push(String(data))
      if (String(data).includes('ping'))
        setTimeout(() => client.send('{"pong":true}'), answersAfterMs)
    })
  })
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  subject = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/api`,
    addresses: ['bcrt1qfirst'],
  }
})
afterEach(async () => {
  for (const leave of leaves) await leave()
  for (const client of sockets.clients) client.terminate()
  sockets.close()
  http.close()
})

function start(pauses = { pollMs: 30, gatherMs: 5, retryMs: 20, longestRetryMs: 60_000 }) {
  const live = createLive({
    session,
    subject: async () => subject,
    now: () => performance.now(),
    random: n => new Uint8Array(n),
    onNews: () => void told++,
    openFeed: params =>
      openLiveFeed({ ...params, connect: url => new WebSocket(url) as unknown as Socket }),
    pauses,
  })
  const enter = () => {
    const leave = live.enter()
    leaves.push(leave)
    return leave
  }
  return { live, enter }
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
const tracked = () => heard.filter(message => message.includes('track-address'))

describe('while a page of ours is open', () => {
  it('the address in use is listened to, and each piece of news changes the session', async () => {
    const { enter } = start()
    expect(sockets.clients.size).toBe(0)
    enter()
    await expect.poll(tracked).toEqual(['{"track-address":"bcrt1qfirst"}'])
    expect(await session.get(LIVE_KEY)).toBeUndefined()
    for (const client of sockets.clients) client.send('{"block":{},"address-transactions":[]}')
    await expect.poll(() => session.get(LIVE_KEY)).toBeDefined()
    expect(told).toBe(1)
    const before = await session.get(LIVE_KEY)
    for (const client of sockets.clients) client.send('{"block":{}}')
    await expect.poll(() => session.get(LIVE_KEY)).not.toBe(before)
  })

  it('another account or server is listened to instead, the same one goes on', async () => {
    const { live, enter } = start()
    enter()
    await expect.poll(tracked).toHaveLength(1)
    await live.follow()
    subject = subject && { ...subject, addresses: ['bcrt1qsecond', 'bcrt1qthird'] }
    await live.follow()
    await expect.poll(tracked).toHaveLength(2)
    expect(tracked().at(-1)).toContain('bcrt1qsecond')
    await expect.poll(() => sockets.clients.size).toBe(1)
  })

  it('another list of addresses is listened to, and what was missed on the way to it is asked for', async () => {
    const { live, enter } = start()
    enter()
    await expect.poll(tracked).toHaveLength(1)
    await pause(30)
    expect(told).toBe(0)
    subject = subject && { ...subject, addresses: ['bcrt1qfirst', 'bcrt1qsecond'] }
    await live.follow()
    await expect.poll(() => session.get(LIVE_KEY)).toBeDefined()
    await pause(30)
    expect(told).toBe(1)
  })

  it('and the background was stopped meanwhile, what was missed is asked for; not by a page that opens anew', async () => {
    start().enter()
    await expect.poll(tracked).toHaveLength(1)
    const leave = start().enter()
    await expect.poll(() => session.get(LIVE_KEY)).toBeDefined()
    await expect.poll(tracked).toHaveLength(2)
    expect(told).toBe(1)
    await leave()
    start().enter()
    await expect.poll(tracked).toHaveLength(3)
    await pause(30)
    expect(told).toBe(1)
  })

  it('and the server greets late, what came until then is asked for', async () => {
    answersAfterMs = 1_200
    const { enter } = start({
      pollMs: 60_000,
      gatherMs: 5,
      retryMs: 60_000,
      longestRetryMs: 60_000,
    })
    enter()
    await expect.poll(() => session.get(LIVE_KEY), { timeout: 10_000 }).toBeDefined()
    expect(tracked()).toHaveLength(1)
  })

  it('nothing is listened to without an account in use', async () => {
    const { live, enter } = start()
    enter()
    await expect.poll(() => sockets.clients.size).toBe(1)
    subject = null
    await live.follow()
    await expect.poll(() => sockets.clients.size).toBe(0)
  })
})

describe('the last page of ours that closes', () => {
  it('ends the listening, not one before it', async () => {
    const { enter } = start()
    const leaveFirst = enter()
    const leaveLast = enter()
    await expect.poll(() => sockets.clients.size).toBe(1)
    await leaveFirst()
    await pause(30)
    expect(sockets.clients.size).toBe(1)
    await leaveLast()
    await expect.poll(() => sockets.clients.size).toBe(0)
    leaves = []
  })

  it('ends the polling too', async () => {
    refusals = -1
    const { enter } = start({ pollMs: 20, gatherMs: 5, retryMs: 60_000, longestRetryMs: 60_000 })
    const leave = enter()
    await expect.poll(() => session.get(LIVE_KEY)).toBeDefined()
    await leave()
    leaves = []
    const last = await session.get(LIVE_KEY)
    await pause(80)
    expect(await session.get(LIVE_KEY)).toBe(last)
  })
})

describe('a server without a websocket that lasts', () => {
  it('is polled, so that screens ask again all the same', async () => {
    refusals = -1
    const { enter } = start()
    enter()
    await expect.poll(() => session.get(LIVE_KEY)).toBeDefined()
    const first = await session.get(LIVE_KEY)
    await expect.poll(() => session.get(LIVE_KEY)).not.toBe(first)
  })

  it('is polled from the first pause on, however often it is tried meanwhile', async () => {
    refusals = -1
    const { enter } = start({ pollMs: 150, gatherMs: 5, retryMs: 100, longestRetryMs: 100 })
    enter()
    await expect.poll(() => told, { timeout: 10_000 }).toBeGreaterThanOrEqual(3)
  })

  it('is connected to again, more and more rarely', async () => {
    refusals = -1
    let connections = 0
    sockets.on('connection', () => connections++)
    const { enter } = start({ pollMs: 60_000, gatherMs: 5, retryMs: 20, longestRetryMs: 60_000 })
    enter()
    await pause(400)
    // At 0, 20, 60, 140 and 300 ms, and a little later each; much later where the machine is busy.
    expect(connections).toBeLessThanOrEqual(5)
    await expect.poll(() => connections, { timeout: 10_000 }).toBeGreaterThanOrEqual(3)
  })

  it('that comes back is listened to, and what was missed is asked for', async () => {
    refusals = 2
    const { enter } = start({ pollMs: 60_000, gatherMs: 5, retryMs: 10, longestRetryMs: 60_000 })
    enter()
    await expect.poll(tracked).toHaveLength(1)
    await expect.poll(() => session.get(LIVE_KEY)).toBeDefined()
  })
})
