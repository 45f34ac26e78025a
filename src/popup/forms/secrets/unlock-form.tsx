import type { ReactNode } from 'react'
import type { UnlockResult } from '../../../background/views/account-views.ts'
import { words } from '../../platform/words.ts'
import { usePasswordTries } from '../../state/use-password-tries.ts'
import { Button } from '../../ui/button.tsx'
import { Screen } from '../../ui/screen.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import { TriedPassword } from './tried-password.tsx'

type UnlockFormProps = {
  children: ReactNode
  /** Another way out beside the Unlock button. */
  beside?: ReactNode
  /** What stands under the field. */
  below?: ReactNode
  head?: ReactNode
  delayMs: number
  /** Tries a password; when it was right, the screen goes away. */
  onPassword: (password: string) => Promise<UnlockResult>
}

/** Asks for the password until it is right; used by the unlock screen and by the approval that waits for it. */
export function UnlockForm(props: UnlockFormProps) {
  const tries = usePasswordTries(props.delayMs)
  const { busy, seconds } = tries
  return (
    <Screen
      onSubmit={() => void tries.attempt(props.onPassword)}
      head={props.head}
      foot={
        <div className={props.beside ? layoutStyles.answers : layoutStyles.stack}>
          {props.beside}
          <Button
            variant="primary"
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
      <TriedPassword tries={tries} label={words('passwordLabel')} />
      {props.below}
    </Screen>
  )
}
