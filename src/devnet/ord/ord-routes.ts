import type { Rpc } from '../bitcoind/rpc.ts'
import type { LocalNetwork } from '../mempool/local-network.ts'
import type { Answer, Call, Route } from '../server/http.ts'
import { inscriptionRoutes } from './inscription-routes.ts'
import type { OrdServer } from './ord-call.ts'
import type { OrdFollower } from './ord-follower.ts'
import type { OrdIndex } from './ord-index.ts'
import { outputRoutes } from './output-routes.ts'
import { recursiveRoutes } from './recursive-routes.ts'
import { runeRoutes } from './rune-routes.ts'
import { statusRoutes } from './status-routes.ts'
import { transactionRoutes } from './transaction-routes.ts'

/** The routes of ord 0.27 with indexes of inscriptions, runes and addresses and without one of sats, relative to its address. */
export function ordRoutes(network: LocalNetwork, rpc: Rpc, ord: OrdFollower): Route[] {
  const route =
    (method: 'GET' | 'POST') =>
    (path: string, handle: (call: Call, index: OrdIndex) => Answer): Route => ({
      method,
      path,
      handle: call => ord.readAt(call.staleBlocks, index => handle(call, index)),
    })
  const server: OrdServer = { network, rpc, get: route('GET'), post: route('POST') }
  return [
    ...statusRoutes(server),
    ...outputRoutes(server),
    ...inscriptionRoutes(server),
    ...runeRoutes(server),
    ...transactionRoutes(server),
    ...recursiveRoutes(server),
  ]
}
