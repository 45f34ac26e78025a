import type { Network } from '../../bitcoin/network.ts'
import { NameProofError } from '../../dnssec/name-proof-error.ts'
import { anchorsOf } from '../../dnssec/root-anchors.ts'
import { verifyRootKeys } from '../../dnssec/verify-text.ts'
import { serverFailure } from '../access/http.ts'
import type { ServerAccess } from '../access/server-access.ts'
import { createAtomicals } from '../atomicals/atomicals.ts'
import { createBrc20Server } from '../brc20/brc20-server.ts'
import { createDnsOverHttps } from '../dns/dns-over-https.ts'
import { createEsplora } from '../esplora/esplora.ts'
import { createFeeSource, createPriceSource } from '../esplora/mempool-space.ts'
import { createOrd } from '../ord/ord.ts'
import type { ServerUrls } from './open-chain.ts'

export type ServerQuestion = {
  network: Network
  kind: keyof ServerUrls
  url: string
  /** Of a server of BRC-20. */
  key: string | null
  access: ServerAccess
  now(): number
}

/**
 * The newest block of a server, asked at once also during its back-off; `at` (milliseconds) where it dates the block. Null for
 * a server of fees, prices or names that answers. Throws BackendUnavailableError.
 */
export async function fetchServerTip(
  question: ServerQuestion,
): Promise<{ height: number; at?: number } | null> {
  const { network, kind, url, key, access, now } = question
  switch (kind) {
    case 'fees':
      await createFeeSource(url, access, { bypassBackoff: true }).fetchFeeRates()
      return null
    case 'price':
      await createPriceSource(url, access, { bypassBackoff: true }).fetchPrices()
      return null
    case 'names':
      await askForRoot(question)
      return null
    case 'assets':
    case 'secondAssets':
      return createOrd(network, url, { access, now, bypassBackoff: true }).fetchTip()
    case 'brc20': {
      // Which interface it has is found out each time.
      const apis = { find: async () => null, keep: async () => {} }
      return createBrc20Server(network, url, { access, apis, key, bypassBackoff: true }).fetchTip()
    }
    case 'atomicals':
      return createAtomicals(network, url, { access, bypassBackoff: true }).fetchTip()
    case 'chain':
    case 'secondChain': {
      // Its first block is looked at each time.
      const checks = { has: async () => false, add: async () => {} }
      return createEsplora(network, url, { access, checks, bypassBackoff: true }).fetchTip()
    }
  }
}

/** Whether the server gives the signed keys of the DNS root: with none of them no name can be proven. */
async function askForRoot({ network, url, access, now }: ServerQuestion): Promise<void> {
  const server = createDnsOverHttps(url, { access, bypassBackoff: true })
  const records = await server.fetchRootKeys()
  const options = { anchors: anchorsOf(network), now: Math.floor(now() / 1000) }
  await verifyRootKeys(records, options).catch(cause => {
    if (!(cause instanceof NameProofError)) throw cause
    throw serverFailure('nonsense', url, `sent no signed keys of the DNS root: ${cause.problem}`, {
      cause,
    })
  })
}
