import { countWords, currentLanguage, words } from '../../platform/words.ts'
import type { FlowEnd } from './flow-layout.ts'

/** Ends of the same owner, carrying something or nothing, as one strand, where the first of them was. */
export function joinAlike(
  ends: readonly FlowEnd[],
  joins: (end: FlowEnd) => boolean = () => true,
): FlowEnd[] {
  const kinds = new Map<string, FlowEnd[]>()
  for (const end of ends.filter(joins)) {
    const members = kinds.get(likenessOf(end))
    if (members) members.push(end)
    else kinds.set(likenessOf(end), [end])
  }
  return ends.flatMap(end => {
    const members = joins(end) ? (kinds.get(likenessOf(end)) ?? []) : [end]
    if (members[0] !== end) return []
    if (members.length === 1) return [end]
    const count = members.length
    const who = end.label
    return [
      {
        ...end,
        label: words('flowCoins', { who, count: count.toLocaleString(currentLanguage()) }),
        spoken: countWords('flowCoinsSpoken', count, { who }),
        sats: sumOf(members),
        carries: members.flatMap(({ carries = [] }) => carries),
      },
    ]
  })
}

/** Null as soon as one is not known. */
function sumOf(ends: readonly FlowEnd[]): bigint | null {
  return ends.reduce<bigint | null>(
    (sum, { sats }) => (sum === null || sats === null ? null : sum + sats),
    0n,
  )
}

function likenessOf({ label, who = label, own, open, carries = [] }: FlowEnd): string {
  return `${who} ${own} ${open} ${carries.length > 0}`
}
