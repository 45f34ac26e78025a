import { useState } from 'react'
import type { Brc20AmountReview } from '../../background/ui-methods/brc20-views.ts'
import { explainServerProblem } from '../explain-error.ts'
import { Notice } from '../ui/notice.tsx'
import { readTokenAmount } from '../ui/token-amount.ts'
import { TokenAmountField } from '../ui/token-amount-field.tsx'
import { TokenNumber } from '../ui/token-number.tsx'
import { VisibleWord } from '../ui/visible-text.tsx'
import { richWords, words } from '../words.ts'
import { ApprovalFrame, type ApprovalScreenProps } from './approval-frame.tsx'
import { TickerNotice } from './ticker-notice.tsx'
import { Fact } from './transaction-facts.tsx'

type Brc20AmountProps = ApprovalScreenProps & { review: Brc20AmountReview }

/** A site wants a transfer inscription: the person says how much, and then sees what it costs. */
export function Brc20AmountApproval({ view, review, onDecide }: Brc20AmountProps) {
  const { tick, available, transferable, decimals, proposed, problem } = review
  const [typed, setTyped] = useState(proposed ?? '')
  const read = readTokenAmount(typed, { decimals, most: available })
  const tickText = <VisibleWord text={tick} />
  return (
    <ApprovalFrame
      view={view}
      onDecide={onDecide}
      verb={words('commonContinue')}
      effect={richWords('brc20AmountEffect', { tick: tickText })}
      blocked={'error' in read}
      {...('amount' in read ? { input: read.amount } : {})}
    >
      <TokenAmountField
        label={words('brc20Amount')}
        tick={tick}
        value={typed}
        error={typed !== '' && 'error' in read ? read.error : null}
        note={
          proposed !== null && typed === proposed
            ? words('brc20AmountProposed')
            : words('brc20AmountStep')
        }
        most={available}
        onChange={setTyped}
      />
      {available === null || transferable === null ? (
        <Notice tone="caution" title={words('brc20BalanceUnknown')}>
          {problem === null ? null : <p>{explainServerProblem(problem).text}</p>}
          <p>{words('brc20BalanceUnknownNote')}</p>
        </Notice>
      ) : (
        <dl className="facts">
          <Fact name={words('brc20Available')}>
            <TokenNumber amount={available} />
          </Fact>
          <Fact name={words('brc20Transferable')}>
            <TokenNumber amount={transferable} />
          </Fact>
        </dl>
      )}
      <TickerNotice tick={tick} />
      <p className="muted small">{words('brc20TransferNote')}</p>
    </ApprovalFrame>
  )
}
