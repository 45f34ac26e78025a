import { formatQuantity } from '../codec/hex.ts'
import { defineMethod, type MethodTable } from '../rpc/method.ts'

/** What tools ask to see whether a node is there: it listens, and has no peers. Both are refused where only the specification is served. */
export function listPeerMethods(): MethodTable {
  return {
    net_listening: defineMethod([], () => true),
    net_peerCount: defineMethod([], () => formatQuantity(0n)),
  }
}
