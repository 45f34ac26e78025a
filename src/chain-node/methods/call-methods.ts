import { isPending, requireHeader } from '../chain/block-parameter.ts'
import type { Chain } from '../chain/chain.ts'
import { readCallObject, readStateOverrides } from '../codec/call-object.ts'
import { encodeHex, formatQuantity } from '../codec/hex.ts'
import { type BlockId, readBlockId } from '../codec/parameters.ts'
import type { Header } from '../engine/block.ts'
import type { Engine, StateOverrides } from '../engine/engine.ts'
import type { Producer } from '../producer/producer.ts'
import { defineMethod, type MethodTable, optional, required } from '../rpc/method.ts'

const PENDING: BlockId = { tag: 'pending' }
const NO_OVERRIDES: StateOverrides = new Map()

/**
 * Calls that make no transaction. In a chain whose blocks come with transactions the head may be old, so that what depends on
 * the time could not be tried at it: `pending` is the block that would be made now, upon the state of the head. It is meant
 * where no block is named, and by an estimate at the latest block too, as what is estimated comes into that block. geth did so
 * before 1.14, but for `eth_call` without a block.
 */
export function listCallMethods({
  chain,
  engine,
  producer,
}: {
  readonly chain: Chain
  readonly engine: Pick<Engine, 'call' | 'estimateGas' | 'describeNext'>
  readonly producer: Pick<Producer, 'describeNext'>
}): MethodTable {
  const parameters = [
    required(readCallObject),
    optional(readBlockId, PENDING),
    optional(readStateOverrides, NO_OVERRIDES),
  ] as const

  const findBlock = (block: BlockId) => findHeader({ chain, engine, producer }, block)

  return {
    eth_call: defineMethod(parameters, async ([message, block, overrides]) => {
      const { returned } = await engine.call(findBlock(block), message, overrides)
      return encodeHex(returned)
    }),
    eth_estimateGas: defineMethod(parameters, async ([message, block, overrides]) =>
      formatQuantity(
        await engine.estimateGas(findBlock(isLatest(block) ? PENDING : block), message, overrides),
      ),
    ),
  }
}

/** What a call touches; not part of the specification. */
export function listAccessListMethods(
  services: Parameters<typeof findHeader>[0] & {
    readonly engine: Pick<Engine, 'createAccessList'>
  },
): MethodTable {
  return {
    eth_createAccessList: defineMethod(
      [required(readCallObject), optional(readBlockId, PENDING)],
      async ([message, block]) => {
        const { accessList, gasUsed, failure } = await services.engine.createAccessList(
          findHeader(services, block),
          message,
        )
        return {
          accessList,
          ...(failure !== null && { error: failure }),
          gasUsed: formatQuantity(gasUsed),
        }
      },
    ),
  }
}

function findHeader(
  {
    chain,
    engine,
    producer,
  }: {
    readonly chain: Chain
    readonly engine: Pick<Engine, 'describeNext'>
    readonly producer: Pick<Producer, 'describeNext'>
  },
  block: BlockId,
): Header {
  if (!isPending(block)) return requireHeader(chain, block)
  return engine.describeNext(chain.head(), producer.describeNext())
}

function isLatest(block: BlockId): boolean {
  return 'tag' in block && block.tag === 'latest'
}
