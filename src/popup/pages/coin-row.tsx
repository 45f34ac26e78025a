import { memo } from 'react'
import type { CoinView } from '../../background/ui-methods/payment-views.ts'
import { formatShortBtc, nameSats } from '../ui/btc-digits.ts'
import { Button } from '../ui/button.tsx'
import { words } from '../words.ts'

type CoinRowProps = { coin: CoinView; onPress: (coin: CoinView) => void }

/** One coin, and what can be decided about it. */
export const CoinRow = memo(
  function CoinRow({ coin, onPress }: CoinRowProps) {
    const amount = nameAmount(BigInt(coin.sats))
    const action = nameAction(coin)
    return (
      <li className="row coin">
        <span className="row-text">
          <span className="row-title">{amount}</span>{' '}
          <span className="row-note">
            {coin.choice === 'unlocked' ? `${words('coinsAllowed')} · ` : ''}
            {coin.label ? `${coin.label} · ` : ''}
            <span className="mono" title={coin.outpoint}>
              {shortenOutpoint(coin.outpoint)}
            </span>
          </span>
        </span>
        {action === null ? null : (
          <Button look="quiet" aria-label={`${action}: ${amount}`} onClick={() => onPress(coin)}>
            {action}
          </Button>
        )}
      </li>
    )
  },
  // What a press does is decided by the coin alone.
  (before, after) => JSON.stringify(before.coin) === JSON.stringify(after.coin),
)

function nameAction({ held, choice }: CoinView): string | null {
  if (held === 'locked') return words('coinsUnlock')
  if (held === 'postage') return words('coinsAllow')
  if (held !== null) return null
  return words(choice === 'unlocked' ? 'coinsProtect' : 'coinsLock')
}

/** Small coins are counted in sats: the zeros of 0.00000546 say nothing. */
function nameAmount(sats: bigint): string {
  return sats < 100_000n ? nameSats(sats) : `${formatShortBtc(sats)} BTC`
}

/** "4a5e1e4b…a33b:0". */
function shortenOutpoint(outpoint: string): string {
  const [txid = '', vout = ''] = outpoint.split(':')
  return `${txid.slice(0, 8)}…${txid.slice(-4)}:${vout}`
}
