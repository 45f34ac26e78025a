import { useEffect, useRef, useState } from 'react'
import {
  type Derivation,
  deriveFromThrows,
  findOddities,
  leastThrows,
  MOST_THROWS,
  type Oddity,
  readThrows,
  type ThrowSource,
  type WordCount,
} from '../../../bitcoin/phrases/throws.ts'
import { countWords, currentLanguage, words as say } from '../../platform/words.ts'
import { useSecret } from '../../state/use-secret.ts'
import { Check, ChoiceGroup } from '../../ui/fields/choice.tsx'
import { SecretText } from '../../ui/fields/secret-text.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ThrowSteps } from './throw-steps.tsx'

type OwnThrowsProps = { length: WordCount; onBack: () => void; onWords: (words: string[]) => void }

/** Words of dice or coins that the person throws, with every step from the throws to them. All of it stays in this page. */
export function OwnThrows({ length, onBack, onWords }: OwnThrowsProps) {
  const [derivation, holdDerivation] = useSecret<Derivation>()
  if (derivation === null)
    return <Throws length={length} onBack={onBack} onDerived={holdDerivation} />
  return (
    <ThrowSteps
      derivation={derivation}
      onBack={() => holdDerivation(null)}
      onNext={() => onWords(derivation.parts.map(({ word }) => word))}
    />
  )
}

type ThrowsProps = {
  length: WordCount
  onBack: () => void
  onDerived: (derivation: Derivation) => void
}

function Throws({ length, onBack, onDerived }: ThrowsProps) {
  const text = useRef('')
  const [source, setSource] = useState<ThrowSource>('dice')
  const [count, setCount] = useState(0)
  const [error, setError] = useState<string | null>(null)
  const [oddities, setOddities] = useState<readonly Oddity[]>([])
  const [accepted, setAccepted] = useState(false)
  const least = leastThrows(source, length)
  const warning = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The person looks at the end of the page, where the throws are.
    if (oddities.length > 0) warning.current?.scrollIntoView({ block: 'center' })
  }, [oddities])

  const changed = () => {
    setCount(readThrows(source, text.current).throws.length)
    setError(null)
    setOddities([])
    setAccepted(false)
  }
  const submit = () => {
    const { throws, wrong } = readThrows(source, text.current)
    const refusal = refuse(source, { throws, wrong, least })
    setError(refusal)
    if (refusal !== null) return
    const found = findOddities(source, throws)
    setOddities(found)
    if (found.length > 0 && !accepted) return
    onDerived(deriveFromThrows(source, throws, length))
    text.current = ''
  }
  return (
    <FormScreen
      title={say('throwsTitle')}
      lead={say('throwsLead', { words: length })}
      fieldFirst
      onBack={onBack}
      onSubmit={submit}
      disabled={oddities.length > 0 && !accepted}
      above={
        oddities.length > 0 ? (
          <Check checked={accepted} onCheck={setAccepted}>
            {say('throwsAnyway')}
          </Check>
        ) : null
      }
    >
      {oddities.length > 0 ? (
        <div ref={warning}>
          <Notice tone="danger" title={say('throwsPoor')} live>
            {oddities.map(oddity => (
              <p key={oddity.kind}>{describe(source, oddity)}</p>
            ))}
            <p>{say('throwsPoorWhy')}</p>
          </Notice>
        </div>
      ) : null}
      <ChoiceGroup
        label={say('throwsSource')}
        value={source}
        options={(['dice', 'coin'] as const).map(value => ({
          value,
          name: say(value === 'dice' ? 'throwsDice' : 'throwsCoin'),
          note: say(value === 'dice' ? 'throwsDiceNote' : 'throwsCoinNote', {
            count: leastThrows(value, length),
          }),
        }))}
        onChoose={chosen => {
          setSource(chosen)
          setCount(readThrows(chosen, text.current).throws.length)
          setError(null)
          setOddities([])
          setAccepted(false)
        }}
      />
      <SecretText
        label={say('throwsLabel')}
        many
        first
        note={say('throwsCount', { count, least })}
        error={error}
        onText={typed => {
          text.current = typed
          changed()
        }}
      />
    </FormScreen>
  )
}

function refuse(
  source: ThrowSource,
  { throws, wrong, least }: ReturnType<typeof readThrows> & { least: number },
): string | null {
  if (wrong)
    return say(source === 'dice' ? 'throwsWrongDice' : 'throwsWrongCoin', {
      place: wrong.place + 1,
      character: say('commonQuoted', { text: wrong.character }),
    })
  if (throws.length < least) return countWords('throwsTooFew', least - throws.length)
  return throws.length > MOST_THROWS ? say('throwsTooMany', { most: MOST_THROWS }) : null
}

/** More than that says nothing more to a person. */
const MOST_TRIES = 1e9

/** What is odd, with how rare it is. */
function describe(source: ThrowSource, { kind, value, count, of, tries }: Oddity): string {
  const often = { count, of, tries: Math.min(tries, MOST_TRIES).toLocaleString(currentLanguage()) }
  if (kind === 'face') return say('throwsOddFace', { face: value, ...often })
  if (value === '0') return say('throwsOddSame', often)
  return source === 'coin'
    ? say('throwsOddTurn', often)
    : say('throwsOddStep', { step: value, ...often })
}
