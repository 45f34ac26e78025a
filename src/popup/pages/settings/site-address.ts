import { readChangeableHost } from '../../../provider/page-origin.ts'
import { describeOrigin } from '../../ui/text/site-origin.ts'

/** Host, port and what follows; not `https:` and not `name@host`. */
const WITHOUT_SCHEME = /^(?:\[[\da-f:.]+\]|[^\s/?#@:\\[\]]+)(?::\d+)?(?:[/?#].*)?$/i
const BARE_IPV6 = /^[\da-f]*(?::[\da-f]*){2,}(?:\d+\.){0,3}\d*$/i
/** As browsers spell hosts: letters outside ASCII are `xn--`. Underscores are in use, stars are nobody's name. */
const HOST = /^(?:\[[\da-f:.]+\]|[\da-z_-]+(?:\.[\da-z_-]+)*\.?)$/

/**
 * Origin of the site that the person typed the address of, with or without `https://`, path and port; null for anything
 * else. Without a scheme it is https, and http on this computer.
 */
export function parseSiteAddress(typed: string): string | null {
  const text = BARE_IPV6.test(typed.trim()) ? `[${typed.trim()}]` : typed.trim()
  if (/^https?:\/\//i.test(text)) return readWebAddress(text)
  if (!WITHOUT_SCHEME.test(text)) return null
  const origin = readWebAddress(`https://${text}`)
  if (origin === null) return null
  const { hostname } = new URL(origin)
  if (describeOrigin(origin).local) return readWebAddress(`http://${text}`)
  // A single word is more often a slip than a host of a house's own network, which can be typed with its scheme.
  return hostname.includes('.') || hostname.startsWith('[') ? origin : null
}

/**
 * Host of the plain http site that the person typed the address of, with or without `http://`; null for anything else, an
 * https address and this computer included, which need no leave.
 */
export function parseHttpHost(typed: string): string | null {
  const hasScheme = /^\s*https?:/i.test(typed)
  const origin = parseSiteAddress(hasScheme ? typed : `http://${typed.trim()}`)
  return origin === null ? null : readChangeableHost(origin)
}

function readWebAddress(text: string): string | null {
  if (/\s/.test(text) || !URL.canParse(text)) return null
  const { hostname, origin, username, password } = new URL(text)
  if (username !== '' || password !== '' || !HOST.test(hostname)) return null
  // Browsers read 12345 and 0x7f.1 as IPv4 addresses; nobody means that.
  if (/^[\d.]+$/.test(hostname) && !text.includes(hostname)) return null
  return origin
}
