import type { ReactNode } from 'react'
import type { Overview } from '../../../background/views/activity-views.ts'
import { words } from '../../platform/words.ts'
import { classNames } from '../../ui/class-names.ts'
import { Link } from '../../ui/row.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { Amount } from '../../ui/text/amount.tsx'
import { useAmounts } from '../../ui/text/hidden-amounts.tsx'
import { HideAmountsButton } from './hide-amounts-button.tsx'
import styles from './home.module.css'

/** From 1,000 BTC on the digits need a smaller size to stay on one line. */
const LONG = 100_000_000_000n

type BalanceProps = {
  /** Null while loading, and when the server has not said. */
  balance: Overview['balance']
  price: Overview['price']
  loading: boolean
  /** The server is silent: this is what it said last. */
  old: boolean
  /** Whether amounts are to be hidden from now on. */
  onHide: (hideAmounts: boolean) => void
}

/** What the account holds, not yet confirmed coins included, as the largest thing on the screen. */
export function Balance({ balance, price, loading, old, onHide }: BalanceProps) {
  const button = <HideAmountsButton onHide={onHide} />
  return (
    <section
      className={classNames(styles.holdings, old && styles.old)}
      aria-label={words('homeBalance')}
      aria-busy={loading}
    >
      {loading ? (
        <>
          <span className={textStyles.visuallyHidden}>{words('commonLoading')}</span>
          <div className={styles.figureLine}>
            <Skeleton size="balance" />
            {button}
          </div>
          <Skeleton size="short" />
        </>
      ) : balance === null ? (
        <>
          <div className={styles.figureLine}>
            <p className={classNames(styles.figure, textStyles.muted)} aria-hidden="true">
              —
            </p>
            {button}
          </div>
          <p className={textStyles.muted}>{words('homeBalanceUnknown')}</p>
        </>
      ) : (
        <Figures balance={balance} price={price} old={old} button={button} />
      )}
    </section>
  )
}

type FiguresProps = {
  balance: NonNullable<Overview['balance']>
  price: Overview['price']
  old: boolean
  button: ReactNode
}

function Figures({ balance, price, old, button }: FiguresProps) {
  const amounts = useAmounts()
  const unconfirmed = BigInt(balance.unconfirmed)
  const total = BigInt(balance.confirmed) + unconfirmed
  return (
    <>
      <div className={styles.figureLine}>
        <p className={classNames(styles.figure, total >= LONG && !amounts.isHidden && styles.long)}>
          <Amount sats={total} />
        </p>
        {button}
      </div>
      <p className={styles.worth}>
        {amounts.isHidden ? (
          words('homeAmountsHidden')
        ) : (
          <>
            <span>{amounts.sats(total)}</span>
            {price ? <span>{amounts.fiat(total, price)}</span> : null}
          </>
        )}
        <Link to="/chart" className={textStyles.link}>
          {words('chartTitle')}
        </Link>
      </p>
      {old ? <p className={textStyles.note}>{words('homeBalanceOld')}</p> : null}
      {unconfirmed === 0n ? null : (
        <p className={textStyles.note}>
          {amounts.isHidden
            ? words('homeUnconfirmedHidden')
            : unconfirmed > 0n
              ? words('homeArriving', { amount: amounts.sats(unconfirmed) })
              : words('homeLeaving', { amount: amounts.sats(-unconfirmed) })}
        </p>
      )}
    </>
  )
}
