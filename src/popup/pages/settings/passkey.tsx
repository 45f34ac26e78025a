import { useEffect, useState } from 'react'
import type { PasskeyView } from '../../../background/views/account-views.ts'
import { TriedPassword } from '../../forms/secrets/tried-password.tsx'
import { makePasskey, PasskeyError, supportsPasskeys } from '../../platform/passkey.ts'
import { goBack } from '../../platform/route.ts'
import { call, openInTab } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { usePasswordTries } from '../../state/use-password-tries.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { formatMoment } from '../../ui/text/time-text.ts'
import { showToast } from '../../ui/toast.tsx'

type OnChanged = PageProps['onChanged']

/** Unlocking with a passkey: set up with the password and the browser's prompt, or removed with the password. */
export function Passkey({ state, onChanged }: PageProps) {
  const [isSupported, setSupported] = useState(true)
  // The salt of a passkey that is to be made, once the password was right.
  const [salt, setSalt] = useState<string | null>(null)
  const making = useTask()
  useEffect(() => {
    void supportsPasskeys().then(setSupported)
  }, [])
  const make = (prepared: string) =>
    making.run(async () => {
      try {
        await call('addPasskey', { salt: prepared, ...(await makePasskey(prepared)) })
      } catch (error) {
        // What was prepared may be too old by now: the password is asked for again.
        if (!(error instanceof PasskeyError)) setSalt(null)
        throw error
      }
      await onChanged()
      goBack()
      showToast(words('passkeyAdded'))
    })

  if (state.passkey) return <RemovePasskey passkey={state.passkey} onChanged={onChanged} />
  if (!isSupported) {
    return (
      <About>
        <Notice tone="info" title={words('passkeyNoneTitle')}>
          {words('passkeyNone')}
        </Notice>
      </About>
    )
  }
  if (document.documentElement.dataset.surface === 'popup') {
    return (
      <About
        foot={
          // The browser's prompt could close the toolbar popup halfway.
          <Button variant="primary" onClick={() => void openInTab('/settings/passkey')}>
            {words('passkeyInTab')}
          </Button>
        }
      >
        <Facts />
      </About>
    )
  }
  if (salt !== null) {
    return (
      <About
        foot={
          <Button variant="primary" busy={making.busy} onClick={() => void make(salt)}>
            {words(making.busy ? 'passkeyAsking' : 'commonTryAgain')}
          </Button>
        }
      >
        <p role="status">{words('passkeyFollow')}</p>
        <Failure text={making.failure} />
      </About>
    )
  }
  return (
    <WithPassword
      title={words('passkeyTitle')}
      lead={words('passkeyLead')}
      action={words('passkeySetUp')}
      busyAction={words('passkeyChecking')}
      check={async password => {
        const prepared = await call('preparePasskey', { password })
        if (prepared.accepted) {
          setSalt(prepared.salt)
          void make(prepared.salt)
        }
        return prepared
      }}
    >
      <Failure text={making.failure} />
      <Facts />
    </WithPassword>
  )
}

function RemovePasskey({ passkey, onChanged }: { passkey: PasskeyView; onChanged: OnChanged }) {
  return (
    <WithPassword
      title={words('passkeyTitle')}
      lead={words('passkeySince', { date: formatMoment(passkey.createdAt) })}
      action={words('passkeyRemove')}
      busyAction={words('passwordEncrypting')}
      check={async password => {
        const result = await call('removePasskey', { password })
        if (result.accepted) {
          await onChanged()
          goBack()
          showToast(words('passkeyRemoved'))
        }
        return result
      }}
    >
      <Facts />
      <Notice tone="info" title={words('passkeyRemove')}>
        <p>{words('passkeyRemoveLead')}</p>
        <p>{words('passkeyRemoveKept')}</p>
      </Notice>
    </WithPassword>
  )
}

type WithPasswordProps = {
  title: string
  lead: string
  action: string
  busyAction: string
  check: Parameters<ReturnType<typeof usePasswordTries>['attempt']>[0]
  children: React.ReactNode
}

/** A screen that does one thing once the password is right. */
function WithPassword(props: WithPasswordProps) {
  const tries = usePasswordTries()
  const { busy, seconds } = tries
  return (
    <FormScreen
      title={props.title}
      lead={props.lead}
      fieldFirst
      action={
        busy ? props.busyAction : seconds > 0 ? words('passwordWait', { seconds }) : props.action
      }
      onBack={goBack}
      onSubmit={() => void tries.attempt(props.check)}
      busy={busy}
      disabled={seconds > 0}
    >
      <TriedPassword tries={tries} label={words('passwordLabel')} />
      {props.children}
    </FormScreen>
  )
}

function About({ foot, children }: { foot?: React.ReactNode; children: React.ReactNode }) {
  return (
    <Screen head={<BackButton onBack={goBack} />} foot={foot}>
      <Title>{words('passkeyTitle')}</Title>
      <p className={textStyles.muted}>{words('passkeyLead')}</p>
      {children}
    </Screen>
  )
}

/** What it can do and what not, and whom one trusts with it. */
function Facts() {
  return (
    <div className={textStyles.note}>
      <p>{words('passkeyOnlyUnlocks')}</p>
      <p>{words('passkeyTrust')}</p>
    </div>
  )
}

function Failure({ text }: { text: string | null }) {
  if (text === null) return null
  return (
    <Notice tone="caution" live>
      {text}
    </Notice>
  )
}
