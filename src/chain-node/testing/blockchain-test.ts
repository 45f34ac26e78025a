/**
 * The official blockchain tests of Ethereum (ethereum/tests, execution-spec-tests), run through the engine as `--import` would run
 * their blocks.
 */

import type { Hex } from '../codec/hex.ts'
import type { Header } from '../engine/block.ts'
import { toBytes } from '../engine/block-environment.ts'
import { createEngine } from '../engine/ethereumjs-engine.ts'
import { readGenesis } from '../engine/genesis/genesis.ts'
import { createRules } from '../engine/rules.ts'
import { createStateMemory } from './state-memory.ts'

/** A test as the files have it, as far as it is read. */
export interface BlockchainTest {
  /** Name of the fork, such as `Cancun`. */
  readonly network: string
  readonly genesisBlockHeader: { readonly [field: string]: string }
  readonly pre: { readonly [address: string]: object }
  readonly blocks: readonly TestBlock[]
  readonly lastblockhash: string
}

/** RLP in hex. Where the block is not valid, one field whose name begins with `expectException` says why. */
interface TestBlock {
  readonly rlp: string
  readonly [field: string]: unknown
}

/** The forks that tests name, from the first to the last, and the field of `config` that turns each on. */
const FORKS: readonly (readonly [network: string, field: string])[] = [
  ['Frontier', ''],
  ['Homestead', 'homesteadBlock'],
  ['EIP150', 'eip150Block'],
  ['EIP158', 'eip155Block'],
  ['Byzantium', 'byzantiumBlock'],
  ['Constantinople', 'constantinopleBlock'],
  ['ConstantinopleFix', 'petersburgBlock'],
  ['Istanbul', 'istanbulBlock'],
  ['Berlin', 'berlinBlock'],
  ['London', 'londonBlock'],
  ['Paris', 'mergeNetsplitBlock'],
  ['Shanghai', 'shanghaiTime'],
  ['Cancun', 'cancunTime'],
  ['Prague', 'pragueTime'],
  ['Osaka', 'osakaTime'],
]

/** The `config` of a genesis file by which the rules of a fork hold from the first block on. Throws for an unknown fork. */
function configOf(network: string): { [field: string]: unknown } {
  const last = FORKS.findIndex(([name]) => name === network)
  if (last === -1) throw new Error(`network: expected the name of a fork, got ${network}`)
  const on = FORKS.slice(1, last + 1).map(([, field]) => [field, 0])
  const isMerged = last >= FORKS.findIndex(([name]) => name === 'Paris')
  return {
    chainId: 1,
    ...Object.fromEntries(on),
    ...(on.some(([field]) => field === 'eip155Block') && { eip158Block: 0 }),
    ...(isMerged && { terminalTotalDifficulty: 0 }),
    // Of the first chain, as the tests of deposits want it.
    depositContractAddress: '0x00000000219ab540356cbb839cbe05303d7705fa',
  }
}

/** Runs a test; the faults that were found, none where every block is judged as it says. */
export async function runBlockchainTest(test: BlockchainTest): Promise<string[]> {
  const { genesisBlockHeader, pre, network } = test
  const genesis = readGenesis({ ...genesisBlockHeader, config: configOf(network), alloc: pre })
  const memory = createStateMemory()
  /** By hash: the tests have branches. */
  const known = new Map<string, Header>()
  let path: Header[] = []
  const engine = await createEngine(await createRules(genesis), memory.source, number => {
    const header = path[Number(number)]
    return header === undefined ? null : toBytes(header.hash)
  })
  const first = await engine.createGenesis()
  memory.store(first.writes)
  const { header } = first.block
  known.set(header.hash, header)
  const faults: string[] = []
  if (header.hash !== genesisBlockHeader.hash)
    faults.push(`the genesis is ${header.hash}, expected ${genesisBlockHeader.hash}`)

  for (const [index, block] of test.blocks.entries()) {
    const wanted = Object.entries(block).find(([field]) => field.startsWith('expectException'))?.[1]
    const refusal = await take(block)
    if (wanted !== undefined && refusal === null)
      faults.push(`block ${index} is taken, expected ${wanted}`)
    if (wanted === undefined && refusal !== null)
      faults.push(`block ${index} is refused: ${refusal}`)
  }
  if (!known.has(test.lastblockhash)) faults.push(`the last block ${test.lastblockhash} is missing`)
  return faults

  async function take({ rlp }: TestBlock): Promise<string | null> {
    try {
      const decoded = engine.decodeBlock(toBytes(rlp as Hex))
      const parent = known.get(decoded.header.parentHash)
      if (parent === undefined) return 'its parent is not known'
      path = listAncestors(parent)
      const executed = await engine.executeBlock(parent, decoded)
      memory.store(executed.writes)
      known.set(executed.block.header.hash, executed.block.header)
      return null
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }

  /** By height. */
  function listAncestors(header: Header): Header[] {
    const headers: Header[] = []
    for (let at: Header | undefined = header; at; at = known.get(at.parentHash)) headers.push(at)
    return headers.reverse()
  }
}
