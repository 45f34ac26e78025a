import type { ReactNode } from 'react'
import { Skeleton } from '../ui/skeleton.tsx'
import layoutStyles from '../ui/styles/layout.module.css'
import styles from './explanation.module.css'
import { EXPLANATIONS } from './explanations.ts'
import { useHelpWords } from './help-words.ts'
import type { Term } from './terms.ts'

type ExplanationProps = {
  term: Term
  /** The way to another word. */
  related: (term: Term) => ReactNode
}

/** One word: a picture, what it is, an example with numbers, what this wallet does about it, and related words. */
export function Explanation({ term, related }: ExplanationProps) {
  const { Picture, is, example, here, others } = EXPLANATIONS[term]
  const help = useHelpWords()
  return (
    <div className={styles.explanation}>
      <Picture />
      {help === null ? (
        <Skeleton size="row" />
      ) : (
        <>
          <p className={styles.is}>{help(is)}</p>
          <p>{help(example)}</p>
          <section className={layoutStyles.stack}>
            <h3>{help('helpHere')}</h3>
            <p>{help(here)}</p>
          </section>
          <section className={layoutStyles.stack}>
            <h3>{help('helpRelated')}</h3>
            <ul className={styles.related}>
              {others.map(other => (
                <li key={other}>{related(other)}</li>
              ))}
            </ul>
          </section>
        </>
      )}
    </div>
  )
}
