import type { HeldReason } from '../../../background/views/asset-views.ts'
import { HelpButton } from '../../help/help-button.tsx'

/** Explains the word behind why a coin is held, where the reason has one of its own: dust, or what a rare sat is. */
export function ReasonHelp({ held }: { held: HeldReason | null }) {
  if (held === 'dust') return <HelpButton term="dust" />
  return held === 'rare' ? <HelpButton term="sat" /> : null
}
