import type { Network } from '../../bitcoin/network.ts'

/** Chain servers that show a transaction to people beside their API, on the same host. */
const EXPLORERS = ['mempool.space', 'blockstream.info']

/** Where a transaction can be looked at, from the API address of a chain server; null for servers that are not known to show any. */
export function explorerUrlOf(serverUrl: string, network: Network, txid: string): string | null {
  if (network === 'regtest' || !URL.canParse(serverUrl)) return null
  const { protocol, host, pathname } = new URL(serverUrl)
  const path = /^(\/[a-z0-9]+)?\/api\/?$/.exec(pathname)
  if (protocol !== 'https:' || !EXPLORERS.includes(host) || !path) return null
  return `https://${host}${path[1] ?? ''}/tx/${txid}`
}
