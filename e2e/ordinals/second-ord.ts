import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'

/** An index that says what devnet's says, but of one output (`outpoint`) that it holds this inscription (`id`). */
export async function startSecondOrd(
  ordUrl: string,
  claim: { outpoint: string; id: string },
): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const body = await readBody(request)
    const answer = await fetch(`${ordUrl}${request.url}`, {
      method: request.method ?? 'GET',
      headers: pick(request.headers),
      ...(body === '' ? {} : { body }),
    })
    const text = await answer.text()
    const isClaim = request.url === '/outputs' && answer.ok && text !== ''
    response.writeHead(answer.status, {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': '*',
      'content-type': answer.headers.get('content-type') ?? 'text/plain',
    })
    response.end(isClaim ? twist(text, claim) : text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('The second index has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** What ord looks at. */
function pick({ accept = '*/*', 'content-type': type }: IncomingHttpHeaders) {
  return { accept, ...(type === undefined ? {} : { 'content-type': type }) }
}

function twist(outputs: string, { outpoint, id }: { outpoint: string; id: string }): string {
  const told = JSON.parse(outputs) as { outpoint: string }[]
  return JSON.stringify(
    told.map(one => (one.outpoint === outpoint ? { ...one, inscriptions: [id] } : one)),
  )
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
