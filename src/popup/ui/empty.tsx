import type { ReactNode } from 'react'
import styles from './empty.module.css'
import textStyles from './styles/text.module.css'

/** What a list shows that has nothing yet: why, and what would change that. */
export function Empty(props: { icon: ReactNode; title: string; children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <span className={styles.icon}>{props.icon}</span>
      <p className={styles.title}>{props.title}</p>
      {props.children ? <div className={textStyles.muted}>{props.children}</div> : null}
    </div>
  )
}
