import type { AtomicalId } from '../../ordinals/atomical-id.ts'
import type { Journal } from '../chain/journal.ts'

export type NameKind = 'realm' | 'container' | 'ticker'

/** Who asked for a name. */
export interface NameCandidate {
  id: AtomicalId
  /** Place of the commit among all transactions of the chain: the lowest wins. */
  txNum: number
  commitHeight: number
  revealHeight: number
}

/** Blocks after which an earlier commit can no longer be revealed. */
export const NAME_DELAY = 3

/** Names of Atomicals: each belongs to the earliest commit that was revealed in time. */
export function createNameLedger() {
  const candidates = new Map<string, readonly NameCandidate[]>()
  const keyOf = (kind: NameKind, name: string) => `${kind}:${name}`

  function list(kind: NameKind, name: string): readonly NameCandidate[] {
    return candidates.get(keyOf(kind, name)) ?? []
  }

  return {
    /** Earliest commit first. */
    list,
    /** Whose a name is at some height, and whether an earlier commit can still turn up. */
    holder(kind: NameKind, name: string, height: number) {
      const [first] = list(kind, name)
      if (!first) return null
      return { id: first.id, isSettled: first.commitHeight <= height - NAME_DELAY }
    },
    /** False, without a change, where an earlier commit to the name is known. */
    request(kind: NameKind, name: string, candidate: NameCandidate, journal: Journal): boolean {
      const others = list(kind, name)
      if (others.some(({ txNum }) => txNum < candidate.txNum)) return false
      journal.set(candidates, keyOf(kind, name), [candidate, ...others])
      return true
    },
  }
}

export type NameLedger = ReturnType<typeof createNameLedger>
