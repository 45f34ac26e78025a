import { useState } from 'react'
import { countTickerBytes } from '../../../ordinals/brc20/brc20-operation.ts'
import { useRoute } from '../../platform/route.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { spellWord } from '../../ui/text/visible-parts.ts'
import { type DeployForm, parseDeploy } from './operation-form.ts'
import { OperationSteps } from './operation-steps.tsx'
import { useToken } from './token-facts.ts'

/** Deploying a new token. The path may name it. */
export function Deploy({ state }: PageProps) {
  const [, , named = ''] = useRoute()
  const [form, setForm] = useState<DeployForm>({ tick: named, max: '', lim: '', dec: '18' })
  const { operation, errors } = parseDeploy(form)
  const { answer } = useToken(state, form.tick)
  const isTaken = answer !== null && answer.token !== 'none' && answer.token !== null
  const bytes = countTickerBytes(form.tick)
  const field = (name: keyof DeployForm, isTried: boolean) => ({
    value: form[name],
    error: isTried || (form[name] !== '' && name !== 'tick') ? errors[name] : null,
    'data-testid': `brc20-${name}`,
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      setForm({ ...form, [name]: event.currentTarget.value }),
  })
  return (
    <OperationSteps
      state={state}
      title={words('brc20DeployTitle')}
      lead={words('brc20DeployLead')}
      operations={operation && [operation]}
    >
      {isTried => (
        <>
          <TextField
            label={words('brc20Tick')}
            {...field('tick', isTried)}
            note={
              bytes === 4
                ? words('brc20TickOpen')
                : bytes === 5
                  ? words('brc20TickSelf')
                  : words('brc20TickNote')
            }
          />
          {isTaken ? (
            <Notice tone="caution" title={words('brc20Taken', { tick: spellWord(form.tick) })} live>
              {words('brc20TakenNote')}
            </Notice>
          ) : null}
          <TextField
            label={words('brc20Supply')}
            inputMode="decimal"
            placeholder="21000000"
            {...field('max', isTried)}
            note={bytes === 5 ? words('brc20SupplySelf') : words('brc20SupplyNote')}
          />
          <TextField
            label={words('brc20Limit')}
            inputMode="decimal"
            placeholder="1000"
            {...field('lim', isTried)}
            note={words('brc20LimitEmpty')}
          />
          <TextField
            label={words('brc20Decimals')}
            inputMode="numeric"
            {...field('dec', isTried)}
            note={words('brc20DecimalsNote')}
          />
        </>
      )}
    </OperationSteps>
  )
}
