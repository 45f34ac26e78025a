import { useRef, useState } from 'react'
import { words as say } from '../../app/words.ts'
import { FormScreen } from '../../ui/form-screen.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import { SecretText } from '../../ui/text/secret-text.tsx'
import { pickPlaces } from './word-places.ts'

type ConfirmWordsProps = { words: string[]; onBack: () => void; onNext: () => void }

/** Three of the words, to prove that they were written down. */
export function ConfirmWords({ words, onBack, onNext }: ConfirmWordsProps) {
  const [places] = useState(() => pickPlaces(words.length, bytes => crypto.getRandomValues(bytes)))
  const typed = useRef(new Map<number, string>())
  const [wrong, setWrong] = useState<number[]>([])

  const submit = () => {
    const wrongOnes = places.filter(
      place => (typed.current.get(place) ?? '').trim().toLowerCase() !== words[place],
    )
    setWrong(wrongOnes)
    if (wrongOnes.length > 0) return
    typed.current.clear()
    onNext()
  }

  return (
    <FormScreen
      title={say('wordsCheck')}
      lead={say('wordsTypeThree')}
      fieldFirst
      onBack={onBack}
      onSubmit={submit}
    >
      <div className={layoutStyles.stack}>
        {places.map((place, index) => (
          <SecretText
            key={place}
            label={say('wordsPlace', { place: place + 1 })}
            first={index === 0}
            error={wrong.includes(place) ? say('wordsWrongPlace') : null}
            onText={text => {
              typed.current.set(place, text)
              setWrong(wrong.filter(other => other !== place))
            }}
          />
        ))}
      </div>
    </FormScreen>
  )
}
