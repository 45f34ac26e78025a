import { createReadStream } from 'node:fs'
import type { Block, Header } from '../engine/block.ts'
import { decodeBlockHeader } from '../engine/encoding/block-codec.ts'
import type { Engine } from '../engine/engine.ts'
import { splitBlocks } from './block-stream.ts'
import type { Chain } from './chain.ts'

export interface ImportProgress {
  /** Blocks of the file that are now part of the chain and were not before. */
  readonly imported: number
  /** Blocks of the file that were part of it already. */
  readonly skipped: number
  /** Height of the last block that was read. */
  readonly height: bigint
}

/**
 * Runs the blocks of a file and appends them: RLP, one after the other, as geth's `export` writes them. A block that is
 * there already is passed over. Throws at the first that does not fit, with its number and the reason; all before it stay.
 *
 * @param options.onProgress - called after each block
 * @param options.signal - stops before the next block, and throws its reason
 */
export async function importChain(options: {
  readonly chain: Chain
  readonly engine: Engine
  readonly file: string
  readonly onProgress?: (progress: ImportProgress) => void
  readonly signal?: AbortSignal
}): Promise<ImportProgress> {
  const { chain, engine, file, onProgress, signal } = options
  let progress: ImportProgress = { imported: 0, skipped: 0, height: 0n }
  let count = 0
  for await (const rlp of splitBlocks(createReadStream(file))) {
    signal?.throwIfAborted()
    count += 1
    const block = readable(count, () => engine.decodeBlock(rlp))
    const height = block.header.number
    if (isKnown(chain, block)) {
      progress = { ...progress, skipped: progress.skipped + 1, height }
    } else {
      await appendBlock(chain, engine, block)
      progress = { ...progress, imported: progress.imported + 1, height }
    }
    onProgress?.(progress)
  }
  return progress
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

function isKnown(chain: Chain, { header }: Block): boolean {
  const known = chain.findHeader(header.number)
  if (known && known.hash !== header.hash) {
    throw new Error(
      `Block ${header.number} of the file is ${header.hash}, and block ${header.number} of this chain is ${known.hash}.`,
    )
  }
  return known !== null
}

async function appendBlock(chain: Chain, engine: Engine, block: Block): Promise<void> {
  const { number, parentHash } = block.header
  const head = chain.head()
  if (parentHash !== head.hash || number !== head.number + 1n) {
    throw new Error(
      `Block ${number} of the file follows ${parentHash}, and the head of this chain is block ${head.number}, ${head.hash}.`,
    )
  }
  try {
    await chain.append(await engine.executeBlock(head, block, chain.findBlock))
  } catch (cause) {
    throw new Error(`Block ${number} of the file does not fit: ${readReason(cause)}`, { cause })
  }
}

function readReason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
