/** Where local storage holds the sites with aliases, which content scripts cannot read. */
export const OKX_ALIAS_KEY = 'okxAlias'

/** The hint that stands for every site. */
export const EVERY_TAG = '*'

/** What a content script asks its page, and then the background, when the page may be one with aliases. */
export const ALIAS_QUESTION = 'alias'

/** What it tells a page that is one. */
export const ALIAS_ANSWER = 'aliases'

/**
 * Two hex digits of an origin, by FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/) over a salt and the origin. Every
 * 256th origin has the same ones, as a tag is not to tell which site it is of.
 */
export function tagOrigin(salt: string, origin: string): string {
  let hash = 0x811c9dc5
  for (const character of salt + origin)
    hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  return ((hash >>> 24) ^ (hash & 255)).toString(16).padStart(2, '0')
}

/**
 * Match patterns that take in every site but plain http ones elsewhere than on this computer. Not its IPv6 address either,
 * which browsers know in no pattern that they are asked for.
 */
export const EVERY_SITE: readonly string[] = [
  'https://*/*',
  'http://*.localhost/*',
  'http://127.0.0.1/*',
]

/** The match pattern of a site's or server's host, as browsers give leave for it: with all its ports. */
export function formatHostPattern(url: string): string {
  const { protocol, hostname } = new URL(url)
  return `${protocol}//${hostname}/*`
}
