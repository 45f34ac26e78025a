import { useRef } from 'react'
import type { AtomicalsPage } from '../../../background/views/asset-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { call } from '../../app/rpc.ts'
import { pauseForIndex } from '../../state/pause-for-index.ts'
import { useAnswer } from '../../state/use-answer.ts'
import { COIN_NEWS } from '../../state/use-overview.ts'

/** Stored keys that Atomicals depend on. */
export const ATOMICAL_NEWS = [...COIN_NEWS, 'servers']

/** NFTs that are shown at first, and how many more with each press; rows of three. */
const STEP = 60

/** The Atomicals of the account in use, as many of the NFTs as the person wanted to see. */
export function useAtomicals(subject: string) {
  const room = useRef(STEP)
  const isGrowing = useRef(false)
  const asked = useAnswer(
    async retry => {
      // Only this question reaches a server that is given a rest.
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

/** Whether a server is set that tells of Atomicals on the network in use; null while not known. */
export function useAtomicalsServer({ network }: WalletState): boolean | null {
  const { answer } = useAnswer(() => call('getServers', { network }), network, ['servers'])
  return answer?.some(({ kind, url }) => kind === 'atomicals' && url !== '') ?? null
}
