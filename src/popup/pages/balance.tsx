import type { Overview } from '../../background/ui-methods/ui-methods.ts'
import { Amount } from '../ui/amount.tsx'
import { formatSats, nameSats } from '../ui/btc-digits.ts'
import { Skeleton } from '../ui/skeleton.tsx'

/** From 1,000 BTC on the digits need a smaller size to stay on one line. */
const LONG = 100_000_000_000n

type BalanceProps = { balance: Overview['balance']; loading: boolean }

/** What the account holds, not yet confirmed coins included, as the largest thing on the screen. */
export function Balance({ balance, loading }: BalanceProps) {
  return (
    <section className="balance" aria-label="Balance" aria-busy={loading}>
      {loading ? (
        <>
          <span className="hidden-text">Loading</span>
          <Skeleton size="balance" />
          <Skeleton size="short" />
        </>
      ) : (
        <Figures balance={balance} />
      )}
    </section>
  )
}

function Figures({ balance }: { balance: Overview['balance'] }) {
  if (!balance) {
    return (
      <p className="figure muted">
        <span className="hidden-text">Not known</span>
        <span aria-hidden="true">—</span>
      </p>
    )
  }
  const unconfirmed = BigInt(balance.unconfirmed)
  const total = BigInt(balance.confirmed) + unconfirmed
  return (
    <>
      <p className={`figure${total >= LONG ? ' long' : ''}`}>
        <Amount sats={total} />
      </p>
      <p className="muted">{nameSats(total)}</p>
      {unconfirmed === 0n ? null : (
        <p className="muted small">
          {unconfirmed > 0n
            ? `${formatSats(unconfirmed)} of them not confirmed yet`
            : `${nameSats(-unconfirmed)} leaving, not confirmed yet`}
        </p>
      )}
    </>
  )
}
