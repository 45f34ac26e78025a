import { Eye, EyeOff } from 'lucide-react'
import { words } from '../../platform/words.ts'
import { IconButton } from '../../ui/button.tsx'
import { useAmounts } from '../../ui/text/hidden-amounts.tsx'

/** Hides every amount, or shows them again; its name says which. */
export function HideAmountsButton({ onHide }: { onHide: (hideAmounts: boolean) => void }) {
  const { isHidden } = useAmounts()
  const Icon = isHidden ? EyeOff : Eye
  return (
    <IconButton
      label={words(isHidden ? 'homeShowAmounts' : 'homeHideAmounts')}
      onClick={() => onHide(!isHidden)}
    >
      <Icon size={20} aria-hidden />
    </IconButton>
  )
}
