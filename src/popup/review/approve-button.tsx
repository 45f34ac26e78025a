import type { KeyboardEvent } from 'react'
import { useArmed } from '../state/use-armed.ts'
import { Button } from '../ui/button.tsx'

type ApproveButtonProps = {
  /** Digest of what is shown; another one makes the button wait another half second. */
  digest: string
  verb: string
  /** Something that the person has to do first. */
  blocked: boolean
  busy: boolean
  onApprove: () => void
}

/** The button that has consequences: not pressable for half a second, and never pressed by Enter. */
export function ApproveButton({ digest, verb, blocked, busy, onApprove }: ApproveButtonProps) {
  const armed = useArmed(digest)
  return (
    <Button
      variant="primary"
      data-testid="approve"
      // While it works it keeps the focus, which a disabled button would lose.
      disabled={blocked || !(armed || busy)}
      busy={busy}
      onKeyDown={ignoreEnter}
      onClick={onApprove}
    >
      {verb}
    </Button>
  )
}

/** Enter may still be held down from the screen before, so only the space bar and the pointer press this button. */
function ignoreEnter(event: KeyboardEvent) {
  if (event.key === 'Enter' || event.repeat) event.preventDefault()
}
