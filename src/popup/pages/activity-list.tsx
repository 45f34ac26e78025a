import { ArrowUpRight, CircleX, Clock, Radio } from 'lucide-react'
import type { ActivityEntry } from '../../background/ui-methods/ui-methods.ts'
import { shortenAddress } from '../ui/address-chunks.ts'
import { AddressText } from '../ui/address-text.tsx'
import { formatShortBtc, nameSats } from '../ui/btc-digits.ts'
import { describeOrigin } from '../ui/site-origin.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { formatAgo } from '../ui/time-text.ts'

const STATUS_NAMES: { [status in ActivityEntry['status']]: string } = {
  sending: 'Sending',
  pending: 'Pending',
  confirmed: 'Confirmed',
  failed: 'Failed',
}

/** What this wallet sent since the browser started; null while it is not known. */
export function ActivityList({ activity }: { activity: ActivityEntry[] | null }) {
  return (
    <section className="activity" aria-label="Activity">
      <h2>Activity</h2>
      {activity === null ? (
        <div className="stack">
          <Skeleton size="row" />
          <Skeleton size="row" />
        </div>
      ) : activity.length === 0 ? (
        <p className="muted small">
          Nothing sent yet. Payments that you approve are listed here until the browser is closed.
        </p>
      ) : (
        <ul>
          {activity.map(entry => (
            <li key={entry.txid}>
              <Entry entry={entry} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Entry({ entry }: { entry: ActivityEntry }) {
  const host = entry.origin === null ? null : describeOrigin(entry.origin).host
  const title = entry.to ? `To ${shortenAddress(entry.to)}` : 'Transaction broadcast'
  return (
    <details className="entry">
      <summary>
        <span className={`state ${entry.status}`}>
          <StatusIcon status={entry.status} />
        </span>
        <span className="what">
          <span className="title">{title}</span>
          <span className="muted small">
            {STATUS_NAMES[entry.status]} · {formatAgo(entry.at, Date.now())}
          </span>
        </span>
        {entry.sats === null ? null : (
          <span className={`sum${entry.status === 'failed' ? ' void' : ''}`}>
            {formatShortBtc(-BigInt(entry.sats))} <span className="muted small">BTC</span>
          </span>
        )}
      </summary>
      <dl className="entry-facts small">
        {host === null ? null : (
          <div>
            <dt>Asked by</dt>
            <dd className="mono breakable">{host}</dd>
          </div>
        )}
        {entry.to === null ? null : (
          <div>
            <dt>To</dt>
            <dd>
              <AddressText address={entry.to} />
            </dd>
          </div>
        )}
        {entry.fee === null ? null : (
          <div>
            <dt>Fee</dt>
            <dd>{nameSats(BigInt(entry.fee))}</dd>
          </div>
        )}
        <div>
          <dt>Transaction</dt>
          <dd className="mono breakable">{entry.txid}</dd>
        </div>
      </dl>
    </details>
  )
}

function StatusIcon({ status }: { status: ActivityEntry['status'] }) {
  if (status === 'sending') return <Radio size={18} aria-hidden />
  if (status === 'pending') return <Clock size={18} aria-hidden />
  if (status === 'failed') return <CircleX size={18} aria-hidden />
  return <ArrowUpRight size={18} aria-hidden />
}
