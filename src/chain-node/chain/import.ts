import { createReadStream } from 'node:fs'
import type { Hex } from '../codec/hex.ts'
import type { Block, Header } from '../engine/block.ts'
import { decodeBlockHeader } from '../engine/encoding/block-codec.ts'
import type { Engine } from '../engine/engine.ts'
import { splitBlocks } from './block-stream.ts'
import { type Branches, type BranchParts, createBranches } from './branches.ts'
import type { Chain } from './chain.ts'

export interface ImportProgress {
  /** Blocks of the file that are now part of the chain and were not before. */
  readonly imported: number
  /** Blocks of the file that were part of it already. */
  readonly skipped: number
  /** Blocks of the file that are of branches with less work. */
  readonly aside: number
  /** Height of the last block that was read. */
  readonly height: bigint
}

/**
 * Runs the blocks of a file and appends them: RLP, one after the other, as geth's `export` writes them. A block that is
 * there already is passed over. Where blocks are of another branch, the chain becomes that branch as soon as it has more work, or on a
 * chain without work more blocks. Throws at the first that does not fit, with its number and the reason; all before it stay.
 *
 * @param options.onProgress - called after each block
 * @param options.signal - stops before the next block, and throws its reason
 */
export async function importChain(
  options: BranchParts & {
    readonly file: string
    readonly onProgress?: (progress: ImportProgress) => void
    readonly signal?: AbortSignal
  },
): Promise<ImportProgress> {
  const { chain, engine, file, onProgress, signal } = options
  const branches = createBranches(options)
  /** Blocks of the file that were not part of the chain before. */
  const added = new Set<Hex>()
  let imported = 0
  let skipped = 0
  let height = 0n
  let count = 0
  for await (const rlp of splitBlocks(createReadStream(file))) {
    signal?.throwIfAborted()
    count += 1
    const block = readable(count, () => engine.decodeBlock(rlp))
    const { hash, parentHash } = block.header
    height = block.header.number
    if (chain.findHeader(hash) !== null) {
      if (!added.has(hash)) skipped += 1
    } else if (parentHash === chain.head().hash) {
      await named(height, () => appendBlock(chain, engine, block))
      added.add(hash)
      imported += 1
    } else {
      assertFollows(branches, chain, block)
      added.add(hash)
      const { adopted, dropped } = await named(height, () => branches.add(block))
      imported += countAdded(adopted) - countAdded(dropped)
    }
    onProgress?.(describeProgress())
  }
  return describeProgress()

  function describeProgress(): ImportProgress {
    return { imported, skipped, aside: added.size - imported, height }
  }

  function countAdded(hashes: readonly Hex[]): number {
    return hashes.filter(hash => added.has(hash)).length
  }
}

/** The header of the first block in such a file, whatever chain it is of; null where the file is empty. Throws as `importChain`. */
export async function readFirstHeader(file: string): Promise<Header | null> {
  for await (const rlp of splitBlocks(createReadStream(file))) {
    return readable(1, () => decodeBlockHeader(rlp))
  }
  return null
}

/** @param count - which of the file's blocks this is, from one on */
function readable<T>(count: number, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw new Error(`Block ${count} of the file cannot be read: ${readReason(cause)}`, { cause })
  }
}

function assertFollows(branches: Branches, chain: Chain, { header }: Block): void {
  if (branches.follows(header.parentHash)) return
  const head = chain.head()
  throw new Error(
    `Block ${header.number} of the file follows ${header.parentHash}, and the head of this chain is block ${head.number}, ${head.hash}.`,
  )
}

async function appendBlock(chain: Chain, engine: Engine, block: Block): Promise<void> {
  await chain.append(await engine.executeBlock(chain.head(), block, chain.findBlock))
}

async function named<T>(number: bigint, take: () => Promise<T>): Promise<T> {
  try {
    return await take()
  } catch (cause) {
    throw new Error(`Block ${number} of the file does not fit: ${readReason(cause)}`, { cause })
  }
}

function readReason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
