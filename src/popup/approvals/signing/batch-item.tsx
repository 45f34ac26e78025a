import { ChevronRight, OctagonAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { joinFacts } from '../../platform/join-facts.ts'
import { words } from '../../platform/words.ts'
import { listConsents, needsAttention, type Subject } from '../../review/list-consents.ts'
import { classNames } from '../../ui/class-names.ts'
import rowStyles from '../../ui/row.module.css'
import foldStyles from '../../ui/styles/fold.module.css'
import styles from './batch-item.module.css'

type BatchItemProps = {
  index: number
  /** What it does, in plain words. */
  effect: ReactNode
  notes: readonly string[]
  subject: Subject
  isOpen: boolean
  children: ReactNode
}

/** Most items that are open at first: with more, the list would not fit on the screen. */
const FEW = 3

/** Places of the items that a box asks about, where they are few. */
export function openAtFirst(subjects: readonly Subject[]): ReadonlySet<number> {
  const asked = subjects.flatMap((subject, index) =>
    listConsents([subject]).length > 0 ? [index] : [],
  )
  return new Set(asked.length > FEW ? [] : asked)
}

/** One of several transactions: its effect in one line, everything else on demand. */
export function BatchItem({ index, effect, notes, subject, isOpen, children }: BatchItemProps) {
  const [open, setOpen] = useState(isOpen)
  return (
    <li>
      <details
        className={styles.item}
        open={open}
        onToggle={event => setOpen(event.currentTarget.open)}
      >
        <summary>
          <span className={styles.place}>{words('psbtPlace', { index: index + 1 })}</span>
          <span className={rowStyles.text}>
            <span className={classNames(rowStyles.title, styles.title)}>{effect}</span>
            <span className={rowStyles.note}>
              {needsAttention(subject) ? (
                <span className={styles.careful}>
                  <OctagonAlert size={14} aria-hidden /> {words('batchCareful')}
                  {' · '}
                </span>
              ) : null}
              {joinFacts(notes)}
            </span>
          </span>
          <ChevronRight
            size={16}
            className={classNames(foldStyles.turn, styles.turn)}
            aria-hidden
          />
        </summary>
        {open ? (
          <div className={styles.inside} data-beside>
            {children}
          </div>
        ) : null}
      </details>
    </li>
  )
}
