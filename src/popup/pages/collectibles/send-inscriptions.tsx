import { useState } from 'react'
import { atomicalOfKey } from '../../../ordinals/asset-key.ts'
import { CannotSign } from '../../forms/cannot-sign.tsx'
import { PlanSteps } from '../../forms/plan-steps.tsx'
import { goBack, useRoute } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { canPay } from '../../state/can-sign.ts'
import type { PageProps } from '../../state/page-props.ts'
import { COIN_NEWS, subjectOf } from '../../state/use-overview.ts'
import { useQuery } from '../../state/use-query.ts'
import { ScreenSkeleton } from '../../ui/skeleton.tsx'
import { type Movable, movableAtomical, movableInscription } from './chosen.ts'
import { galleryMemory } from './gallery-memory.ts'
import { EMPTY_TRANSFER, TransferForm } from './transfer-form.tsx'

/** Sends inscriptions and Atomicals, one or several, as the path names them, to one address. */
export function SendInscriptions({ state }: PageProps) {
  const [, , list = '', picture] = useRoute()
  const subject = subjectOf(state)
  const keys = list.split(',')
  const chosen = useQuery(() => loadMovables(subject, keys), `${subject} ${list}`, COIN_NEWS)
  const [form, setForm] = useState(EMPTY_TRANSFER)
  const account = state.accounts.find(({ id }) => id === state.accountId)
  if (!account) return <ScreenSkeleton />
  if (!canPay(account)) return <CannotSign account={account} title={words('homeSend')} />
  return (
    <PlanSteps
      // A plan is of the account that it was worked out for.
      key={`${account.id} ${state.network}`}
      account={account}
      network={state.network}
      onSent={() => {
        galleryMemory(subject).chosen = null
        galleryMemory(subject).chosenAtomicals = null
      }}
    >
      {onPlan => (
        <TransferForm
          keys={keys}
          chosen={chosen}
          form={form}
          state={state}
          account={account}
          showPicture={picture !== undefined}
          onChange={setForm}
          onBack={goBack}
          onPlan={onPlan}
        />
      )}
    </PlanSteps>
  )
}

/** What the lists know of them, or else the background. */
function loadMovables(subject: string, keys: readonly string[]): Promise<Movable[]> {
  const { chosen, chosenAtomicals } = galleryMemory(subject)
  return Promise.all(
    keys.map(async key => {
      const id = atomicalOfKey(key)
      return id === null
        ? movableInscription(chosen?.get(key) ?? (await call('getInscription', { id: key })))
        : movableAtomical(chosenAtomicals?.get(id) ?? (await call('getAtomical', { id })))
    }),
  )
}
