import { Eye, EyeOff } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { words as say } from '../../platform/words.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import textStyles from '../../ui/styles/text.module.css'
import secretsStyles from './secrets.module.css'

/** Shown on demand, and gone as soon as the page is left. */
export function useUnveiled(): [boolean, (shown: boolean) => void] {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const hide = () => {
      if (document.hidden) setShown(false)
    }
    document.addEventListener('visibilitychange', hide)
    return () => document.removeEventListener('visibilitychange', hide)
  }, [])
  return [shown, setShown]
}

type WordsBoxProps = { words: string[]; onSeen?: () => void; children?: ReactNode }

/** Recovery words, not in the page until the person asks for them; `children` appear and go with them. */
export function WordsBox({ words, onSeen, children }: WordsBoxProps) {
  const [shown, setShown] = useUnveiled()
  if (!shown) {
    return (
      <div className={secretsStyles.box}>
        <div className={classNames(secretsStyles.words, secretsStyles.veil)} aria-hidden="true">
          {words.map((_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: empty places
            <span key={index} />
          ))}
        </div>
        <div className={secretsStyles.unveil}>
          <Button
            variant="secondary"
            onClick={() => {
              setShown(true)
              onSeen?.()
            }}
          >
            <Eye size={18} aria-hidden />
            {say('wordsShow')}
          </Button>
          <span className={textStyles.small}>{say('wordsNobodyWatching')}</span>
        </div>
      </div>
    )
  }
  return (
    <>
      <ol className={secretsStyles.words} aria-label={say('wordsLabel')} translate="no">
        {words.map((word, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a word can occur twice, its place is its identity
          <li key={index}>{word}</li>
        ))}
      </ol>
      {children}
      <Button variant="quiet" start onClick={() => setShown(false)}>
        <EyeOff size={16} aria-hidden />
        {say('wordsHide')}
      </Button>
    </>
  )
}
