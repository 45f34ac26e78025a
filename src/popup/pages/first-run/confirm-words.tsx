import { useRef, useState } from 'react'
import { words as say } from '../../platform/words.ts'
import { SecretText } from '../../ui/fields/secret-text.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'

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
      <div className="stack">
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

/** Three different places (from 0, ascending) out of `count`; `random` fills the array with random bytes. */
export function pickPlaces(
  count: number,
  random: (bytes: Uint8Array<ArrayBuffer>) => void,
): number[] {
  const places = Array.from({ length: count }, (_, index) => index)
  const bytes = new Uint8Array(3)
  random(bytes)
  // A byte modulo 12..24 leans a little to small places: harmless, this is a memory check and not a secret.
  const picked = [...bytes].flatMap(byte => places.splice(byte % places.length, 1))
  return picked.sort((a, b) => a - b)
}
