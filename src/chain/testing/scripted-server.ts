import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { GENESIS_HASH } from '../genesis.ts'

export type Answer = {
  status?: number
  body: string | Uint8Array
  headers?: { [name: string]: string }
}

/** What a path answers; one that stays pending is a server that hangs. */
export type Answers = {
  [path: string]:
    | Answer
    | ((body: string, headers: IncomingHttpHeaders) => Answer | Promise<Answer>)
}

/** A server on this machine that says what a test wants it to say; every path that is not named answers 404. It starts as one of regtest. */
export async function startScriptedServer() {
  const asked: string[] = []
  const script = { answers: {} as Answers }
  reset()
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    asked.push(`${request.method} ${path}`)
    let sent = ''
    for await (const chunk of request) sent += chunk
    const found = script.answers[path] ?? { status: 404, body: 'Not found' }
    const answer = typeof found === 'function' ? await found(sent, request.headers) : found
    response.writeHead(answer.status ?? 200, answer.headers).end(answer.body)
  })
  // Client and server share a busy thread: one that closes idle connections meanwhile resets what the client sends next.
  server.keepAliveTimeout = 0
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    /** Requests in the order in which they came. */
    asked,
    /** Answers by path, beside those that are there. */
    say: (answers: Answers) => void Object.assign(script.answers, answers),
    reset,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }

  function reset(): void {
    asked.length = 0
    script.answers = { '/block-height/0': { body: GENESIS_HASH.regtest } }
  }
}

export type ScriptedServer = Awaited<ReturnType<typeof startScriptedServer>>

export function asJson(value: unknown): Answer {
  return { body: JSON.stringify(value) }
}
