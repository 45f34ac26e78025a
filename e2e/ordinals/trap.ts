import { once } from 'node:events'
import { createServer } from 'node:http'
import { hostileContents } from '../../src/background/testing/hostile-contents.ts'
import { encodePng } from './png.ts'

export type Trap = { url: string; hits: string[]; stop(): Promise<void> }

/** A server that nobody has any reason to ask; `hits` are the requests that came all the same. */
export async function startTrap(): Promise<Trap> {
  const hits: string[] = []
  const server = createServer((request, response) => {
    hits.push(`${request.method} ${request.url}`)
    response.setHeader('access-control-allow-origin', '*')
    response.end('caught')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('The trap has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    hits,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Content to inscribe, and what may be seen of it: nothing but a sign, the text as it stands, or a picture. */
export type Payload = {
  name: string
  contentType: string
  bytes: Uint8Array
  shown: 'placeholder' | 'text' | 'image'
}

/** What one reveal that is relayed can carry; larger ones are left to the tests of what reads contents. */
const MOST_BYTES = 380_000
/** A content type is one push. */
const LONGEST_TYPE = 520

/** Payloads that tell when they run: they mark the window (`executed`) and ask the trap. */
export function armPayloads(trap: Trap): Payload[] {
  const known = hostileContents.flatMap(({ name, contentType, bytes, allowed }): Payload[] => {
    // An inscription without a type is drawn as one of an unknown type is.
    const type = (contentType ?? 'unknown/unknown').slice(0, LONGEST_TYPE)
    const shown = typeof allowed === 'string' ? allowed : 'image'
    const armed = arm(bytes, trap)
    return armed.length > MOST_BYTES ? [] : [{ name, contentType: type, bytes: armed, shown }]
  })
  const markup = `<img src="${trap.url}/image" onerror="top.executed=true"><a href="${trap.url}">x</a>`
  const text = (name: string, contentType: string, body: string): Payload => ({
    name,
    contentType,
    bytes: Buffer.from(body),
    shown: 'text',
  })
  return [
    ...known,
    text('markup as plain text', 'text/plain;charset=utf-8', markup),
    text('markup as markdown', 'text/markdown', `![x](${trap.url}/markdown) ${markup}`),
    text(
      'a style sheet',
      'text/css',
      `@import "${trap.url}/style"; *{background:url(${trap.url})}`,
    ),
    text('a token of markup', 'text/plain', '{"p":"brc-20","op":"mint","tick":"<b>x","amt":"1"}'),
    ...Array.from(
      { length: 12 },
      (_, shade): Payload => ({
        name: `a picture of 16 million pixels, ${shade}`,
        contentType: 'image/png',
        bytes: greyPng(4000, shade * 20),
        shown: 'image',
      }),
    ),
  ]
}

/** In bytes, since some of it is no text. */
function arm(bytes: Uint8Array, trap: Trap): Uint8Array {
  const armed = Buffer.from(bytes)
    .toString('latin1')
    .replaceAll('https://evil.example', trap.url)
    .replaceAll('<script>', '<script>top.executed=true;')
    .replaceAll(/alert\([^)]*\)/g, 'top.executed=true')
  return Buffer.from(armed, 'latin1')
}

/** A square of one shade: a few kilobytes that take 64 MB once they are drawn. */
function greyPng(side: number, shade: number): Uint8Array {
  return encodePng('grey', Array<Uint8Array>(side).fill(new Uint8Array(side).fill(shade)))
}
