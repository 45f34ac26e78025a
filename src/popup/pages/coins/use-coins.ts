import { use, useEffect, useSyncExternalStore } from 'react'
import type { CoinView } from '../../../background/views/payment-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { call } from '../../platform/rpc.ts'
import { pauseForCoins } from '../../state/pause-for-index.ts'
import { COIN_NEWS, subjectOf } from '../../state/use-overview.ts'
import { type Query, useQuery } from '../../state/use-query.ts'
import { Pane } from '../../ui/pane.ts'

type Coins = Query<CoinView[] | null>

/** What the list on the page knows; null without one. */
let listed: { subject: string; coins: Coins } | null = null
const listeners = new Set<() => void>()

/** The coins of the account in use, for the list of them. */
export function useCoins(state: WalletState): Coins {
  const subject = subjectOf(state)
  const coins = useAsked(state, true)
  const { answer, problem, busy, retry } = coins
  useEffect(() => tell({ subject, coins: { answer, problem, busy, retry } }))
  useEffect(() => () => tell(null), [])
  return coins
}

/** The same for the details of one coin, which ask for themselves only where no list does: there may be 10,000. */
export function useCoinsBeside(state: WalletState): Coins {
  const isBeside = use(Pane).place === 'details'
  const list = useSyncExternalStore(subscribe, readListed)
  const isListed = list?.subject === subjectOf(state)
  const alone = useAsked(state, !isBeside && !isListed)
  if (isListed) return list.coins
  return isBeside ? UNKNOWN : alone
}

const UNKNOWN: Coins = { answer: null, problem: null, busy: true, retry: () => {} }

function useAsked(state: WalletState, asks: boolean): Coins {
  return useQuery(
    async () => (asks ? call('getCoins', null) : null),
    `${subjectOf(state)} ${asks}`,
    COIN_NEWS,
    coins => pauseForCoins(coins ?? []),
  )
}

function tell(next: typeof listed): void {
  const isSame =
    next !== null &&
    listed?.subject === next.subject &&
    listed.coins.answer === next.coins.answer &&
    listed.coins.problem === next.coins.problem &&
    listed.coins.busy === next.coins.busy
  if (isSame) return
  listed = next
  for (const listener of listeners) listener()
}

function readListed(): typeof listed {
  return listed
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
