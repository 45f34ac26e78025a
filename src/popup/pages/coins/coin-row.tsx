import { ChevronRight } from 'lucide-react'
import { memo } from 'react'
import type { CoinView } from '../../../background/views/payment-views.ts'
import { countWords, words } from '../../platform/words.ts'
import { AssetPicture } from '../../review/asset-moves.tsx'
import { canSeparate } from '../../review/coins/can-separate.ts'
import { RareSats } from '../../review/coins/rare-sats.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { shortenOutpoint } from '../../ui/copied-text.tsx'
import rowStyles from '../../ui/row.module.css'
import { Link } from '../../ui/row.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { UNCHECKED_WORDS } from '../../ui/text/asset-names.ts'
import { HiddenAmount, useAmounts } from '../../ui/text/hidden-amounts.tsx'
import { actionOf } from './coin-groups.ts'
import { nameAction } from './coin-words.ts'
import styles from './coins.module.css'

type CoinRowProps = {
  coin: CoinView
  /** Whether its group says already why nobody knows what sits on it. */
  explained: boolean
  onPress: (coin: CoinView) => void
}

/** At most so many assets are named one by one. */
const FEW = 3

/** One coin, what sits on it, and what can be decided about it. */
export const CoinRow = memo(
  function CoinRow({ coin, explained, onPress }: CoinRowProps) {
    const { assets, unchecked } = coin
    const amounts = useAmounts()
    const amount = amounts.coin(BigInt(coin.sats))
    const action = actionOf(coin)
    const name = action && nameAction(action, coin, amounts)
    return (
      <li className={assets.length > 0 ? classNames(styles.coin, styles.laden) : styles.coin}>
        <div className={styles.head}>
          <span className={rowStyles.text}>
            <span className={rowStyles.title}>{amounts.isHidden ? <HiddenAmount /> : amount}</span>
            {coin.choice === 'unlocked' ? (
              <span className={classNames(rowStyles.note, styles.note, styles.careful)}>
                {words('coinsAllowed')}
              </span>
            ) : null}
            <span className={classNames(rowStyles.note, styles.note)}>
              {coin.label ? `${coin.label} · ` : ''}
              <span className={textStyles.mono} title={coin.outpoint}>
                {shortenOutpoint(coin.outpoint)}
              </span>
            </span>
          </span>
          {name === null ? null : (
            <Button variant="quiet" aria-label={name.label} onClick={() => onPress(coin)}>
              {name.text}
            </Button>
          )}
        </div>
        {unchecked === null || explained ? null : (
          <p className={rowStyles.note}>{words(UNCHECKED_WORDS[unchecked])}</p>
        )}
        {coin.rareSats.length > 0 ? <RareSats sats={coin.rareSats} /> : null}
        {assets.length > 0 ? <CoinAssets coin={coin} /> : null}
      </li>
    )
  },
  // What a press does depends on the coin alone, not on its group.
  (before, after) => before.explained === after.explained && isSameCoin(before.coin, after.coin),
)

/** Whether nothing has changed about a coin, which each answer brings anew. */
export function isSameCoin(one: CoinView, other: CoinView): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

/** What sits on a coin, inscriptions and Atomicals with the way to their screens, and the way to have each on a coin of its own. */
export function CoinAssets({ coin }: { coin: CoinView }) {
  const { assets, outpoint } = coin
  const amounts = useAmounts()
  const named = assets.length <= FEW + 1 ? assets : assets.slice(0, FEW)
  const rest = assets.length - named.length
  return (
    <>
      <ul className={styles.assets}>
        {named.map((asset, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an asset is its place
          <li key={index}>
            {asset.kind === 'rune' ? (
              <span className={styles.asset}>
                <AssetPicture asset={asset} />
                {amounts.asset(asset)}
              </span>
            ) : (
              <Link to={pathOf(asset)} className={styles.asset}>
                <AssetPicture asset={asset} />
                <span className={textStyles.breakable}>{amounts.asset(asset)}</span>
                <ChevronRight size={16} aria-hidden />
              </Link>
            )}
          </li>
        ))}
      </ul>
      {rest > 0 ? <p className={rowStyles.note}>{countWords('assetsMore', rest)}</p> : null}
      {canSeparate(coin) ? (
        <Link
          to={`/inscriptions/split/${outpoint}`}
          className={classNames(textStyles.link, styles.separate)}
        >
          {words('coinsSeparate')}
        </Link>
      ) : null}
    </>
  )
}

/** The screen of what sits on a coin. */
function pathOf(asset: Exclude<CoinView['assets'][number], { kind: 'rune' }>): string {
  if (asset.kind === 'inscription') return `/inscriptions/${asset.id}`
  return asset.type === 'nft' ? `/atomicals/${asset.id}` : `/atomicals/token/${asset.id}`
}
