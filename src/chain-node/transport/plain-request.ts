import type { Access } from './access.ts'
import { isJsonType } from './http.ts'

/**
 * Reads heads of requests that are plain: JSON-RPC by POST to `/` on a connection that stays, with headers that are all known
 * here and stand there once, as HTTP clients write them.
 * The reader takes a head without its two last line ends, and gives the bytes of the body; null for any other head, also one
 * that is to be refused.
 */
export function createPlainHeadReader(
  access: Access,
  maxBody: number,
): (head: string) => number | null {
  const checks = new Map<string, (value: string) => boolean>([
    ['host', access.allowsHost],
    ['content-type', isJsonType],
    ['content-length', value => LENGTH.test(value) && Number(value) <= maxBody],
    ['connection', value => value.toLowerCase() === 'keep-alive'],
    ...UNREAD.map((name): [string, () => boolean] => [name, () => true]),
  ])

  return function readPlainHead(head) {
    const [start, ...lines] = head.split('\r\n')
    if (start !== 'POST / HTTP/1.1') return null
    const headers = new Map<string, string>()
    for (const line of lines) {
      const [, name = '', value = ''] = HEADER.exec(line) ?? []
      const key = name.toLowerCase()
      if (headers.has(key) || !checks.get(key)?.(value)) return null
      headers.set(key, value)
    }
    return REQUIRED.every(name => headers.has(name)) ? Number(headers.get('content-length')) : null
  }
}

const REQUIRED = ['host', 'content-type', 'content-length']

/** What clients send, and the node does not look at. */
const UNREAD = [
  'user-agent',
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'pragma',
  'sec-fetch-mode',
]

const HEADER = /^([A-Za-z-]+): ([!-~](?:[ -~]*[!-~])?)$/
const LENGTH = /^[1-9]\d{0,9}$/
