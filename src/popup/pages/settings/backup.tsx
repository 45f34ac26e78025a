import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import secretsStyles from '../../forms/secrets/secrets.module.css'
import { TriedPassword } from '../../forms/secrets/tried-password.tsx'
import { WordsBox } from '../../forms/secrets/words-box.tsx'
import { HelpButton } from '../../help/help-button.tsx'
import { goBack, useRoute } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words as say } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { usePasswordTries } from '../../state/use-password-tries.ts'
import { useSecret } from '../../state/use-secret.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { SelectField } from '../../ui/fields/field.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'
import { Notice } from '../../ui/notice.tsx'
import { LinkRow, Rows } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { sayName } from '../../ui/text/names.ts'
import { VisibleText } from '../../ui/text/visible-text.tsx'

type Phrase = { phraseId: string; words: string[]; passphrase: string }

/** The recovery words once more, after the password; and which accounts they do not bring back. */
export function Backup({ state }: PageProps) {
  const [phrase, holdPhrase] = useSecret<Phrase>()
  const tries = usePasswordTries()
  const [, , named] = useRoute()
  const [phraseId, setPhraseId] = useState(named ?? state.phrases[0]?.id ?? '')
  // Another wallet may have been chosen while the password was checked.
  const shownId = phrase?.phraseId ?? phraseId
  const chosen = state.phrases.find(({ id }) => id === shownId)
  const keys = state.accounts.filter(({ source }) => source === 'key')
  const keysTitle = say(state.hasPhrase === false ? 'backupKeysNote' : 'backupKeysTitle')
  const others =
    keys.length === 0 ? null : (
      <section className={layoutStyles.stack}>
        <h2>{keysTitle}</h2>
        <p className={textStyles.note}>{say('backupKeysLead')}</p>
        <Rows label={keysTitle}>
          {keys.map(({ id, name }) => (
            <LinkRow
              key={id}
              to={`/accounts/of/${id}`}
              icon={<KeyRound size={18} aria-hidden />}
              title={sayName(name)}
            />
          ))}
        </Rows>
      </section>
    )
  if (state.hasPhrase === false) {
    return (
      <Screen head={<BackButton onBack={goBack} />}>
        <Title>{say('backupTitle')}</Title>
        <Notice tone="info">{say('backupNoWords')}</Notice>
        {others}
      </Screen>
    )
  }
  if (phrase === null) {
    return (
      <FormScreen
        title={say('backupTitle')}
        lead={
          <>
            {say('backupLead')} <HelpButton term="recovery-words" />
          </>
        }
        fieldFirst
        {...(tries.seconds > 0 ? { action: say('passwordWait', { seconds: tries.seconds }) } : {})}
        onBack={goBack}
        onSubmit={() =>
          void tries.attempt(async password => {
            const result = await call('revealPhrase', {
              password,
              ...(phraseId !== '' && { phraseId }),
            })
            if (result.accepted && result.words) {
              holdPhrase({ phraseId, words: result.words, passphrase: result.passphrase })
            }
            return result
          })
        }
        busy={tries.busy}
        disabled={tries.seconds > 0}
      >
        {state.phrases.length > 1 ? (
          <SelectField
            label={say('walletWhich')}
            value={phraseId}
            options={state.phrases.map(({ id, name }) => ({ value: id, name: sayName(name) }))}
            onChoose={setPhraseId}
          />
        ) : null}
        <TriedPassword tries={tries} label={say('passwordLabel')} />
        {others}
      </FormScreen>
    )
  }
  return (
    <Screen
      head={<BackButton onBack={goBack} />}
      foot={
        <Button variant="primary" onClick={goBack}>
          {say('commonDone')}
        </Button>
      }
    >
      <Title>{say('wordsLabel')}</Title>
      {state.phrases.length > 1 && chosen ? (
        <p className={textStyles.note}>{sayName(chosen.name)}</p>
      ) : null}
      <p className={textStyles.muted}>{say('wordsOnPaper')}</p>
      {chosen?.kind === 'bip39' ? null : <Notice tone="info">{say('backupElectrum')}</Notice>}
      <WordsBox words={phrase.words}>
        {phrase.passphrase === '' ? null : (
          <div className={layoutStyles.stack}>
            <h2>{say('passphraseLabel')}</h2>
            <p className={classNames(secretsStyles.value, textStyles.mono)} translate="no">
              <VisibleText text={phrase.passphrase} />
            </p>
            <p className={textStyles.note}>{say('backupPassphrase')}</p>
          </div>
        )}
      </WordsBox>
      {others}
    </Screen>
  )
}
