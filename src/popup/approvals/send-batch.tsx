import type { ReactNode } from 'react'
import type { SendBatchReview } from '../../background/views/psbt-views.ts'
import { countWords, richWords, words } from '../platform/words.ts'
import { nameAbout } from '../review/about-words.ts'
import { tellAssets } from '../review/asset-words.tsx'
import { CoinProofs } from '../review/coins/coin-proofs.tsx'
import { useConsents } from '../review/consents.tsx'
import type { Subject } from '../review/list-consents.ts'
import { PushBody } from '../review/push-body.tsx'
import { AmountFact, Fact } from '../review/transaction-facts.tsx'
import { classNames } from '../ui/class-names.ts'
import factsStyles from '../ui/styles/facts.module.css'
import textStyles from '../ui/styles/text.module.css'
import { nameSats, nameValue } from '../ui/text/btc-digits.ts'
import { ApprovalFrame, type ApprovalScreenProps } from './approval-frame.tsx'
import batchItemStyles from './signing/batch-item.module.css'
import { BatchItem, openAtFirst } from './signing/batch-item.tsx'

type Item = SendBatchReview['items'][number]
type SendBatchProps = ApprovalScreenProps & { review: SendBatchReview }

/** A site asks to broadcast several signed transactions in their order. */
export function SendBatchApproval({ view, review, onDecide }: SendBatchProps) {
  const { items, total } = review
  const fee = total.fee === null ? null : BigInt(total.fee)
  const cost = BigInt(total.netCost)
  const subjects = items.map(subjectOf)
  const { boxes, blocked } = useConsents(subjects)
  const opened = openAtFirst(subjects)
  return (
    <ApprovalFrame
      view={view}
      onDecide={onDecide}
      verb={words('batchSendVerb', { count: items.length })}
      effect={tellAssets(
        items.flatMap(({ assets }) => assets),
        describeBatch(review),
      )}
      consent={boxes}
      blocked={blocked}
    >
      <p className={textStyles.muted}>{words('batchSendFinal')}</p>
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
        <Fact name={words('batchFees')}>
          {fee === null ? words('batchFeesUnknown') : nameSats(fee)}
        </Fact>
      </dl>
      <CoinProofs transactions={items} />
      <h2>{countWords('batchTransactions', items.length)}</h2>
      <ul className={batchItemStyles.batch}>
        {items.map((item, index) => (
          <BatchItem
            key={item.itemId}
            index={index}
            effect={tellAssets(item.assets, describeItem(item))}
            notes={describeNotes(item)}
            subject={subjectOf(item)}
            isOpen={opened.has(index)}
          >
            <p className={classNames(textStyles.note, textStyles.breakable)}>
              {words('batchItemId', { id: item.itemId })}
            </p>
            <PushBody transaction={item} />
          </BatchItem>
        ))}
      </ul>
    </ApprovalFrame>
  )
}

function subjectOf({ warnings, fee, assets }: Item): Subject {
  return { warnings, fee: fee === null ? null : BigInt(fee), assets }
}

/** While an input is unknown, it could be this account's: then nobody can say that it costs nothing. */
function describeBatch({ items, total }: SendBatchReview): ReactNode {
  const count = items.length
  const cost = BigInt(total.netCost)
  if (cost === 0n)
    return words(total.fee === null ? 'batchSendUnseen' : 'batchSendNothing', { count })
  const effect = richWords(cost < 0n ? 'batchSendGet' : 'batchSendPay', {
    count,
    amount: <span className={textStyles.nowrap}>{nameValue(cost)}</span>,
  })
  return total.fee === null ? richWords('pushSeen', { effect }) : effect
}

function describeItem({ netCost, fee }: Item): string {
  const cost = BigInt(netCost)
  if (cost === 0n) return words(fee === null ? 'batchSendUnknown' : 'batchSendFree')
  const effect = words(cost < 0n ? 'batchSendGets' : 'batchSendPays', { amount: nameValue(cost) })
  return fee === null ? words('pushSeen', { effect }) : effect
}

function describeNotes({ about, fee, clean }: Item): string[] {
  return [
    about === null ? null : nameAbout(about),
    fee === null ? words('batchFeeUnknown') : words('batchFee', { fee: nameSats(BigInt(fee)) }),
    clean ? words('batchSendClean') : null,
  ].filter(note => note !== null)
}
