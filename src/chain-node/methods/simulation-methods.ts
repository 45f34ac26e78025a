import { requireHeader } from '../chain/block-parameter.ts'
import type { Chain } from '../chain/chain.ts'
import { type BlockId, readBlockId } from '../codec/parameters.ts'
import { readSimulation } from '../codec/simulation.ts'
import type { Engine } from '../engine/engine.ts'
import { simulatedBlockJson } from '../json/simulation-json.ts'
import { defineMethod, JsonText, type MethodTable, optional, required } from '../rpc/method.ts'

/** Blocks that nobody makes; not part of the specification. */
export function listSimulationMethods({
  chain,
  engine,
}: {
  readonly chain: Chain
  readonly engine: Pick<Engine, 'simulate'>
}): MethodTable {
  return {
    eth_simulateV1: defineMethod(
      [required(readSimulation), optional<BlockId>(readBlockId, { tag: 'latest' })],
      async ([{ blocks, options, fullTransactions }, block]) => {
        const results = await engine.simulate(requireHeader(chain, block), blocks, options)
        const texts = results.map(result => simulatedBlockJson(result, fullTransactions))
        return new JsonText(`[${texts.join()}]`)
      },
    ),
  }
}
