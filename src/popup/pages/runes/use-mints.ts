import type { RuneMintView } from '../../../background/views/mint-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { call } from '../../platform/rpc.ts'
import { NEWS, subjectOf } from '../../state/use-overview.ts'
import { type Query, useQuery } from '../../state/use-query.ts'
import { isMintOpen } from './mint-words.ts'

const PAUSE_MS = 5000

/** The mints of the account in use, newest first. */
export function useMints(state: WalletState): Query<RuneMintView[]> {
  return useQuery(() => call('getRuneMints', null), subjectOf(state), [...NEWS, 'mints'])
}

/** One of them, asked about again every few seconds while it is under way. */
export function useMint(state: WalletState, mintId: string): Query<RuneMintView> {
  return useQuery(
    () => call('getRuneMint', { mintId }),
    `${subjectOf(state)} ${mintId}`,
    NEWS,
    mint => (isMintOpen(mint) ? PAUSE_MS : null),
  )
}
