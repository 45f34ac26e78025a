import {
  ArrowDownLeft,
  ArrowUpRight,
  CirclePause,
  CircleSlash,
  CircleX,
  Clock,
  Coins,
  Flame,
  Gem,
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
import type { ActivityEntry, ActivityKind } from '../../../background/views/activity-views.ts'
import { joinFacts } from '../../platform/join-facts.ts'
import { nameAbout } from '../../review/about-words.ts'
import { classNames } from '../../ui/class-names.ts'
import rowStyles from '../../ui/row.module.css'
import { Link } from '../../ui/row.tsx'
import { Sign, type Tone } from '../../ui/status-banner.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { HiddenAmount, useAmounts } from '../../ui/text/hidden-amounts.tsx'
import { describeOrigin } from '../../ui/text/site-origin.ts'
import { formatAgo } from '../../ui/text/time-text.ts'
import styles from './entry-row.module.css'
import {
  formatEffect,
  isNeverSent,
  isVoid,
  isWaiting,
  nameEntry,
  nameStatus,
} from './entry-words.ts'

const KIND_ICONS: { [kind in ActivityKind]: LucideIcon } = {
  sent: ArrowUpRight,
  received: ArrowDownLeft,
  moved: RefreshCw,
  pushed: Radio,
  prepared: Coins,
  commit: PenLine,
  reveal: Stamp,
  etching: Stamp,
  refund: Undo2,
  delivery: ArrowUpRight,
  mint: Gem,
  burn: Flame,
  'speed-up': Zap,
  child: Zap,
  cancel: Undo2,
}

/** One transaction in a list; pressing it shows the details. */
export const EntryRow = memo(function EntryRow({ entry }: { entry: ActivityEntry }) {
  return (
    <li className={styles.entry}>
      <Link to={`/activity/${entry.txid}`} className={rowStyles.row}>
        <EntrySign entry={entry} />
        <span className={classNames(rowStyles.text, styles.text)}>
          <span className={classNames(rowStyles.title, styles.title)}>
            {entry.label || nameEntry(entry)}
          </span>{' '}
          <span className={classNames(rowStyles.note, styles.note)}>{describe(entry)}</span>
        </span>{' '}
        <EntryEffect entry={entry} />
      </Link>
    </li>
  )
})

/** What it adds to the account, or takes from it. */
export function EntryEffect({ entry }: { entry: ActivityEntry }) {
  const { isHidden } = useAmounts()
  if (entry.net === null) return null
  const net = BigInt(entry.net)
  // What a reveal brings in was part of what its commit paid.
  const isGain = net > 0n && entry.kind !== 'reveal' && entry.kind !== 'etching'
  return (
    <span
      className={classNames(
        styles.effect,
        isHidden ? textStyles.muted : isVoid(entry) ? styles.void : isGain && styles.plus,
      )}
    >
      {isHidden ? (
        <HiddenAmount />
      ) : (
        <>
          {formatEffect(net)} <span className={styles.unit}>BTC</span>
        </>
      )}
    </span>
  )
}

/** What it is, coloured by how it stands; the words beside it say both. */
export function EntrySign({ entry }: { entry: ActivityEntry }) {
  const { Icon, tone } = signOf(entry)
  return <Sign Icon={Icon} tone={tone} />
}

function signOf(entry: ActivityEntry): { Icon: LucideIcon; tone: Tone } {
  if (isNeverSent(entry)) return { Icon: CircleSlash, tone: 'muted' }
  if (entry.status === 'failed') return { Icon: CircleX, tone: 'danger' }
  if (entry.status === 'replaced') return { Icon: Replace, tone: 'muted' }
  if (entry.status === 'unsent') return { Icon: CirclePause, tone: 'open' }
  if (isWaiting(entry)) return { Icon: Clock, tone: 'open' }
  return { Icon: KIND_ICONS[entry.kind], tone: entry.kind === 'received' ? 'plus' : 'plain' }
}

/** "Pending · BRC-20 transfer · 5 min ago · app.example". */
export function describe(entry: ActivityEntry): string {
  const parts = [
    entry.status === 'confirmed' ? null : nameStatus(entry),
    entry.label ? nameEntry(entry) : null,
    entry.about === null ? null : nameAbout(entry.about),
    formatAgo(entry.at, Date.now()),
    entry.origin && entry.kind !== 'pushed' ? describeOrigin(entry.origin).host : null,
  ]
  return joinFacts(parts)
}
