import type { WalletState } from '../../../background/views/ui-methods.ts'
import { call } from '../../app/rpc.ts'
import { pauseForCoins } from '../../state/pause-for-index.ts'
import { useAnswer } from '../../state/use-answer.ts'
import { subjectOf } from '../../state/use-overview.ts'
import { ATOMICAL_NEWS } from './use-atomicals.ts'

/** What the account has of an ARC-20 token (null for nothing), and the coins that it is on. */
export function useToken(state: WalletState, id: string) {
  return useAnswer(
    async () => {
      const [{ tokens, isChecked }, coins] = await Promise.all([
        call('getAtomicals', { offset: 0, limit: 1 }),
        call('getCoins', null),
      ])
      return { isChecked, token: tokens.find(token => token.id === id) ?? null, coins }
    },
    `${subjectOf(state)} ${id}`,
    ATOMICAL_NEWS,
    ({ coins }) => pauseForCoins(coins),
  )
}
