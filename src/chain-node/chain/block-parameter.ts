import type { BlockId } from '../codec/parameters.ts'
import type { Header } from '../engine/block.ts'
import { RpcError, SERVER_ERROR } from '../rpc/rpc-error.ts'
import type { Chain } from './chain.ts'

/** The header that a block parameter means, or null where there is no such block. `pending` is built on the head, and means it here. */
export function resolveHeader(chain: Chain, block: BlockId): Header | null {
  if ('hash' in block) return chain.findHeader(block.hash)
  if ('number' in block) return chain.findHeader(block.number)
  return block.tag === 'earliest' ? chain.genesis : chain.head()
}

/** The same, for reads of state; throws geth's error where there is no such block. */
export function requireHeader(chain: Chain, block: BlockId): Header {
  const header = resolveHeader(chain, block)
  if (!header) throw new RpcError(SERVER_ERROR, 'header not found')
  return header
}
