/**
 * How a host that a sign-in text names stands to the one that asks. `related`: one is below the other, as when `app.` signs
 * in for the whole site; that is common, and still a different host.
 */
export type SignInStanding = 'match' | 'related' | 'mismatch'

/** A host that a text says it signs in to, as it stands there. */
export type NamedHost = { named: string; standing: SignInStanding }

export type SignIn = {
  /** Each once, the worst first; empty for a text that names none. */
  hosts: NamedHost[]
  /** Whether the time that the text gives for itself is over, or has not begun. */
  validity: 'expired' | 'not-yet' | null
}

/** Characters that nobody sees: with them a name reads like another. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/**
 * Where texts name the site: the first line of EIP-4361 and its copies for Bitcoin, the fields of those and of other styles,
 * in JSON and lists as well, and sentences. White space may be line ends too, so that breaking a line hides nothing. Words are
 * read to a length that is beyond any host, and from their beginning: a text of one long word would take its length squared.
 */
const PLACES: readonly RegExp[] = [
  /(?<!\S)(?<named>\S{1,400})\s+wants\s+you\s+to\s+sign[\s-]*in\b/giu,
  /(?:^|\s)(?:uri|url|domain|origin|website|site)\s*[:=]\s*(?<named>\S{1,400})/giu,
  /(?:(["'])(?:uri|url|domain|origin|website|site)\1|[{,;([](?:uri|url|domain|origin|website|site))\s*[:=]\s*["']?(?<named>[^\s"',;}]{1,400})/giu,
  /\b(?:sign(?:ing)?|log(?:ging)?)[\s-]*in(?:to)?\s+(?:to\s+|on\s+|at\s+|with\s+)?(?<named>\S{1,400})/giu,
  /\b(?:welcome|connect(?:ing)?|authenticat(?:e|ing))\s+(?:to|with|on)\s+(?<named>\S{1,400})/giu,
]

/** Quotes, brackets and punctuation around a name, but not the brackets of an IPv6 address. */
const WRAPPING =
  /^(?:["'(<]|\[(?![\da-f.]*:[\da-f:.]*\]))+|(?:[.,;:!?"')>]|(?<!\[[\da-f.]*:[\da-f:.]*)\])+$/giu

const RANK: readonly SignInStanding[] = ['mismatch', 'related', 'match']

/**
 * Compares the hosts that a text says it signs in to with the origin that asks for the signature: whoever gets a signature
 * under another site's text can sign in there. `now` is in milliseconds. Never throws.
 */
export function readSignIn(message: string, origin: string, now: number): SignIn {
  const text = message.replace(/[\s\u0085]+/gu, ' ').replace(UNSEEN, '')
  const hosts = new Map<string, NamedHost>()
  for (const place of PLACES) {
    for (const { groups } of text.matchAll(place)) {
      const named = (groups?.named ?? '').replace(WRAPPING, '')
      // A dot that only ends a sentence is none of the name's; what has hidden characters is not what it looks like.
      const standing = message.includes(named) ? compareHost(named, origin) : 'mismatch'
      if (standing !== null && isHost(named)) hosts.set(named, { named, standing })
    }
  }
  return {
    hosts: [...hosts.values()].sort((a, b) => RANK.indexOf(a.standing) - RANK.indexOf(b.standing)),
    validity: readValidity(text, now),
  }
}

/** Null where the origin is none. */
function compareHost(named: string, origin: string): SignInStanding | null {
  const asking = parse(origin)
  const site = parseNamed(named)
  if (asking === null || site === null) return null
  // Before an @ stands what is no host, however much it looks like one.
  if (named.includes('@')) return 'mismatch'
  const port = /:(\d+)(?:[/?#]|$)/.exec(named)?.[1]
  if (port !== undefined && Number(port) !== effectivePort(asking)) return 'mismatch'
  if (site.hostname === asking.hostname) return 'match'
  return isBelow(site.hostname, asking.hostname) || isBelow(asking.hostname, site.hostname)
    ? 'related'
    : 'mismatch'
}

function isBelow(host: string, parent: string): boolean {
  return parent.includes('.') && host.endsWith(`.${parent}`)
}

function effectivePort({ port, protocol }: URL): number {
  return port !== '' ? Number(port) : protocol === 'http:' ? 80 : 443
}

/** Whether a word is meant as the name of a host: `Bitcoin` and `1.5` are none. */
function isHost(named: string): boolean {
  const hostname = parseNamed(named)?.hostname ?? ''
  if (/^[\d.]+$/.test(hostname)) return named.includes(hostname)
  return /^\[|^localhost$|\.(?:xn--[a-z\d-]+|[a-z]{2,})\.?$/.test(hostname)
}

function parseNamed(named: string): URL | null {
  return parse(/^https?:\/\//i.test(named) ? named : `https://${named}`)
}

function parse(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}

function readValidity(text: string, now: number): SignIn['validity'] {
  const expires = readTime(/\bexpir(?:ation|es?|y)(?: time| at| date)?: ?(\S{1,40})/iu, text)
  if (expires !== null && expires <= now) return 'expired'
  const begins = readTime(/\bnot before: ?(\S{1,40})/iu, text)
  return begins !== null && begins > now ? 'not-yet' : null
}

/** ISO 8601, as all these styles have it. */
function readTime(field: RegExp, text: string): number | null {
  const found = field.exec(text)?.[1] ?? ''
  const time = /^\d{4}-\d{2}-\d{2}T/.test(found) ? Date.parse(found) : Number.NaN
  return Number.isNaN(time) ? null : time
}
