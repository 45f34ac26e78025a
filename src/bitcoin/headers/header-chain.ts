import type { Network } from '../network.ts'
import { type BlockHeader, HEADER_SIZE, parseBlockHeader } from './block-header.ts'
import { CONSENSUS } from './consensus.ts'
import { isPermittedTransition, nextBitsRequired } from './difficulty.ts'
import { workOfTarget } from './target.ts'

/** Headers that follow each other. The first is given; what was checked of the others, {@link extendHeaders} says. */
export type HeaderChain = {
  network: Network
  /** Of the first header. */
  height: number
  headers: readonly BlockHeader[]
  /** Hashes that all of them but the first took, on average. */
  work: bigint
}

/** What is wrong with a header; the names are those that Bitcoin Core rejects it with. */
export type HeaderFault =
  /** Not 80 bytes. */
  | 'bad-size'
  /** Its hash is above its target, or the target is none, or easier than the chain allows. */
  | 'high-hash'
  /** It does not follow the header before it; the first one follows none of the chain. */
  | 'prev-blk-not-found'
  /** Another difficulty than the headers before it ask for. */
  | 'bad-diffbits'
  /** Not after the median of the eleven headers before it. */
  | 'time-too-old'
  /** Testnet4: the first of its period is more than ten minutes before the one before it (BIP-94). */
  | 'time-timewarp-attack'
  /** More than two hours ahead of our clock. */
  | 'time-too-new'
  /** Its version is older than its height allows. */
  | 'bad-version'

export type InvalidHeader = {
  /** Which of the headers that were given. */
  index: number
  /** Null where it follows nothing that is known. */
  height: number | null
  fault: HeaderFault
}

const MEDIAN_TIME_SPAN = 11
const MAX_FUTURE_BLOCK_TIME = 2 * 3_600_000
const MAX_TIMEWARP = 600_000

/** A chain of one header, whose place the caller knows. Throws for one that misses the target that it states. */
export function startHeaders(network: Network, height: number, raw: Uint8Array): HeaderChain {
  const header = parseBlockHeader(raw)
  if (!header) throw new Error('header: expected 80 bytes whose hash meets their target')
  return { network, height, headers: [header], work: 0n }
}

/**
 * The chain with more headers, given raw and in order, checked by the rules of its network as nodes check them. The first one may follow
 * any header of the chain: what came after that is left out, so that a fork becomes a chain of its own for {@link chainWithMostWork}.
 * Where a rule hangs on headers before the chain's first, only what is certain is asked: no median of fewer than eleven times, and at an
 * adjustment no more than a factor of four. Of Signet, the signature of a block is not in its header.
 *
 * @param now - our clock, in milliseconds
 */
export function extendHeaders(
  chain: HeaderChain,
  raws: readonly Uint8Array[],
  now: number,
): { chain: HeaderChain } | { invalid: InvalidHeader } {
  const read = raws.map(parseBlockHeader)
  const [next] = read
  const parent = next ? findParent(chain, next) : chain.headers.length - 1
  const headers = chain.headers.slice(0, parent + 1)
  let work = chain.work - sumWork(chain.headers.slice(parent + 1))
  for (const [index, raw] of raws.entries()) {
    const height = parent === -1 ? null : chain.height + headers.length
    const fail = (fault: HeaderFault) => ({ invalid: { index, height, fault } })
    const header = read[index]
    if (!header) return fail(raw.length === HEADER_SIZE ? 'high-hash' : 'bad-size')
    if (height === null) return fail('prev-blk-not-found')
    const fault = findFault({ ...chain, headers }, height, header, now)
    if (fault) return fail(fault)
    headers.push(header)
    work += workOfTarget(header.target)
  }
  return { chain: { ...chain, headers, work } }
}

/**
 * Of two chains from the same first header the one that took more work, which need not be the longer one; the first where both
 * took the same, as nodes stay with what they saw first. Throws for chains of another start.
 */
export function chainWithMostWork(current: HeaderChain, other: HeaderChain): HeaderChain {
  const isSameStart =
    current.network === other.network &&
    current.height === other.height &&
    current.headers[0]?.hash === other.headers[0]?.hash
  if (!isSameStart) throw new Error('chains: expected two that begin with the same header')
  return other.work > current.work ? other : current
}

/** Median of the times of the last eleven headers up to a height, in milliseconds (GetMedianTimePast); null where they are not all at hand. */
export function medianTimePast(chain: HeaderChain, height: number): number | null {
  const first = Math.max(height - MEDIAN_TIME_SPAN + 1, 0)
  if (first < chain.height || height >= chain.height + chain.headers.length) return null
  const times = chain.headers
    .slice(first - chain.height, height - chain.height + 1)
    .map(({ at }) => at)
    .sort((a, b) => a - b)
  return times[Math.floor(times.length / 2)] ?? null
}

function findFault(
  chain: HeaderChain,
  height: number,
  header: BlockHeader,
  now: number,
): HeaderFault | null {
  const last = chain.headers.at(-1)
  if (header.previous !== last?.hash) return 'prev-blk-not-found'
  const consensus = CONSENSUS[chain.network]
  if (header.target > consensus.powLimit) return 'high-hash'
  const headerAt = (of: number) => chain.headers[of - chain.height]
  const required = nextBitsRequired(consensus, headerAt, height, header.at)
  if (required !== null && header.bits !== required) return 'bad-diffbits'
  if (!isPermittedTransition(consensus, height, last.bits, header.bits)) return 'bad-diffbits'
  const median = medianTimePast(chain, height - 1)
  if (median !== null && header.at <= median) return 'time-too-old'
  const isFirst = height % (consensus.adjustmentInterval ?? Number.POSITIVE_INFINITY) === 0
  if (consensus.hasBip94 && isFirst && header.at < last.at - MAX_TIMEWARP)
    return 'time-timewarp-attack'
  if (header.at > now + MAX_FUTURE_BLOCK_TIME) return 'time-too-new'
  const oldVersions = consensus.versionHeights.filter(from => height >= from).length
  return oldVersions > 0 && header.version <= oldVersions ? 'bad-version' : null
}

/** The place of the header that another one follows; -1 for none. The last is looked at first. */
function findParent({ headers }: HeaderChain, { previous }: BlockHeader): number {
  return headers.findLastIndex(({ hash }) => hash === previous)
}

function sumWork(headers: readonly BlockHeader[]): bigint {
  return headers.reduce((sum, { target }) => sum + workOfTarget(target), 0n)
}
