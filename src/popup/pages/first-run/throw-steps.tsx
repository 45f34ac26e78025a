import { Eye } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Derivation } from '../../../bitcoin/phrases/throws.ts'
import secretsStyles from '../../forms/secrets/secrets.module.css'
import { useUnveiled } from '../../forms/secrets/words-box.tsx'
import { words as say } from '../../platform/words.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { FormScreen } from '../../ui/form-screen.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import styles from './throw-steps.module.css'

type ThrowStepsProps = { derivation: Derivation; onBack: () => void; onNext: () => void }

/** How throws become words, so that anybody can do it again with other tools; in the page only while it is asked for. */
export function ThrowSteps({ derivation, onBack, onNext }: ThrowStepsProps) {
  const [shown, setShown] = useUnveiled()
  return (
    <FormScreen title={say('stepsTitle')} lead={say('stepsLead')} onBack={onBack} onSubmit={onNext}>
      {shown ? (
        <Steps {...derivation} />
      ) : (
        <div className={secretsStyles.veiled}>
          <Button variant="secondary" onClick={() => setShown(true)}>
            <Eye size={18} aria-hidden />
            {say('stepsShow')}
          </Button>
          <span className={textStyles.small}>{say('wordsNobodyWatching')}</span>
        </div>
      )}
    </FormScreen>
  )
}

function Steps({ throws, hash, entropy, entropyHash, checksum, parts }: Derivation) {
  const rest = hash.slice(entropy.length)
  const bits = checksum.length
  return (
    <ol className={styles.steps} translate="no">
      <Step title={say('stepsThrows', { count: throws.length })}>
        <Value>{throws}</Value>
      </Step>
      <Step
        title={say('stepsHash')}
        note={rest ? say('stepsHalf', { digits: entropy.length }) : say('stepsWhole')}
        command={`printf %s ${throws} | sha256sum`}
      >
        <Value>
          <strong>{entropy}</strong>
          {rest ? <span className={textStyles.muted}>{rest}</span> : null}
        </Value>
      </Step>
      <Step
        title={say('stepsChecksum')}
        note={say('stepsChecksumNote', { bits, checksum })}
        command={`printf %s ${entropy} | xxd -r -p | sha256sum`}
      >
        <Value>
          <strong>{entropyHash.slice(0, bits / 4)}</strong>
          <span className={textStyles.muted}>{entropyHash.slice(bits / 4)}</span>
        </Value>
      </Step>
      <Step title={say('stepsWords')} note={say('stepsWordsNote', { bits })}>
        <table className={styles.parts}>
          <thead>
            <tr>
              <th scope="col">{say('stepsPlace')}</th>
              <th scope="col">{say('stepsBits')}</th>
              <th scope="col">{say('stepsNumber')}</th>
              <th scope="col">{say('stepsWord')}</th>
            </tr>
          </thead>
          <tbody>
            {parts.map(({ bits: eleven, index, word }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a word can occur twice, its place is its identity
              <tr key={at}>
                <td>{at + 1}</td>
                <td className={textStyles.mono}>
                  {at === parts.length - 1 ? eleven.slice(0, -bits) : eleven}
                  {at === parts.length - 1 ? <strong>{checksum}</strong> : null}
                </td>
                <td>{index}</td>
                <th scope="row">{word}</th>
              </tr>
            ))}
          </tbody>
        </table>
      </Step>
    </ol>
  )
}

type StepProps = { title: string; note?: string; command?: string; children: ReactNode }

function Step({ title, note, command, children }: StepProps) {
  return (
    <li className={layoutStyles.stack}>
      <h2>{title}</h2>
      {children}
      {note ? <p className={textStyles.note}>{note}</p> : null}
      {command ? (
        <p className={textStyles.note}>
          {say('stepsByHand')}
          <code className={classNames(styles.command, textStyles.mono)}>{command}</code>
        </p>
      ) : null}
    </li>
  )
}

function Value({ children }: { children: ReactNode }) {
  return <p className={classNames(styles.value, textStyles.mono)}>{children}</p>
}
