import type { CoinView } from '../../background/ui-methods/payment-views.ts'
import { nameSats } from '../ui/btc-digits.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { words } from '../words.ts'

type UnlockCoinProps = { coin: CoinView; onUnlock: () => void; onClose: () => void }

/** Before a small coin may be spent: what could sit on it. */
export function UnlockCoinDialog({ coin, onUnlock, onClose }: UnlockCoinProps) {
  return (
    <Dialog
      title={words('coinsAllowTitle', { amount: nameSats(BigInt(coin.sats)) })}
      onClose={onClose}
    >
      <Notice tone="caution">{words('coinsAllowWarning')}</Notice>
      <p className="mono small muted breakable">{coin.outpoint}</p>
      <div className="pair">
        <Button look="secondary" onClick={onClose}>
          {words('coinsKeep')}
        </Button>
        <Button look="primary" onClick={onUnlock}>
          {words('coinsAllow')}
        </Button>
      </div>
    </Dialog>
  )
}
