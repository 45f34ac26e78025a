// headers: The block headers that the wallet holds of each network: read from its server, checked, and followed by work. It
// promises that no header is held which its network would refuse; it never says what is in a block.

import { concatBytes, fromBase64, toBase64 } from '../../bitcoin/bytes.ts'
import {
  type Anchor,
  agreesWithAnchors,
  blocksOfWork,
  hasAnchoredDifficulty,
} from '../../bitcoin/headers/anchors.ts'
import {
  type BlockHeader,
  HEADER_SIZE,
  parseBlockHeader,
} from '../../bitcoin/headers/block-header.ts'
import { CONSENSUS } from '../../bitcoin/headers/consensus.ts'
import {
  chainWithMostWork,
  extendHeaders,
  type HeaderChain,
  type HeaderFault,
  startHeaders,
} from '../../bitcoin/headers/header-chain.ts'
import type { Network } from '../../bitcoin/network.ts'
import type { ChainSource, ChainTip } from '../../chain/chain-source.ts'
import { asTold } from '../../chain/confirmation-limit.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex, type Mutex } from '../primitives/mutex.ts'

/** Why the headers of a server are not held. */
export type FollowFault =
  | HeaderFault
  /** A block that a release knows at its height is another one. */
  | 'not-anchored'
  /** At the start: difficulty below a part of what the last anchor asks. */
  | 'too-little-work'
  /** They leave the held headers further back than is asked for. */
  | 'unlinked'

/**
 * What came of following a server: the newest header that is held, and in `shown` the newest that the server names; `behind` where
 * that is of a chain of less work, or no more, which lacks so many of the blocks that are held; a fork has others in their place.
 */
export type Following =
  | { is: 'followed'; tip: ChainTip; shown: ChainTip }
  | { is: 'behind'; tip: ChainTip; shown: ChainTip; lacking: number; isFork: boolean }
  | {
      is: 'refused'
      fault: FollowFault
      tip: ChainTip | null
      shown: ChainTip
      /** Height of the block that those refused follow, of the newest that is held where they follow none; null where none is. */
      passed: number | null
    }

/** A header that is held, of the block at a height. */
export type HeldBlock = {
  header: BlockHeader
  /** Its own counts as 1. */
  confirmations: number
  /** {@link blocksOfWork} of the last target that this release knows; null where it knows none. */
  blocks: number | null
}

/** Of Esplora ten headers each, of mempool.space fifteen. */
const MOST_REQUESTS = 15

/** As many are asked for at the start, and at most from a wallet that slept. */
const MOST_HEADERS = 150

/** Since 2014 difficulty never fell to half of what it had been at any time in the 20 periods before. */
export const ANCHORED_PART = 4n

/** What is written with each block is at most twice as many; then this many go to the old ones. */
const RECENT_HEADERS = 144

/** Of a difficulty period. */
const OLD_HEADERS = 2016

/** As stored: the height of the first, and base64 of 80 bytes each. */
type StoredHeaders = { height: number; headers: string }

/** `recentFrom` is the height of the first that is stored as a recent one. */
type Held = { chain: HeaderChain; raws: readonly Uint8Array[]; recentFrom: number }

/** What a server has that is new to the wallet, and the hash of the held block before it there; null where none is. */
type Fetched = { raws: readonly Uint8Array[]; parent: string | null }

const recentKey = (network: Network) => `headers.${network}`
const oldKey = (network: Network) => `headers.${network}.old`

/**
 * The headers of each network, in local storage: nothing in them is secret, and what is read back is checked again. The first are
 * the last 150 of a server; from then on it is asked for those that it has new.
 */
export function createHeldHeaders(deps: {
  local: StorageArea
  now(): number
  /** The ends of difficulty periods that this release knows; none where it knows none. */
  anchors(network: Network): readonly Anchor[]
}) {
  const { local, now, anchors } = deps
  const loaded = new Map<Network, Held | null>()
  const queues = new Map<Network, Mutex>()
  /** Who asks meanwhile gets the same answer. */
  const following = new Map<ChainSource, Promise<Following>>()

  return {
    /** Brings the held headers to the tip of a server, or tells why not. Throws BackendUnavailableError; nothing changes then. */
    follow(limited: ChainSource): Promise<Following> {
      const source = asTold(limited)
      const running = following.get(source)
      if (running) return running
      const started = inTurn(source.network, () => follow(source))
      following.set(source, started)
      return started.finally(() => following.delete(source))
    },

    /** The newest header that is held; null before the first. */
    tip(network: Network): Promise<ChainTip | null> {
      return inTurn(network, async () => {
        const known = await load(network)
        return known && tipOf(known)
      })
    },

    /** The header of the block at a height; null where none is held. */
    find(network: Network, height: number): Promise<HeldBlock | null> {
      return inTurn(network, async () => {
        const known = await load(network)
        const header = known?.chain.headers[height - known.chain.height]
        if (!known || !header) return null
        const target = anchors(network).at(-1)?.nextTarget ?? null
        return {
          header,
          confirmations: tipOf(known).height - height + 1,
          blocks: target === null ? null : blocksOfWork(known.chain, height, target),
        }
      })
    },
  }

  function inTurn<T>(network: Network, task: () => Promise<T>): Promise<T> {
    const queue = queues.get(network) ?? createMutex()
    queues.set(network, queue)
    return queue(task)
  }

  async function follow(source: ChainSource): Promise<Following> {
    const { network } = source
    const before = await load(network)
    const known = before && tipOf(before)
    const newest = await source.fetchNewestHeaders()
    const shown = newestOf(newest)
    if (known?.hash === shown.hash) return { is: 'followed', tip: known, shown }
    const fetched = await fetchNew(source, newest, before)
    const next = await growOrBegin(network, before, shown, fetched)
    if (typeof next === 'string') {
      const passed =
        before && known && known.height - countAfter(before, fetched.parent ?? known.hash)
      return { is: 'refused', fault: next, tip: known, shown, passed }
    }
    if (before && known && next === before) {
      const isFork = fetched.raws.length > 0
      const lacking = countAfter(before, isFork ? fetched.parent : shown.hash)
      return { is: 'behind', tip: known, shown, lacking, isFork }
    }
    await store(network, next)
    return { is: 'followed', tip: tipOf(next), shown }
  }

  /** The same as `before` where that took more work; a fault where the headers may not be held. */
  async function growOrBegin(
    network: Network,
    before: Held | null,
    tip: ChainTip,
    { raws, parent }: Fetched,
  ): Promise<Held | FollowFault> {
    if (before && raws.length === 0) return before
    const isLinked = parent !== null
    const next =
      before && isLinked
        ? await grow(before, raws)
        : begin(network, tip.height - raws.length + 1, raws)
    if (typeof next === 'string') return next
    if (before && !isLinked && !mayBeginAnew(before, next)) return 'unlinked'
    return agreesWithAnchors(next.chain, anchors(network)) ? next : 'not-anchored'
  }

  /** Those that take the place of what is held, or are added to it; `before` where they took no more work. */
  async function grow(before: Held, raws: readonly Uint8Array[]): Promise<Held | FollowFault> {
    const { chain: held } = before
    const parent = held.headers.findLastIndex(({ hash }) => hash === previousOf(raws[0]))
    const first = held.height + parent + 1
    const { adjustmentInterval } = CONSENSUS[held.network]
    const interval = adjustmentInterval ?? Number.POSITIVE_INFINITY
    const isAdjusted = Math.ceil(first / interval) * interval < first + raws.length
    const from = isAdjusted ? await withOld(before) : before
    const extended = extendHeaders(from.chain, raws, now())
    if ('invalid' in extended) return extended.invalid.fault
    const { chain } = extended
    // All chains of regtest have one first block, and somebody who makes one anew begins there.
    const isMadeAnew = adjustmentInterval === null && first === 1
    if (!isMadeAnew && chainWithMostWork(from.chain, chain) === from.chain) return before
    const kept = from.raws.slice(0, chain.headers.length - raws.length)
    return { chain, raws: [...kept, ...raws], recentFrom: from.recentFrom }
  }

  /**
   * Whether headers that have nothing of what is held may take its place: where the wallet slept as long as so many blocks take, even
   * at twice the speed, and they are newer. What height a server claims does not count: it could claim any. A chain of regtest is made
   * anew as somebody likes.
   */
  function mayBeginAnew(before: Held, next: Held): boolean {
    const { adjustmentInterval, targetSpacing } = CONSENSUS[before.chain.network]
    if (adjustmentInterval === null) return true
    const { at } = tipOf(before)
    return now() - at > (MOST_HEADERS * targetSpacing) / 2 && tipOf(next).at > at
  }

  /** What a wallet begins with, the first time or after a long sleep. */
  function begin(
    network: Network,
    height: number,
    raws: readonly Uint8Array[],
  ): Held | FollowFault {
    const held = check(network, height, raws)
    if (typeof held === 'string') return held
    const known = anchors(network)
    const isTold = known.some(({ nextTarget }) => nextTarget !== null)
    const isHard = !isTold || hasAnchoredDifficulty(held.chain, known, ANCHORED_PART)
    return isHard ? held : 'too-little-work'
  }

  /** Headers that follow each other from a height on, checked. */
  function check(
    network: Network,
    height: number,
    raws: readonly Uint8Array[],
  ): Held | HeaderFault {
    const [first] = raws
    if (!first || !parseBlockHeader(first))
      return first?.length === HEADER_SIZE ? 'high-hash' : 'bad-size'
    const extended = extendHeaders(startHeaders(network, height, first), raws.slice(1), now())
    if ('invalid' in extended) return extended.invalid.fault
    return { chain: extended.chain, raws, recentFrom: height }
  }

  async function load(network: Network): Promise<Held | null> {
    const known = loaded.get(network)
    if (known !== undefined) return known
    const read = await readStored(recentKey(network), network)
    loaded.set(network, read)
    return read
  }

  /** With the old ones before it, where they end where it begins. */
  async function withOld(recent: Held): Promise<Held> {
    const { chain, raws, recentFrom } = recent
    if (chain.height < recentFrom) return recent
    const old = await readStored(oldKey(chain.network), chain.network)
    if (!old || old.chain.height + old.raws.length !== chain.height) return recent
    const whole = check(chain.network, old.chain.height, [...old.raws, ...raws])
    return typeof whole === 'string' ? recent : { ...whole, recentFrom }
  }

  /** Null where nothing is stored, or something that is no chain of headers. */
  async function readStored(key: string, network: Network): Promise<Held | null> {
    const stored = decode(await local.get(key))
    const read = stored && check(network, stored.height, stored.raws)
    return typeof read === 'string' ? null : read
  }

  async function store(network: Network, next: Held): Promise<void> {
    const recent = next.chain.height + next.raws.length - next.recentFrom
    const isFull = recent >= 2 * RECENT_HEADERS
    const whole = isFull ? await withOld(next) : next
    const recentFrom = isFull ? next.recentFrom + RECENT_HEADERS : next.recentFrom
    const cut = recentFrom - whole.chain.height
    const oldest = Math.max(cut - OLD_HEADERS, 0)
    await local.set({
      ...(isFull && {
        [oldKey(network)]: encode(whole.chain.height + oldest, whole.raws.slice(oldest, cut)),
      }),
      [recentKey(network)]: encode(recentFrom, whole.raws.slice(cut)),
    })
    loaded.set(network, { ...whole, recentFrom })
  }
}

export type HeldHeaders = ReturnType<typeof createHeldHeaders>

/** Headers of a server, oldest first, up to a height. */
type Shown = { height: number; raws: readonly Uint8Array[] }

/** The headers of a server after those that are held, as many as are asked for where none of them is. */
async function fetchNew(source: ChainSource, newest: Shown, before: Held | null): Promise<Fetched> {
  let { raws } = newest
  let earlier = raws
  for (let requests = 1; ; requests++) {
    // None of the later ones was.
    const lastHeld = before ? earlier.findLastIndex(raw => isHeld(before, hashOf(raw))) : -1
    if (lastHeld !== -1)
      return { raws: raws.slice(lastHeld + 1), parent: hashOf(earlier[lastHeld]) }
    const parent = previousOf(raws[0])
    if (before && isHeld(before, parent)) return { raws, parent }
    const isAll = raws.length > newest.height || raws.length >= MOST_HEADERS
    if (isAll || requests === MOST_REQUESTS || earlier.length === 0) return { raws, parent: null }
    earlier = await source.fetchBlockHeaders(newest.height - raws.length)
    raws = [...earlier, ...raws]
  }
}

/** How many of the held blocks come after the one of a hash. */
function countAfter({ chain: { headers } }: Held, of: string | null): number {
  return headers.length - 1 - headers.findLastIndex(({ hash }) => hash === of)
}

/** The last of them; at the start of time where that is no header. */
function newestOf({ height, raws }: Shown): ChainTip {
  const last = parseBlockHeader(raws.at(-1) ?? new Uint8Array())
  return { height, hash: last?.hash ?? '', at: last?.at ?? 0 }
}

/** Whether it is among the recent ones: what leaves the chain further back is no fork that miners make. */
function isHeld({ chain, recentFrom }: Held, hash: string | null): boolean {
  const recent = chain.headers.slice(recentFrom - chain.height)
  return hash !== null && recent.some(header => header.hash === hash)
}

function hashOf(raw: Uint8Array | undefined): string | null {
  return (raw && parseBlockHeader(raw)?.hash) ?? null
}

function previousOf(raw: Uint8Array | undefined): string | null {
  return (raw && parseBlockHeader(raw)?.previous) ?? null
}

function tipOf({ chain }: Held): ChainTip {
  const last = chain.headers.at(-1)
  if (!last) throw new Error('held headers: expected at least one')
  return { height: chain.height + chain.headers.length - 1, hash: last.hash, at: last.at }
}

function encode(height: number, raws: readonly Uint8Array[]): StoredHeaders {
  return { height, headers: toBase64(concatBytes(...raws)) }
}

/** Null for what {@link encode} does not write. */
function decode(stored: unknown): { height: number; raws: Uint8Array[] } | null {
  const { height, headers } = Object(stored) as Partial<StoredHeaders>
  if (!Number.isSafeInteger(height) || height === undefined || typeof headers !== 'string')
    return null
  try {
    const bytes = fromBase64(headers)
    const raws = Array.from({ length: Math.ceil(bytes.length / HEADER_SIZE) }, (_, index) =>
      bytes.slice(index * HEADER_SIZE, (index + 1) * HEADER_SIZE),
    )
    return { height, raws }
  } catch {
    return null
  }
}
