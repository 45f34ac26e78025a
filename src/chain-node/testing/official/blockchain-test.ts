import type { Hex } from '../../codec/hex.ts'
import type { Header } from '../../engine/block.ts'
import { toBytes } from '../../engine/block-environment.ts'
import { createEngine } from '../../engine/ethereumjs-engine.ts'
import { readGenesis } from '../../engine/genesis/genesis.ts'
import { createRules } from '../../engine/rules.ts'
import { createStateMemory } from '../state-memory.ts'
import { configOf, findTerminalDifficulty, type NetworkConfig } from './networks.ts'

/** A blockchain test as the files have it, as far as it is read. */
export interface BlockchainTest {
  /** Name of the fork, such as `Cancun`, or of the change of rules, such as `BerlinToLondonAt5`. */
  readonly network: string
  readonly config?: NetworkConfig
  readonly genesisBlockHeader: { readonly [field: string]: string }
  readonly pre: { readonly [address: string]: object }
  readonly blocks: readonly TestBlock[]
  readonly lastblockhash: string
}

/** RLP in hex. Where the block is not valid, a field whose name begins with `expectException` says why. */
interface TestBlock {
  readonly rlp: string
  readonly [field: string]: unknown
}

/** A block that was taken. */
interface Taken {
  readonly header: Header
  /** Hashes. */
  readonly uncles: readonly Hex[]
  readonly totalDifficulty: bigint
}

/** How the blocks of a test were judged. */
export interface Judgement {
  /** Hashes of the genesis, and of the head of the branch with most work, or after the merge of the last block that was taken. */
  readonly genesis: Hex
  readonly head: Hex
  /** One for each block. */
  readonly judged: readonly {
    /** Why the test says that it is not valid; null where it is. */
    readonly wanted: string | null
    /** Why it is refused; null where it is taken. */
    readonly refusal: string | null
  }[]
}

/** Runs a blockchain test; the faults that were found, none where every block is judged as it says and the last one is the head. */
export async function runBlockchainTest(test: BlockchainTest): Promise<string[]> {
  const { genesis, head, judged } = await judgeBlocks(test)
  const faults: string[] = []
  if (genesis !== test.genesisBlockHeader.hash)
    faults.push(`the genesis is ${genesis}, expected ${test.genesisBlockHeader.hash}`)
  for (const [index, { wanted, refusal }] of judged.entries()) {
    if (wanted !== null && refusal === null)
      faults.push(`block ${index} is taken, expected ${wanted}`)
    if (wanted === null && refusal !== null) faults.push(`block ${index} is refused: ${refusal}`)
  }
  if (head !== test.lastblockhash)
    faults.push(`the head is ${head}, expected ${test.lastblockhash}`)
  return faults
}

/** Runs the blocks of a test as `--import` would run them, whatever branch they are of. */
export async function judgeBlocks(test: BlockchainTest): Promise<Judgement> {
  const { genesisBlockHeader, network } = test
  const config = configOf(network, test.config, findMergeBlock(test))
  const genesis = readGenesis({ ...genesisBlockHeader, config, alloc: test.pre })
  const memory = createStateMemory()
  const known = new Map<string, Taken>()
  let path: Header[] = []
  const engine = await createEngine(await createRules(genesis), memory.source, number => {
    const header = path[Number(number)]
    return header === undefined ? null : toBytes(header.hash)
  })
  const first = await engine.createGenesis()
  memory.store(first.writes)
  const { header } = first.block
  let head: Taken = { header, uncles: [], totalDifficulty: header.difficulty }
  known.set(header.hash, head)
  const judged: { wanted: string | null; refusal: string | null }[] = []
  for (const block of test.blocks) {
    judged.push({ wanted: findException(block, network), refusal: await take(block) })
  }
  return { genesis: header.hash, head: head.header.hash, judged }

  async function take({ rlp }: TestBlock): Promise<string | null> {
    try {
      const decoded = engine.decodeBlock(toBytes(rlp as Hex))
      const parent = known.get(decoded.header.parentHash)
      if (parent === undefined) return 'its parent is not known'
      path = listAncestors(parent.header)
      const executed = await engine.executeBlock(
        parent.header,
        decoded,
        hash => known.get(hash) ?? null,
      )
      memory.store(executed.writes)
      const { header } = executed.block
      const totalDifficulty = parent.totalDifficulty + header.difficulty
      const taken: Taken = { header, uncles: decoded.uncles, totalDifficulty }
      known.set(header.hash, taken)
      if (header.difficulty === 0n || totalDifficulty > head.totalDifficulty) head = taken
      return null
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }

  /** By height. */
  function listAncestors(header: Header): Header[] {
    const headers: Header[] = []
    for (let at: Header | undefined = header; at; at = known.get(at.parentHash)?.header)
      headers.push(at)
    return headers.reverse()
  }
}

/** Why a block is not valid; null where it is. Some files say so by leaving the header out. */
function findException(block: TestBlock, network: string): string | null {
  for (const suffix of ['', 'ALL', network]) {
    const exception = block[`expectException${suffix}`]
    if (exception !== undefined) return String(exception)
  }
  return block.blockHeader === undefined ? 'that it is not valid' : null
}

/**
 * Where a network says after which total difficulty it is mined no more: the height of the first block without difficulty, by which
 * a genesis file tells it.
 */
function findMergeBlock(test: BlockchainTest): number | undefined {
  const terminal = findTerminalDifficulty(test.network)
  if (terminal === null) return undefined
  const heights = test.blocks
    .filter(block => findException(block, test.network) === null)
    .map(block => block.blockHeader as { number: string; difficulty: string })
    .filter(({ difficulty }) => BigInt(difficulty) === 0n)
    .map(({ number }) => Number(number))
  return Math.min(...heights)
}
