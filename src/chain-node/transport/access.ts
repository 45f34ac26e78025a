import { isIP } from 'node:net'

/** Which names the node answers under, and which web pages may ask it. */
export interface Access {
  /** Against DNS rebinding: a page that has its own name point here is told apart by that name. */
  allowsHost(host: string | undefined): boolean
  /** Whether a browser's page of this origin may ask. */
  allowsOrigin(origin: string): boolean
}

/**
 * Addresses and `localhost` are always answered; names only where they are listed, and `*` stands for all of them.
 * Origins, such as `https://example.org`, only where they are listed, or all by `*`.
 */
export function createAccess(hosts: readonly string[], origins: readonly string[]): Access {
  const names = new Set(['localhost', ...hosts.map(host => host.toLowerCase())])
  const pages = new Set(origins.map(origin => origin.toLowerCase().replace(/\/$/, '')))
  return {
    allowsHost(host) {
      // Only HTTP/1.0 goes without, which no browser speaks.
      if (host === undefined || names.has('*')) return true
      const name = host.replace(/:\d*$/, '').toLowerCase()
      return names.has(name) || isIP(name) === 4 || isIP(name.replace(/^\[(.*)\]$/, '$1')) === 6
    },
    allowsOrigin: origin => pages.has('*') || pages.has(origin.toLowerCase()),
  }
}
