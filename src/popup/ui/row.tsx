import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { navigate } from '../platform/route.ts'
import { classNames } from './class-names.ts'
import styles from './row.module.css'
import textStyles from './styles/text.module.css'

/** Rows under each other, one surface; `label` is read out and not shown. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={styles.rows} aria-label={label}>
      {children}
    </ul>
  )
}

type RowProps = {
  icon?: ReactNode
  title: ReactNode
  note?: ReactNode
  /** What stands at the end, such as a value in use. */
  end?: ReactNode
  tone?: 'plain' | 'danger'
}

/** A row that leads to another screen. */
export function LinkRow({ to, end, ...row }: RowProps & { to: string }) {
  return (
    <li>
      <Link to={to} className={styles.row}>
        <RowParts
          {...row}
          end={
            <>
              {end}
              <ChevronRight size={16} aria-hidden />
            </>
          }
        />
      </Link>
    </li>
  )
}

type ActionRowProps = RowProps & {
  onPress: () => void
  disabled?: boolean
  /** Work is under way: the row keeps the focus, tells so, and takes no further press. */
  busy?: boolean
}

/** A row that does something at once. */
export function ActionRow({ onPress, disabled = false, busy = false, ...row }: ActionRowProps) {
  return (
    <li>
      <button
        type="button"
        className={styles.row}
        disabled={disabled}
        aria-busy={busy}
        aria-disabled={busy || undefined}
        onClick={busy ? undefined : onPress}
      >
        <RowParts {...row} />
      </button>
    </li>
  )
}

/** A row that only tells. */
export function PlainRow(row: RowProps) {
  return (
    <li className={styles.row}>
      <RowParts {...row} />
    </li>
  )
}

/** A link to a screen of ours. */
export function Link(props: {
  to: string
  className?: string | undefined
  /** What it leads to stands beside it. */
  isCurrent?: boolean
  children: ReactNode
}) {
  return (
    <a
      href={`#${props.to}`}
      className={props.className ?? textStyles.link}
      aria-current={props.isCurrent || undefined}
      onClick={event => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        navigate(props.to)
      }}
    >
      {props.children}
    </a>
  )
}

function RowParts({ icon, title, note, end, tone = 'plain' }: RowProps) {
  return (
    <>
      {icon ? <span className={classNames(styles.icon, styles[tone])}>{icon}</span> : null}
      <span className={styles.text}>
        <span className={classNames(styles.title, styles[tone])}>{title}</span>{' '}
        {note ? <span className={styles.note}>{note}</span> : null}
      </span>
      {end ? <span className={styles.end}>{end}</span> : null}
    </>
  )
}
