import type { WalletState } from '../../../background/views/ui-methods.ts'
import { call } from '../../platform/rpc.ts'
import { pauseForIndex } from '../../state/pause-for-index.ts'
import { COIN_NEWS, subjectOf } from '../../state/use-overview.ts'
import { useQuery } from '../../state/use-query.ts'

/** More kinds than anybody looks through in one go. */
const LIMIT = 200

/** The runes of the account in use, by name. */
export function useRunes(state: WalletState) {
  return useQuery(
    () => call('getRunes', { offset: 0, limit: LIMIT }),
    subjectOf(state),
    COIN_NEWS,
    ({ unchecked }) => pauseForIndex(unchecked.why),
  )
}

/** One rune by its name: what the account has of it, and what the index tells. */
export function useRune(state: WalletState, name: string) {
  return useQuery(() => call('getRune', { name }), `${subjectOf(state)} ${name}`, COIN_NEWS)
}
