import { connect, type Socket } from 'node:net'

/** A JSON-RPC client that costs little itself: prepared requests over sockets that stay open, one at a time on each. */
export type Load = { readonly host: string; readonly port: number }

/** Answers a second when `connections` ask again and again for `seconds`; throws for an answer that is an error. */
export async function measureRate(
  load: Load,
  { connections, seconds, bodyOf, callsPerBody = 1 }: RateOptions,
): Promise<number> {
  let sent = 0
  let answered = 0
  const deadline = performance.now() + seconds * 1000
  const started = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = await openSocket(load)
      while (performance.now() < deadline) {
        assertResult(await socket.ask(bodyOf(sent++)))
        answered += callsPerBody
      }
      socket.close()
    }),
  )
  return answered / ((performance.now() - started) / 1000)
}

type RateOptions = {
  connections: number
  seconds: number
  /** The body of the request with this number. */
  bodyOf: (index: number) => string
  callsPerBody?: number
}

/** Sends each list of bodies over a connection of its own, one after the other. */
export async function sendLists(load: Load, lists: readonly (readonly string[])[]): Promise<void> {
  await Promise.all(
    lists.map(async bodies => {
      const socket = await openSocket(load)
      for (const body of bodies) assertResult(await socket.ask(body))
      socket.close()
    }),
  )
}

export async function askOnce<T>(load: Load, method: string, params: unknown[] = []): Promise<T> {
  const socket = await openSocket(load)
  try {
    const text = await socket.ask(bodyFor(method, params))
    assertResult(text)
    return (JSON.parse(text) as { result: T }).result
  } finally {
    socket.close()
  }
}

export function bodyFor(method: string, params: readonly unknown[], id = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}

async function openSocket({ host, port }: Load) {
  const socket = await new Promise<Socket>((resolve, reject) => {
    const opened = connect({ host, port, noDelay: true }, () => resolve(opened))
    opened.once('error', reject)
  })
  let received = Buffer.alloc(0)
  let answer: ((text: string) => void) | null = null
  let fail: ((error: Error) => void) | null = null
  socket.on('data', chunk => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const text = takeAnswer()
    if (text !== null) answer?.(text)
  })
  socket.on('error', error => fail?.(error))
  socket.on('close', () => fail?.(new Error('The node has closed a connection')))

  /** The body of an answer that is there whole; null before that. */
  const takeAnswer = (): string | null => {
    const headEnd = received.indexOf('\r\n\r\n')
    if (headEnd < 0) return null
    const head = received.toString('latin1', 0, headEnd)
    const length = /content-length: *(\d+)/i.exec(head)?.[1]
    if (length !== undefined) {
      const end = headEnd + 4 + Number(length)
      if (received.length < end) return null
      const text = received.toString('utf8', headEnd + 4, end)
      received = received.subarray(end)
      return text
    }
    // In chunks, as Hardhat answers.
    let at = headEnd + 4
    const parts: string[] = []
    for (;;) {
      const lineEnd = received.indexOf('\r\n', at)
      if (lineEnd < 0) return null
      const size = Number.parseInt(received.toString('latin1', at, lineEnd), 16)
      const next = lineEnd + 2 + size + 2
      if (received.length < next) return null
      if (size === 0) {
        received = received.subarray(next)
        return parts.join('')
      }
      parts.push(received.toString('utf8', lineEnd + 2, lineEnd + 2 + size))
      at = next
    }
  }

  return {
    ask: (body: string) =>
      new Promise<string>((resolve, reject) => {
        answer = resolve
        fail = reject
        socket.write(
          `POST / HTTP/1.1\r\nHost: ${host}:${port}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
        )
      }),
    close: () => {
      fail = null
      socket.destroy()
    },
  }
}

function assertResult(text: string): void {
  if (text.includes('"error"')) throw new Error(`The node has answered ${text.slice(0, 300)}`)
}
