import type { UnknownWord } from '../../../background/views/account-views.ts'
import { words } from '../../platform/words.ts'
import { Button } from '../../ui/button.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { spellVisible } from '../../ui/text/visible-parts.ts'
import styles from './nearest-words.module.css'

type NearestWordsProps = {
  unknown: readonly UnknownWord[]
  /** Puts a word of the list in the place of the one that was typed. */
  onChoose: (place: number, word: string) => void
}

/** Words that mistyped ones may stand for, each to be taken with a press. */
export function NearestWords({ unknown, onChoose }: NearestWordsProps) {
  const near = unknown.filter(({ nearest }) => nearest.length > 0)
  if (near.length === 0) return null
  return (
    <ul className={styles.list} aria-label={words('importNearest')}>
      {near.map(({ word, place, nearest }) => (
        <li key={place} className={styles.row}>
          <span className={textStyles.note}>
            {words('importNearestOf', { place: place + 1, word: spellTyped(word) })}
          </span>
          <span className={styles.choices}>
            {nearest.map(choice => (
              <Button key={choice} variant="quiet" onClick={() => onChoose(place, choice)}>
                {choice}
              </Button>
            ))}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** A typed word in quotation marks, so that it can be shown: no control characters, and not longer than what fits. */
export function spellTyped(word: string): string {
  return words('commonQuoted', { text: spellVisible(word).slice(0, 30) })
}
