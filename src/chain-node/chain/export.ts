import { open, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Chain } from './chain.ts'

/**
 * Writes blocks to a new file as RLP, one after the other, as `importChain` and geth's `import` read them. Throws where the
 * file is there already, and where the chain does not have the blocks; leaves no file that is not whole.
 *
 * @param from - height of the first block
 * @param to - height of the last one
 */
export async function exportChain(
  chain: Chain,
  file: string,
  from: bigint,
  to: bigint,
): Promise<void> {
  const head = chain.head().number
  if (from < 0n || from > to || to > head) {
    throw new Error(
      `Blocks ${from} to ${to} cannot be exported: the chain has blocks 0 to ${head}.`,
    )
  }
  const output = await open(file, 'wx')
  try {
    await pipeline(Readable.from(listBlocks(chain, from, to)), output.createWriteStream())
  } catch (cause) {
    await rm(file, { force: true })
    throw cause
  }
}

function* listBlocks(chain: Chain, from: bigint, to: bigint): Generator<Uint8Array> {
  for (let height = from; height <= to; height++) {
    const rlp = chain.blockRlp(height)
    if (rlp) yield rlp
  }
}
