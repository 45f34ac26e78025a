import { useState } from 'react'
import type { InscriptionDetail } from '../../../background/views/asset-views.ts'
import { CannotSign } from '../../forms/cannot-sign.tsx'
import { FeeField } from '../../forms/fee-field.tsx'
import { DEFAULT_FEE, parseFeeRateText } from '../../forms/fee-form.ts'
import formStyles from '../../forms/form.module.css'
import { PlanSteps } from '../../forms/plan-steps.tsx'
import { useAttempt } from '../../forms/use-attempt.ts'
import { useSendFacts } from '../../forms/use-send-facts.ts'
import { addSpace } from '../../platform/join-words.ts'
import { goBack, useRoute } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { currentLanguage, words } from '../../platform/words.ts'
import { canSign } from '../../state/can-sign.ts'
import type { PageProps } from '../../state/page-props.ts'
import { COIN_NEWS, subjectOf } from '../../state/use-overview.ts'
import { useQuery } from '../../state/use-query.ts'
import { useTask } from '../../state/use-task.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'
import { Notice } from '../../ui/notice.tsx'
import { InscriptionPicture } from '../../ui/pictures/inscription-picture.tsx'
import { Link, PlainRow, Rows } from '../../ui/row.tsx'
import { ScreenSkeleton } from '../../ui/skeleton.tsx'
import { listAssets } from '../../ui/text/asset-names.ts'
import { isTypedWord } from '../../ui/text/typed-word.ts'
import { burnNoteOf } from './chosen.ts'
import { nameInscription } from './inscription-words.ts'

/** Destroys an inscription, after a word that has to be typed; what shares its coin has to be moved out before. */
export function BurnInscription({ state }: PageProps) {
  const [, , id = ''] = useRoute()
  const { answer, problem } = useQuery(
    () => call('getInscription', { id }),
    `${subjectOf(state)} ${id}`,
    COIN_NEWS,
  )
  const planning = useTask()
  const account = state.accounts.find(account => account.id === state.accountId)
  if (!account) return <ScreenSkeleton />
  if (!canSign(account)) return <CannotSign account={account} title={words('burnTitle')} />
  return (
    <PlanSteps key={`${account.id} ${state.network}`} account={account} network={state.network}>
      {onPlan => (
        <BurnForm
          state={state}
          inscription={answer}
          busy={planning.busy}
          failure={planning.failure ?? problem}
          onChange={planning.forget}
          onSubmit={feeRate =>
            void planning.run(async isWanted => {
              const plan = await call('planBurn', { id, feeRate })
              if (isWanted()) onPlan(plan)
            })
          }
        />
      )}
    </PlanSteps>
  )
}

type BurnFormProps = Pick<PageProps, 'state'> & {
  inscription: InscriptionDetail | null
  busy: boolean
  failure: string | null
  /** Told of each change: what is planned of the form before is not wanted any more. */
  onChange: () => void
  onSubmit: (feeRate: number) => void
}

function BurnForm({ state, inscription, failure, onChange, onSubmit, ...props }: BurnFormProps) {
  const facts = useSendFacts(state)
  const [form, setForm] = useState(DEFAULT_FEE)
  const [typed, setTyped] = useState('')
  const { content, attempt, isTried, isWaiting } = useAttempt(form, facts.rates)
  const busy = props.busy || isWaiting
  const rate = parseFeeRateText(form, facts.rates.answer)
  const word = words('burnWord')
  const note = inscription && burnNoteOf(inscription)
  const isReady = note !== null && isTypedWord(typed, word, currentLanguage())
  return (
    <FormScreen
      title={words('burnTitle')}
      action={words(busy ? 'sendPlanning' : 'sendReview')}
      busy={busy}
      disabled={!isReady}
      failure={failure}
      onBack={goBack}
      onSubmit={() => (rate === null ? attempt() : onSubmit(rate))}
    >
      <div ref={content} className={formStyles.operation}>
        <Notice tone="danger" title={words('burnWarning')}>
          {words('burnWarningNote')}
        </Notice>
        {inscription ? (
          <Rows label={words('inscriptionTitle')}>
            <PlainRow
              icon={<InscriptionPicture id={inscription.id} size="small" kind={inscription.kind} />}
              title={nameInscription(inscription)}
              note={note && words(note)}
            />
          </Rows>
        ) : null}
        {inscription && note === null ? (
          <NotAlone inscription={inscription} />
        ) : (
          <>
            <FeeField
              form={form}
              facts={facts}
              tried={isTried}
              fee={null}
              note={words('splitFeeNote')}
              onChange={next => {
                onChange()
                setForm({ ...form, ...next })
              }}
            />
            <TextField
              label={words('resetType', { word })}
              value={typed}
              onChange={event => {
                onChange()
                setTyped(event.currentTarget.value)
              }}
            />
          </>
        )}
      </div>
    </FormScreen>
  )
}

/** Why it cannot be burned as it is, and the way out where there is one. */
function NotAlone({ inscription }: { inscription: InscriptionDetail }) {
  const { companions, rareSats, outpoint } = inscription
  if (companions.length === 0)
    return (
      <Notice tone="caution" title={words(rareSats.length > 0 ? 'burnRare' : 'burnHeld')}>
        {words(rareSats.length > 0 ? 'burnRareNote' : 'burnHeldNote')}
      </Notice>
    )
  return (
    <Notice tone="caution" title={words('burnShared', { what: listAssets(companions) })}>
      {addSpace(words('burnSharedNote'))}
      {companions.some(({ kind }) => kind === 'inscription') ? (
        <Link to={`/inscriptions/split/${encodeURIComponent(outpoint)}`}>
          {words('splitSeparate')}
        </Link>
      ) : null}
    </Notice>
  )
}
