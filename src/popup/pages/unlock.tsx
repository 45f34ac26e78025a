import type { WalletState } from '../../background/ui-methods/ui-methods.ts'
import { call } from '../rpc.ts'
import { Mark } from '../ui/mark.tsx'
import { Title } from '../ui/screen.tsx'
import { UnlockForm } from './unlock-form.tsx'

export function Unlock(props: { state: WalletState; onUnlocked: () => Promise<void> }) {
  const unlock = async (password: string) => {
    const result = await call('unlock', { password })
    if (result.unlocked) await props.onUnlocked()
    return result
  }
  return (
    <UnlockForm delayMs={props.state.unlockDelayMs} onPassword={unlock}>
      <div className="welcome unlock">
        <Mark size={64} />
        <Title focus={false}>Welcome back</Title>
      </div>
    </UnlockForm>
  )
}
