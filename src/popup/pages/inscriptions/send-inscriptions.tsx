import { useState } from 'react'
import type { PageProps } from '../../app.tsx'
import { goBack, useRoute } from '../../route.ts'
import { call } from '../../rpc.ts'
import { ScreenSkeleton } from '../../ui/skeleton.tsx'
import { useAnswer } from '../../use-answer.ts'
import { subjectOf } from '../../use-overview.ts'
import { words } from '../../words.ts'
import { PlanSteps } from '../send/plan-steps.tsx'
import { WatchedOnly } from '../send/watched-only.tsx'
import './inscriptions.css'
import { kept } from './kept.ts'
import { EMPTY_TRANSFER, TransferForm } from './transfer-form.tsx'
import { ASSET_NEWS } from './use-gallery.ts'

/** Sends one inscription or several, as the path names them, to one address. */
export function SendInscriptions({ state }: PageProps) {
  const [, , list = '', picture] = useRoute()
  const subject = subjectOf(state)
  const ids = list.split(',')
  const chosen = useAnswer(() => loadInscriptions(subject, ids), `${subject} ${list}`, ASSET_NEWS)
  const [form, setForm] = useState(EMPTY_TRANSFER)
  const account = state.accounts.find(({ id }) => id === state.accountId)
  if (!account) return <ScreenSkeleton />
  if (account.source === 'watch')
    return <WatchedOnly name={account.name} title={words('inscriptionsSendTitle')} />
  return (
    <PlanSteps
      // A plan is of the account that it was worked out for.
      key={`${account.id} ${state.network}`}
      account={account}
      network={state.network}
      onSent={() => {
        kept(subject).chosen = null
      }}
    >
      {onPlan => (
        <TransferForm
          ids={ids}
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

/** What the gallery knows of them, or else the background. */
function loadInscriptions(subject: string, ids: readonly string[]) {
  const { chosen } = kept(subject)
  return Promise.all(ids.map(async id => chosen?.get(id) ?? call('getInscription', { id })))
}
