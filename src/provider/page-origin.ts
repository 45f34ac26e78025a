/**
 * Match patterns of this computer's own pages, with all their ports. Browsers resolve every name below `localhost` to it
 * without asking anybody, so nobody on the way can change these.
 */
export const LOOPBACK_PATTERNS: readonly string[] = [
  'http://*.localhost/*',
  'http://127.0.0.1/*',
  'http://[::1]/*',
]

/**
 * The host of an origin whose pages anybody on the way can change: plain http, and not on this computer. Null for all
 * other origins and for what is none. Without the port, as who changes one port of a host can change each.
 */
export function readChangeableHost(origin: string): string | null {
  if (!URL.canParse(origin)) return null
  const { protocol, hostname } = new URL(origin)
  if (protocol !== 'http:' || /^(?:(?:.+\.)?localhost|127\.0\.0\.1|\[::1\])$/.test(hostname))
    return null
  return hostname
}

/** The match pattern that gives the browser's leave for a plain http host. */
export function formatHttpPattern(host: string): string {
  return `http://${host}/*`
}
