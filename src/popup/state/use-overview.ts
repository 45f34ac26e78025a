import { useRef } from 'react'
import type { Overview } from '../../background/views/activity-views.ts'
import type { WalletState } from '../../background/views/ui-methods.ts'
import { call } from '../platform/rpc.ts'
import { type Query, useFirstQuery } from './use-query.ts'

/** Stored keys that balance and activity depend on; `live` changes with every piece of news from the network. */
export const NEWS = [
  ...['live', 'activity.open', 'activity.settled', 'labels', 'contacts', 'settings'],
  // Up to which blocks what a server calls confirmed counts.
  'checkedHeights',
]

/** Stored keys that the account's coins, and what sits on them, depend on. */
export const COIN_NEWS = [...NEWS, 'coinChoices', 'inscriptionChoices']

/** What an answer about the account in use depends on. */
export function subjectOf({ accountId, network, server, settings }: WalletState): string {
  return `${accountId} ${network} ${server.url} ${settings.currency}`
}

const SHORTEST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 20_000

/** A server that works again does not announce it: while it fails it is asked again, as soon as its back-off is over. */
function pauseAfter({ problem }: Overview): number | null {
  if (problem === null) return null
  const rest = problem.retryInMs ?? LONGEST_PAUSE_MS
  return Math.min(Math.max(rest, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS)
}

/** Balance and newest activity of the account in use. While the server is silent, the last balance that it named stays known. */
export function useOverview(
  state: WalletState,
): Query<Overview> & { lastBalance: Overview['balance'] } {
  const subject = subjectOf(state)
  // The balance waits for none of the coins, of which there may be very many.
  const asked = useFirstQuery(retry => call('getOverview', { retry }), subject, NEWS, pauseAfter)
  const { answer } = asked
  const last = useRef<{ subject: string; balance: Overview['balance'] }>({ subject, balance: null })
  if (answer?.balance) last.current = { subject, balance: answer.balance }
  return { ...asked, lastBalance: last.current.subject === subject ? last.current.balance : null }
}
