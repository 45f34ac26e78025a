import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import rowStyles from '../row.module.css'
import styles from './note-line.module.css'

/** A quiet sentence beside its sign, told to screen readers when it changes. */
export function NoteLine({ Icon, children }: { Icon: LucideIcon; children: ReactNode }) {
  return (
    <p className={classNames(rowStyles.note, styles.line)} role="status">
      <Icon size={16} aria-hidden />
      <span>{children}</span>
    </p>
  )
}
