import type { DescriptorPlace } from '../../bitcoin/descriptors/descriptor-output.ts'
import type { Balance } from '../../chain/chain-source.ts'
import { forEachConcurrently } from '../primitives/concurrency.ts'

/** Unused addresses in a row after which no further ones are looked for (BIP-44). */
export const GAP_LIMIT = 20

/** Addresses that are looked at beyond the last used one between two looks at all of them. */
const LOOKAHEAD = 3

/** The last addresses that others were passed over for, and may still be paid. */
const RECENT = 10

/** Addresses of a branch that a look goes further than what was used before: a server that calls all of them used ends it. */
const MOST_NEW = 1_000

/** Requests under way at the same time; public servers turn away who asks for more. */
const CONCURRENCY = 4

/** What a server says of an address, sats as decimal strings. */
export type AddressFinding = DescriptorPlace & {
  transactions: number
  confirmed: string
  unconfirmed: string
}

/**
 * Asks about the addresses of an account until {@link GAP_LIMIT} in a row are unused on each branch. With what is `known` from
 * before, only those are asked about again that have coins, were given out and not used, or come next. It goes {@link MOST_NEW}
 * further at most; the next look goes on from there. `used` is how many
 * addresses of a branch there are up to the last used one, and is told anew. Throws what `ask` throws: a gap must not come
 * from a server that was busy.
 */
export async function lookAtAddresses({
  ask,
  branches,
  used: usedBefore,
  shown,
  known,
}: {
  ask(place: DescriptorPlace): Promise<Balance>
  branches: number
  used: readonly [number, number]
  /** Index of the receiving address that was given out last. */
  shown: number
  known: readonly AddressFinding[]
}): Promise<{ found: AddressFinding[]; used: [number, number] }> {
  const isWhole = known.length === 0
  const ahead = isWhole ? GAP_LIMIT : LOOKAHEAD
  const findings = new Map(known.map(finding => [nameOf(finding), finding]))
  const used: [number, number] = [usedBefore[0], usedBefore[1]]
  const asked = new Set<string>()
  for (;;) {
    const wanted = listWanted()
    if (wanted.length === 0) break
    await forEachConcurrently(wanted, CONCURRENCY, async place => {
      const { transactions, confirmed, unconfirmed } = await ask(place)
      const sats = { confirmed: String(confirmed), unconfirmed: String(unconfirmed) }
      findings.set(nameOf(place), { ...place, transactions, ...sats })
      if (transactions > 0 && (place.branch === 0 || place.branch === 1))
        used[place.branch] = Math.max(used[place.branch], place.index + 1)
    })
    for (const place of wanted) asked.add(nameOf(place))
  }
  const found = [...findings.values()].sort((a, b) => a.branch - b.branch || a.index - b.index)
  return { found, used }

  function listWanted(): DescriptorPlace[] {
    const counts = [Math.max(used[0], shown + 1), used[1]].slice(0, branches)
    return counts.flatMap((count, branch) =>
      Array.from({ length: lengthOf(branch, count) }, (_, index) => ({ branch, index })).filter(
        place => !asked.has(nameOf(place)) && isWanted(place),
      ),
    )
  }

  function lengthOf(branch: number, count: number): number {
    const most = Math.max(usedBefore[branch] ?? 0, branch === 0 ? shown + 1 : 0) + MOST_NEW
    return Math.min(count + ahead, most)
  }

  /** An address that was used and is empty changes only when somebody pays it again. */
  function isWanted(place: DescriptorPlace): boolean {
    const finding = findings.get(nameOf(place))
    if (!finding || nameOf(place) === '0/0') return true
    const { transactions, confirmed, unconfirmed } = finding
    if (transactions > 0) return BigInt(confirmed) !== 0n || BigInt(unconfirmed) !== 0n
    return place.index >= (used[place.branch] ?? 0) - RECENT
  }
}

function nameOf({ branch, index }: DescriptorPlace): string {
  return `${branch}/${index}`
}

/** Whether an address has coins, in blocks or waiting. */
export function isFunded({ confirmed, unconfirmed }: AddressFinding): boolean {
  return BigInt(confirmed) + BigInt(unconfirmed) > 0n
}

/** Which of them have coins, to be compared. */
export function nameFunded(found: readonly AddressFinding[]): string {
  return found.filter(isFunded).map(nameOf).join()
}
