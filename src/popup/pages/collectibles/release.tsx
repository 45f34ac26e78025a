import { Coins } from 'lucide-react'
import { useState } from 'react'
import type { InscriptionDetail } from '../../../background/views/asset-views.ts'
import type { CoinView } from '../../../background/views/payment-views.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { UnlockCoinDialog } from '../../review/coins/unlock-coin-dialog.tsx'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { showToast } from '../../ui/toast.tsx'

type ReleaseProps = { inscription: InscriptionDetail; onChanged: () => void }

/** Says that payments may spend the sats that it sits on, and takes that back. */
export function ReleasedNotice({ inscription, onChanged }: ReleaseProps) {
  const { busy, failure, choose } = useRelease(inscription, onChanged)
  if (!inscription.isReleased) return null
  return (
    <Notice
      tone={failure ? 'danger' : 'caution'}
      title={words('releaseTitle')}
      live={!!failure}
      actions={
        <Button variant="quiet" busy={busy} onClick={() => void choose(null)}>
          {words('releaseUndo')}
        </Button>
      }
    >
      <p>{failure ?? words('releaseNote')}</p>
    </Notice>
  )
}

/** Lets payments spend its sats, after a word on what that loses. */
export function ReleaseButton({ inscription, onChanged }: ReleaseProps) {
  const [asking, setAsking] = useState(false)
  const { failure, choose } = useRelease(inscription, onChanged)
  if (inscription.isReleased || inscription.held !== null) return null
  return (
    <>
      <Button variant="quiet" start onClick={() => setAsking(true)}>
        <Coins size={16} aria-hidden />
        {words('release')}
      </Button>
      {failure ? (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      ) : null}
      {asking ? (
        <UnlockCoinDialog
          coin={coinOf(inscription)}
          onClose={() => setAsking(false)}
          onUnlock={() => {
            setAsking(false)
            void choose('unlocked')
          }}
        />
      ) : null}
    </>
  )
}

/** Its coin as the dialog shows it, with everything that is on it. */
function coinOf({ id, number, outpoint, sats, companions, rareSats }: InscriptionDetail) {
  const assets: CoinView['assets'] = [{ kind: 'inscription', id, number }, ...companions]
  return { outpoint, sats, held: 'inscribed' as const, assets, rareSats, unchecked: null }
}

function useRelease(inscription: InscriptionDetail, onChanged: () => void) {
  const task = useTask()
  return {
    ...task,
    choose: (choice: 'unlocked' | null) =>
      task.run(async () => {
        const shown = coinOf(inscription)
        await call('setCoinChoice', { outpoint: inscription.outpoint, choice, shown })
        showToast(words(choice === null ? 'coinsNowByRule' : 'coinsNowAllowed'))
        onChanged()
      }),
  }
}
