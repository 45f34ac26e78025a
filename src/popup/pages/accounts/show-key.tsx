import { useState } from 'react'
import type { SigningAccountView } from '../../../background/views/account-views.ts'
import secretsStyles from '../../forms/secrets/secrets.module.css'
import { TriedPassword } from '../../forms/secrets/tried-password.tsx'
import { useUnveiled } from '../../forms/secrets/words-box.tsx'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { usePasswordTries } from '../../state/use-password-tries.ts'
import { useSecret } from '../../state/use-secret.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Segments } from '../../ui/fields/segments.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QrCode } from '../../ui/pictures/qr-code.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { sayName } from '../../ui/text/names.ts'

type ShowKeyProps = { account: SigningAccountView; onBack: () => void }

/** An account's private key, after the password. */
export function ShowKey({ account, onBack }: ShowKeyProps) {
  const [wifs, holdWifs] = useSecret<Wifs>()
  const tries = usePasswordTries()
  if (wifs !== null) return <Key wifs={wifs} name={sayName(account.name)} onBack={onBack} />
  return (
    <FormScreen
      title={words('showKeyTitle')}
      lead={words('showKeyLead')}
      fieldFirst
      action={
        tries.seconds > 0
          ? words('passwordWait', { seconds: tries.seconds })
          : words('commonContinue')
      }
      onBack={onBack}
      onSubmit={() =>
        void tries.attempt(async password => {
          const result = await call('revealKey', { password, accountId: account.id })
          if (result.accepted) holdWifs({ payment: result.wif, ordinals: result.ordinalsWif })
          return result
        })
      }
      busy={tries.busy}
      disabled={tries.seconds > 0}
    >
      <TriedPassword tries={tries} label={words('passwordLabel')} />
    </FormScreen>
  )
}

/** The keys of an account's addresses. */
type Wifs = { payment: string; ordinals: string | null }

function Key({ wifs, name, onBack }: { wifs: Wifs; name: string; onBack: () => void }) {
  const [purpose, setPurpose] = useState<keyof Wifs>('payment')
  const wif = wifs[purpose] ?? wifs.payment
  const [shown, setShown] = useUnveiled()
  const [picture, setPicture] = useState(false)
  return (
    <Screen
      head={<BackButton onBack={onBack} />}
      foot={
        <Button variant="primary" onClick={onBack}>
          {words('commonDone')}
        </Button>
      }
    >
      <Title>{words('showKeyOf', { name })}</Title>
      <Notice tone="caution">{words('showKeyCare')}</Notice>
      {wifs.ordinals === null ? null : (
        <Segments
          label={words('showKeyWhich')}
          value={purpose}
          options={[
            { value: 'payment', name: words('accountPaymentAddress') },
            { value: 'ordinals', name: words('receiveOrdinals') },
          ]}
          onChoose={setPurpose}
        />
      )}
      {shown ? (
        <>
          {picture ? (
            <QrCode text={wif} label={words('showKeyPicture')} />
          ) : (
            <p className={classNames(secretsStyles.value, textStyles.mono)} translate="no">
              {wif}
            </p>
          )}
          <div className={layoutStyles.rowButtons}>
            <Button variant="quiet" onClick={() => setPicture(!picture)}>
              {picture ? words('showKeyAsText') : words('showKeyAsPicture')}
            </Button>
            <Button variant="quiet" onClick={() => setShown(false)}>
              {words('showKeyHide')}
            </Button>
          </div>
        </>
      ) : (
        <div className={secretsStyles.veiled}>
          <Button variant="secondary" onClick={() => setShown(true)}>
            {words('showKeyShow')}
          </Button>
          <span className={textStyles.note}>{words('wordsNobodyWatching')}</span>
        </div>
      )}
    </Screen>
  )
}
