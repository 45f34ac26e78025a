import { Dices } from 'lucide-react'
import { useState } from 'react'
import { WordsBox } from '../../forms/secrets/words-box.tsx'
import { HelpButton } from '../../help/help-button.tsx'
import { countWords, words as say } from '../../platform/words.ts'
import { Button } from '../../ui/button.tsx'
import { Check } from '../../ui/fields/choice.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'

type ShowWordsProps = {
  words: string[]
  onBack: () => void
  onNext: () => void
  onSeen: () => void
  /** Makes others in the place of these: so many, or of own throws; only before these were seen. */
  others: { onLength: (length: 12 | 24) => void; onThrows: () => void } | null
}

/** The words of a new wallet, to be written down. */
export function ShowWords({ words, onBack, onNext, onSeen, others }: ShowWordsProps) {
  const [seen, setSeen] = useState(false)
  const [written, setWritten] = useState(false)
  const other = words.length === 12 ? 24 : 12
  return (
    <FormScreen
      title={countWords('wordsWriteDown', words.length)}
      lead={
        <>
          {say(seen ? 'wordsOnPaper' : 'createLead')} <HelpButton term="recovery-words" />
        </>
      }
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
        ) : others ? (
          <>
            <Button variant="quiet" onClick={() => others.onLength(other)}>
              {countWords('createOther', other)}
            </Button>
            <Button variant="quiet" onClick={others.onThrows}>
              <Dices size={16} aria-hidden />
              {say('throwsUse')}
            </Button>
          </>
        ) : null
      }
    >
      <WordsBox
        words={words}
        onSeen={() => {
          setSeen(true)
          onSeen()
        }}
      />
    </FormScreen>
  )
}
