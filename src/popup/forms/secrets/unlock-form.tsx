import type { ReactNode } from 'react'
import type { PasskeyView, UnlockResult } from '../../../background/views/account-views.ts'
import { words } from '../../platform/words.ts'
import { usePasswordTries } from '../../state/use-password-tries.ts'
import { Button } from '../../ui/button.tsx'
import { loadable } from '../../ui/loadable.tsx'
import { Screen } from '../../ui/screen.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import type { PasskeyUnlockProps } from './passkey-unlock.tsx'
import { TriedPassword } from './tried-password.tsx'
import styles from './unlock-form.module.css'

/** Most wallets have no passkey: its code comes with the first one that has. */
const PasskeyUnlock = loadable(
  async () => (await import('./passkey-unlock.tsx')).PasskeyUnlock,
  'soon',
  <div className={styles.passkeyRoom} />,
)

type UnlockFormProps = Pick<PasskeyUnlockProps, 'onPasskey'> & {
  children: ReactNode
  /** Another way out beside the Unlock button. */
  beside?: ReactNode
  /** What stands under the field. */
  below?: ReactNode
  head?: ReactNode
  delayMs: number
  passkey: PasskeyView | null
  /** Tries a password; when it was right, the screen goes away. */
  onPassword: (password: string) => Promise<UnlockResult>
}

/** Asks for the passkey, where there is one, or for the password until it is right; used by the unlock screen and by the approval that waits for it. */
export function UnlockForm(props: UnlockFormProps) {
  const tries = usePasswordTries(props.delayMs, props.passkey !== null && !props.beside)
  const { busy, seconds } = tries
  return (
    <Screen
      onSubmit={() => void tries.attempt(props.onPassword)}
      head={props.head}
      foot={
        <div className={props.beside ? layoutStyles.answers : layoutStyles.stack}>
          {props.beside}
          <Button
            variant={props.passkey ? 'secondary' : 'primary'}
            type="submit"
            busy={busy}
            disabled={seconds > 0}
            data-testid={props.beside ? 'approve' : undefined}
          >
            {busy
              ? words('unlockBusy')
              : seconds > 0
                ? words('passwordWait', { seconds })
                : words('unlockAction')}
          </Button>
        </div>
      }
    >
      {props.children}
      {props.passkey ? (
        <PasskeyUnlock passkey={props.passkey} focus={!props.beside} onPasskey={props.onPasskey} />
      ) : null}
      <TriedPassword tries={tries} label={words('passwordLabel')} />
      {props.below}
    </Screen>
  )
}
