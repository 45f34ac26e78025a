import { useState } from 'react'
import type {
  BumpKind,
  BumpObstacle,
  FeeRatesView,
  PaymentPlanView,
  PaymentResult,
} from '../../../background/ui-methods/payment-views.ts'
import { parseFeeRate } from '../../../bitcoin/fee-rate.ts'
import type { PageProps } from '../../app.tsx'
import { goBack, navigate, useRoute } from '../../route.ts'
import { call } from '../../rpc.ts'
import { Button } from '../../ui/button.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useAnswer } from '../../use-answer.ts'
import { NEWS } from '../../use-overview.ts'
import { useTask } from '../../use-task.ts'
import { type WordKey, words } from '../../words.ts'
import { FeeChoiceField } from './fee-choice.tsx'
import { PaymentResultScreen } from './payment-result.tsx'
import { PaymentReviewScreen } from './payment-review.tsx'
import './send.css'

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
export function Bump({ state }: PageProps) {
  const [, txid = '', kind = ''] = useRoute()
  const account = state.accounts.find(({ id }) => id === state.accountId)
  const options = useAnswer(() => call('getBumpOptions', { txid }), txid, NEWS)
  const rates = useAnswer(() => call('getFeeRates', null), state.network, [])
  const [plan, setPlan] = useState<PaymentPlanView | null>(null)
  const [result, setResult] = useState<PaymentResult | null>(null)
  if (!isBumpKind(kind) || !account || account.source === 'watch') {
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
  // Rates only help to choose: without them the least one and an own one are left.
  if (rates.answer === null && rates.problem === null) return <Waiting kind={kind} />
  return (
    <BumpForm txid={txid} kind={kind} least={leastFeeRate} rates={rates.answer} onPlan={setPlan} />
  )
}

type BumpFormProps = {
  txid: string
  kind: BumpKind
  least: number
  rates: FeeRatesView | null
  onPlan: (plan: PaymentPlanView) => void
}

function BumpForm({ txid, kind, least, rates, onPlan }: BumpFormProps) {
  const choices = listChoices(least, rates)
  const [choice, setChoice] = useState<Choice | 'custom'>(choices.at(-1)?.value ?? 'least')
  const [custom, setCustom] = useState('')
  const [tried, setTried] = useState(false)
  const planning = useTask()
  const rate = choice === 'custom' ? readRate(custom) : rateOf(choices, choice)
  const error =
    rate === null
      ? words('sendRateInvalid')
      : rate < least
        ? // As it has to be typed: rounded down it would be refused.
          words('bumpTooLow', { least })
        : null
  const submit = () => {
    setTried(true)
    if (rate === null || error !== null) return
    void planning.run(async () => onPlan(await call('planBump', { txid, kind, feeRate: rate })))
  }
  return (
    <FormScreen
      title={words(KINDS[kind].title)}
      lead={words(KINDS[kind].note)}
      action={words(planning.busy ? 'sendPlanning' : 'sendReview')}
      busy={planning.busy}
      failure={planning.failure}
      onBack={goBack}
      onSubmit={submit}
    >
      <FeeChoiceField
        choices={choices}
        value={choice}
        custom={custom}
        error={tried || (custom !== '' && rate !== null) ? error : null}
        rate={rate}
        minimum={null}
        fee={null}
        price={null}
        problem={null}
        note={words('bumpFeeNote')}
        onChoose={setChoice}
        onCustom={setCustom}
      />
    </FormScreen>
  )
}

type Choice = 'least' | 'halfHour' | 'fastest'
type Choices = { value: Choice; name: string; time: string; rate: number }[]

/** The least rate that works, and those of the server that are higher; the last one is the fastest. */
function listChoices(least: number, rates: FeeRatesView | null): Choices {
  const choices: Choices = [
    { value: 'least', name: words('bumpLeast'), time: words('bumpLeastTime'), rate: least },
  ]
  if (rates && rates.halfHour > least) {
    choices.push({
      value: 'halfHour',
      name: words('sendNormal'),
      time: words('sendNormalTime'),
      rate: rates.halfHour,
    })
  }
  if (rates && rates.fastest > Math.max(least, rates.halfHour)) {
    choices.push({
      value: 'fastest',
      name: words('sendFast'),
      time: words('sendFastTime'),
      rate: rates.fastest,
    })
  }
  return choices
}

function rateOf(choices: Choices, choice: Choice): number | null {
  return choices.find(({ value }) => value === choice)?.rate ?? null
}

function readRate(text: string): number | null {
  try {
    return parseFeeRate(text.trim())
  } catch {
    return null
  }
}

function isBumpKind(kind: string): kind is BumpKind {
  return Object.hasOwn(KINDS, kind)
}

function Obstacle({ kind, txid, text }: { kind: BumpKind; txid: string; text: string }) {
  return (
    <Screen
      head={<BackButton onBack={goBack} />}
      foot={
        <Button look="primary" onClick={() => navigate(`/activity/${txid}`, { replace: true })}>
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
      <p className="muted">{words(KINDS[kind].note)}</p>
      <Skeleton size="row" />
    </Screen>
  )
}

function Unknown(props: { kind: BumpKind; problem: string; onRetry: () => void }) {
  return (
    <Screen
      head={<BackButton onBack={goBack} />}
      foot={
        <Button look="primary" onClick={props.onRetry}>
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
