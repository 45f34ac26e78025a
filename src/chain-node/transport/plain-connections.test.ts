import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createRpc } from '../rpc/rpc.ts'
import { exchangeBytes, formatHttpRequest } from '../testing/echo-server.ts'
import { ECHO_TABLE } from '../testing/echo-table.ts'
import { createAccess } from './access.ts'
import { createPlainConnections, type PlainOptions } from './plain-connections.ts'

const CALL = '{"id":1,"method":"test_text"}'
const LATER = '{"id":1,"method":"test_later","params":[30]}'
const PLAIN = formatHttpRequest(CALL)

/** A server of plain connections alone; what it hands over is gathered and left as it is. */
async function start(options: Partial<PlainOptions> = {}) {
  const handedOver: { socket: Socket; bytes: string }[] = []
  const plain = createPlainConnections({
    rpc: createRpc({ table: ECHO_TABLE, describeError: () => null, onFault: () => {} }),
    access: createAccess([], []),
    maxBody: 5 * 2 ** 20,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 60_000,
    sendTimeout: 120_000,
    handOver(socket) {
      const taken = { socket, bytes: '' }
      handedOver.push(taken)
      socket.on('error', () => {})
      socket.on('data', chunk => {
        taken.bytes += chunk.toString('latin1')
      })
    },
    ...options,
  })
  const server = createServer({ allowHalfOpen: true }, socket => plain.accept(socket))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  onTestFinished(() => {
    plain.stop()
    plain.closeAll()
    for (const { socket } of handedOver) socket.destroy()
    server.close()
  })
  const countConnections = () =>
    new Promise<number>(resolve => server.getConnections((_, count) => resolve(count)))
  return { port, plain, handedOver, countConnections }
}

function build(headers: Record<string, string>, body = CALL): string {
  const lines = {
    Host: 'localhost',
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  }
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST / HTTP/1.1\r\n${head.join('')}\r\n${body}`
}

async function open(port: number) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.on('error', () => {})
  let text = ''
  socket.on('data', chunk => {
    text += chunk.toString('latin1')
  })
  const closed = new Promise<string>(resolve => socket.once('close', () => resolve(text)))
  await new Promise(resolve => socket.once('connect', resolve))
  const receive = async (pattern: RegExp) => {
    while (!pattern.test(text)) await new Promise(resolve => socket.once('data', resolve))
    return text
  }
  return { socket, receive, closed }
}

describe('a plain request', () => {
  it.each([
    ['by hand', {}],
    ['by curl', { 'User-Agent': 'curl/8.5.0', Accept: '*/*' }],
    ['by Go', { 'User-Agent': 'Go-http-client/1.1', 'Accept-Encoding': 'gzip' }],
    [
      'by undici',
      {
        connection: 'keep-alive',
        accept: '*/*',
        'accept-language': '*',
        'sec-fetch-mode': 'cors',
        'user-agent': 'node',
        'accept-encoding': 'gzip, deflate',
      },
    ],
  ])('as it is sent %s is answered here', async (_, headers) => {
    const { port, handedOver } = await start()
    const { text } = await exchangeBytes(port, build(headers), 100)
    expect(text).toMatch(/^HTTP\/1.1 200 OK\r\n.*\r\n\r\n{"jsonrpc":"2.0","id":1,"result":/s)
    expect(handedOver).toEqual([])
  })

  it('may come in any number of pieces after its head, one request after the other', async () => {
    const { port, handedOver } = await start()
    const { socket, receive } = await open(port)
    const head = PLAIN.indexOf('{')
    for (let count = 1; count <= 3; count++) {
      socket.write(PLAIN.slice(0, head))
      for (const letter of PLAIN.slice(head)) {
        await new Promise(resolve => setTimeout(resolve, 1))
        socket.write(letter)
      }
      await receive(new RegExp(`(result.*){${count}}`, 's'))
    }
    expect(handedOver).toEqual([])
    socket.destroy()
  })
})

describe('handed over is', () => {
  it.each([
    ['a request with a header of which nothing is known', build({ 'X-Trace': '1' })],
    ['one from a page', build({ Origin: 'https://dapp.example' })],
    ['one that ends its connection', build({ Connection: 'close' })],
    ['one to another name', build({ Host: 'attacker.example' })],
    ['one of another type', build({ 'Content-Type': 'text/plain' })],
    ['one in chunks', build({ 'Transfer-Encoding': 'chunked' })],
    ['one that waits for leave', build({ Expect: '100-continue' })],
    ['one with a header twice', build({ accept: '*/*', Accept: '*/*' })],
    ['one with an odd length', build({ 'Content-Length': `0${CALL.length}` })],
    ['one that is too large', build({ 'Content-Length': '5242881' })],
    ['one with a long head', build({ Accept: 'x'.repeat(5000) })],
    ['one of HTTP/1.0', PLAIN.replace('HTTP/1.1', 'HTTP/1.0')],
    ['one without a type', PLAIN.replace(/Content-Type.*\r\n/, '')],
    ['one without a name', PLAIN.replace(/Host.*\r\n/, '')],
    ['two requests', PLAIN + PLAIN],
    ['half a head', PLAIN.slice(0, 30)],
    ['another page', 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['what is no HTTP', '\x16\x03\x01\x02\x00\x01'],
  ])('%s, byte for byte and unanswered', async (_, bytes) => {
    const { port, handedOver } = await start()
    const { text } = await exchangeBytes(port, bytes, 100)
    expect(text).toBe('')
    expect(handedOver.map(one => one.bytes)).toEqual([bytes])
  })

  it('a request that runs, with what comes after it, so that its answer keeps its place', async () => {
    const { port, handedOver } = await start()
    const { socket } = await open(port)
    socket.write(formatHttpRequest(LATER))
    await new Promise(resolve => setTimeout(resolve, 10))
    socket.write('G')
    await new Promise(resolve => socket.once('data', resolve).once('close', resolve))
    expect(handedOver.map(one => one.bytes)).toEqual([`${formatHttpRequest(LATER)}G`])
    socket.destroy()
  })

  it('a client that asks on without taking its answers', async () => {
    const { port, handedOver } = await start()
    const { socket } = await open(port)
    socket.pause()
    const big = formatHttpRequest('{"id":1,"method":"test_bytes","params":[20000000]}')
    socket.write(big)
    await new Promise(resolve => setTimeout(resolve, 200))
    expect(handedOver).toEqual([])
    socket.write(big)
    await expect.poll(() => handedOver.map(one => one.bytes)).toEqual([big])
    socket.destroy()
  })
})

describe('a connection is ended', () => {
  it('when it says nothing for the time of a head', async () => {
    const { port } = await start({ headersTimeout: 50 })
    const { closed } = await open(port)
    expect(await closed).toBe('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n')
  })

  it('when its body takes too long, however often a byte of it comes', async () => {
    const { port, handedOver } = await start({ headersTimeout: 50, requestTimeout: 200 })
    const { socket, closed } = await open(port)
    socket.write(PLAIN.slice(0, -20))
    const timer = setInterval(() => socket.writable && socket.write(' '), 30)
    onTestFinished(() => clearInterval(timer))
    const text = await Promise.race([
      closed,
      new Promise(resolve => setTimeout(() => resolve(handedOver.length), 20 * 30)),
    ])
    expect(text).toBe('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n')
  })

  it('when its other end is closed within a request', async () => {
    const { port } = await start()
    const { socket, closed } = await open(port)
    socket.end(PLAIN.slice(0, -1))
    expect(await closed).toBe('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
  })

  it('when nothing more is asked, not while an answer is made', async () => {
    const { port } = await start({ keepAliveTimeout: 50 })
    const { socket, closed } = await open(port)
    socket.write(PLAIN)
    await new Promise(resolve => socket.once('data', resolve))
    socket.write(formatHttpRequest(LATER.replace('30', '150')))
    expect(await closed).toMatch(/"result":150}$/)
  })

  it('when it takes nothing of its answer', async () => {
    const { port, countConnections } = await start({ sendTimeout: 100 })
    const { socket } = await open(port)
    socket.pause()
    socket.write(formatHttpRequest('{"id":1,"method":"test_bytes","params":[20000000]}'))
    await expect.poll(countConnections, { timeout: 30_000 }).toBe(0)
    let length = 0
    socket.on('data', chunk => {
      length += chunk.length
    })
    socket.resume()
    await new Promise(resolve => socket.once('close', resolve))
    expect(length).toBeLessThan(20_000_000)
  })

  it('when the node stops, unless it asks something', async () => {
    const { port, plain } = await start()
    const [silent, idle, partial, running] = await Promise.all([0, 1, 2, 3].map(() => open(port)))
    idle?.socket.write(PLAIN)
    await idle?.receive(/result/)
    partial?.socket.write(PLAIN.slice(0, -1))
    running?.socket.write(formatHttpRequest(LATER.replace('30', '200')))
    await new Promise(resolve => setTimeout(resolve, 50))
    plain.closeIdle()
    await Promise.all([silent?.closed, idle?.closed])
    partial?.socket.write(PLAIN.slice(-1))
    expect(await partial?.receive(/result/)).toMatch(/^HTTP\/1.1 200 /)
    expect(await running?.receive(/result/)).toMatch(/^HTTP\/1.1 200 /)
    plain.closeIdle()
    await Promise.all([partial?.closed, running?.closed])
  })
})
