import { splitWord } from '../../ui/text/visible-parts.ts'
import styles from './token-mark.module.css'

/** The first character of a ticker in a circle: tokens have no pictures. */
export function TokenMark({ tick }: { tick: string }) {
  return (
    <span className={styles.mark} aria-hidden>
      {markOf(tick)}
    </span>
  )
}

/** Nothing stands for what cannot be seen. */
function markOf(tick: string): string {
  const seen = splitWord(tick).find(part => part.kind === 'plain')
  if (seen?.kind !== 'plain') return '?'
  const [first] = new Intl.Segmenter().segment(seen.text)
  return (first?.segment ?? '?').toUpperCase()
}
