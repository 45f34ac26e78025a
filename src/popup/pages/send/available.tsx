import { formatShortBtc } from '../../ui/btc-digits.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Link } from '../../ui/row.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { words } from '../../words.ts'
import { type SendFacts, sumCoins } from './use-send-facts.ts'

/** What can be spent, and what is held back. */
export function Available({ facts, chosen }: { facts: SendFacts; chosen: string[] | null }) {
  const { coins } = facts
  const available = facts.sumAvailable(chosen)
  if (coins.answer === null || available === null) {
    if (coins.problem === null) return <Skeleton size="short" />
    return (
      <Notice tone="caution" title={words('sendNoCoins')} live>
        <p>{coins.problem}</p>
        <Button look="quiet" start busy={coins.busy} onClick={coins.retry}>
          {words('commonTryAgain')}
        </Button>
      </Notice>
    )
  }
  const held = chosen === null ? sumCoins(coins.answer.filter(coin => coin.held !== null)) : 0n
  return (
    <p className="muted available">
      <span>
        {words(chosen === null ? 'sendAvailable' : 'sendAvailableChosen', {
          amount: `${formatShortBtc(available)} BTC`,
        })}
      </span>
      {held > 0n ? (
        <Link to="/coins">{words('sendHeld', { amount: formatShortBtc(held) })}</Link>
      ) : null}
    </p>
  )
}
