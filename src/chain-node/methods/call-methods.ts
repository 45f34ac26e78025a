import { requireHeader } from '../chain/block-parameter.ts'
import type { Chain } from '../chain/chain.ts'
import { readCallObject, readStateOverrides } from '../codec/call-object.ts'
import { encodeHex, formatQuantity } from '../codec/hex.ts'
import { type BlockId, readBlockId } from '../codec/parameters.ts'
import type { Engine, StateOverrides } from '../engine/engine.ts'
import { defineMethod, type MethodTable, optional, required } from '../rpc/method.ts'

const LATEST: BlockId = { tag: 'latest' }
const NO_OVERRIDES: StateOverrides = new Map()

/** Calls that make no transaction. */
export function listCallMethods({
  chain,
  engine,
}: {
  readonly chain: Chain
  readonly engine: Engine
}): MethodTable {
  const parameters = [
    required(readCallObject),
    optional(readBlockId, LATEST),
    optional(readStateOverrides, NO_OVERRIDES),
  ] as const

  return {
    eth_call: defineMethod(parameters, async ([message, block, overrides]) => {
      const { returned } = await engine.call(requireHeader(chain, block), message, overrides)
      return encodeHex(returned)
    }),
    eth_estimateGas: defineMethod(parameters, async ([message, block, overrides]) =>
      formatQuantity(await engine.estimateGas(requireHeader(chain, block), message, overrides)),
    ),
  }
}
