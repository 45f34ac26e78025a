import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'

/** A part that opens at a press; its content is not rendered before that. */
export function Fold(props: { summary: ReactNode; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <details className="more" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        <ChevronRight size={16} className="turn" aria-hidden />
        {props.summary}
      </summary>
      {open ? props.children : null}
    </details>
  )
}
