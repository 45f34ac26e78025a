import { averageFeeRate, parsePaidBlock } from '../../bitcoin/headers/block-fees.ts'
import { parseBlockHeader } from '../../bitcoin/headers/block-header.ts'
import {
  BackendUnavailableError,
  type ChainSource,
  type FeeReferenceSource,
  type RecentBlock,
} from '../chain-source.ts'

const RECENT_BLOCKS = 3

/** What is asked of a block: the one before it is known as soon as its header is. */
type Checking = {
  previous: Promise<string | null>
  /** Null where it fails its checks. */
  block: Promise<RecentBlock | null>
}

/**
 * The newest blocks of a chain server, each checked and linked to the one before by its header, all of them at the same time. Blocks
 * are kept in memory: while there is no new one, only the tip is asked for.
 */
export function createRecentBlocks(
  chain: ChainSource,
): Pick<FeeReferenceSource, 'fetchRecentBlocks'> {
  const known = new Map<string, Checking>()

  return {
    async fetchRecentBlocks() {
      const checking = new Map<string, Checking>()
      const { hash: newest } = await chain.fetchTip()
      for (let hash: string | null = newest; hash !== null && checking.size < RECENT_BLOCKS; ) {
        const one = check(hash)
        checking.set(hash, one)
        hash = await one.previous.catch(passUnanswered)
      }
      for (const hash of known.keys()) if (!checking.has(hash)) known.delete(hash)
      const checked = [...checking.values()].map(({ block }) => block.catch(passUnanswered))
      const blocks = await Promise.all(checked)
      const missing = blocks.indexOf(null)
      return (missing < 0 ? blocks : blocks.slice(0, missing)).flatMap(block => block ?? [])
    },
  }

  /** A server that did not answer is asked again the next time. */
  function check(hash: string): Checking {
    const checking = known.get(hash) ?? startChecking(hash)
    known.set(hash, checking)
    checking.block.catch(() => known.delete(hash))
    return checking
  }

  function startChecking(hash: string): Checking {
    const asked = chain.fetchBlockHeader(hash)
    return {
      previous: asked.then(header => previousOf(header, hash)),
      block: fetchChecked(hash, asked),
    }
  }

  async function fetchChecked(
    hash: string,
    headerAsked: Promise<Uint8Array>,
  ): Promise<RecentBlock | null> {
    const [header, { height, weight, coinbase: txid }] = await Promise.all([
      headerAsked,
      chain.fetchBlock(hash),
    ])
    const [coinbase, { branch }] = await Promise.all([
      chain.fetchTransaction(txid),
      chain.fetchMerkleProof(txid),
    ])
    const block = { hash, height, weight, header, coinbase, branch }
    const paid = parsePaidBlock(chain.network, block)
    return paid && { hash, at: paid.header.at, feeRate: averageFeeRate(paid) }
  }
}

function previousOf(raw: Uint8Array, hash: string): string | null {
  const header = parseBlockHeader(raw)
  return header?.hash === hash ? header.previous : null
}

function passUnanswered(error: unknown): null {
  if (error instanceof BackendUnavailableError) return null
  throw error
}
