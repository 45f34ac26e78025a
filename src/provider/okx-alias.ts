/** Where storage holds what content scripts read at the start of every page. */
export const OKX_ALIAS_KEY = 'okxAlias'

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
