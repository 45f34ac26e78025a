import type { Chain } from '../chain/chain.ts'
import { encodeHex, formatQuantity } from '../codec/hex.ts'
import { readData } from '../codec/parameters.ts'
import { keccak256 } from '../engine/crypto.ts'
import { defineMethod, type MethodTable, required } from '../rpc/method.ts'

/** The version of the protocol that the specification's own system answers. */
const PROTOCOL_VERSION = '0x41'

/** What the node says about itself and its chain. A node that makes its own blocks is never behind: `eth_syncing` is false. */
export function listNodeMethods({
  chain,
  chainId,
  clientVersion,
}: {
  chain: Chain
  chainId: bigint
  clientVersion: string
}): MethodTable {
  const hexChainId = formatQuantity(chainId)
  const networkId = chainId.toString()
  return {
    web3_clientVersion: defineMethod([], () => clientVersion),
    web3_sha3: defineMethod([required(readData)], ([data]) => encodeHex(keccak256(data))),
    net_version: defineMethod([], () => networkId),
    eth_protocolVersion: defineMethod([], () => PROTOCOL_VERSION),
    eth_syncing: defineMethod([], () => false),
    eth_chainId: defineMethod([], () => hexChainId),
    eth_blockNumber: defineMethod([], () => formatQuantity(chain.head().number)),
  }
}
