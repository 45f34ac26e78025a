import { ChevronRight, OctagonAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { words } from '../words.ts'
import './psbt.css'

type BatchItemProps = {
  index: number
  /** What it does, in plain words. */
  effect: ReactNode
  notes: readonly string[]
  /** It needs a second confirmation: it stands open. */
  danger: boolean
  children: ReactNode
}

/** One of several transactions: its effect in one line, everything else on demand. */
export function BatchItem({ index, effect, notes, danger, children }: BatchItemProps) {
  const [open, setOpen] = useState(danger)
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
              {danger ? (
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
