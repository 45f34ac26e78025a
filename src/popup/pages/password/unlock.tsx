/**
 * Unlocking. The password goes to the background and is dropped at once; what tries cost in waiting is the background's
 * decision.
 */

import type { WalletState } from '../../../background/views/ui-methods.ts'
import { UnlockForm } from '../../forms/unlock-form.tsx'
import { navigate } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Mark } from '../../ui/pictures/mark.tsx'
import { Screen, Title } from '../../ui/screen.tsx'

type UnlockProps = { state: WalletState; onUnlocked: () => Promise<void> }

/** The password, or the way on for a wallet that no password opens any more. */
export function Unlock({ state, onUnlocked }: UnlockProps) {
  if (state.vault === 'damaged') return <Damaged />
  const unlock = async (password: string) => {
    const result = await call('unlock', { password })
    if (result.unlocked) await onUnlocked()
    return result
  }
  return (
    <UnlockForm
      delayMs={state.unlockDelayMs}
      onPassword={unlock}
      below={
        <Button look="quiet" start onClick={() => navigate('/settings/reset')}>
          {words('unlockForgot')}
        </Button>
      }
    >
      <div className="welcome unlock">
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
        <Button look="primary" onClick={() => navigate('/settings/reset')}>
          {words('damagedStartOver')}
        </Button>
      }
    >
      <div className="welcome unlock">
        <Mark size={64} />
        <Title>{words('damagedTitle')}</Title>
        <p className="muted">{words('damagedLead')}</p>
      </div>
      <Notice tone="info" title={words('damagedSafeTitle')}>
        {words('damagedSafe')}
      </Notice>
    </Screen>
  )
}
