import { useState } from 'react'
import type { Brc20AmountReview } from '../../background/views/brc20-views.ts'
import { richWords, words } from '../platform/words.ts'
import { TickerNotice } from '../review/inscribing/ticker-notice.tsx'
import { Fact } from '../review/transaction-facts.tsx'
import { explainServerProblem } from '../state/explain-error.ts'
import { TokenAmountField } from '../ui/fields/token-amount-field.tsx'
import { Notice } from '../ui/notice.tsx'
import { parseTokenAmount } from '../ui/text/token-amount.ts'
import { TokenNumber } from '../ui/text/token-number.tsx'
import { VisibleWord } from '../ui/text/visible-text.tsx'
import { ApprovalFrame, type ApprovalScreenProps } from './approval-frame.tsx'

type Brc20AmountProps = ApprovalScreenProps & { review: Brc20AmountReview }

/** A site wants a transfer inscription: the person says how much, and then sees what it costs. */
export function Brc20AmountApproval({ view, review, onDecide }: Brc20AmountProps) {
  const { tick, available, transferable, decimals, proposed, problem } = review
  const [typed, setTyped] = useState(proposed ?? '')
  const read = parseTokenAmount(typed, { decimals, most: available })
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
