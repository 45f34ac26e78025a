import type { World } from '../../testing/test-wallet.ts'

/** From now on the server's newest header is one without work; resolves how to have it tell the truth again. */
export function refuseBlocks({ chain: { chain } }: Pick<World, 'chain'>): () => void {
  const honest = chain.fetchNewestHeaders
  chain.fetchNewestHeaders = async () => {
    const { height, raws } = await honest()
    return { height, raws: raws.with(-1, new Uint8Array(80)) }
  }
  return () => {
    chain.fetchNewestHeaders = honest
  }
}
