import { averageFeeRate, parsePaidBlock } from '../../bitcoin/headers/block-fees.ts'
import {
  BackendUnavailableError,
  type ChainSource,
  type FeeReferenceSource,
  type RecentBlock,
} from '../chain-source.ts'

const RECENT_BLOCKS = 3

type CheckedBlock = RecentBlock & { previous: string }

/**
 * The newest blocks of a chain server, each checked and linked to the one before by its header. Blocks are kept in memory:
 * while there is no new one, only the tip is asked for.
 */
export function createRecentBlocks(
  chain: ChainSource,
): Pick<FeeReferenceSource, 'fetchRecentBlocks'> {
  const known = new Map<string, Promise<CheckedBlock | null>>()

  return {
    async fetchRecentBlocks() {
      const blocks: CheckedBlock[] = []
      const wanted = new Set<string>()
      for (let { hash } = await chain.fetchTip(); blocks.length < RECENT_BLOCKS; ) {
        wanted.add(hash)
        const block = await check(hash).catch(passUnanswered)
        if (!block) break
        blocks.push(block)
        hash = block.previous
      }
      for (const hash of known.keys()) if (!wanted.has(hash)) known.delete(hash)
      return blocks.map(({ hash, at, feeRate }) => ({ hash, at, feeRate }))
    },
  }

  /** A server that did not answer is asked again the next time. */
  function check(hash: string): Promise<CheckedBlock | null> {
    const checking = known.get(hash) ?? fetchChecked(hash)
    known.set(hash, checking)
    checking.catch(() => known.delete(hash))
    return checking
  }

  async function fetchChecked(hash: string): Promise<CheckedBlock | null> {
    const [header, { height, weight, coinbase: txid }] = await Promise.all([
      chain.fetchBlockHeader(hash),
      chain.fetchBlock(hash),
    ])
    const [coinbase, { branch }] = await Promise.all([
      chain.fetchTransaction(txid),
      chain.fetchMerkleProof(txid),
    ])
    const block = { hash, height, weight, header, coinbase, branch }
    const paid = parsePaidBlock(chain.network, block)
    if (!paid) return null
    const { at, previous } = paid.header
    return { hash, at, previous, feeRate: averageFeeRate(paid) }
  }
}

function passUnanswered(error: unknown): null {
  if (error instanceof BackendUnavailableError) return null
  throw error
}
