import {
  ArrowDownLeft,
  ArrowUpRight,
  CirclePause,
  CircleX,
  Clock,
  Coins,
  type LucideIcon,
  PenLine,
  Radio,
  RefreshCw,
  Replace,
  Stamp,
  Undo2,
  Zap,
} from 'lucide-react'
import { memo } from 'react'
import type { ActivityEntry, ActivityKind } from '../../../background/ui-methods/activity-views.ts'
import { nameAbout } from '../../approvals/about-words.ts'
import { Link } from '../../ui/row.tsx'
import { describeOrigin } from '../../ui/site-origin.ts'
import { formatAgo } from '../../ui/time-text.ts'
import { words } from '../../words.ts'
import { formatEffect, isVoid, isWaiting, nameEntry, STATUS_WORDS } from './entry-words.ts'

const KIND_ICONS: { [kind in ActivityKind]: LucideIcon } = {
  sent: ArrowUpRight,
  received: ArrowDownLeft,
  moved: RefreshCw,
  pushed: Radio,
  prepared: Coins,
  commit: PenLine,
  reveal: Stamp,
  refund: Undo2,
  'speed-up': Zap,
  child: Zap,
  cancel: Undo2,
}

/** One transaction in a list; pressing it shows the details. */
export const EntryRow = memo(function EntryRow({ entry }: { entry: ActivityEntry }) {
  const net = entry.net === null ? null : BigInt(entry.net)
  return (
    <li className="entry">
      <Link to={`/activity/${entry.txid}`} className="row">
        <EntryIcon entry={entry} />
        <span className="row-text">
          <span className="row-title">{entry.label || nameEntry(entry)}</span>{' '}
          <span className="row-note">{describe(entry)}</span>
        </span>{' '}
        {net === null ? null : (
          <span className={`effect${isVoid(entry) ? ' void' : net > 0n ? ' plus' : ''}`}>
            {formatEffect(net)} <span className="unit">BTC</span>
          </span>
        )}
      </Link>
    </li>
  )
})

/** What it is, coloured by how it stands; the words beside it say both. */
export function EntryIcon({ entry }: { entry: ActivityEntry }) {
  const Icon =
    entry.status === 'failed'
      ? CircleX
      : entry.status === 'replaced'
        ? Replace
        : entry.status === 'unsent'
          ? CirclePause
          : isWaiting(entry)
            ? Clock
            : KIND_ICONS[entry.kind]
  const tone = isVoid(entry)
    ? entry.status
    : isWaiting(entry)
      ? 'open'
      : entry.kind === 'received'
        ? 'plus'
        : 'plain'
  return (
    <span className={`entry-icon ${tone}`}>
      <Icon size={18} aria-hidden />
    </span>
  )
}

/** "Pending · BRC-20 transfer · 5 min ago · app.example". */
function describe(entry: ActivityEntry): string {
  const parts = [
    entry.status === 'confirmed' ? null : words(STATUS_WORDS[entry.status]),
    entry.label ? nameEntry(entry) : null,
    entry.about === null ? null : nameAbout(entry.about),
    formatAgo(entry.at, Date.now()),
    entry.origin && entry.kind !== 'pushed' ? describeOrigin(entry.origin).host : null,
  ]
  return parts.filter(part => part !== null).join(' · ')
}
