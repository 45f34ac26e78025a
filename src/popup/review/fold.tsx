import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import foldStyles from '../ui/styles/fold.module.css'

/** A part that opens at a press; its content is not rendered before that. */
export function Fold(props: { summary: ReactNode; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <details className={foldStyles.fold} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        <ChevronRight size={16} className={foldStyles.turn} aria-hidden />
        {props.summary}
      </summary>
      {open ? props.children : null}
    </details>
  )
}
