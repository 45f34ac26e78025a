import { HelpButton } from '../help/help-button.tsx'
import { words } from '../platform/words.ts'
import { RetryNotice } from '../ui/retry-notice.tsx'
import { Link } from '../ui/row.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import textStyles from '../ui/styles/text.module.css'
import { UNCHECKED_WORDS } from '../ui/text/asset-names.ts'
import { formatShortBtc, nameBtc } from '../ui/text/btc-digits.ts'
import formStyles from './form.module.css'
import { type SendFacts, sumCoins } from './use-send-facts.ts'

/** What can be spent, and what is held back. */
export function Available({ facts, chosen }: { facts: SendFacts; chosen: string[] | null }) {
  const { coins } = facts
  const available = facts.sumAvailable(chosen)
  if (coins.answer === null || available === null) {
    if (coins.problem === null) return <Skeleton size="short" />
    return (
      <RetryNotice
        tone="caution"
        title={words('sendNoCoins')}
        problem={coins.problem}
        busy={coins.busy}
        onRetry={coins.retry}
      />
    )
  }
  const back = chosen === null ? coins.answer.filter(coin => coin.held !== null) : []
  const held = sumCoins(back)
  // Coins that are held only until an index answers are the ones that a person misses.
  const unknown = back.filter(coin => coin.held === 'unknown')
  const reasons = [...new Set(unknown.map(({ unchecked }) => unchecked))]
  const [why] = reasons
  return (
    <div className={textStyles.muted}>
      <p className={formStyles.available}>
        <span>
          {words(chosen === null ? 'sendAvailable' : 'sendAvailableChosen', {
            amount: nameBtc(available),
          })}
        </span>
        {held > 0n ? (
          <span>
            <Link to="/coins">{words('sendHeld', { amount: formatShortBtc(held) })}</Link>{' '}
            <HelpButton term="held-coins" />
          </span>
        ) : null}
      </p>
      {why ? (
        <p className={textStyles.small}>
          {words('sendHeldUnchecked', {
            amount: nameBtc(sumCoins(unknown)),
            // Several reasons are listed coin by coin on the page of coins.
            why: reasons.length === 1 ? words(UNCHECKED_WORDS[why]) : '',
          })}
        </p>
      ) : null}
    </div>
  )
}
