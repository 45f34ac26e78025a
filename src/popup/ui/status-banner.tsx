import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './standing.module.css'

export type Tone = 'plain' | 'plus' | 'open' | 'muted' | 'danger'

/** A sign in a coloured round; the words beside it say the same. */
export function Sign({ Icon, tone }: { Icon: LucideIcon; tone: Tone }) {
  return (
    <span className={classNames(styles.sign, styles[tone])}>
      <Icon size={18} aria-hidden />
    </span>
  )
}

type StatusBannerProps = {
  sign: ReactNode
  title?: string
  children: ReactNode
  /** A button at the end, which is not read out with the words. */
  aside?: ReactNode
}

/** How something stands and what that means; read out when it changes. */
export function StatusBanner({ sign, title, children, aside }: StatusBannerProps) {
  return (
    <div className={styles.standing}>
      {sign}
      <div role="status">
        {title ? <strong>{title}</strong> : null}
        {children}
      </div>
      {aside}
    </div>
  )
}
