import type { ChainSource } from './chain-source.ts'

/** The chain with all that its server calls confirmed, for what sits on coins, and for what is checked by itself. */
export function asTold<Chain extends ChainSource>(chain: Chain): Chain {
  return (chain.limit?.told as Chain | undefined) ?? chain
}

/** Whether a block at a height counts; null stands for no block, which does not. */
export function isCounted({ limit }: Pick<ChainSource, 'limit'>, height: number | null): boolean {
  return height !== null && (limit === undefined || height <= limit.height)
}

/** The height from which confirmations are counted: of the newest block, or of the last one that counts. */
export async function fetchCountedHeight(chain: ChainSource): Promise<number> {
  const { height } = await chain.fetchTip()
  return Math.min(height, chain.limit?.height ?? height)
}
