import { useState } from 'react'
import type {
  BumpKind,
  BumpObstacle,
  PaymentPlanView,
  PaymentResult,
} from '../../../background/views/payment-views.ts'
import { PaymentResultScreen } from '../../forms/payment-result.tsx'
import { PaymentReviewScreen } from '../../forms/payment-review.tsx'
import { RateForm } from '../../forms/rate-form.tsx'
import { HelpButton } from '../../help/help-button.tsx'
import { goBack, navigate, useRoute } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { type WordKey, words } from '../../platform/words.ts'
import { canPay } from '../../state/can-sign.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useFeeRates } from '../../state/use-fee-rates.ts'
import { NEWS } from '../../state/use-overview.ts'
import { useQuery } from '../../state/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import textStyles from '../../ui/styles/text.module.css'

const KINDS: { [kind in BumpKind]: { title: WordKey; note: WordKey } } = {
  'speed-up': { title: 'bumpSpeedUp', note: 'bumpSpeedUpNote' },
  child: { title: 'bumpChild', note: 'bumpChildNote' },
  cancel: { title: 'bumpCancel', note: 'bumpCancelNote' },
}

const OBSTACLES: { [obstacle in BumpObstacle]: WordKey } = {
  CONFIRMED: 'bumpConfirmed',
  HAS_CHILDREN: 'bumpHasChildren',
  NOT_OURS: 'bumpNotOurs',
  NO_OWN_OUTPUT: 'bumpNoOwnOutput',
  COINS_HELD: 'bumpCoinsHeld',
  INSUFFICIENT_FUNDS: 'bumpInsufficient',
  ENDED: 'bumpEnded',
}

/** Makes a waiting transaction confirm sooner, or takes it back. */
export function Bump(props: PageProps) {
  // What is reviewed is one account's.
  return <BumpSteps key={`${props.state.accountId} ${props.state.network}`} {...props} />
}

function BumpSteps({ state }: PageProps) {
  const [, txid = '', kind = ''] = useRoute()
  const account = state.accounts.find(({ id }) => id === state.accountId)
  const options = useQuery(() => call('getBumpOptions', { txid }), txid, NEWS)
  const rates = useFeeRates(state.network)
  const [plan, setPlan] = useState<PaymentPlanView | null>(null)
  const [result, setResult] = useState<PaymentResult | null>(null)
  if (!isBumpKind(kind) || !account || !canPay(account)) {
    return <Obstacle kind="speed-up" txid={txid} text={words('bumpNotOurs')} />
  }
  if (plan && result) return <PaymentResultScreen review={plan.review} result={result} />
  if (plan) {
    return (
      <PaymentReviewScreen
        plan={plan}
        account={account}
        network={state.network}
        onBack={() => setPlan(null)}
        onSent={setResult}
      />
    )
  }
  if (options.answer === null) {
    if (options.problem === null) return <Waiting kind={kind} />
    return <Unknown kind={kind} problem={options.problem} onRetry={options.retry} />
  }
  const { leastFeeRate, why } = options.answer[kind]
  if (why !== null) return <Obstacle kind={kind} txid={txid} text={words(OBSTACLES[why])} />
  if (rates.answer === null && rates.problem === null) return <Waiting kind={kind} />
  return (
    <RateForm
      title={words(KINDS[kind].title)}
      lead={
        <>
          {words(KINDS[kind].note)} <HelpButton term="speed-up" />
        </>
      }
      least={leastFeeRate}
      rates={rates.answer}
      plan={feeRate => call('planBump', { txid, kind, feeRate })}
      onPlanned={setPlan}
    />
  )
}

function isBumpKind(kind: string): kind is BumpKind {
  return Object.hasOwn(KINDS, kind)
}

function Obstacle({ kind, txid, text }: { kind: BumpKind; txid: string; text: string }) {
  return (
    <Screen
      head={<BackButton onBack={goBack} />}
      foot={
        <Button variant="primary" onClick={() => navigate(`/activity/${txid}`, { replace: true })}>
          {words('bumpSee')}
        </Button>
      }
    >
      <Title>{words(KINDS[kind].title)}</Title>
      <Notice tone="caution" title={words('bumpCannot')}>
        {text}
      </Notice>
    </Screen>
  )
}

function Waiting({ kind }: { kind: BumpKind }) {
  return (
    <Screen head={<BackButton onBack={goBack} />}>
      <Title>{words(KINDS[kind].title)}</Title>
      <p className={textStyles.muted}>{words(KINDS[kind].note)}</p>
      <Skeleton size="row" />
    </Screen>
  )
}

function Unknown(props: { kind: BumpKind; problem: string; onRetry: () => void }) {
  return (
    <Screen
      head={<BackButton onBack={goBack} />}
      foot={
        <Button variant="primary" onClick={props.onRetry}>
          {words('commonTryAgain')}
        </Button>
      }
    >
      <Title>{words(KINDS[props.kind].title)}</Title>
      <Notice tone="caution" title={words('bumpUnknown')}>
        {props.problem}
      </Notice>
    </Screen>
  )
}
