import { ChevronRight, OctagonAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { words } from '../platform/words.ts'
import { listConsents, needsLook, type Subject } from '../review/list-consents.ts'
import './psbt.css'

type BatchItemProps = {
  index: number
  /** What it does, in plain words. */
  effect: ReactNode
  notes: readonly string[]
  subject: Subject
  isOpen: boolean
  children: ReactNode
}

/** More open ones than these would hide the list that they stand in. */
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
        className="batch-item"
        open={open}
        onToggle={event => setOpen(event.currentTarget.open)}
      >
        <summary>
          <span className="place">{words('psbtPlace', { index: index + 1 })}</span>
          <span className="row-text">
            <span className="row-title">{effect}</span>
            <span className="row-note">
              {needsLook(subject) ? (
                <span className="careful">
                  <OctagonAlert size={14} aria-hidden /> {words('batchCareful')}
                  {' · '}
                </span>
              ) : null}
              {notes.join(' · ')}
            </span>
          </span>
          <ChevronRight size={16} className="turn" aria-hidden />
        </summary>
        {open ? <div className="inside">{children}</div> : null}
      </details>
    </li>
  )
}
