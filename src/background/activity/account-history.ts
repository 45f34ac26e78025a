import { toHex } from '../../bitcoin/bytes.ts'
import type { DescriptorPlace } from '../../bitcoin/descriptors/descriptor-output.ts'
import type { ChainSource, HistoryPage, HistoryTransaction } from '../../chain/chain-source.ts'
import { mapConcurrently } from '../primitives/concurrency.ts'
import { digestOf } from '../primitives/digest.ts'

/** An address of the account, by its place in it. */
export type OwnAddress = DescriptorPlace & { address: string; scriptPubKey: Uint8Array }

/** Addresses whose histories are asked for at the same time. */
const CONCURRENCY = 4

/** What an account took part in, over all its addresses: pages as of one address, whose `after` only this knows to read. */
export type AccountHistory = {
  /** scriptPubKeys of the account, in hex. */
  own: ReadonlySet<string>
  /** Which addresses it is of, without naming them; an account of one has it for good. */
  of: string
  /** Throws BackendUnavailableError. */
  fetchPage(after: string | null): Promise<HistoryPage>
  /** What to ask for the rows after one that is known; rows of the same block may come again. */
  after(row: { txid: string; height: number | null }): string
}

export const ONE_ADDRESS = 'one'
const DIGEST_LENGTH = 16

/** Further pages that are fetched for one, as long as they do not tell what comes next. */
const MOST_ROUNDS = 10

/**
 * Where a page of several addresses begins: with rows of at most this height, in these pages of those that have any. It is stored, and
 * so names addresses by their places.
 */
type Cursor = { height: number; pages: { [place: string]: string | null } }

/** A page of one address, and what it was asked with. */
type Part = { start: string | null; transactions: HistoryTransaction[]; next: string | null }

export function openAccountHistory(
  chain: ChainSource,
  addresses: readonly OwnAddress[],
): AccountHistory {
  const own = new Set(addresses.map(({ scriptPubKey }) => toHex(scriptPubKey)))
  const [only, ...others] = addresses
  if (only && others.length === 0)
    return {
      ...{ own, of: ONE_ADDRESS },
      fetchPage: after => chain.fetchHistory(only.address, after),
      after: ({ txid }) => txid,
    }
  const byPlace = new Map(addresses.map(one => [`${one.branch}/${one.index}`, one.address]))
  const firstPages = () => Object.fromEntries([...byPlace.keys()].map(place => [place, null]))
  return {
    ...{ own, of: digestOf([...own].sort()).slice(0, DIGEST_LENGTH) },
    fetchPage: after => {
      // Only this function writes it.
      const cursor = after === null ? null : (JSON.parse(after) as Cursor)
      const pages = Object.entries(cursor?.pages ?? firstPages()).flatMap(([place, start]) => {
        const address = byPlace.get(place)
        return address === undefined ? [] : [{ place, address, start }]
      })
      return fetchMergedPage(chain, pages, cursor?.height ?? null)
    },
    after: ({ height }) => {
      const cursor: Cursor = { height: height ?? Number.MAX_SAFE_INTEGER, pages: firstPages() }
      return JSON.stringify(cursor)
    },
  }
}

/**
 * The next rows of several addresses in one order, newest first: no further than where each address's pages reach, so that none
 * is left out. `height` is that of the newest row in a block; null where rows in no block come first.
 */
async function fetchMergedPage(
  chain: ChainSource,
  pages: readonly { place: string; address: string; start: string | null }[],
  height: number | null,
): Promise<HistoryPage> {
  const fetchPart = async (address: string, start: string | null): Promise<Part> => {
    const { transactions, next } = await chain.fetchHistory(address, start)
    return { start, transactions, next }
  }
  const histories = await mapConcurrently(pages, CONCURRENCY, async ({ start, ...of }) => ({
    ...of,
    parts: [await fetchPart(of.address, start)],
  }))
  for (let round = 0; ; round++) {
    const reach = Math.max(-1, ...histories.map(({ parts }) => reachOf(parts)))
    const rows = histories.flatMap(({ parts }) =>
      parts.flatMap(({ transactions }) =>
        transactions.filter(one =>
          one.height === null
            ? height === null
            : isWithin(one.height, height) && one.height > reach,
        ),
      ),
    )
    const furthest = histories.filter(({ parts }) => reachOf(parts) === reach)
    const isTold = reach < 0 || (rows.length > 0 && reach < Number.MAX_SAFE_INTEGER)
    if (isTold || round === MOST_ROUNDS) {
      const left = histories.flatMap(({ place, parts }) => {
        const part = parts.find(one => one.transactions.some(row => isLeft(row, reach)))
        if (part) return [[place, part.start] as const]
        const next = parts.at(-1)?.next ?? null
        return next === null ? [] : [[place, next] as const]
      })
      const cursor: Cursor = { height: reach, pages: Object.fromEntries(left) }
      return { transactions: inOrder(rows), next: left.length > 0 ? JSON.stringify(cursor) : null }
    }
    await Promise.all(
      furthest.map(async ({ address, parts }) => {
        parts.push(await fetchPart(address, parts.at(-1)?.next ?? null))
      }),
    )
  }
}

/** The height down to which the rows of an address are not all there; -1 for an address that has no more. */
function reachOf(parts: readonly Part[]): number {
  const last = parts.at(-1)
  if (!last || last.next === null) return -1
  const oldest = last.transactions.at(-1)
  return oldest?.height ?? Number.MAX_SAFE_INTEGER
}

function isWithin(height: number, most: number | null): boolean {
  return most === null || height <= most
}

function isLeft({ height }: HistoryTransaction, reach: number): boolean {
  return height !== null && height <= reach
}

/** Each once, those in no block first. */
function inOrder(rows: readonly HistoryTransaction[]): HistoryTransaction[] {
  const once = [...new Map(rows.map(row => [row.txid, row])).values()]
  const heightOf = ({ height }: HistoryTransaction) => height ?? Number.POSITIVE_INFINITY
  return once.sort((a, b) => (heightOf(a) === heightOf(b) ? 0 : heightOf(b) - heightOf(a)))
}
