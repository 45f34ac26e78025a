import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, extname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Devnet } from '../src/devnet/start-devnet.ts'
import { answerConformance } from './conformance-routes.ts'
import { makeExample } from './dapp-examples.ts'

const HERE = dirname(fileURLToPath(import.meta.url))
const FOLDER = join(HERE, 'dapp')
const FONT = join(
  HERE,
  '../node_modules/@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2',
)

const CONTENT_TYPES: { [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.ts': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
}

export type DappServerOptions = {
  /** 0, the default, takes any free port. */
  port?: number
  /** The Content-Security-Policy of every answer. */
  csp?: string
  /** Further HTML pages by path, such as `/first.html`. */
  pages?: { [path: string]: string }
  /** Where the playground's examples are made: from an account's coins, or by inscribing to it. */
  devnet?: Devnet
}

/** Serves the playground, and the pages given, on 127.0.0.1; `url` ends in a slash. */
export async function startDappServer(options: DappServerOptions = {}) {
  const server = createServer((request, response) => {
    const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (options.csp) response.setHeader('content-security-policy', options.csp)
    response.setHeader('cache-control', 'no-store')
    if (path.startsWith('/example/')) {
      const name = path.slice('/example/'.length)
      void sendExample(name, searchParams, options.devnet, response)
      return
    }
    if (path.startsWith('/conformance/')) {
      void sendConformance(path.slice('/conformance/'.length), request, options.devnet, response)
      return
    }
    const page = options.pages?.[path]
    const answer = page === undefined ? sendFile(path, response) : sendHtml(page, response)
    answer.catch(() => response.writeHead(404).end('Not found'))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    async stop(): Promise<void> {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

async function sendHtml(html: string, response: ServerResponse): Promise<void> {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(html)
}

/** Arguments for a card of the playground, or 400 with what is wrong as text. */
async function sendExample(
  name: string,
  account: URLSearchParams,
  devnet: Devnet | undefined,
  response: ServerResponse,
): Promise<void> {
  const owner = {
    address: account.get('address') ?? '',
    publicKey: account.get('publicKey') ?? '',
    split: account.get('split') ?? '',
  }
  try {
    if (!devnet) throw new Error('This page has no devnet to make examples from')
    const args = JSON.stringify(await makeExample(name, owner, devnet))
    response.setHeader('content-type', 'application/json').end(args)
  } catch (error) {
    response.writeHead(400).end(error instanceof Error ? error.message : String(error))
  }
}

/** What the conformance page asks for, or 400 with what is wrong as text. */
async function sendConformance(
  name: string,
  request: IncomingMessage,
  devnet: Devnet | undefined,
  response: ServerResponse,
): Promise<void> {
  try {
    const answer = await answerConformance(name, await text(request), devnet)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  } catch (error) {
    response.writeHead(400).end(error instanceof Error ? error.message : String(error))
  }
}

async function sendFile(path: string, response: ServerResponse): Promise<void> {
  const name = path === '/' ? 'index.html' : path.slice(1)
  if (name === 'fonts/figtree.woff2') {
    response.setHeader('content-type', 'font/woff2')
    response.end(await readFile(FONT))
    return
  }
  const type = CONTENT_TYPES[extname(name)]
  // The folder is flat: a name with a separator cannot lead out of it.
  if (!type || !/^[a-z0-9-]+\.[a-z]+$/.test(name)) throw new Error(`${path} is not served`)
  const body = await readFile(join(FOLDER, name))
  const content = extname(name) === '.ts' ? await compile(name, body.toString()) : body
  response.setHeader('content-type', type)
  response.end(content)
}

/** TypeScript to JavaScript, module by module; the page imports the `.ts` names as they are. */
async function compile(name: string, source: string): Promise<string> {
  const { transformWithOxc } = await import('vite')
  return (await transformWithOxc(source, name, { sourcemap: false })).code
}
