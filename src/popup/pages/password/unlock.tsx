/**
 * Unlocking. The password, or what a passkey gives, goes to the background and is dropped at once; what tries cost in
 * waiting is the background's decision.
 */

import type { WalletState } from '../../../background/views/ui-methods.ts'
import { UnlockForm } from '../../forms/secrets/unlock-form.tsx'
import { navigate } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Notice } from '../../ui/notice.tsx'
import { Mark } from '../../ui/pictures/mark.tsx'
import { Screen, Title } from '../../ui/screen.tsx'
import textStyles from '../../ui/styles/text.module.css'
import welcomeStyles from '../../ui/styles/welcome.module.css'

type UnlockProps = { state: WalletState; onUnlocked: () => Promise<void> }

/** The password, or the way on for a wallet that no password opens any more. */
export function Unlock({ state, onUnlocked }: UnlockProps) {
  if (state.vault === 'damaged') return <Damaged />
  const unlock = async (password: string) => {
    const result = await call('unlock', { password })
    if (result.unlocked) await onUnlocked()
    return result
  }
  const unlockWithPasskey = async (prf: string) => {
    const result = await call('unlockWithPasskey', { prf })
    if (result.unlocked) await onUnlocked()
    return result
  }
  return (
    <UnlockForm
      delayMs={state.unlockDelayMs}
      passkey={state.passkey}
      onPassword={unlock}
      onPasskey={unlockWithPasskey}
      below={
        <Button variant="quiet" start onClick={() => navigate('/settings/reset')}>
          {words('unlockForgot')}
        </Button>
      }
    >
      <div className={classNames(welcomeStyles.welcome, welcomeStyles.unlock)}>
        <Mark size={64} />
        <Title focus={false}>{words('unlockTitle')}</Title>
      </div>
    </UnlockForm>
  )
}

function Damaged() {
  return (
    <Screen
      foot={
        <Button variant="primary" onClick={() => navigate('/settings/reset')}>
          {words('damagedStartOver')}
        </Button>
      }
    >
      <div className={classNames(welcomeStyles.welcome, welcomeStyles.unlock)}>
        <Mark size={64} />
        <Title>{words('damagedTitle')}</Title>
        <p className={textStyles.muted}>{words('damagedLead')}</p>
      </div>
      <Notice tone="info" title={words('damagedSafeTitle')}>
        {words('damagedSafe')}
      </Notice>
    </Screen>
  )
}
