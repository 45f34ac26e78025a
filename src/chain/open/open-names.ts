import type { ServerAccess } from '../access/server-access.ts'
import { createDnsOverHttps } from '../dns/dns-over-https.ts'
import type { NameSource } from '../name-source.ts'

/** The DNS server at `url`. */
export function openNames(url: string, access: ServerAccess): NameSource {
  return createDnsOverHttps(url, { access })
}
