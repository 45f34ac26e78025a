import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'
import { exchangeBytes, startEchoServer } from '../testing/echo-server.ts'
import type { Listener } from './listen.ts'

const CALL = '{"id":1,"method":"test_text"}'
const ANSWER = '{"jsonrpc":"2.0","id":1,"result":{"a":[1,2]}}'

let server: Listener

beforeAll(async () => {
  const started = await startEchoServer({ origins: ['https://dapp.example'] })
  server = started.server
})

afterAll(() => server.close())

async function open(url = server.wsUrl, options: ClientOptions = {}) {
  const socket = new WebSocket(url, options)
  const messages: string[] = []
  let waiting: (() => void) | null = null
  socket.on('message', data => {
    messages.push(String(data))
    waiting?.()
  })
  const closed = new Promise<number>(resolve => socket.on('close', resolve))
  await new Promise((resolve, reject) => {
    socket.on('open', resolve)
    socket.on('error', reject)
  })
  const receive = async (count: number) => {
    while (messages.length < count) {
      await new Promise<void>(resolve => {
        waiting = resolve
      })
    }
    return messages
  }
  return { socket, messages, receive, closed }
}

const refusalOf = (options: ClientOptions, path = '') =>
  open(server.wsUrl + path, options).then(
    ({ socket }) => {
      socket.close()
      return 'open'
    },
    error => error.message,
  )

/** A handshake by hand, for peers that then do as they like. */
async function shakeHands(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(
    'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  )
  await new Promise(resolve => socket.once('data', resolve))
  return socket
}

describe('messages', () => {
  it('are answered, text or bytes', async () => {
    const { socket, receive } = await open()
    socket.send(CALL)
    socket.send(Buffer.from(CALL))
    socket.send(`[${CALL},5]`)
    expect((await receive(3)).slice(0, 2)).toEqual([ANSWER, ANSWER])
    socket.close()
  })

  it('are answered as the answers come, notifications not at all', async () => {
    const { socket, receive } = await open()
    socket.send('{"id":"slow","method":"test_later","params":[50]}')
    socket.send('{"method":"test_text"}')
    socket.send(CALL)
    expect(await receive(2)).toEqual([ANSWER, '{"jsonrpc":"2.0","id":"slow","result":50}'])
    socket.close()
  })

  it('that make no sense get an error, and the connection stays', async () => {
    const { socket, receive } = await open()
    for (const text of ['', '{', 'null', '[]', '\u0000']) socket.send(text)
    socket.send(Buffer.from([0xff, 0xfe, 0x00]))
    socket.send(CALL)
    const answers = (await receive(7)).map(text => JSON.parse(text).error?.code)
    expect(answers).toEqual([-32700, -32700, -32600, -32600, -32700, -32700, undefined])
    socket.close()
  })

  it('that are sent later come after the answer', async () => {
    const { socket, receive } = await open()
    socket.send('[{"id":1,"method":"test_push","params":[2,0]},{"id":2,"method":"test_text"}]')
    expect(await receive(3)).toEqual([
      '[{"jsonrpc":"2.0","id":1,"result":2},{"jsonrpc":"2.0","id":2,"result":{"a":[1,2]}}]',
      '{"pushed":0,"text":""}',
      '{"pushed":1,"text":""}',
    ])
    socket.close()
  })

  it('of 5 MiB are taken, and a byte more ends the connection', async () => {
    const { socket, receive, closed } = await open()
    socket.send(CALL.padEnd(5 * 2 ** 20))
    expect(await receive(1)).toEqual([ANSWER])
    socket.send(CALL.padEnd(5 * 2 ** 20 + 1))
    expect(await closed).toBe(1009)
  })

  it('in flight are bounded: the rest is read when there is room', async () => {
    const { server: strict } = await startEchoServer({ limits: { maxInFlight: 2 } })
    const { socket, receive } = await open(strict.wsUrl)
    const pad = ' '.repeat(100_000)
    for (let i = 0; i < 40; i++) {
      socket.send(`{"id":${i},"method":"test_later","params":[1]${pad}}`)
    }
    const ids = (await receive(40)).map(text => JSON.parse(text).id)
    expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => i))
    socket.close()
    await strict.close()
  })
})

describe('opening', () => {
  it.each([
    ['an unknown path', {}, '/rpc', 'Unexpected server response: 404'],
    [
      'a name of somebody else',
      { headers: { Host: 'attacker.example' } },
      '',
      'Unexpected server response: 403',
    ],
    [
      'a page that is not listed',
      { origin: 'https://attacker.example' },
      '',
      'Unexpected server response: 403',
    ],
    [
      'a page without an origin of its own',
      { origin: 'null' },
      '',
      'Unexpected server response: 403',
    ],
    [
      'an extension that is not listed',
      { origin: 'chrome-extension://abc' },
      '',
      'Unexpected server response: 403',
    ],
    ['a listed page', { origin: 'https://dapp.example' }, '', 'open'],
    ['no page at all', {}, '/?x=1', 'open'],
  ])('by %s', async (_, options, path, expected) => {
    expect(await refusalOf(options, path)).toBe(expected)
  })

  it('is limited in number', async () => {
    const { server: strict } = await startEchoServer({ limits: { maxConnections: 2 } })
    const first = await open(strict.wsUrl)
    await open(strict.wsUrl)
    expect(strict.countConnections()).toBe(2)
    await expect(open(strict.wsUrl)).rejects.toThrow('Unexpected server response: 503')
    first.socket.close()
    await first.closed
    await expect.poll(() => strict.countConnections()).toBe(1)
    await open(strict.wsUrl)
    await strict.close()
  })

  it.each([
    'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 99\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  ])('half a handshake is refused: %j', async bytes => {
    const { text, isClosed } = await exchangeBytes(server.port, bytes)
    expect(text).toMatch(/^HTTP\/1.1 4\d\d /)
    expect(isClosed).toBe(true)
  })
})

describe('peers that misbehave', () => {
  it.each([
    ['frames that are not masked', [0x81, 0x02, 0x7b, 0x7d]],
    ['reserved bits', [0xf1, 0x80, 0, 0, 0, 0]],
    ['an unknown opcode', [0x83, 0x80, 0, 0, 0, 0]],
    ['a length of 2^63', [0x81, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0]],
    ['text that is not UTF-8', [0x81, 0x81, 0, 0, 0, 0, 0xff]],
    ['a long ping', [0x89, 0xfe, 0xff, 0xff, 0, 0, 0, 0]],
    ['a continuation of nothing', [0x80, 0x80, 0, 0, 0, 0]],
  ])('are ended: %s', async (_, bytes) => {
    const socket = await shakeHands(server.port)
    socket.resume()
    const closed = new Promise(resolve => socket.on('close', resolve))
    socket.write(Buffer.from(bytes))
    await closed
    expect(await refusalOf({})).toBe('open')
  })

  it('are ended when they do not answer to a ping', async () => {
    const { server: strict } = await startEchoServer({ limits: { pingInterval: 500 } })
    const lively = await open(strict.wsUrl)
    const dead = await shakeHands(strict.port)
    dead.resume()
    await new Promise(resolve => dead.on('close', resolve))
    await expect.poll(() => strict.countConnections()).toBe(1)
    lively.socket.send(CALL)
    expect(await lively.receive(1)).toEqual([ANSWER])
    await strict.close()
  })

  it('may be slow within bounds: everything arrives, in order', async () => {
    const { server: strict } = await startEchoServer({
      limits: { maxBuffered: 100_000, maxOutstanding: 50_000_000 },
    })
    const { socket, receive } = await open(strict.wsUrl)
    socket.pause()
    socket.send('{"id":1,"method":"test_push","params":[1000,20000]}')
    socket.send(CALL)
    await new Promise(resolve => setTimeout(resolve, 100))
    socket.resume()
    const messages = (await receive(1002)).map(text => JSON.parse(text))
    expect(messages.slice(1, -1).map(({ pushed }) => pushed)).toEqual(
      Array.from({ length: 1000 }, (_, i) => i),
    )
    expect(messages[1001]).toEqual(JSON.parse(ANSWER))
    socket.close()
    await strict.close()
  })

  it.each([
    ['too many bytes', { maxBuffered: 1_000_000, maxOutstanding: 3_000_000 }, '[400,100000]'],
    ['too many messages', { maxBuffered: 100, maxQueued: 100 }, '[4000,3000]'],
  ])('are ended when they leave %s', async (_, limits, params) => {
    const { server: strict } = await startEchoServer({ limits })
    const { socket, closed, messages } = await open(strict.wsUrl)
    socket.send(`{"id":1,"method":"test_push","params":${params}}`)
    expect(await closed).toBe(1013)
    expect(messages.length).toBeLessThan(JSON.parse(params)[0])
    await expect.poll(() => strict.countConnections()).toBe(0)
    await strict.close()
  })

  it('are ended when all of them together leave too many bytes, the slowest first', async () => {
    const { server: strict } = await startEchoServer({ limits: { maxBacklog: 10_000_000 } })
    const lively = await open(strict.wsUrl)
    const slow = await Promise.all(Array.from({ length: 6 }, () => open(strict.wsUrl)))
    for (const { socket } of slow) {
      socket.pause()
      socket.send('{"id":1,"method":"test_push","params":[100,100000]}')
    }
    await expect.poll(() => strict.countConnections(), { timeout: 5000 }).toBeLessThan(7)
    lively.socket.send('{"id":1,"method":"test_push","params":[300,10000]}')
    await lively.receive(301)
    for (const { socket } of slow) socket.resume()
    const ends = await Promise.all(
      slow.map(({ receive, closed }) => Promise.race([receive(101).then(() => 'all'), closed])),
    )
    expect(ends.filter(end => end === 'all').length).toBeGreaterThan(0)
    expect(ends.filter(end => end !== 'all').length).toBeGreaterThan(0)
    for (const { socket } of slow) socket.terminate()
    await strict.close()
  })

  it('are ended when they take nothing at all', async () => {
    const { server: strict } = await startEchoServer({ limits: { pingInterval: 100 } })
    const { socket } = await open(strict.wsUrl)
    socket.pause()
    for (let i = 0; i < 4; i++) socket.send('{"id":1,"method":"test_bytes","params":[8000000]}')
    await expect.poll(() => strict.countConnections(), { timeout: 5000 }).toBe(0)
    socket.terminate()
    await strict.close()
  })

  it('that hang up before the answer leave nothing behind', async () => {
    for (const call of ['test_later', 'test_push']) {
      const { socket, closed } = await open()
      socket.send(`{"id":1,"method":"${call}","params":[20]}`)
      await new Promise(resolve => setTimeout(resolve, 5))
      socket.terminate()
      await closed
    }
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(server.countConnections()).toBe(0)
    expect(await refusalOf({})).toBe('open')
  })
})
