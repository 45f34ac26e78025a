import {
  type Anchor,
  anchoredTarget,
  blocksOfWork,
  hasAnchoredDifficulty,
} from '../../bitcoin/headers/anchors.ts'
import { parseBlockHeader } from '../../bitcoin/headers/block-header.ts'
import {
  extendHeaders,
  type HeaderChain,
  startHeaders,
} from '../../bitcoin/headers/header-chain.ts'
import { findMerkleProofFault } from '../../bitcoin/headers/merkle-proof.ts'
import type { Network } from '../../bitcoin/network.ts'
import { txidOf } from '../../bitcoin/transaction.ts'
import {
  BackendUnavailableError,
  type ChainSource,
  TransactionNotFoundError,
} from '../../chain/chain-source.ts'
import { asTold } from '../../chain/confirmation-limit.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex } from '../primitives/mutex.ts'
import type { ConfirmationProof } from '../views/activity-views.ts'
import { ANCHORED_PART, type HeldBlock, type HeldHeaders } from './held-headers.ts'

/** Headers after that of a block which is older than those that are held: with its own they come in one answer of Esplora. */
const LATER_HEADERS = 9

/** More are forgotten, the oldest first, and are proven anew when somebody asks. */
const MOST_KEPT = 2000

/** As stored, by txid: the block that has it, and the work that was found behind it. */
type KeptProof = { is: 'proven' | 'old'; height: number; hash: string; blocks: number | null }

/** The newest header that is held, null for none; and why it is not the newest of the server, null where it is. */
type Tip = { height: number | null; fault: 'chain' | 'no-answer' | null }

type KeptProofs = { [txid: string]: KeptProof }

const keyOf = (network: Network) => `proofs.${network}`

/**
 * Proves that transactions are in blocks that took work: by a merkle proof to a header that is held, or, for an older block, to
 * its own header and the nine that follow it, at the difficulty that this release knows of their time. What is proven is kept and
 * not asked again as long as its block is among those that are held. A coin that is proven to be made may be spent by now.
 */
export function createConfirmationProofs(deps: {
  local: StorageArea
  headers: Pick<HeldHeaders, 'follow' | 'find' | 'tip'>
  now(): number
  anchors(network: Network): readonly Anchor[]
  /** Whether there is a wallet: of one that was erased nothing is kept. */
  isThere?(): Promise<boolean>
}) {
  const { local, headers, now, anchors, isThere = async () => true } = deps
  const inTurn = createMutex()

  return {
    /** What does not hold is no error, nor is a server that gives no answer: it can keep a proof back as well as make one up. */
    async prove(chain: ChainSource, txid: string): Promise<ConfirmationProof> {
      const source = asTold(chain)
      const tip = await followTip(source)
      return (await findKept(source, tip, txid)) ?? proveAnew(source, tip, txid, undefined)
    },

    /**
     * The same for several, one after the other; a height that the server has told is not asked for again. Of those that are not
     * proven yet, at most so many are asked about, and the others are null.
     */
    async proveEach(
      chain: ChainSource,
      transactions: readonly { txid: string; height?: number }[],
      mostAsked: number,
    ): Promise<(ConfirmationProof | null)[]> {
      const source = asTold(chain)
      const tip = await followTip(source)
      const proofs: (ConfirmationProof | null)[] = []
      let asked = 0
      for (const { txid, height } of transactions) {
        const kept = await findKept(source, tip, txid)
        const isAsked = kept === null && asked++ < mostAsked
        proofs.push(isAsked ? await proveAnew(source, tip, txid, height) : kept)
      }
      return proofs
    },
  }

  async function followTip(source: ChainSource): Promise<Tip> {
    try {
      const { is, tip } = await headers.follow(source)
      return { height: tip?.height ?? null, fault: is === 'refused' ? 'chain' : null }
    } catch (error) {
      if (!(error instanceof BackendUnavailableError)) throw error
      const tip = await headers.tip(source.network)
      return { height: tip?.height ?? null, fault: 'no-answer' }
    }
  }

  async function findKept(
    { network }: ChainSource,
    tip: Tip,
    txid: string,
  ): Promise<ConfirmationProof | null> {
    const kept = (await load(network))[txid]
    return kept && tip.height !== null ? check(network, kept, tip.height) : null
  }

  async function proveAnew(
    source: ChainSource,
    tip: Tip,
    txid: string,
    told: number | undefined,
  ): Promise<ConfirmationProof> {
    try {
      return await proveInBlock(source, tip, txid, told)
    } catch (error) {
      if (error instanceof BackendUnavailableError) return { is: 'unproven', fault: 'no-answer' }
      throw error
    }
  }

  async function proveInBlock(
    source: ChainSource,
    tip: Tip,
    txid: string,
    told: number | undefined,
  ): Promise<ConfirmationProof> {
    const { network } = source
    if (tip.height === null) return { is: 'unproven', fault: tip.fault ?? 'chain' }
    const height = told ?? (await source.fetchTransactionHeight(txid))
    if (height === null || height === undefined) return { is: 'unproven', fault: 'no-block' }
    if (height > tip.height) return { is: 'unproven', fault: tip.fault ?? 'beyond-tip' }
    const held = await headers.find(network, height)
    const block = held ?? (await fetchOld(source, height, tip.height))
    if (!block) return { is: 'unproven', fault: 'header' }
    if (!(await isInBlock(source, txid, block))) return { is: 'unproven', fault: 'merkle-proof' }
    const { header, confirmations, blocks } = block
    const is = held ? 'proven' : 'old'
    await keep(network, txid, { is, height, hash: header.hash, blocks })
    return { is, confirmations, blocks }
  }

  /** What a kept proof says now; null where its block is no longer held to be one of the chain, or more can be said of it. */
  async function check(
    network: Network,
    { is, height, hash, blocks }: KeptProof,
    tip: number,
  ): Promise<ConfirmationProof | null> {
    const held = await headers.find(network, height)
    if (held) {
      if (held.header.hash !== hash) return null
      return { is: 'proven', confirmations: held.confirmations, blocks: held.blocks }
    }
    const isShort = is === 'proven' && blocks !== null && blocks < 1 + LATER_HEADERS
    if (height > tip || isShort) return null
    return { is: 'old', confirmations: tip - height + 1, blocks }
  }

  /** The header of a block that is older than those that are held, with nine that follow it; null where they do not hold. */
  async function fetchOld(
    source: ChainSource,
    height: number,
    tip: number,
  ): Promise<HeldBlock | null> {
    const { network } = source
    const last = Math.min(height + LATER_HEADERS, tip)
    const raws = (await source.fetchBlockHeaders(last)).slice(height - last - 1)
    const [first, ...later] = raws
    if (!first || later.length !== last - height || !parseBlockHeader(first)) return null
    const extended = extendHeaders(startHeaders(network, height, first), later, now())
    if ('invalid' in extended || !isAsHard(extended.chain, anchors(network))) return null
    const [header] = extended.chain.headers
    const target = anchors(network).at(-1)?.nextTarget ?? null
    if (!header) return null
    const blocks = target === null ? null : blocksOfWork(extended.chain, height, target)
    return { header, confirmations: tip - height + 1, blocks }
  }

  async function load(network: Network): Promise<KeptProofs> {
    return Object(await local.get(keyOf(network)))
  }

  function keep(network: Network, txid: string, proof: KeptProof): Promise<void> {
    return inTurn(async () => {
      const { [txid]: _, ...others } = await load(network)
      const kept = [...Object.entries(others), [txid, proof] as const].slice(-MOST_KEPT)
      if (await isThere()) await local.set({ [keyOf(network)]: Object.fromEntries(kept) })
    })
  }
}

export type ConfirmationProofs = ReturnType<typeof createConfirmationProofs>

async function isInBlock(
  source: ChainSource,
  txid: string,
  { header }: HeldBlock,
): Promise<boolean> {
  try {
    const [raw, proof] = await Promise.all([
      source.fetchTransaction(txid),
      source.fetchMerkleProof(txid),
    ])
    // The proof is of these bytes, whatever transaction they are.
    return findMerkleProofFault(header, raw, proof) === null && txidOf(raw) === txid
  } catch (error) {
    // A server that has a transaction in a block has its proof.
    if (error instanceof TransactionNotFoundError) return false
    throw error
  }
}

/** Whether headers have the targets of their time, or, after the last that this release knows, no less than a part of that. */
function isAsHard(chain: HeaderChain, anchors: readonly Anchor[]): boolean {
  const known = chain.headers.map((_, index) => anchoredTarget(anchors, chain.height + index))
  if (known.every(target => target === null))
    return (
      !anchors.some(({ nextTarget }) => nextTarget !== null) ||
      hasAnchoredDifficulty(chain, anchors, ANCHORED_PART)
    )
  return chain.headers.every((header, index) => {
    const target = known[index] ?? null
    return target === null || header.target === target
  })
}
