import { decodeHex, type Hex } from '../codec/hex.ts'
import type { Block, ExecutedBlock, Header } from '../engine/block.ts'
import type { Engine } from '../engine/engine.ts'
import type { Transaction } from '../engine/transaction.ts'
import { stateKey } from '../store/keys.ts'
import type { Store, StoredEntry } from '../store/store.ts'
import type { Chain } from './chain.ts'

/** Blocks beside the chain, of branches that may become it. They are in memory; only their states are in the store. */
export interface Branches {
  /** Whether a block can be added after this one. */
  follows(parentHash: Hex): boolean
  /**
   * Runs a block that does not follow the head, and makes its branch the chain where that has more work, or on a chain without work
   * more blocks. Throws where it is not valid.
   */
  add(block: Block): Promise<Switch>
}

/** What has become of the chain: hashes of the blocks that were taken up, and of those that they are in the place of. */
export interface Switch {
  readonly adopted: readonly Hex[]
  readonly dropped: readonly Hex[]
}

interface Side {
  readonly block: Block
  readonly totalDifficulty: bigint
  /** Null for one that was in the chain before: it is run again where it is needed. */
  executed: ExecutedBlock | null
}

export interface BranchParts {
  readonly chain: Chain
  readonly engine: Engine
  readonly store: Pick<Store, 'write'>
  /** What the store is to have so that transactions of blocks that are dropped wait for a block again. */
  readonly keepTransactions: (transactions: readonly Transaction[]) => Promise<StoredEntry[]>
}

export function createBranches({ chain, engine, store, keepTransactions }: BranchParts): Branches {
  const sides = new Map<Hex, Side>()

  function findHeader(hash: Hex): Header | null {
    return sides.get(hash)?.block.header ?? chain.findHeader(hash)
  }

  function readTotalDifficulty(header: Header): bigint {
    return sides.get(header.hash)?.totalDifficulty ?? chain.totalDifficulty(header)
  }

  /** On the branch of `parent`. */
  function findHash(parent: Header, number: bigint): Hex | null {
    let at = parent
    for (;;) {
      if (at.number === number) return at.hash
      const before = number < at.number ? sides.get(at.hash) : undefined
      if (before === undefined) return chain.findHeader(number)?.hash ?? null
      at = findHeader(at.parentHash) as Header
    }
  }

  async function run(parent: Header, block: Block): Promise<ExecutedBlock> {
    const executed = await engine.executeBlock(
      parent,
      block,
      hash => sides.get(hash)?.block ?? chain.findBlock(hash),
      number => {
        const hash = findHash(parent, number)
        return hash === null ? null : decodeHex(hash)
      },
    )
    await store.write(
      executed.writes.map(({ hash, bytes }) => ({ key: stateKey(hash), value: bytes })),
    )
    return executed
  }

  /** From the first block that is not in the chain on. */
  function listBranch(tip: Side): Side[] {
    const branch: Side[] = []
    let at: Side | undefined = tip
    while (at !== undefined && chain.findHeader(at.block.header.hash) === null) {
      branch.push(at)
      at = sides.get(at.block.header.parentHash)
    }
    return branch.reverse()
  }

  async function adopt(tip: Side): Promise<Switch> {
    const branch = listBranch(tip)
    const adopted = branch.map(({ block }) => block.header.hash)
    const ancestor = chain.findHeader(branch[0]?.block.header.parentHash as Hex) as Header
    const dropped: Side[] = []
    for (let number = ancestor.number + 1n; number <= chain.head().number; number++) {
      const block = chain.findBlock(number) as Block
      const totalDifficulty = chain.totalDifficulty(block.header)
      dropped.push({ block, totalDifficulty, executed: null })
    }
    const executed: ExecutedBlock[] = []
    let parent = ancestor
    for (const side of branch) {
      executed.push(side.executed ?? (await run(parent, side.block)))
      parent = side.block.header
    }
    const mined = new Set(branch.flatMap(({ block }) => block.transactions.map(({ hash }) => hash)))
    const waiting = dropped
      .flatMap(({ block }) => block.transactions)
      .filter(({ hash }) => !mined.has(hash))
    await chain.switchBranch(ancestor, executed, await keepTransactions(waiting))
    for (const hash of adopted) sides.delete(hash)
    for (const side of dropped) sides.set(side.block.header.hash, side)
    return { adopted, dropped: dropped.map(({ block }) => block.header.hash) }
  }

  return {
    follows: parentHash => findHeader(parentHash) !== null,
    async add(block) {
      const { header } = block
      const parent = findHeader(header.parentHash)
      if (parent === null) throw new Error(`its parent ${header.parentHash} is not known`)
      const side: Side = {
        block,
        totalDifficulty: readTotalDifficulty(parent) + header.difficulty,
        executed: sides.get(header.hash)?.executed ?? (await run(parent, block)),
      }
      sides.set(header.hash, side)
      const head = chain.head()
      const gain = side.totalDifficulty - chain.totalDifficulty(head)
      const isBetter =
        gain > 0n || (gain === 0n && header.difficulty === 0n && header.number > head.number)
      return isBetter ? adopt(side) : NO_SWITCH
    },
  }
}

const NO_SWITCH: Switch = { adopted: [], dropped: [] }
