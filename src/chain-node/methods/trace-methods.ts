import { isPending, resolveHeight } from '../chain/block-parameter.ts'
import type { Chain } from '../chain/chain.ts'
import { readCallObject } from '../codec/call-object.ts'
import type { Hex } from '../codec/hex.ts'
import { type BlockId, readBlockId, readBlockNumber, readHash } from '../codec/parameters.ts'
import {
  DEFAULT_TRACE_CONFIG,
  readTraceCallConfig,
  readTraceConfig,
  type TraceConfig,
} from '../codec/trace-config.ts'
import type { Block } from '../engine/block.ts'
import type { Engine, TracedBlock } from '../engine/engine.ts'
import { defineMethod, JsonText, type MethodTable, optional, required } from '../rpc/method.ts'
import { RpcError, SERVER_ERROR } from '../rpc/rpc-error.ts'

/** What geth's tracers see in transactions and calls; not part of the specification. */
export function listTraceMethods({
  chain,
  engine,
}: {
  readonly chain: Chain
  readonly engine: Pick<Engine, 'traceBlock' | 'traceCall'>
}): MethodTable {
  const config = optional(readTraceConfig, DEFAULT_TRACE_CONFIG)

  function requireBlock(id: bigint | Hex): Block {
    const block = chain.findBlock(id)
    if (block !== null) return block
    throw refuse(`block ${typeof id === 'bigint' ? `#${id}` : id} not found`)
  }

  function withParent(block: Block): TracedBlock {
    if (block.header.number === 0n) throw refuse('genesis is not traceable')
    const parent = chain.findHeader(block.header.number - 1n)
    if (parent === null) throw new Error(`Block ${block.header.number} has no parent.`)
    return { parent, block }
  }

  async function traceBlock(id: bigint | Hex, { options, time }: TraceConfig): Promise<JsonText> {
    const block = requireBlock(id)
    const traces = await engine.traceBlock(withParent(block), null, options, time ?? undefined)
    const entries = block.transactions.map(
      ({ hash }, index) => `{"txHash":"${hash}","result":${traces[index]}}`,
    )
    return new JsonText(`[${entries.join()}]`)
  }

  return {
    debug_traceTransaction: defineMethod(
      [required(readHash), config],
      async ([hash, { options, time }]) => {
        const found = chain.findTransaction(hash)
        if (found === null) throw refuse('transaction not found')
        const block = withParent(requireBlock(found.header.number))
        const [trace = 'null'] = await engine.traceBlock(
          block,
          found.index,
          options,
          time ?? undefined,
        )
        return new JsonText(trace)
      },
    ),

    debug_traceBlockByNumber: defineMethod(
      [required(readBlockNumber), config],
      ([block, traceConfig]) => {
        if (isPending(block)) throw refuse('tracing on top of pending is not supported')
        return traceBlock(resolveHeight(chain, block), traceConfig)
      },
    ),

    debug_traceBlockByHash: defineMethod([required(readHash), config], ([hash, traceConfig]) =>
      traceBlock(hash, traceConfig),
    ),

    debug_traceCall: defineMethod(
      [
        required(readCallObject),
        optional<BlockId>(readBlockId, { tag: 'latest' }),
        optional(readTraceCallConfig, DEFAULT_TRACE_CONFIG),
      ],
      async ([message, id, { overrides, blockOverrides, index, options, time }]) => {
        if (isPending(id)) throw refuse('tracing on top of pending is not supported')
        const block = requireBlock('hash' in id ? id.hash : resolveHeight(chain, id))
        if (index !== null && index >= block.transactions.length) {
          throw refuse(`transaction index ${index} out of range for block ${block.header.hash}`)
        }
        // The chain's header has the state that the next block goes on from.
        const header = chain.findHeader(block.header.number) ?? block.header
        const trace = await engine.traceCall(header, message, {
          overrides,
          blockOverrides,
          after: index === null ? null : { ...withParent(block), count: index },
          options,
          ...(time !== null && { time }),
        })
        return new JsonText(trace)
      },
    ),
  }
}

function refuse(message: string): RpcError {
  return new RpcError(SERVER_ERROR, message)
}
