import type { BlockId, BlockTag } from '../codec/parameters.ts'
import type { Header } from '../engine/block.ts'
import { RpcError, SERVER_ERROR } from '../rpc/rpc-error.ts'
import type { Chain } from './chain.ts'

/** The height that a block parameter means, which may be above the head. `pending` is built on the head, and means it here. */
export function resolveHeight(chain: Pick<Chain, 'head'>, block: BlockTag): bigint {
  if ('number' in block) return block.number
  return block.tag === 'earliest' ? 0n : chain.head().number
}

/** The header of a block whose state is to be read; throws geth's error where there is no such block. */
export function requireHeader(chain: Pick<Chain, 'head' | 'findHeader'>, block: BlockId): Header {
  const id = 'hash' in block ? block.hash : resolveHeight(chain, block)
  const header = chain.findHeader(id)
  if (!header) throw new RpcError(SERVER_ERROR, 'header not found')
  return header
}

export function isPending(block: BlockId): boolean {
  return 'tag' in block && block.tag === 'pending'
}
