import { useState } from 'react'
import { NewPassword, useNewPassword } from '../../forms/secrets/new-password.tsx'
import { TriedPassword } from '../../forms/secrets/tried-password.tsx'
import { goBack } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { saveFile } from '../../platform/save-file.ts'
import { words } from '../../platform/words.ts'
import { usePasswordTries } from '../../state/use-password-tries.ts'
import { Button } from '../../ui/button.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'

/** The wallet's password, a password for the file twice, and the file. */
export function SaveBackup() {
  const tries = usePasswordTries()
  const entry = useNewPassword()
  const [file, setFile] = useState<string | null>(null)
  const submit = async () => {
    if (tries.field.current?.value === '') return tries.attempt(async () => ({}))
    const password = await entry.read()
    if (password === null) return
    await tries.attempt(async walletPassword => {
      const made = await call('createBackup', { walletPassword, password })
      if (made.accepted) {
        save(made.file)
        setFile(made.file)
      }
      return made
    })
  }
  if (file !== null) {
    return (
      <Screen
        head={<BackButton onBack={goBack} />}
        foot={
          <div className={layoutStyles.answers}>
            <Button variant="secondary" onClick={() => save(file)}>
              {words('backupFileAgain')}
            </Button>
            <Button variant="primary" onClick={goBack}>
              {words('commonDone')}
            </Button>
          </div>
        }
      >
        <Title>{words('backupFileSaved')}</Title>
        <p className={textStyles.muted}>{words('backupFileSavedNote')}</p>
        <Notice tone="caution" title={words('backupFileNotWordsTitle')}>
          {words('backupFileNotWords')}
        </Notice>
      </Screen>
    )
  }
  return (
    <FormScreen
      title={words('backupFileSave')}
      lead={words('backupFileSaveLead')}
      fieldFirst
      action={
        tries.busy
          ? words('passwordEncrypting')
          : tries.seconds > 0
            ? words('passwordWait', { seconds: tries.seconds })
            : words('backupFileSaveDo')
      }
      onBack={goBack}
      onSubmit={() => void submit()}
      busy={tries.busy}
      disabled={tries.seconds > 0}
    >
      <div className={layoutStyles.stack}>
        <TriedPassword tries={tries} label={words('backupFileWalletPassword')} />
        <NewPassword label={words('backupFilePassword')} entry={entry} />
      </div>
    </FormScreen>
  )
}

/** The name says no more than that it is a backup, and of which day. */
function save(file: string): void {
  const [day] = new Date().toISOString().split('T')
  saveFile(`satchel-backup-${day}.json`, new Blob([file], { type: 'application/json' }))
}
