import { type ReactNode, useState } from 'react'
import type { FeeRatesView } from '../../background/views/payment-views.ts'
import { goBack } from '../platform/route.ts'
import { words } from '../platform/words.ts'
import { useTask } from '../state/use-task.ts'
import { FormScreen } from '../ui/form-screen.tsx'
import { FeeChoiceField } from './fee-field.tsx'
import { parseRateText } from './fee-form.ts'

type RateFormProps<T> = {
  title: string
  lead: ReactNode
  /** sat/vB. */
  least: number
  /** The server's rates; without them only the least rate and the person's own are offered. */
  rates: FeeRatesView | null
  /** Where one step back is not the page before. */
  onBack?: () => void
  /** Plans the transaction; a rejection is shown to the person. */
  plan: (feeRate: number) => Promise<T>
  /** Gets the plan, unless another rate is chosen by then. */
  onPlanned: (plan: T) => void
}

/** Asks for the fee rate of a replacement, a child or a refund; the least rate that works is one of the choices. */
export function RateForm<T>(props: RateFormProps<T>) {
  const { title, lead, least, rates, onBack = goBack, plan, onPlanned } = props
  const choices = listChoices(least, rates)
  const fastest = choices.at(-1)?.value ?? 'least'
  const [chosen, setChoice] = useState<Choice | 'custom'>(fastest)
  // Newer rates may leave one out.
  const isThere = chosen === 'custom' || choices.some(({ value }) => value === chosen)
  const choice = isThere ? chosen : fastest
  const [custom, setCustom] = useState('')
  const [tried, setTried] = useState(false)
  const planning = useTask()
  const rate = choice === 'custom' ? parseRateText(custom) : rateOf(choices, choice)
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
    void planning.run(async isWanted => {
      const planned = await plan(rate)
      if (isWanted()) onPlanned(planned)
    })
  }
  return (
    <FormScreen
      title={title}
      lead={lead}
      action={words(planning.busy ? 'sendPlanning' : 'sendReview')}
      busy={planning.busy}
      failure={planning.failure}
      onBack={onBack}
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
        onChoose={next => {
          planning.forget()
          setChoice(next)
        }}
        onCustom={text => {
          planning.forget()
          setCustom(text)
        }}
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
