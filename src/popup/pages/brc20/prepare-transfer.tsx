import { useState } from 'react'
import type { PageProps } from '../../app.tsx'
import { useRoute } from '../../route.ts'
import { formatRuneAmount } from '../../ui/asset-names.ts'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { readTokenAmount } from '../../ui/token-amount.ts'
import { TokenAmountField } from '../../ui/token-amount-field.tsx'
import { spellWord } from '../../ui/visible-parts.ts'
import { words } from '../../words.ts'
import { OperationSteps } from './operation-steps.tsx'
import { factsOf, isTold, useToken } from './token-facts.ts'

/** The first step of sending a token: an inscription to oneself that holds the amount. The path names the token. */
export function PrepareTransfer({ state }: PageProps) {
  const [, , tick = ''] = useRoute()
  const [typed, setTyped] = useState('')
  const token = useToken(state, tick)
  const { answer, problem } = token
  const available = answer !== null && isTold(answer) ? answer.available : null
  const amount = readTokenAmount(typed, {
    decimals: factsOf(answer)?.decimals ?? null,
    most: available,
  })
  return (
    <OperationSteps
      state={state}
      title={words('brc20PrepareTitle', { tick: spellWord(tick) })}
      lead={words('brc20TransferNote')}
      operations={'amount' in amount ? [{ op: 'transfer', tick, amt: amount.amount }] : null}
    >
      {isTried => (
        <>
          <TokenAmountField
            label={words('brc20Amount')}
            tick={tick}
            value={typed}
            error={(isTried || typed !== '') && 'error' in amount ? amount.error : null}
            note={
              available === null
                ? null
                : words('brc20AvailableNote', { amount: formatRuneAmount(available) })
            }
            most={available}
            onChange={setTyped}
          />
          {answer === null && problem === null ? <Skeleton size="short" /> : null}
          {problem !== null || (answer !== null && !isTold(answer)) ? (
            <RetryNotice
              tone="caution"
              title={words('brc20BalanceUnknown')}
              problem={words('brc20BalanceUnknownNote')}
              busy={token.busy}
              onRetry={token.retry}
            />
          ) : null}
        </>
      )}
    </OperationSteps>
  )
}
