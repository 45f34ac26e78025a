import type { DnsRecord } from '../dnssec/dns-message.ts'
import type { DomainName } from '../dnssec/domain-name.ts'

/** Reads the DNS. Nothing that it says is proven. */
export type NameSource = {
  /** The texts of a name, the aliases that lead to them, and the keys and signatures of all zones on the way. Throws BackendUnavailableError. */
  fetchRecords(name: DomainName): Promise<DnsRecord[]>
}
