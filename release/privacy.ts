import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Whom a file of `src/chain` asks, in the words of the table in PRIVACY.md; the longest beginning of its path counts. */
const SERVERS: { readonly [path: string]: readonly string[] } = {
  'access/live-feed.ts': ['chain server'],
  'esplora/': ['chain server'],
  'esplora/mempool-space.ts': ['fee server', 'price server'],
  'ord/': ['ord server'],
  'atomicals/': ['Atomicals server'],
  'brc20/': ['BRC-20 server'],
  'dns/': ['DNS server'],
}

/** A request that the code can make, and who may get it. `request` has `…` for what is filled in. */
export type CodedRequest = { file: string; servers: readonly string[]; request: string }

/** What else has a slash or a question mark: types of content, and how a request's parts are put together. */
const NO_REQUESTS = [
  /^\w+\/[\w-]+$/,
  /^(…[/?]?)+$/,
  /^https?:\/\/[\w.:/]+$/,
  /^must begin with https:\/\/ \(http:\/\/ only on this machine\)$/,
  /^did not answer within …/,
  /^\/$/,
]

/**
 * The requests that `src/chain` can make: every text in it with a slash or a question mark, beside paths of imports, and what is said
 * over the connection that stays open. No request is made of anything else, as the tests of PRIVACY.md make sure.
 */
export function listRequests(root: string): CodedRequest[] {
  const folder = join(root, 'src', 'chain')
  return listSources(folder).flatMap(file => {
    const source = stripComments(readFileSync(join(folder, file), 'utf8'))
    const texts = file === 'access/live-feed.ts' ? listSaid(source) : []
    const requests = [...texts, ...listTexts(source).filter(isRequest)]
    return [...new Set(requests)].map(request => ({ file, servers: serversOf(file), request }))
  })
}

/** Rows of a table of a Markdown text, from below its heading on, cell by cell. */
export function readRows(text: string, heading: string): string[][] {
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const lines = section.split('\n').filter(line => line.startsWith('| '))
  return lines.slice(1).map(line => line.slice(2, -2).split(' | '))
}

/** What stands between backticks in a cell. */
export function listCode(cell: string | undefined): string[] {
  return [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
}

/** A source without comments and without what it imports. */
export function stripComments(source: string): string {
  return source
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '$1')
    .replace(/\bfrom '[^']+'|\bimport\(\s*'[^']+'\s*\)/g, '')
}

/** Files of the extension in a folder, without tests. */
export function listSources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => /\.tsx?$/.test(path) && !/\.test\.tsx?$|(^|\/)testing\//.test(path))
    .sort()
}

/** The texts of a source, with `…` for what is filled in, also where that has texts of its own. */
function listTexts(source: string): string[] {
  const constants = new Map(
    [...source.matchAll(/const ([A-Z_]+) = '([^']*)'/g)].map(([, name = '', text = '']) => [
      name,
      text,
    ]),
  )
  return [...source.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)].map(
    ([, plain, template = '']) =>
      plain ??
      template.replace(/\$\{((?:[^{}]|\{[^{}]*\})*)\}/g, (_, name) => constants.get(name) ?? '…'),
  )
}

function isRequest(text: string): boolean {
  return /[/?]|^blockchain\.\w+\.\w/.test(text) && !NO_REQUESTS.some(known => known.test(text))
}

/** What is said over the connection that stays open. */
function listSaid(source: string): string[] {
  const said = [...source.matchAll(/\bsay\(\{ (?:action: )?'([^']+)'/g)]
  return said.map(([, word = '']) => word)
}

function serversOf(file: string): readonly string[] {
  const [longest] = Object.keys(SERVERS)
    .filter(path => file.startsWith(path))
    .sort((a, b) => b.length - a.length)
  return SERVERS[longest ?? ''] ?? []
}
