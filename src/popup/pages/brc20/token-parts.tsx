import { ServerOff } from 'lucide-react'
import type { Brc20TokenView } from '../../../background/views/brc20-views.ts'
import { parseBrc20Amount } from '../../../ordinals/brc20/brc20-amount.ts'
import { countTickerBytes } from '../../../ordinals/brc20/brc20-operation.ts'
import { navigate } from '../../platform/route.ts'
import { words } from '../../platform/words.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Empty } from '../../ui/empty.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { formatRuneAmount } from '../../ui/text/asset-names.ts'
import { formatShare } from '../../ui/text/btc-digits.ts'
import { isZero, subtractTokenAmount } from '../../ui/text/token-amount.ts'
import { spellWord } from '../../ui/text/visible-parts.ts'
import styles from './brc20.module.css'

export type TokenFacts = Exclude<Brc20TokenView['token'], 'none' | null>

/** Why nothing is known of tokens, and the way to change that. */
export function NoServer() {
  return (
    <Empty icon={<ServerOff size={20} aria-hidden />} title={words('brc20NoServer')}>
      <p>{words('brc20NoServerNote')}</p>
      <Button variant="quiet" onClick={() => navigate('/settings/servers')}>
        {words('brc20ChooseServer')}
      </Button>
    </Empty>
  )
}

/** How much of the supply is minted, as a bar and in words; nothing where the server does not tell. */
export function MintedFact({ facts }: { facts: TokenFacts }) {
  const { supply, minted } = facts
  if (minted === null || isZero(supply)) return null
  const [part, whole] = [isZero(minted) ? 0n : parseBrc20Amount(minted), parseBrc20Amount(supply)]
  const share = formatShare(part, whole)
  return (
    <div className={styles.minted}>
      <progress
        value={Number((part * 1000n) / whole)}
        max={1000}
        aria-label={words('brc20Minted')}
      />
      <p className={classNames(textStyles.note, textStyles.breakable)}>
        {words('brc20MintedOf', {
          minted: formatRuneAmount(minted),
          supply: formatRuneAmount(supply),
          share,
        })}
      </p>
    </div>
  )
}

/** Whether something is left to mint, as far as the server tells; tickers of six bytes are minted in another way. */
export function isMintable(view: Brc20TokenView): boolean {
  const { token, tick } = view
  if (token === 'none' || countTickerBytes(tick) === 6) return false
  if (token === null || token.minted === null) return true
  return !isZero(subtractTokenAmount(token.supply, token.minted))
}

/** Why a mint would not count, as a sentence; null when nothing is known against it. */
export function explainUnmintable(view: Brc20TokenView | null): string | null {
  if (view === null) return null
  if (view.token === 'none') return words('brc20NotDeployed', { tick: spellWord(view.tick) })
  if (countTickerBytes(view.tick) === 6) return words('brc20TickSix')
  return isMintable(view) ? null : words('brc20MintedOut', { tick: spellWord(view.tick) })
}
