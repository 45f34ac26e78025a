import { isUtf8 } from 'node:buffer'
import { connect } from 'node:net'
import { WebSocket } from 'ws'
import { buildHostileBody, createRandom, type ValidCall } from './hostile-bodies.ts'
import { type Expectation, expectAnswer, findFault } from './json-rpc-validator.ts'

export interface Attack {
  readonly url: string
  readonly wsUrl: string
  /** Names that the bodies call. */
  readonly methods: readonly string[]
  /** Calls that are right, for bodies that are nearly so. */
  readonly calls?: readonly ValidCall[]
  /** Bodies; half of them by HTTP, half by WebSocket. */
  readonly count: number
  readonly seed: number
}

export interface AttackReport {
  readonly bodies: number
  /** Bodies that were answered, with a result or an error. */
  readonly answered: number
  readonly results: number
  readonly seconds: number
}

interface Shot {
  readonly body: Buffer
  readonly expected: Expectation
}

/** Bodies that are on their way at a time, on each of the connections. */
const WINDOW = 64
const CONNECTIONS = 4
/** Milliseconds for the answers of one window. */
const TIMEOUT_MS = 60_000

/**
 * Sends hostile bodies to a node, pipelined over HTTP and WebSocket, and holds each answer against JSON-RPC 2.0. Throws
 * with the body and the answer at the first that is wrong or missing, and where a connection is ended.
 */
export async function attack(options: Attack): Promise<AttackReport> {
  const started = performance.now()
  const report = { answered: 0, results: 0 }
  const share = Math.ceil(options.count / CONNECTIONS)
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, i) => {
      const random = createRandom(options.seed + i)
      const line =
        i % 2 === 0 ? await openHttp(new URL(options.url)) : await openWebSocket(options.wsUrl)
      for (let sent = 0; sent < share; sent += WINDOW) {
        const shots = Array.from({ length: Math.min(WINDOW, share - sent) }, () => {
          const body = buildHostileBody(random, options.methods, options.calls)
          return { body, expected: expectAnswer(body) }
        })
        const answers = await line.shoot(shots)
        report.answered += answers.filter(answer => answer !== '').length
        report.results += answers.filter(answer => answer.includes('"result":')).length
      }
      line.close()
    }),
  )
  return { bodies: share * CONNECTIONS, ...report, seconds: (performance.now() - started) / 1000 }
}

interface Line {
  /** Sends all of them, and gives the answers in their order; empty for none. */
  shoot(shots: readonly Shot[]): Promise<string[]>
  close(): void
}

function judge({ body, expected }: Shot, answer: string): void {
  const fault = findFault(expected, answer)
  if (fault) throw new Error(`${fault}: ${show(body.toString())} was answered by ${show(answer)}`)
}

function show(text: string): string {
  return text.length > 2000 ? `${text.slice(0, 2000)}… (${text.length})` : text
}

/** HTTP answers in the order of the requests. */
async function openHttp(url: URL): Promise<Line> {
  const socket = connect(Number(url.port), url.hostname.replace(/^\[|\]$/g, ''))
  let wake: (error?: Error) => void = () => {}
  let buffered = Buffer.alloc(0)
  socket.on('data', chunk => {
    buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk])
    wake()
  })
  let isEnded = false
  socket.on('error', error => wake(error))
  socket.on('close', () => {
    isEnded = true
    wake(new Error('the node ended the connection'))
  })
  await new Promise(resolve => socket.on('connect', resolve))

  function takeResponse(): string | null {
    const end = buffered.indexOf('\r\n\r\n')
    if (end < 0) return null
    const head = buffered.toString('latin1', 0, end)
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1])
    if (!head.startsWith('HTTP/1.1 200 ') || Number.isNaN(length)) throw new Error(head)
    if (buffered.length < end + 4 + length) return null
    const answer = buffered.toString('utf8', end + 4, end + 4 + length)
    buffered = buffered.subarray(end + 4 + length)
    return answer
  }

  return {
    async shoot(shots) {
      if (isEnded) throw new Error('the node ended the connection')
      const requests = shots.flatMap(({ body }) => [
        Buffer.from(
          `POST / HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
        ),
        body,
      ])
      socket.write(Buffer.concat(requests))
      const answers: string[] = []
      for (const shot of shots) {
        let answer = takeResponse()
        while (answer === null) {
          await waitFor(done => {
            wake = done
          }, shot)
          answer = takeResponse()
        }
        judge(shot, answer)
        answers.push(answer)
      }
      return answers
    },
    close: () => void socket.destroy(),
  }
}

/** WebSocket answers as the answers come. */
async function openWebSocket(url: string): Promise<Line> {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  let wake: (error?: Error) => void = () => {}
  let received: string[] = []
  socket.on('message', data => {
    const text = String(data)
    // What a subscription brings answers nothing.
    if (text.includes('"method":"eth_subscription"')) return
    received.push(text)
    wake()
  })
  socket.on('error', error => wake(error))
  socket.on('close', code => wake(new Error(`the node ended the connection: ${code}`)))
  await new Promise((resolve, reject) => {
    socket.on('open', resolve)
    socket.on('error', reject)
  })

  return {
    async shoot(shots) {
      if (socket.readyState !== socket.OPEN) throw new Error('the node ended the connection')
      received = []
      const awaited = shots.filter(({ expected }) => expected !== null)
      // RFC 6455 ends a connection whose text is not UTF-8.
      for (const [i, { body }] of shots.entries()) {
        socket.send(body, { binary: i % 2 === 0 || !isUtf8(body) })
      }
      while (received.length < awaited.length) {
        await waitFor(done => {
          wake = done
        }, awaited[received.length])
      }
      // A round trip more, for answers that nobody asked for.
      await makeRoundTrip(socket)
      if (received.length > awaited.length)
        throw new Error(`too much: ${show(received.join('\n'))}`)
      matchAnswers(awaited, received)
      return received
    },
    close: () => socket.close(),
  }
}

function makeRoundTrip(socket: WebSocket): Promise<void> {
  return new Promise(resolve => {
    socket.once('pong', () => resolve())
    socket.ping()
  })
}

function waitFor(listen: (done: (error?: Error) => void) => void, shot?: Shot): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`no answer to ${show(shot?.body.toString() ?? '')}`)),
      TIMEOUT_MS,
    )
    listen(error => {
      clearTimeout(timer)
      if (error) reject(error)
      else resolve()
    })
  })
}

/** Finds a body for each answer, where ids may be the same: augmenting paths, as in every bipartite matching. */
function matchAnswers(shots: readonly Shot[], answers: readonly string[]): void {
  const keys = answers.map(answer => listIds(JSON.parse(answer)))
  const taken = new Map<number, Shot>()
  const place = (shot: Shot, tried: Set<number>): boolean => {
    const { expected } = shot
    const key = listIds(expected && ('single' in expected ? expected.single : expected.batch))
    return answers.some((answer, i) => {
      if (keys[i] !== key || tried.has(i) || findFault(expected, answer)) return false
      tried.add(i)
      const owner = taken.get(i)
      if (owner && !place(owner, tried)) return false
      taken.set(i, shot)
      return true
    })
  }
  for (const shot of shots) {
    if (place(shot, new Set())) continue
    const free = answers.filter((_, i) => !taken.has(i))
    throw new Error(`${show(shot.body.toString())} is answered by none of ${show(free.join('\n'))}`)
  }
}

function listIds(value: unknown): string {
  const nameId = (response: { id?: unknown }) => `${typeof response?.id}:${String(response?.id)}`
  return Array.isArray(value) ? `[${value.map(nameId)}]` : nameId(value as { id?: unknown })
}
