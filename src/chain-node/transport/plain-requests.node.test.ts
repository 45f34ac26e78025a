import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import { createRpc, type Rpc } from '../rpc/rpc.ts'
import { ECHO_TABLE } from '../testing/echo-table.ts'
import { createRandom, type Random } from '../testing/hostile-bodies.ts'
import { createAccess } from './access.ts'
import { createHttpHandler } from './http.ts'
import { listen } from './listen.ts'
import { createWebSocketListener } from './websocket.ts'

// The same bytes, in the same pieces, to the node's server and to Node's HTTP server alone: both must answer, run and end the
// same.

const { count: COUNT, seed: SEED } = campaign('bytes to two servers')
/** Exchanges at once. */
const LANES = 32
const MAX_BODY = 200_000
const ORIGIN = 'https://dapp.example'

/** What a client sends and when; then it ends its half of the connection, or waits. */
interface Exchange {
  readonly pieces: readonly Buffer[]
  /** Milliseconds between two pieces. */
  readonly gap: number
  readonly isEnding: boolean
}

interface Outcome {
  readonly text: string
  readonly isClosed: boolean
  /** The kernel has thrown away what was still under way, as the server had not read all. */
  readonly isReset: boolean
  /** Bodies that were run, in their order. */
  readonly ran: readonly string[]
}

it(`answers ${COUNT} clients (seed ${SEED}) as Node's HTTP server alone does, whatever they send`, async () => {
  const random = createRandom(SEED)
  const exchanges = Array.from({ length: COUNT }, () => buildExchange(random))
  let results = 0
  let ends = 0
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      const servers = await startServers()
      for (let next = exchanges.pop(); next; next = exchanges.pop()) {
        const [ours, nodes] = await settle(servers, next)
        const told = Buffer.concat(next.pieces).toString('latin1')
        expect(ours, JSON.stringify(told.slice(0, 2000))).toEqual(nodes)
        results += ours.text.split('"result":').length - 1
        if (/^HTTP\/1.1 [45]/m.test(ours.text)) ends++
      }
      await servers.close()
    }),
  )
  // Neither all of them right nor all of them wrong.
  expect(results).toBeGreaterThan(COUNT / 3)
  expect(ends).toBeGreaterThan(COUNT / 20)
}, 3_600_000)

it.each([
  ['Content-Type', 'application/json', 'text/html'],
  ['Keep-Alive', 'timeout=60', 'timeout=61'],
  ['Host', 'localhost', 'attacker.example'],
])('tells the two apart by %s', async (name, usual, other) => {
  const servers = await startServers()
  const bytes = buildPlain('{"id":1,"method":"test_text"}', { 'Keep-Alive': 'timeout=60' })
  const ask = async (text: string) =>
    (await settle(servers, { pieces: [Buffer.from(text)], gap: 0, isEnding: true }))[0]
  const answer = await ask(bytes)
  const changed = await ask(bytes.replace(`${name}: ${usual}`, `${name}: ${other}`))
  if (name === 'Keep-Alive') expect(changed).toEqual(answer)
  else expect(changed).not.toEqual(answer)
  await servers.close()
})

/** Both outcomes; slower, where the two differ or nobody knows whether all has come. */
async function settle(servers: Servers, exchange: Exchange): Promise<[Outcome, Outcome]> {
  let outcomes: [Outcome, Outcome] | null = null
  for (const slowness of [1, 10, 40]) {
    const slower = { ...exchange, gap: exchange.gap * slowness }
    const quiet = QUIET * slowness
    // Node's server gives one answer less before bytes that are not HTTP where a piece of them reaches it through JavaScript,
    // as with TLS.
    for (const nodes of [servers.nodes, servers.nodesByData]) {
      outcomes = levelResets(
        ...(await Promise.all([servers.ours(slower, quiet), nodes(slower, quiet)])),
      )
      if (isDeepStrictEqual(...outcomes)) return outcomes
    }
  }
  if (outcomes === null) throw new Error('Nothing was asked')
  return outcomes
}

/** Where one was reset, both as far as both came. */
function levelResets(ours: Outcome, nodes: Outcome): [Outcome, Outcome] {
  if (!ours.isReset && !nodes.isReset) return [ours, nodes]
  const length = Math.min(ours.text.length, nodes.text.length)
  const level = (one: Outcome) => ({ ...one, isReset: true, text: one.text.slice(0, length) })
  return [level(ours), level(nodes)]
}

/** Milliseconds without a byte after which a server has said all. */
const QUIET = 60

type Talk = (exchange: Exchange, quiet: number) => Promise<Outcome>
type Servers = { ours: Talk; nodes: Talk; nodesByData: Talk; close(): Promise<unknown> }

async function startServers(): Promise<Servers> {
  const ours = await startOurs()
  const nodes = await startNodes(false)
  const nodesByData = await startNodes(true)
  return {
    ours: ours.talk,
    nodes: nodes.talk,
    nodesByData: nodesByData.talk,
    close: () => Promise.all([ours, nodes, nodesByData].map(server => server.close())),
  }
}

async function startOurs() {
  const { rpc, ran } = openRpc()
  const { port, close } = await listen({
    host: '127.0.0.1',
    port: 0,
    rpc,
    origins: [ORIGIN],
    limits: { maxBody: MAX_BODY },
    onFault() {},
  })
  const talk: Talk = (exchange, quiet) => talkTo(port, ran, exchange, quiet)
  return { talk, close }
}

async function startNodes(isByData: boolean) {
  const { rpc, ran } = openRpc()
  const access = createAccess(['127.0.0.1'], [ORIGIN])
  const upgrades = createWebSocketListener({
    ...WEBSOCKET_LIMITS,
    rpc,
    access,
    limits: WEBSOCKET_LIMITS,
  })
  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 60_000, noDelay: true },
    createHttpHandler({
      rpc,
      access,
      pages: new Map(),
      maxBody: MAX_BODY,
      onFault() {},
    }),
  )
  if (isByData) server.on('connection', socket => socket.on('data', () => {}))
  server.on('upgrade', upgrades.accept)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const talk: Talk = (exchange, quiet) => talkTo(port, ran, exchange, quiet)
  const close = () =>
    new Promise<unknown>(resolve => {
      upgrades.close()
      server.close(resolve)
      server.closeAllConnections()
    })
  return { talk, close }
}

const WEBSOCKET_LIMITS = {
  maxBody: MAX_BODY,
  maxConnections: 100,
  pingInterval: 30_000,
  maxInFlight: 256,
  maxBuffered: 2 ** 22,
  maxOutstanding: 2 ** 24,
  maxQueued: 20_000,
  maxBacklog: 2 ** 29,
}

function openRpc(): { rpc: Rpc; ran: string[] } {
  const ran: string[] = []
  const inner = createRpc({ table: ECHO_TABLE, describeError: () => null, onFault: () => {} })
  const rpc: Rpc = {
    handle(body, ...rest) {
      ran.push(typeof body === 'string' ? body : Buffer.from(body).toString())
      inner.handle(body, ...rest)
    },
  }
  return { rpc, ran }
}

async function talkTo(
  port: number,
  ran: string[],
  exchange: Exchange,
  quiet: number,
): Promise<Outcome> {
  ran.length = 0
  let text = ''
  let isClosed = false
  let isReset = false
  let last = performance.now()
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
  socket.on('data', chunk => {
    text += chunk.toString('latin1')
    last = performance.now()
  })
  socket.on('end', () => {
    isClosed = true
  })
  socket.on('error', () => {
    isClosed = true
    isReset = true
  })
  await new Promise(resolve => socket.once('connect', resolve))
  for (const [i, piece] of exchange.pieces.entries()) {
    if (i > 0) await wait(exchange.gap)
    if (socket.writable) socket.write(piece)
  }
  if (exchange.isEnding) {
    await wait(exchange.gap)
    socket.end()
  }
  last = performance.now()
  while (!isClosed && performance.now() - last < quiet) await wait(quiet / 10)
  socket.destroy()
  return { text: text.replace(/^Date: .* GMT\r$/gm, 'Date: -\r'), isClosed, isReset, ran: [...ran] }
}

function buildExchange(random: Random): Exchange {
  const requests = Array.from({ length: pick(random, [1, 1, 1, 2, 3]) }, () => buildRequest(random))
  const isPipelined = random(3) === 0
  const pieces = (isPipelined ? [requests.join('')] : requests)
    .map(text => spoil(random, Buffer.from(text, 'latin1')))
    .flatMap(bytes => split(random, bytes))
  return { pieces, gap: pick(random, [1, 2, 4]), isEnding: random(2) === 0 }
}

/** Now and then a byte is lost, added or another one. */
function spoil(random: Random, bytes: Buffer): Buffer {
  if (random(8) > 0) return bytes
  const at = random(bytes.length)
  const odd = Buffer.from([pick(random, [0, 9, 10, 13, 32, 34, 44, 58, 65, 127, 200])])
  const after = bytes.subarray(at + random(2))
  return Buffer.concat([bytes.subarray(0, at), ...(random(2) ? [odd] : []), after])
}

function split(random: Random, bytes: Buffer): Buffer[] {
  const cuts = Array.from({ length: pick(random, [0, 0, 1, 1, 2, 5]) }, () => random(bytes.length))
  const ends = [...cuts.sort((a, b) => a - b), bytes.length]
  return ends
    .map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end))
    .filter(({ length }) => length > 0)
}

function buildRequest(random: Random): string {
  const body = buildBody(random)
  if (random(3) > 0) return buildPlain(body)
  const lines = [
    ['Host', pick(random, HOSTS)],
    ['Content-Type', pick(random, TYPES)],
    ['Content-Length', pickLength(random, Buffer.byteLength(body, 'latin1'))],
    ...Array.from({ length: random(4) }, () => pick(random, OTHERS)),
  ]
    .filter(() => random(25) > 0)
    .flatMap(line => (random(40) === 0 ? [line, line] : [line]))
    .sort(() => random(3) - 1)
    .map(([name = '', value]) => `${writeName(random, name)}${pick(random, COLONS)}${value}`)
  const end = random(30) === 0 ? '\n' : '\r\n'
  return [pick(random, START_LINES), ...lines, '', body].join(end)
}

function buildPlain(body: string, headers: Record<string, string> = {}): string {
  const lines = {
    Host: 'localhost',
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body, 'latin1')),
    ...headers,
  }
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST / HTTP/1.1\r\n${head.join('')}\r\n${body}`
}

function buildBody(random: Random): string {
  const id = random(1e9)
  return pick(random, [
    `{"id":${id},"method":"test_text"}`,
    `{"id":${id},"method":"test_text"}`,
    `{"jsonrpc":"2.0","id":${id},"method":"test_echo","params":["${'ab\xc3\xbc'.repeat(random(30))}",3]}`,
    `{"id":${id},"method":"test_described"}`,
    `{"id":${id},"method":"test_later","params":[30]}`,
    `{"id":${id},"method":"test_later","params":[30]}`,
    `{"id":${id},"method":"test_bytes","params":[${random(300_000)}]}`,
    `{"method":"test_text","params":[${id}]}`,
    `[{"id":${id},"method":"test_text"},{"id":2,"method":"test_later","params":[1]}]`,
    `{"id":"\xe2\x82\xac\xf0\x9f\x98\x80 \xff","method":"test_text"}`,
    `{"id":${id},"method":"test_text"${' '.repeat(random(90_000))}}`,
    '',
    'x',
    `0\r\n\r\n`,
    `5\r\n12345\r\n0\r\n\r\n`,
  ])
}

function pickLength(random: Random, length: number): string {
  if (random(3) > 0) return String(length)
  return pick(random, [
    String(length + 1),
    String(Math.max(0, length - 1)),
    '0',
    `0${length}`,
    `+${length}`,
    `-${length}`,
    `${length}, ${length}`,
    `${length} `,
    ` ${length}`,
    `${length}\t`,
    `0x${length.toString(16)}`,
    `${length}.0`,
    '200001',
    '9999999999',
    '18446744073709551617',
    '',
  ])
}

const START_LINES = [
  ...Array<string>(20).fill('POST / HTTP/1.1'),
  ...['GET / HTTP/1.1', 'HEAD / HTTP/1.1', 'OPTIONS / HTTP/1.1', 'PUT / HTTP/1.1'],
  ...['POST /?x HTTP/1.1', 'POST /rpc HTTP/1.1', 'POST // HTTP/1.1', 'POST * HTTP/1.1'],
  ...['POST / HTTP/1.0', 'POST / HTTP/2.0', 'POST / HTTP/1.1 ', 'POST  / HTTP/1.1', 'POST /'],
  ...['post / HTTP/1.1', '\r\nPOST / HTTP/1.1', 'CONNECT a:1 HTTP/1.1', ' POST / HTTP/1.1'],
]

const HOSTS = [
  ...Array<string>(20).fill('localhost:8545'),
  ...['127.0.0.1', '[::1]:1', 'LOCALHOST', 'attacker.example', 'localhost:80:80', '', 'local host'],
]

const TYPES = [
  ...Array<string>(20).fill('application/json'),
  ...['application/json; charset=utf-8', 'Application/JSON', 'application/json-rpc'],
  ...['text/plain', '', 'application/json, text/plain', 'application/json\t', ';'],
]

const OTHERS: readonly (readonly string[])[] = [
  ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64) "quoted", and more'],
  ['Accept', '*/*'],
  ['Accept-Encoding', 'gzip, deflate, br'],
  ['Accept-Language', '*'],
  ['Sec-Fetch-Mode', 'cors'],
  ['Connection', 'keep-alive'],
  ['Connection', 'Keep-Alive'],
  ['Connection', 'close'],
  ['Connection', 'keep-alive, close'],
  ['Connection', 'Upgrade'],
  ['Connection', ''],
  ['Keep-Alive', 'timeout=1'],
  ['Upgrade', 'websocket'],
  ['Upgrade', 'h2c'],
  ['Expect', '100-continue'],
  ['Expect', 'something'],
  ['Transfer-Encoding', 'chunked'],
  ['Transfer-Encoding', 'identity'],
  ['Transfer-Encoding', 'gzip, chunked'],
  ['Content-Encoding', 'gzip'],
  ['Content-Encoding', 'identity'],
  ['Origin', ORIGIN],
  ['Origin', 'https://attacker.example'],
  ['Origin', 'chrome-extension://abcdefghijklmnop'],
  ['Trailer', 'Expires'],
  ['Cookie', 'a=b; c=d'],
  ['Content-Length', '3'],
  ['Host', 'localhost'],
  ['X', 'folded\r\n line'],
  ['Accept', 'with\ra return'],
  ['Accept', 'with\na line'],
  ['Accept', 'with\0nothing'],
  ['Accept', 'h\xe9'],
  ['Accept', '\ttabs\t'],
  ['User-Agent', 'x'.repeat(3_000)],
  ['User-Agent', 'x'.repeat(6_000)],
  ['User-Agent', 'x'.repeat(17_000)],
  ['', 'nameless'],
  ['Bad Name', 'x'],
  ['\xe9', 'x'],
]

const COLONS = [...Array<string>(30).fill(': '), ':', ':  ', ' : ', ':\t', '', '\t:']

function writeName(random: Random, name: string): string {
  return pick(random, [name, name, name.toLowerCase(), name.toUpperCase()])
}

function pick<T>(random: Random, from: readonly T[]): T {
  return from[random(from.length)] as T
}
