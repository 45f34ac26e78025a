import type { KeyboardEvent } from 'react'
import { useArmed } from '../state/use-armed.ts'
import { Button } from '../ui/button.tsx'

type ApproveButtonProps = {
  /** What is approved: another digest takes another half second. */
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
      look="primary"
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

/** Enter is pressed without looking, and a key may still be held down from before; the space bar means this button. */
function ignoreEnter(event: KeyboardEvent) {
  if (event.key === 'Enter' || event.repeat) event.preventDefault()
}
