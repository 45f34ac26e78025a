import { useState } from 'react'
import type { Brc20Operation } from '../../../ordinals/brc20/brc20-operation.ts'
import { useRoute } from '../../platform/route.ts'
import { words } from '../../platform/words.ts'
import { nameTokens } from '../../review/inscribing/brc20-words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { TokenAmountField } from '../../ui/fields/token-amount-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { formatRuneAmount } from '../../ui/text/asset-names.ts'
import { multiplyTokenAmount, parseTokenAmount } from '../../ui/text/token-amount.ts'
import { explainTicker, parseTimes } from './operation-form.ts'
import { OperationSteps } from './operation-steps.tsx'
import { factsOf, useToken } from './token-facts.ts'
import { explainUnmintable, MintedFact } from './token-parts.tsx'

/** Minting a token, once or several times in one go. The path may name it. */
export function Mint({ state }: PageProps) {
  const [, , named = ''] = useRoute()
  const [form, setForm] = useState({ tick: named, amount: null as string | null, times: '1' })
  const tick = form.tick.trim()
  const token = useToken(state, tick)
  const facts = factsOf(token.answer)
  // As much as one mint may take is what nearly everybody wants, but for those who may take all.
  const most = facts === null || facts.selfMint ? null : facts.limit
  const typed = form.amount ?? most ?? ''
  const amount = parseTokenAmount(typed, { decimals: facts?.decimals ?? null, most: null })
  const times = parseTimes(form.times)
  const wrongTick = explainTicker(tick)
  const isReady = wrongTick === null && 'amount' in amount && times !== null
  const operations = isReady
    ? Array.from(
        { length: times },
        (): Brc20Operation => ({ op: 'mint', tick, amt: amount.amount }),
      )
    : null
  const obstacle = explainUnmintable(token.answer)
  return (
    <OperationSteps
      state={state}
      title={words('brc20MintTitle')}
      lead={words('brc20MintLead')}
      operations={operations}
    >
      {isTried => (
        <>
          <TextField
            label={words('brc20Tick')}
            value={form.tick}
            placeholder="ordi"
            error={isTried ? wrongTick : null}
            data-testid="brc20-tick"
            onChange={event => setForm({ ...form, tick: event.currentTarget.value })}
          />
          {obstacle === null ? null : (
            <Notice tone="caution" live>
              {obstacle}
            </Notice>
          )}
          {facts?.selfMint ? <Notice tone="info">{words('brc20SelfMintNote')}</Notice> : null}
          {facts ? <MintedFact facts={facts} /> : null}
          <TokenAmountField
            label={words('brc20AmountEach')}
            tick={tick}
            value={typed}
            error={
              (isTried || form.amount !== null) && 'error' in amount && (isTried || typed !== '')
                ? amount.error
                : null
            }
            note={most === null ? null : words('brc20LimitNote', { limit: formatRuneAmount(most) })}
            most={most}
            onChange={next => setForm({ ...form, amount: next })}
          />
          <TextField
            label={words('brc20TimesLabel')}
            inputMode="numeric"
            value={form.times}
            data-testid="brc20-times"
            error={
              (isTried || form.times !== '') && times === null ? words('brc20TimesInvalid') : null
            }
            note={
              isReady && times > 1
                ? words('brc20TimesNote', {
                    sum: nameTokens(multiplyTokenAmount(amount.amount, times), tick),
                  })
                : null
            }
            onChange={event => setForm({ ...form, times: event.currentTarget.value })}
          />
        </>
      )}
    </OperationSteps>
  )
}
