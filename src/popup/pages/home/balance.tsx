import type { Overview } from '../../../background/views/activity-views.ts'
import { words } from '../../platform/words.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Amount } from '../../ui/text/amount.tsx'
import { formatFiat, nameSats } from '../../ui/text/btc-digits.ts'

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
      className={`holdings${old ? ' old' : ''}`}
      aria-label={words('homeBalance')}
      aria-busy={loading}
    >
      {loading ? (
        <>
          <span className="hidden-text">{words('commonLoading')}</span>
          <Skeleton size="balance" />
          <Skeleton size="short" />
        </>
      ) : balance === null ? (
        <>
          <p className="figure muted" aria-hidden="true">
            —
          </p>
          <p className="muted">{words('homeBalanceUnknown')}</p>
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
      <p className={`figure${total >= LONG ? ' long' : ''}`}>
        <Amount sats={total} />
      </p>
      <p className="worth">
        <span>{nameSats(total)}</span>
        {price ? <span>{formatFiat(total, price)}</span> : null}
      </p>
      {old ? <p className="muted small">{words('homeBalanceOld')}</p> : null}
      {unconfirmed === 0n ? null : (
        <p className="muted small">
          {unconfirmed > 0n
            ? words('homeArriving', { amount: nameSats(unconfirmed) })
            : words('homeLeaving', { amount: nameSats(-unconfirmed) })}
        </p>
      )}
    </>
  )
}
