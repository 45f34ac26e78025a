import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { defineMethod } from '../rpc/method.ts'
import { createRpc } from '../rpc/rpc.ts'
import { exchangeBytes, formatHttpRequest, startEchoServer } from '../testing/echo-server.ts'
import type { Listener } from './listen.ts'

const CALL = '{"id":1,"method":"test_text"}'
const ANSWER = '{"jsonrpc":"2.0","id":1,"result":{"a":[1,2]}}'

let server: Listener
let faults: unknown[]

beforeAll(async () => {
  const started = await startEchoServer({
    hosts: ['Node.Example'],
    origins: ['https://dapp.example'],
    pages: {
      '/healthz': () => ({ status: 503, contentType: 'text/plain', text: 'starting' }),
      '/metrics': async () => ({ status: 200, contentType: 'text/plain', text: 'up 1\n' }),
      '/broken': () => {
        throw new Error('broken')
      },
    },
  })
  server = started.server
  faults = started.faults
})

afterAll(() => server.close())

/** A request written by hand: nothing adds or corrects a header. */
async function ask(headers: Record<string, string>, body = CALL, line = 'POST / HTTP/1.1') {
  const lines = { Host: 'localhost', 'Content-Length': String(body.length), ...headers }
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`)
  const { text } = await exchangeBytes(
    server.port,
    `${line}\r\n${head.join('')}Connection: close\r\n\r\n${body}`,
  )
  const [answerHead = '', ...rest] = text.split('\r\n\r\n')
  return { status: Number(answerHead.split(' ')[1]), head: answerHead, body: rest.join('\r\n\r\n') }
}

const JSON_TYPE = { 'Content-Type': 'application/json' }

describe('POST /', () => {
  it('answers with HTTP 200, JSON and its length', async () => {
    const answer = await ask(JSON_TYPE)
    expect(answer.status).toBe(200)
    expect(answer.head).toMatch(/\r\nContent-Type: application\/json\r\n/i)
    expect(answer.head).toMatch(new RegExp(`\r\nContent-Length: ${ANSWER.length}(\r\n|$)`, 'i'))
    expect(answer.body).toBe(ANSWER)
  })

  it.each([
    ['null', /"code":-32600,"message":"invalid request"/],
    ['', /"code":-32700,"message":"parse error"/],
    ['{"id":1,"method":"nothing"}', /"code":-32601/],
    ['{"method":"test_text"}', /^$/],
  ])('answers %s with HTTP 200 too', async (body, expected) => {
    const answer = await ask(JSON_TYPE, body)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatch(expected)
  })

  it('counts bytes, not characters', async () => {
    const answer = await fetch(server.url, {
      method: 'POST',
      headers: JSON_TYPE,
      body: '{"id":"€😀","method":"test_echo","params":["ü",1]}',
    })
    expect(await answer.json()).toEqual({
      jsonrpc: '2.0',
      id: '€😀',
      result: { String: 'ü', Int: 1, Args: null },
    })
  })

  it.each([
    ['application/json', 200],
    ['application/json; charset=utf-8', 200],
    ['Application/JSON ;charset=utf-8', 200],
    ['application/json-rpc', 200],
    ['application/jsonrequest', 200],
    ['text/plain', 415],
    ['text/plain; application/json', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data', 415],
    ['application/jsonp', 415],
    ['', 415],
  ])('of type %o is %d', async (type, status) => {
    expect((await ask({ 'Content-Type': type })).status).toBe(status)
  })

  it('without a type is 415', async () => expect((await ask({})).status).toBe(415))

  it('with an encoding is 415', async () => {
    expect((await ask({ ...JSON_TYPE, 'Content-Encoding': 'gzip' })).status).toBe(415)
  })

  it('takes 5 MiB and refuses a byte more, told before or not', async () => {
    const body = (length: number) =>
      `{"id":1,"method":"test_text"${' '.repeat(length - CALL.length)}}`
    const post = (body: BodyInit) =>
      fetch(server.url, { method: 'POST', headers: JSON_TYPE, body, duplex: 'half' } as RequestInit)
    expect(await (await post(body(5 * 2 ** 20))).text()).toBe(ANSWER)
    expect((await post(body(5 * 2 ** 20 + 1))).status).toBe(413)
    const stream = (length: number) => new Blob([body(length)]).stream()
    expect(await (await post(stream(5 * 2 ** 20))).text()).toBe(ANSWER)
    expect((await post(stream(5 * 2 ** 20 + 1))).status).toBe(413)
    expect((await ask({ ...JSON_TYPE, 'Content-Length': '5242881' }, '')).status).toBe(413)
  })

  it('over one connection is answered in order, however long each takes', async () => {
    const call = (milliseconds: number) =>
      `{"id":${milliseconds},"method":"test_later","params":[${milliseconds}]}`
    const requests = [30, 1, 10].map(call).map(formatHttpRequest)
    const last = requests.pop()?.replace('\r\n', '\r\nConnection: close\r\n')
    const { text } = await exchangeBytes(server.port, requests.join('') + last)
    expect([...text.matchAll(/"result":(\d+)/g)].map(match => match[1])).toEqual(['30', '1', '10'])
  })
})

describe('a batch', () => {
  it.each(['http', 'ws'] as const)('over %s ends when nobody waits for it any more', async way => {
    let calls = 0
    const count = defineMethod([], async () => {
      calls++
      await new Promise(resolve => setTimeout(resolve, 20))
      return null
    })
    const rpc = createRpc({ table: { count }, describeError: () => null, onFault: () => {} })
    const { server } = await startEchoServer({ rpc })
    onTestFinished(() => server.close())
    const body = JSON.stringify(Array(50).fill({ id: 1, method: 'count' }))
    if (way === 'http') {
      const socket = connect(server.port, '127.0.0.1')
      socket.write(formatHttpRequest(body))
      await vi.waitUntil(() => calls > 1)
      socket.destroy()
    } else {
      const socket = new WebSocket(server.wsUrl)
      socket.once('open', () => socket.send(body))
      await vi.waitUntil(() => calls > 1)
      socket.terminate()
    }
    // It has come to rest well before its end.
    let before: number
    do {
      before = calls
      await new Promise(resolve => setTimeout(resolve, 300))
    } while (calls > before)
    expect(calls).toBeLessThan(50)
  })
})

describe('other requests', () => {
  it.each([
    ['GET / HTTP/1.1', 200, ''],
    ['HEAD / HTTP/1.1', 200, ''],
    ['GET /?a=b HTTP/1.1', 200, ''],
    ['PUT / HTTP/1.1', 405, 'method not allowed\n'],
    ['DELETE / HTTP/1.1', 405, 'method not allowed\n'],
    ['OPTIONS / HTTP/1.1', 405, 'method not allowed\n'],
    ['POST /rpc HTTP/1.1', 404, 'not found\n'],
    ['GET /__proto__ HTTP/1.1', 404, 'not found\n'],
    ['POST http://localhost/ HTTP/1.1', 404, 'not found\n'],
    ['GET /healthz HTTP/1.1', 503, 'starting'],
    ['GET /metrics?x HTTP/1.1', 200, 'up 1\n'],
    ['POST /metrics HTTP/1.1', 405, 'method not allowed\n'],
    ['GET /broken HTTP/1.1', 500, 'internal error\n'],
  ])('%s is %d', async (line, status, body) => {
    const answer = await ask({}, '', line)
    expect([answer.status, answer.body]).toEqual([status, body])
    if (status === 405) expect(answer.head).toMatch(/\r\nAllow: GET, HEAD/i)
  })

  it('that fail are reported', () => expect(faults).toEqual([new Error('broken')]))
})

describe('the name in Host', () => {
  it.each([
    ['localhost', 200],
    ['LOCALHOST:8545', 200],
    ['127.0.0.1:8545', 200],
    ['192.168.1.7', 200],
    ['[::1]:8545', 200],
    ['[::1]', 200],
    ['node.example', 200],
    ['NODE.example:80', 200],
    ['attacker.example', 403],
    ['localhost.attacker.example', 403],
    ['127.0.0.1.attacker.example:8545', 403],
    ['node.example.attacker.example', 403],
    ['localhost:80:80', 403],
    ['localhost@attacker.example', 403],
    ['', 403],
  ])('%o is %d', async (host, status) => {
    expect((await ask({ ...JSON_TYPE, Host: host })).status).toBe(status)
    expect((await ask({ Host: host }, '', 'GET /metrics HTTP/1.1')).status).toBe(status)
  })

  it('may be missing in HTTP/1.0 alone', async () => {
    const old = await exchangeBytes(server.port, 'GET /metrics HTTP/1.0\r\n\r\n')
    expect(old.text).toMatch(/^HTTP\/1.1 200 /)
    const missing = await exchangeBytes(server.port, 'GET /metrics HTTP/1.1\r\n\r\n')
    expect(missing.text).toMatch(/^HTTP\/1.1 400 /)
  })
})

describe('the origin', () => {
  const preflight = { 'Access-Control-Request-Method': 'POST' }

  it.each([
    'https://attacker.example',
    'http://localhost:3000',
    'null',
    'https://dapp.example.attacker.example',
  ])('of a page that is not listed, %s, is refused', async Origin => {
    const answer = await ask({ ...JSON_TYPE, Origin })
    expect(answer.status).toBe(403)
    expect(answer.head).not.toMatch(/access-control/i)
    expect((await ask({ ...preflight, Origin }, '', 'OPTIONS / HTTP/1.1')).status).toBe(403)
  })

  it('of a listed page is named in the answer, also of an error', async () => {
    const Origin = 'https://dapp.example'
    const answer = await ask({ ...JSON_TYPE, Origin })
    expect([answer.status, answer.body]).toEqual([200, ANSWER])
    expect(answer.head).toMatch(/\r\nAccess-Control-Allow-Origin: https:\/\/dapp\.example\r\n/i)
    expect(answer.head).toMatch(/\r\nVary: Origin\r\n/i)
    expect((await ask({ Origin })).head).toMatch(/Access-Control-Allow-Origin: https:\/\/dapp/i)

    const asked = await ask({ ...preflight, Origin }, '', 'OPTIONS / HTTP/1.1')
    expect(asked.status).toBe(204)
    expect(asked.head).toMatch(/\r\nAccess-Control-Allow-Methods: POST\r\n/i)
    expect(asked.head).toMatch(/\r\nAccess-Control-Allow-Headers: Content-Type\r\n/i)
  })

  it('of an extension is let in, without leave for pages', async () => {
    const answer = await ask({ ...JSON_TYPE, Origin: `chrome-extension://${'a'.repeat(32)}` })
    expect([answer.status, answer.body]).toEqual([200, ANSWER])
    expect(answer.head).not.toMatch(/access-control/i)
  })

  it('is any where all are listed', async () => {
    const { server: open } = await startEchoServer({ origins: ['*'], hosts: ['*'] })
    const answer = await fetch(open.url, {
      method: 'POST',
      headers: { ...JSON_TYPE, Origin: 'https://any.example' },
      body: CALL,
    })
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://any.example')
    await open.close()
  })
})

describe('what is not HTTP', () => {
  it.each([
    ['garbage', '\x00\x01\x02\xff\xfe garbage\r\n\r\n', /^HTTP\/1.1 400 /],
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', /^HTTP\/1.1 400 /],
    [
      'headers of a megabyte',
      `POST / HTTP/1.1\r\nA: ${'x'.repeat(1e6)}\r\n\r\n`,
      /^HTTP\/1.1 431 /,
    ],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      /^HTTP\/1.1 400 /,
    ],
    [
      'a negative length',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n',
      /^HTTP\/1.1 400 /,
    ],
    [
      'another protocol',
      'POST / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
      /^HTTP\/1.1 400 /,
    ],
    ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: localhost\r\n\r\n', /^$/],
  ])('is answered and ended: %s', async (_, bytes, expected) => {
    const { text, isClosed } = await exchangeBytes(server.port, Buffer.from(bytes, 'latin1'))
    expect(text).toMatch(expected)
    expect(isClosed).toBe(true)
    expect((await ask(JSON_TYPE)).body).toBe(ANSWER)
  })

  it('or stops in the middle leaves nothing behind', async () => {
    const request = formatHttpRequest(CALL)
    for (let length = 1; length < request.length; length += 7) {
      await new Promise<void>(resolve => {
        const socket = connect(server.port, '127.0.0.1', () => {
          socket.write(request.slice(0, length), () => socket.resetAndDestroy())
        })
        socket.on('close', () => resolve())
      })
    }
    expect((await ask(JSON_TYPE)).body).toBe(ANSWER)
  })

  it('or hangs up before the answer leaves nothing behind', async () => {
    const call = formatHttpRequest('{"id":1,"method":"test_later","params":[20]}')
    const big = formatHttpRequest('{"id":1,"method":"test_bytes","params":[10000000]}')
    await Promise.all([call, big, call + big].map(bytes => exchangeBytes(server.port, bytes, 5)))
    await new Promise(resolve => setTimeout(resolve, 50))
    expect((await ask(JSON_TYPE)).body).toBe(ANSWER)
  })
})

describe('slow clients', () => {
  it('are ended when headers or body take too long', async () => {
    const { server: strict } = await startEchoServer({
      limits: { headersTimeout: 100, requestTimeout: 200 },
    })
    const [headers, body] = await Promise.all([
      exchangeBytes(strict.port, 'POST / HTTP/1.1\r\nHost: local'),
      exchangeBytes(strict.port, formatHttpRequest(CALL).slice(0, -1)),
    ])
    expect(headers).toEqual({ text: expect.stringMatching(/^HTTP\/1.1 408 /), isClosed: true })
    expect(body).toEqual({ text: expect.stringMatching(/^HTTP\/1.1 408 /), isClosed: true })
    await strict.close()
  })
})
