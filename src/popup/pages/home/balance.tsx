import type { Overview } from '../../../background/views/activity-views.ts'
import { words } from '../../platform/words.ts'
import { classNames } from '../../ui/class-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { Amount } from '../../ui/text/amount.tsx'
import { formatFiat, nameSats } from '../../ui/text/btc-digits.ts'
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
}

/** What the account holds, not yet confirmed coins included, as the largest thing on the screen. */
export function Balance({ balance, price, loading, old }: BalanceProps) {
  return (
    <section
      className={classNames(styles.holdings, old && styles.old)}
      aria-label={words('homeBalance')}
      aria-busy={loading}
    >
      {loading ? (
        <>
          <span className={textStyles.visuallyHidden}>{words('commonLoading')}</span>
          <Skeleton size="balance" />
          <Skeleton size="short" />
        </>
      ) : balance === null ? (
        <>
          <p className={classNames(styles.figure, textStyles.muted)} aria-hidden="true">
            —
          </p>
          <p className={textStyles.muted}>{words('homeBalanceUnknown')}</p>
        </>
      ) : (
        <Figures balance={balance} price={price} old={old} />
      )}
    </section>
  )
}

type FiguresProps = { balance: NonNullable<Overview['balance']>; price: Overview['price'] }

function Figures({ balance, price, old }: FiguresProps & { old: boolean }) {
  const unconfirmed = BigInt(balance.unconfirmed)
  const total = BigInt(balance.confirmed) + unconfirmed
  return (
    <>
      <p className={classNames(styles.figure, total >= LONG && styles.long)}>
        <Amount sats={total} />
      </p>
      <p className={styles.worth}>
        <span>{nameSats(total)}</span>
        {price ? <span>{formatFiat(total, price)}</span> : null}
      </p>
      {old ? <p className={textStyles.note}>{words('homeBalanceOld')}</p> : null}
      {unconfirmed === 0n ? null : (
        <p className={textStyles.note}>
          {unconfirmed > 0n
            ? words('homeArriving', { amount: nameSats(unconfirmed) })
            : words('homeLeaving', { amount: nameSats(-unconfirmed) })}
        </p>
      )}
    </>
  )
}
