import { useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { BackButton, Screen, Title } from '../ui/screen.tsx'
import { SecretText } from '../ui/secret-text.tsx'
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
    <Screen
      head={<BackButton onBack={onBack} />}
      onSubmit={submit}
      foot={
        <Button look="primary" type="submit">
          Continue
        </Button>
      }
    >
      <Title focus={false}>Check your notes</Title>
      <p className="muted">Type these three words from your paper.</p>
      <div className="stack">
        {places.map((place, index) => (
          <SecretText
            key={place}
            label={`Word ${place + 1}`}
            first={index === 0}
            error={wrong.includes(place) ? 'Not the word at this place.' : null}
            onText={text => {
              typed.current.set(place, text)
              setWrong(wrong.filter(other => other !== place))
            }}
          />
        ))}
      </div>
    </Screen>
  )
}
