import { FingerprintPattern } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { PasskeyUnlockResult, PasskeyView } from '../../../background/views/account-views.ts'
import { askPasskey, inPopup, losesPopup } from '../../platform/passkey.ts'
import { openInTab } from '../../platform/rpc.ts'
import { type WordKey, words } from '../../platform/words.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'

export type PasskeyUnlockProps = {
  passkey: PasskeyView
  /** Takes the focus when it appears, where no password is being typed. */
  focus: boolean
  onPasskey: (prf: string) => Promise<PasskeyUnlockResult>
}

const REFUSALS: {
  [reason in (PasskeyUnlockResult & { unlocked: false })['reason']]: WordKey
} = { WRONG_PASSKEY: 'passkeyWrong', DAMAGED: 'damagedNote' }

/** Has the browser ask for the passkey when the person presses, never by itself; whatever goes wrong, the password is below. */
export function PasskeyUnlock({ passkey, focus, onPasskey }: PasskeyUnlockProps) {
  const button = useRef<HTMLButtonElement>(null)
  const { busy, failure, run } = useTask()
  useEffect(() => {
    const field = document.activeElement
    const isTyping = field instanceof HTMLInputElement && field.value !== ''
    if (focus && !isTyping) button.current?.focus()
  }, [focus])
  const unlock = async () => {
    const prompt = () => askPasskey(passkey)
    const isPopup = document.documentElement.dataset.surface === 'popup'
    if (isPopup && losesPopup()) return openInTab('/')
    const result = await onPasskey(await (isPopup ? inPopup(prompt) : prompt()))
    if (!result.unlocked) throw new Error(words(REFUSALS[result.reason]))
  }
  return (
    <div className={layoutStyles.stack}>
      <Button ref={button} variant="primary" busy={busy} onClick={() => void run(unlock)}>
        <FingerprintPattern size={18} aria-hidden />
        {words(busy ? 'passkeyAsking' : 'passkeyUnlock')}
      </Button>
      {failure ? (
        <Notice tone="caution" live>
          {failure}
        </Notice>
      ) : null}
      <p className={textStyles.note}>{words('passkeyOr')}</p>
    </div>
  )
}
