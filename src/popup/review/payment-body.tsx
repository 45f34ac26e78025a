import type { ReactNode } from 'react'
import type { AssetMoveView } from '../../background/views/asset-views.ts'
import type { PaymentReview } from '../../background/views/payment-views.ts'
import { countWords, richWords, type WordKey, words } from '../platform/words.ts'
import { classNames } from '../ui/class-names.ts'
import factsStyles from '../ui/styles/facts.module.css'
import textStyles from '../ui/styles/text.module.css'
import { AddressText, shortenAddress } from '../ui/text/address-text.tsx'
import { formatFeeRate, nameBtc, nameSats } from '../ui/text/btc-digits.ts'
import { sayName } from '../ui/text/names.ts'
import { VisibleText } from '../ui/text/visible-text.tsx'
import { MoveList, QuietMoves, TellingMoves } from './asset-moves.tsx'
import { splitAsked } from './asset-outcomes.ts'
import { givenOf, groupByOutcome, NameMoved, tellAssetsFirst } from './asset-words.tsx'
import { CoinProofs } from './coins/coin-proofs.tsx'
import recipientsStyles from './recipients.module.css'
import { FEW_RECIPIENTS, FirstPayment, Recipients } from './recipients.tsx'
import { AmountFact, Fact, FeeFact, Parts } from './transaction-facts.tsx'
import { TransactionFlow } from './transaction-flow.tsx'
import { splitTransfer, TransferAssets } from './transfer-assets.tsx'
import { Cautions, Dangers } from './warnings.tsx'
import { WholeText } from './whole-text.tsx'

const FEE_NAMES: { [purpose in PaymentReview['purpose']]: WordKey } = {
  send: 'reviewFee',
  transfer: 'reviewFee',
  burn: 'reviewFee',
  split: 'reviewFee',
  merge: 'reviewFee',
  prepare: 'reviewFee',
  'speed-up': 'reviewFeeNew',
  cancel: 'reviewFeeNew',
  child: 'reviewFeeAdded',
}

/** What a payment does; first what happens to inscriptions and runes that nobody asked to move. */
export function describePayment(review: PaymentReview): ReactNode {
  if (review.purpose === 'transfer') {
    return tellAssetsFirst(splitTransfer(review).rest.filter(isOwn), describeTransfer(review))
  }
  if (review.purpose === 'burn')
    return richWords('burnEffect', { what: <NameMoved moves={review.assets} /> })
  const moves = splitAsked(review).others.filter(isOwn)
  const [to, ...others] = payeesOf(review)
  const given = givenOf(groupByOutcome(moves))
  // Assets that go to the only recipient are named in the same sentence.
  if (review.purpose === 'send' && to && others.length === 0 && given.length > 0) {
    if (given.every(({ address }) => address === (to.output ?? to.address))) {
      const rest = moves.filter(move => !given.includes(move))
      return tellAssetsFirst(
        rest,
        richWords('psbtSendWith', {
          amount: Btc(BigInt(review.sats)),
          what: <NameMoved moves={given} />,
          to: <WholeText text={nameRecipient(to)} />,
        }),
      )
    }
  }
  return tellAssetsFirst(moves, describeSats(review))
}

function isOwn({ own }: AssetMoveView): boolean {
  return own
}

function describeTransfer(review: PaymentReview): ReactNode {
  const { also } = splitTransfer(review)
  const payees = payeesOf(review)
  const [payee] = payees
  const values = {
    what: <NameMoved moves={review.assets.slice(0, review.asked)} />,
    to:
      payees.length === 1 && payee ? (
        <WholeText
          text={payee.name === null ? shortenAddress(payee.address) : sayName(payee.name)}
        />
      ) : (
        countWords('reviewRecipients', payees.length)
      ),
  }
  return also.length === 0
    ? richWords('transferEffect', values)
    : richWords('transferEffectAlso', { ...values, also: <NameMoved moves={also} /> })
}

/** What the person knows the recipient as. */
function nameRecipient({
  address,
  name,
  paymentName,
}: PaymentReview['recipients'][number]): string {
  if (paymentName !== undefined) return `₿${paymentName}`
  return name === null ? shortenAddress(address) : sayName(name)
}

/** Everybody who is paid, once. */
function payeesOf({ recipients }: PaymentReview): PaymentReview['recipients'] {
  return recipients.filter(
    ({ address }, index) => recipients.findIndex(other => other.address === address) === index,
  )
}

function describeSats(review: PaymentReview): ReactNode {
  const { recipients, purpose, warnings } = review
  const [first] = recipients
  const fee = BigInt(review.fee)
  const before = review.previous?.fee ?? null
  if (purpose === 'split') {
    const parted = review.assets.filter(({ asset }) => asset.kind === 'inscription')
    const coins = new Set(parted.map(({ output }) => output)).size
    const values = { what: <NameMoved moves={parted} />, fee: Sats(fee) }
    return coins < 2
      ? richWords('splitEffectOne', values)
      : richWords('splitEffect', { ...values, count: coins })
  }
  if (purpose === 'merge') {
    const count = countWords('coinsCount', review.inputs.length)
    return richWords('mergeEffect', { count, fee: Sats(fee) })
  }
  if (purpose === 'prepare') {
    const values = { fee: Sats(fee), count: recipients.length }
    return richWords('prepareEffect', values)
  }
  if (purpose === 'cancel') return richWords('reviewEffectCancel', { fee: Sats(fee) })
  if (purpose === 'speed-up' && before !== null)
    return richWords('reviewEffectSpeedUp', { fee: Sats(fee - BigInt(before)) })
  if (purpose !== 'send') return richWords('reviewEffectChild', { fee: Sats(fee) })
  const amount = Btc(BigInt(review.sats))
  if (recipients.length !== 1 || first === undefined) {
    const to = countWords('reviewRecipients', recipients.length)
    return richWords('reviewEffectMany', { amount, to })
  }
  const toSelf = warnings.some(({ kind }) => kind === 'own-address')
  return richWords(toSelf ? 'reviewEffectSelf' : 'reviewEffect', {
    amount,
    to: <WholeText text={nameRecipient(first)} />,
  })
}

function Btc(sats: bigint): ReactNode {
  return <span className={textStyles.nowrap}>{nameBtc(sats)}</span>
}

function Sats(sats: bigint): ReactNode {
  return <span className={textStyles.nowrap}>{nameSats(sats)}</span>
}

/** All that a person should see of a payment before it is signed: dangers, recipients, picture, cost, details. */
export function PaymentBody({ review }: { review: PaymentReview }) {
  const { inputs, outputs, warnings, previous, purpose, assets } = review
  const fee = BigInt(review.fee)
  const isTransfer = purpose === 'transfer'
  const recipients = isTransfer ? payeesOf(review) : review.recipients
  const isForOneself = ['split', 'merge', 'prepare', 'burn'].includes(purpose)
  const isMany = recipients.length > FEW_RECIPIENTS && !isForOneself
  const cost = (
    <dl className={factsStyles.facts}>
      {previous?.fee && purpose !== 'child' ? (
        <Fact name={words('reviewFeeBefore')}>{nameSats(BigInt(previous.fee))}</Fact>
      ) : null}
      <FeeFact
        name={words(FEE_NAMES[purpose])}
        fee={fee}
        // The sats under an inscription say nothing about its value.
        of={isTransfer || isForOneself ? 0n : BigInt(review.sats)}
        rate={words(purpose === 'child' ? 'reviewRateTogether' : 'reviewRate', {
          rate: formatFeeRate(review.feeRate),
        })}
        recent={review.recentFeeRate}
      />
      {isTransfer ? (
        <Fact name={words('transferPostage')} help="postage">
          {nameSats(BigInt(review.sats))}
        </Fact>
      ) : null}
      {purpose === 'burn' ? (
        <Fact name={words('burnSats')}>{nameSats(burnedOf(review))}</Fact>
      ) : null}
      {purpose === 'prepare' && recipients[0] ? (
        <Fact name={words('prepareCoins')}>{nameSats(BigInt(recipients[0].sats))}</Fact>
      ) : null}
      <AmountFact name={words('reviewPay')} sats={payOf(review)} strong />
      <AmountFact name={words('reviewBalance')} sats={BigInt(review.balanceAfter)} />
    </dl>
  )
  const names = new Map(
    recipients.map(({ address, name: given, output }) => {
      const name = given && sayName(given)
      return output === undefined ? [address, name] : [output, name ?? shortenAddress(address)]
    }),
  )
  const people = isForOneself ? null : isTransfer ? (
    <Payees payees={recipients} assets={splitTransfer(review).asked} />
  ) : (
    <Recipients
      recipients={recipients.map(({ output, ...recipient }) => ({
        ...recipient,
        note: output === undefined ? null : <SilentOutput address={output} />,
      }))}
    />
  )
  return (
    <>
      {isTransfer ? (
        <TransferAssets review={review} names={names} apart={recipients.length > 1 && !isMany} />
      ) : (
        <TellingMoves moves={assets} names={names} />
      )}
      <Dangers warnings={warnings} fee={fee} assets={assets} />
      {isMany ? null : people}
      {review.memo === null ? null : (
        <div className={recipientsStyles.recipient}>
          <p className={textStyles.note}>{words('reviewMemo')}</p>
          <p className={textStyles.breakable}>
            <VisibleText text={review.memo} />
          </p>
        </div>
      )}
      {isMany ? cost : null}
      {purpose === 'prepare' ? <p className={textStyles.muted}>{words('prepareNote')}</p> : null}
      {purpose === 'split' ? <QuietMoves moves={assets} names={names} /> : null}
      <TransactionFlow inputs={inputs} outputs={outputs} assets={assets} names={names} />
      <Cautions warnings={warnings} fee={fee} assets={assets} />
      <CoinProofs
        transactions={[review]}
        inscriptions={assets
          .slice(0, review.asked)
          .flatMap(({ asset }) => (asset.kind === 'inscription' ? asset.id : []))}
      />
      {isTransfer || purpose === 'split' ? null : <QuietMoves moves={assets} names={names} />}
      {isMany ? null : cost}
      {isMany ? (
        <>
          <h2>{countWords('reviewRecipients', recipients.length)}</h2>
          {people}
        </>
      ) : null}
      <Parts {...{ inputs, outputs, assets }} vsize={review.vsize} runestone={review.runestone} />
    </>
  )
}

type PayeesProps = { payees: PaymentReview['recipients']; assets: readonly AssetMoveView[] }

/** Who gets the inscriptions, and which of them; the sats that go along are listed elsewhere. */
function Payees({ payees, assets }: PayeesProps) {
  return (
    <ul className={recipientsStyles.recipients}>
      {payees.map(({ address, name, paidBefore }) => (
        <li key={address} className={recipientsStyles.recipient}>
          <p className={textStyles.note}>
            {words('transferTo')}
            {name === null ? null : <b className={recipientsStyles.name}>{sayName(name)}</b>}
          </p>
          <AddressText address={address} />
          <FirstPayment paidBefore={paidBefore} />
          {payees.length > 1 ? (
            <MoveList moves={assets.filter(move => move.address === address)} together />
          ) : null}
        </li>
      ))}
    </ul>
  )
}

/** What a silent payment address becomes in this transaction alone. */
function SilentOutput({ address }: { address: string }) {
  return (
    <>
      <p className={textStyles.note}>{words('reviewSilentOutput')}</p>
      <span className={classNames(textStyles.mono, textStyles.note, textStyles.breakable)}>
        {address}
      </span>
    </>
  )
}

/** Sats that nobody can spend any more. */
function burnedOf({ outputs }: PaymentReview): bigint {
  return outputs.reduce((sum, { sats, own }) => (own ? sum : sum + BigInt(sats)), 0n)
}

/** What leaves the account: all inputs of a payment are its own, and so is what comes back. */
function payOf({ inputs, outputs }: PaymentReview): bigint {
  const spent = inputs.reduce((sum, { sats }) => sum + BigInt(sats ?? 0), 0n)
  return outputs.reduce((sum, { sats, own }) => (own ? sum - BigInt(sats) : sum), spent)
}
