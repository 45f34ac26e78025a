import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import './standing.css'

export type Tone = 'plain' | 'plus' | 'open' | 'muted' | 'danger'

/** A sign in a coloured round; the words beside it say the same. */
export function Sign({ Icon, tone }: { Icon: LucideIcon; tone: Tone }) {
  return (
    <span className={`sign ${tone}`}>
      <Icon size={18} aria-hidden />
    </span>
  )
}

/** How something stands and what that means; read out when it changes. */
export function StatusBanner(props: { sign: ReactNode; title?: string; children: ReactNode }) {
  return (
    <div className="standing" role="status">
      {props.sign}
      <div>
        {props.title ? <strong>{props.title}</strong> : null}
        {props.children}
      </div>
    </div>
  )
}
