import type { ReactNode } from 'react'

/** What a list shows that has nothing yet: why, and what would change that. */
export function Empty(props: { icon: ReactNode; title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <span className="empty-icon">{props.icon}</span>
      <p className="empty-title">{props.title}</p>
      {props.children ? <div className="muted">{props.children}</div> : null}
    </div>
  )
}
