import { useState } from 'react'
import { WordsBox } from '../../forms/secrets/words-box.tsx'
import { countWords, words as say } from '../../platform/words.ts'
import { Check } from '../../ui/fields/choice.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'

type ShowWordsProps = { words: string[]; onBack: () => void; onNext: () => void }

/** The words of a new wallet, to be written down. */
export function ShowWords({ words, onBack, onNext }: ShowWordsProps) {
  const [seen, setSeen] = useState(false)
  const [written, setWritten] = useState(false)
  return (
    <FormScreen
      title={countWords('wordsWriteDown', words.length)}
      lead={say('wordsOnPaper')}
      onBack={onBack}
      onSubmit={() => {
        if (written) onNext()
      }}
      disabled={!written}
      above={
        seen ? (
          <Check checked={written} onCheck={setWritten}>
            {say('wordsWritten')}
          </Check>
        ) : null
      }
    >
      <WordsBox words={words} onSeen={() => setSeen(true)} />
    </FormScreen>
  )
}
