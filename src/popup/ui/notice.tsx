import { ChevronRight, CircleCheck, Info, OctagonAlert, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

const ICONS = { info: Info, positive: CircleCheck, caution: TriangleAlert, danger: OctagonAlert }

type NoticeProps = {
  tone: keyof typeof ICONS
  title?: string
  children?: ReactNode
  /** Read out when it appears, because it answers something that the person did. */
  live?: boolean
}

/** A message that stands in the page; its meaning is in icon and words, the colour only helps. */
export function Notice({ tone, title, children, live = false }: NoticeProps) {
  const Icon = ICONS[tone]
  return (
    <div className={`notice ${tone}`} role={live ? 'alert' : undefined}>
      <Icon size={18} aria-hidden />
      <div className="text breakable">
        {title ? <strong>{title}</strong> : null}
        {children}
      </div>
    </div>
  )
}

/** A notice of which the title says enough; the explanation opens on demand. */
export function FoldedNotice(props: { title: string; children: ReactNode }) {
  return (
    <details className="notice caution folded">
      <summary>
        <TriangleAlert size={18} aria-hidden />
        <strong>{props.title}</strong>
        <ChevronRight size={16} className="turn push" aria-hidden />
      </summary>
      <p>{props.children}</p>
    </details>
  )
}
