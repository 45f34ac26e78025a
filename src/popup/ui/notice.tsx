import { ChevronRight, CircleCheck, Info, OctagonAlert, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './notice.module.css'
import foldStyles from './styles/fold.module.css'
import layoutStyles from './styles/layout.module.css'
import textStyles from './styles/text.module.css'

const ICONS = { info: Info, positive: CircleCheck, caution: TriangleAlert, danger: OctagonAlert }

type NoticeProps = {
  tone: keyof typeof ICONS
  title?: string
  children?: ReactNode
  /** Read out when it appears, because it answers something that the person did. */
  live?: boolean
  /** Buttons below the text: what can be done. They are not read out with it. */
  actions?: ReactNode
  /** A button at the end, which is not read out with the text. */
  aside?: ReactNode
}

/** A message that stands in the page; its meaning is in icon and words, the colour only helps. */
export function Notice({ tone, title, children, live = false, actions, aside }: NoticeProps) {
  const Icon = ICONS[tone]
  return (
    <div className={classNames(styles.notice, styles[tone])}>
      <Icon size={18} aria-hidden />
      <div className={classNames(styles.text, textStyles.breakable)}>
        <div className={styles.said} role={live ? 'alert' : undefined}>
          {title ? <strong>{title}</strong> : null}
          {children}
        </div>
        {actions ? <div className={styles.actions}>{actions}</div> : null}
      </div>
      {aside}
    </div>
  )
}

/** A notice of which the title says enough; the explanation opens on demand. */
export function FoldedNotice(props: { title: string; children: ReactNode }) {
  return (
    <details className={classNames(styles.notice, styles.caution, styles.folded)}>
      <summary>
        <TriangleAlert size={18} aria-hidden />
        <strong>{props.title}</strong>
        <ChevronRight
          size={16}
          className={classNames(foldStyles.turn, layoutStyles.push)}
          aria-hidden
        />
      </summary>
      <p>{props.children}</p>
    </details>
  )
}
