import type { ReactNode } from 'react'
import type { PushedTransaction } from '../../background/views/psbt-views.ts'
import { richWords, words } from '../platform/words.ts'
import factsStyles from '../ui/styles/facts.module.css'
import textStyles from '../ui/styles/text.module.css'
import { formatFeeRate, nameBtc } from '../ui/text/btc-digits.ts'
import { QuietMoves, TellingMoves } from './asset-moves.tsx'
import { RunestoneNews } from './runes/runestone.tsx'
import { AmountFact, Fact, FeeFact, Parts } from './transaction-facts.tsx'
import { TransactionFlow } from './transaction-flow.tsx'
import { Cautions, Dangers } from './warnings.tsx'

type PushBodyProps = {
  transaction: PushedTransaction
  /** What is said of the coins of this one alone. */
  children?: ReactNode
}

/** A signed transaction before it is broadcast: dangers, picture, cost, details. */
export function PushBody({ transaction, children }: PushBodyProps) {
  const { inputs, outputs, assets, warnings, feeRate, vsize, txid, runestone } = transaction
  const cost = BigInt(transaction.netCost)
  const fee = transaction.fee === null ? null : BigInt(transaction.fee)
  return (
    <>
      <TellingMoves moves={assets} />
      <RunestoneNews runestone={runestone} outputs={outputs} />
      <Dangers warnings={warnings} fee={fee} />
      <TransactionFlow inputs={inputs} outputs={outputs} assets={assets} />
      <Cautions warnings={warnings} fee={fee} assets={assets} />
      {children}
      <QuietMoves moves={assets} />
      <dl className={factsStyles.facts}>
        {cost === 0n && fee === null ? (
          <Fact name={words('reviewPay')}>{words('reviewFeeUnknown')}</Fact>
        ) : (
          <AmountFact
            name={words(cost < 0n ? 'reviewGet' : 'reviewPay')}
            sats={cost < 0n ? -cost : cost}
            strong
          />
        )}
        <FeeFact
          name={words('reviewFee')}
          fee={fee}
          of={outputs.reduce((sum, { sats }) => sum + BigInt(sats), 0n)}
          rate={feeRate === null ? null : words('reviewRate', { rate: formatFeeRate(feeRate) })}
          recent={fee === null ? null : transaction.recentFeeRate}
        />
      </dl>
      <Parts {...{ inputs, outputs, vsize, txid, assets, runestone }} />
    </>
  )
}

/** What it does in plain words. While an input is unknown, it could be this account's: then nobody can say that it costs nothing. */
export function describePush(cost: bigint, isKnown: boolean): ReactNode {
  if (cost === 0n) return words(isKnown ? 'pushFree' : 'pushUnseen')
  const sats = cost < 0n ? -cost : cost
  const effect = richWords(cost < 0n ? 'pushGet' : 'pushPay', {
    amount: <span className={textStyles.nowrap}>{nameBtc(sats)}</span>,
  })
  return isKnown ? effect : richWords('pushSeen', { effect })
}
