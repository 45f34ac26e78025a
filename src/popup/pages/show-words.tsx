import { Eye, EyeOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Check } from '../ui/choice.tsx'
import { BackButton, Screen, Title } from '../ui/screen.tsx'

type ShowWordsProps = { words: string[]; onBack: () => void; onNext: () => void }

/** The words, not in the page until the person asks for them, and gone when the tab is left. */
export function ShowWords({ words, onBack, onNext }: ShowWordsProps) {
  const [shown, setShown] = useState(false)
  const [seen, setSeen] = useState(false)
  const [written, setWritten] = useState(false)
  useEffect(() => {
    const hide = () => {
      if (document.hidden) setShown(false)
    }
    document.addEventListener('visibilitychange', hide)
    return () => document.removeEventListener('visibilitychange', hide)
  }, [])

  const toggle = () => {
    setShown(!shown)
    setSeen(true)
  }
  return (
    <Screen
      head={<BackButton onBack={onBack} />}
      onSubmit={() => {
        if (written) onNext()
      }}
      foot={
        <>
          {seen ? (
            <Check checked={written} onCheck={setWritten}>
              I wrote them down
            </Check>
          ) : null}
          <Button look="primary" type="submit" disabled={!written}>
            Continue
          </Button>
        </>
      }
    >
      <Title>Write down {words.length} words</Title>
      <p className="muted">
        On paper, in this order. Photos and copied text end up where others can read them.
      </p>
      <div className="words-box">
        {shown ? (
          <ol className="words" aria-label="Recovery words" translate="no">
            {words.map((word, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a word can occur twice, its place is its identity
              <li key={index}>{word}</li>
            ))}
          </ol>
        ) : (
          <div className="words veil" aria-hidden="true">
            {words.map((_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: empty places
              <span key={index} className={`w${(index * 7) % 4}`} />
            ))}
          </div>
        )}
        {shown ? null : (
          <div className="unveil">
            <Button look="secondary" onClick={toggle}>
              <Eye size={18} aria-hidden />
              Show words
            </Button>
            <span className="small">Make sure that nobody is watching.</span>
          </div>
        )}
      </div>
      {shown ? (
        <Button look="quiet" start onClick={toggle}>
          <EyeOff size={16} aria-hidden />
          Hide words
        </Button>
      ) : null}
    </Screen>
  )
}
