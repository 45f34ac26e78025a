import { useState } from 'react'
import { useRoute } from '../../platform/route.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { TokenAmountField } from '../../ui/fields/token-amount-field.tsx'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { formatRuneAmount } from '../../ui/text/asset-names.ts'
import { parseTokenAmount } from '../../ui/text/token-amount.ts'
import { spellWord } from '../../ui/text/visible-parts.ts'
import { OperationSteps } from './operation-steps.tsx'
import { factsOf, hasBalances, useToken } from './token-facts.ts'

/** A transfer inscription to oneself that holds an amount, to be sent later. The path names the token. */
export function PrepareTransfer({ state }: PageProps) {
  const [, , tick = ''] = useRoute()
  const [typed, setTyped] = useState('')
  const token = useToken(state, tick)
  const { answer, problem } = token
  const available = answer !== null && hasBalances(answer) ? answer.available : null
  const amount = parseTokenAmount(typed, {
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
          {problem !== null || (answer !== null && !hasBalances(answer)) ? (
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
