import type { OrdBlock } from '../ord/inscriptions/output-set.ts'
import { createOrdIndex, type OrdIndex } from '../ord/ord-index.ts'
import { createTestChain, inscribe } from '../ord/testing/test-chain.ts'

const JUBILEE_HEIGHT = 110
const MOVES = 5

/** A chain, from its genesis block on, with so many inscriptions in each of its last `blocks` blocks; some of those of the block before move on. */
export function buildOrdChain(blocks: number, inscriptionsPerBlock: number): readonly OrdBlock[] {
  const chain = createTestChain(JUBILEE_HEIGHT)
  let reveals: string[] = []
  let coin = chain.mine()
  for (let block = 0; block < blocks; block++) {
    const share = chain.valueOf(coin) / BigInt(inscriptionsPerBlock)
    const shares = Array.from({ length: inscriptionsPerBlock }, () => share)
    const split = chain.send([coin], shares)
    for (const txid of reveals.slice(0, MOVES)) {
      chain.send([`${txid}:0`], [chain.valueOf(`${txid}:0`)])
    }
    reveals = shares.map((value, vout) => {
      const envelope = inscribe(`inscription ${vout} of block ${block}`)
      return chain.send([[`${split}:${vout}`, envelope]], [value])
    })
    coin = chain.mine()
  }
  return chain.mined()
}

/** An index that has read a chain from its genesis block on. */
export function indexOrdChain(blocks: readonly OrdBlock[]): OrdIndex {
  const index = createOrdIndex({ jubileeHeight: JUBILEE_HEIGHT })
  for (const block of blocks) index.applyBlock(block)
  return index
}
