import type { Chain } from '../chain/chain.ts'
import type { Hex } from '../codec/hex.ts'
import type { BlockId } from '../codec/parameters.ts'
import { readDataOf, readFieldsOf, readQuantityOf, refuseAnswer } from './answer-fields.ts'
import type { Remote } from './remote.ts'

/** Where a block is: before that of the fork, that block itself, or after it. */
export type Place = 'remote' | 'base' | 'local'

/** What the remote node knows of blocks up to that of the fork; what came after it there is not told. */
export interface OldBlocks {
  /** Those with a hash that is not known here are the remote's. */
  place(block: BlockId): Place
  /** Whether the remote has a block of that hash, up to that of the fork. */
  has(hash: Hex): Promise<boolean>
  /** What the remote answers. */
  forward(method: string, params: readonly unknown[]): Promise<unknown>
  /** The same where it is a block, transaction or receipt with a block's number; null where that is after the fork. */
  forwardOld(method: string, params: readonly unknown[], field: string): Promise<unknown>
}

/** What each method answers, as far as it is looked at; what is not there is null. */
function assertAnswer(method: string, answer: unknown): void {
  if (answer === null && CAN_BE_NULL.test(method)) return
  if (QUANTITIES.test(method)) readQuantityOf(method, answer)
  else if (DATA.test(method)) readDataOf(method, answer, null)
  else if (method === 'eth_getStorageAt') readDataOf(method, answer, 32)
  else if (LISTS.test(method)) {
    if (!Array.isArray(answer)) throw refuseAnswer(method, 'is not an array')
  } else {
    const fields = readFieldsOf(method, answer)
    if (/^eth_get(Block|Transaction)By/.test(method)) fields.data('hash', 32)
  }
}

const CAN_BE_NULL = /^eth_get(Block|Transaction)(By|TransactionCountBy|Receipts)/
const QUANTITIES = /^eth_(getBalance|getTransactionCount|estimateGas|getBlockTransactionCount.*)$/
const DATA = /^eth_(getCode|call)$/
const LISTS = /^eth_(getLogs|getBlockReceipts)$/

/** Hashes that are known to be old ones, at most. */
const MOST_HASHES = 10_000

export function createOldBlocks(
  chain: Pick<Chain, 'genesis' | 'findHeader'>,
  remote: Pick<Remote, 'request'>,
): OldBlocks {
  const base = chain.genesis
  const old = new Set<Hex>()

  async function forwardOld(
    method: string,
    params: readonly unknown[],
    field: string,
  ): Promise<unknown> {
    const answer = await remote.request(method, params)
    if (answer === null) return null
    const fields = readFieldsOf(method, answer)
    return fields.has(field) && fields.quantity(field) <= base.number ? answer : null
  }

  return {
    place(block) {
      if ('hash' in block) {
        if (block.hash === base.hash) return 'base'
        return chain.findHeader(block.hash) === null ? 'remote' : 'local'
      }
      if ('tag' in block && block.tag !== 'earliest') return 'local'
      const number = 'number' in block ? block.number : 0n
      return number < base.number ? 'remote' : number === base.number ? 'base' : 'local'
    },
    async has(hash) {
      if (hash === base.hash || old.has(hash)) return true
      const method = 'eth_getBlockByHash'
      const answer = await forwardOld(method, [hash, false], 'number')
      if (answer === null) return false
      if (readFieldsOf(method, answer).data('hash', 32) !== hash) {
        throw refuseAnswer(`${method}.hash`, 'is not the one that was asked for')
      }
      if (old.size >= MOST_HASHES) old.clear()
      old.add(hash)
      return true
    },
    async forward(method, params) {
      const answer = await remote.request(method, params)
      assertAnswer(method, answer)
      return answer
    },
    forwardOld,
  }
}
