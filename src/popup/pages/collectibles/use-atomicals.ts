import { useRef } from 'react'
import type { AtomicalsPage } from '../../../background/views/asset-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { call } from '../../platform/rpc.ts'
import { pauseForCoins, pauseForIndex } from '../../state/pause-for-index.ts'
import { COIN_NEWS, subjectOf } from '../../state/use-overview.ts'
import { useQuery } from '../../state/use-query.ts'

/** Stored keys that Atomicals depend on. */
export const ATOMICAL_NEWS = [...COIN_NEWS, 'servers']

/** NFTs that are shown at first, and how many more with each press; rows of three. */
const STEP = 60

/** The Atomicals of the account in use, as many of the NFTs as the person wanted to see. */
export function useAtomicals(subject: string) {
  const room = useRef(STEP)
  const isGrowing = useRef(false)
  const asked = useQuery(
    async retry => {
      // Only this question reaches a server that is in back-off.
      if (retry && !isGrowing.current) await call('getOverview', { retry: true }).catch(() => null)
      isGrowing.current = false
      return readPages(room.current)
    },
    subject,
    ATOMICAL_NEWS,
    ({ unchecked }) => pauseForIndex(unchecked.why),
  )
  const { answer, retry } = asked
  return {
    ...asked,
    hasMore: answer !== null && answer.nfts.length < answer.total,
    showMore() {
      room.current = (answer?.nfts.length ?? 0) + STEP
      isGrowing.current = true
      retry()
    },
  }
}

async function readPages(room: number): Promise<AtomicalsPage> {
  const offsets = Array.from({ length: Math.ceil(room / STEP) }, (_, at) => at * STEP)
  const pages = await Promise.all(
    offsets.map(offset => call('getAtomicals', { offset, limit: STEP })),
  )
  const nfts = new Map(pages.flatMap(page => page.nfts).map(nft => [nft.id, nft]))
  return { ...firstOf(pages), nfts: [...nfts.values()] }
}

function firstOf<T>([first]: T[]): T {
  if (first === undefined) throw new Error('No page was read')
  return first
}

/** What the account has of an ARC-20 token (null for nothing), and the coins that it is on. */
export function useArc20Token(state: WalletState, id: string) {
  return useQuery(
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
