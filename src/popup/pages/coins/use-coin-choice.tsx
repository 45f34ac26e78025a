import { type ReactNode, useState } from 'react'
import type { CoinView } from '../../../background/views/payment-views.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { UnlockCoinDialog } from '../../review/coins/unlock-coin-dialog.tsx'
import { explainError } from '../../state/explain-error.ts'
import { showToast } from '../../ui/toast.tsx'
import { actionOf } from './coin-groups.ts'

const CHOICE_WORDS = {
  locked: 'coinsNowLocked',
  unlocked: 'coinsNowAllowed',
  none: 'coinsNowByRule',
} as const

type CoinChoice = {
  /** Does what the button of a coin says, after a warning where something can be lost. */
  press: (coin: CoinView) => void
  failure: string | null
  /** The warning, while it is open. */
  dialog: ReactNode
}

/** Locking and unlocking coins; the background stores what the person chooses. */
export function useCoinChoice(onChanged: () => void): CoinChoice {
  const [unlocking, setUnlocking] = useState<CoinView | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const choose = async (coin: CoinView, choice: CoinView['choice']) => {
    setFailure(null)
    try {
      await call('setCoinChoice', { outpoint: coin.outpoint, choice, shown: coin })
      showToast(words(CHOICE_WORDS[choice ?? 'none']))
      onChanged()
    } catch (error) {
      setFailure(explainError(error))
    }
  }
  const press = (coin: CoinView) => {
    const action = actionOf(coin)
    if (action === 'allow') setUnlocking(coin)
    else void choose(coin, action === 'lock' ? 'locked' : null)
  }
  const dialog = unlocking ? (
    <UnlockCoinDialog
      coin={unlocking}
      onClose={() => setUnlocking(null)}
      onUnlock={() => {
        setUnlocking(null)
        void choose(unlocking, 'unlocked')
      }}
    />
  ) : null
  return { press, failure, dialog }
}
