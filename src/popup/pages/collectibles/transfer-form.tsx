import { ChevronRight } from 'lucide-react'
import { useRef } from 'react'
import type { PayingAccountView } from '../../../background/views/account-views.ts'
import type { FeeRatesView, PaymentPlanView } from '../../../background/views/payment-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { parseAddress } from '../../../bitcoin/address.ts'
import { feeForVsize } from '../../../bitcoin/fee-rate.ts'
import { transactionVsize } from '../../../bitcoin/transaction-size.ts'
import { FeeField } from '../../forms/fee-field.tsx'
import { DEFAULT_FEE, type FeeForm, parseFeeRateText } from '../../forms/fee-form.ts'
import formStyles from '../../forms/form.module.css'
import { RecipientField } from '../../forms/recipient-field.tsx'
import { parseAddressText } from '../../forms/send-form.ts'
import { useAttempt } from '../../forms/use-attempt.ts'
import { useSendFacts } from '../../forms/use-send-facts.ts'
import { navigate } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { Query } from '../../state/use-query.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import foldStyles from '../../ui/styles/fold.module.css'
import { countAssets, listAssets } from '../../ui/text/asset-names.ts'
import { cleanLabel, LONGEST_LABEL } from '../../ui/text/label.ts'
import { findShared, listCompanions, type Movable } from './chosen.ts'
import { ChosenList } from './chosen-list.tsx'

/** What the person has typed, as typed. */
export type Transfer = FeeForm & { to: string; label: string }

export const EMPTY_TRANSFER: Transfer = { ...DEFAULT_FEE, to: '', label: '' }

type TransferFormProps = {
  /** What goes: ids of inscriptions, ids of Atomicals with `-Atomicals` behind them. */
  keys: string[]
  chosen: Query<Movable[]>
  form: Transfer
  state: WalletState
  account: PayingAccountView
  showPicture: boolean
  onChange: (form: Transfer) => void
  onBack: () => void
  onPlan: (plan: PaymentPlanView) => void
}

/** To whom inscriptions and Atomicals go, and at which fee. */
export function TransferForm(props: TransferFormProps) {
  const { keys, chosen, form, state, account, onChange } = props
  const facts = useSendFacts(state)
  const rates = facts.rates.answer
  const planning = useTask()
  const { content, attempt, isTried, isWaiting } = useAttempt(form, facts.rates)
  const busy = planning.busy || isWaiting
  const latest = useRef(form)
  latest.current = form
  const address = parseAddressText(form.to, state.network)
  const rate = parseFeeRateText(form, rates)
  const change = (next: Partial<Transfer>) => {
    planning.forget()
    onChange({ ...latest.current, ...next })
  }
  const submit = () => {
    if ('error' in address || rate === null) return attempt()
    const { to } = form
    void planning.run(async () => {
      const plan = await call('planTransfer', {
        ids: keys,
        to: to.trim(),
        feeRate: rate,
        label: cleanLabel(form.label),
      })
      if (latest.current === form) props.onPlan(plan)
    })
  }
  return (
    <Screen
      onSubmit={submit}
      head={<BackButton onBack={props.onBack} />}
      foot={
        <>
          {planning.failure ? (
            <Notice tone="danger" live>
              {planning.failure}
            </Notice>
          ) : null}
          <Button variant="primary" type="submit" busy={busy}>
            {words(busy ? 'sendPlanning' : 'sendReview')}
          </Button>
        </>
      }
    >
      <div ref={content} className={formStyles.form}>
        <Title>{nameTransfer(chosen.answer)}</Title>
        <ChosenList keys={keys} movables={chosen.answer} />
        {chosen.problem ? (
          <RetryNotice
            tone="caution"
            title={words('inscriptionUnknown')}
            problem={chosen.problem}
            busy={chosen.busy}
            onRetry={chosen.retry}
          />
        ) : null}
        <Companions movables={chosen.answer ?? []} />
        <RecipientField
          to={form.to}
          place={null}
          error={'error' in address ? address.error : null}
          tried={isTried}
          state={state}
          known={facts.known}
          showPicture={props.showPicture}
          picturePath={`/inscriptions/send/${keys.join(',')}/picture`}
          onWrite={to => change({ to })}
          onFill={({ to, label }) => change({ to, label: latest.current.label || label })}
          onRemove={() => {}}
        />
        <FeeField
          form={form}
          facts={facts}
          tried={isTried}
          fee={estimateFee(chosen.answer, form, { account, state, rates })}
          onChange={change}
        />
        <details className={foldStyles.fold} open={form.label !== ''}>
          <summary>
            <ChevronRight size={16} className={foldStyles.turn} aria-hidden />
            {words('sendMore')}
          </summary>
          <TextField
            label={words('sendLabel')}
            note={words('sendLabelNote')}
            value={form.label}
            maxLength={LONGEST_LABEL}
            onChange={event => change({ label: event.currentTarget.value })}
          />
        </details>
      </div>
    </Screen>
  )
}

/** "Send 2 inscriptions"; what it is may not be known yet. */
function nameTransfer(chosen: readonly Movable[] | null): string {
  return chosen === null
    ? words('homeSend')
    : words('transferTitle', { what: countAssets(chosen.map(({ asset }) => asset)) })
}

/** What goes along because it sits on the same coins, and how to keep it. */
function Companions({ movables }: { movables: Movable[] }) {
  const companions = listCompanions(movables)
  if (companions.length === 0) return null
  const coin = findShared(movables)
  return (
    <Notice
      tone="caution"
      title={words('inscriptionsAlong', { assets: listAssets(companions) })}
      actions={
        coin ? (
          <Button
            variant="quiet"
            onClick={() => navigate(`/inscriptions/split/${encodeURIComponent(coin)}`)}
          >
            {words('splitSeparate')}
          </Button>
        ) : null
      }
    >
      <p>{words(coin ? 'inscriptionsAlongSeparable' : 'inscriptionsAlongShared')}</p>
    </Notice>
  )
}

type EstimateContext = {
  account: PayingAccountView
  state: WalletState
  rates: FeeRatesView | null
}

/** About what it costs with one more coin for the fee; the review has the exact one. */
function estimateFee(
  chosen: Movable[] | null,
  form: Transfer,
  { account, state, rates }: EstimateContext,
): bigint | null {
  const rate = parseFeeRateText(form, rates)
  if (rate === null || chosen === null) return null
  const type = account.source === 'multisig' ? account.spendType : account.addressType
  const own = parseAddress(account.address, state.network).scriptPubKey
  const address = parseAddressText(form.to, state.network)
  const to = 'error' in address ? own : address.scriptPubKey
  const coins = new Set(chosen.map(({ outpoint }) => outpoint)).size
  const scripts = [...Array.from({ length: coins }, () => to), own]
  return feeForVsize(transactionVsize(type, coins + 1, scripts), rate)
}
