import type { ReactNode } from 'react'
import type { UnsharedPayment, UnsharedPayments } from '../../background/views/activity-views.ts'
import type { WalletState } from '../../background/views/ui-methods.ts'
import { joinNames } from '../platform/join-words.ts'
import { call } from '../platform/rpc.ts'
import { words } from '../platform/words.ts'
import { Notice } from '../ui/notice.tsx'
import { NEWS, subjectOf } from './use-overview.ts'
import { type Query, useQuery } from './use-query.ts'

/** Payments that not every chain server has; asked again by itself once one is to be looked for. */
export function useUnshared(state: WalletState): Query<UnsharedPayments> {
  return useQuery(
    () => call('getUnsharedPayments', null),
    subjectOf(state),
    NEWS,
    ({ askAgainInMs }) => askAgainInMs,
  )
}

/** Says which server has a payment and which has not; `actions` are what can be done. */
export function UnsharedNotice({
  payment: { knows, lacks },
  actions,
  children,
}: {
  payment: UnsharedPayment
  actions: ReactNode
  children?: ReactNode
}) {
  const isNowhere = knows.length === 0
  const hosts = { knows: joinNames(knows), lacks: joinNames(lacks) }
  return (
    <Notice
      tone="danger"
      title={words(isNowhere ? 'unsharedNowhereTitle' : 'unsharedTitle')}
      live
      actions={actions}
    >
      <p>{words(isNowhere ? 'unsharedNowhereText' : 'unsharedText', hosts)}</p>
      {children}
    </Notice>
  )
}
