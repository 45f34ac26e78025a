import { ChevronRight } from 'lucide-react'
import { memo } from 'react'
import type { CoinView } from '../../../background/views/payment-views.ts'
import { countWords, type WordKey, words } from '../../platform/words.ts'
import { AssetPicture } from '../../review/asset-moves.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import rowStyles from '../../ui/row.module.css'
import { Link } from '../../ui/row.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { UNCHECKED_WORDS } from '../../ui/text/asset-names.ts'
import { HiddenAmount, useAmounts } from '../../ui/text/hidden-amounts.tsx'
import { actionOf, type CoinAction, canSeparate } from './coin-groups.ts'
import styles from './coins.module.css'

type CoinRowProps = {
  coin: CoinView
  /** Whether its group says already why nobody knows what sits on it. */
  explained: boolean
  onPress: (coin: CoinView) => void
}

const ACTION_WORDS: { [action in CoinAction]: WordKey } = {
  lock: 'coinsLock',
  unlock: 'coinsUnlock',
  allow: 'coinsAllow',
  protect: 'coinsProtect',
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
          {action === null ? null : (
            <Button
              variant="quiet"
              aria-label={`${words(ACTION_WORDS[action])}: ${amounts.isHidden ? shortenOutpoint(coin.outpoint) : amount}`}
              onClick={() => onPress(coin)}
            >
              {words(ACTION_WORDS[action])}
            </Button>
          )}
        </div>
        {unchecked === null || explained ? null : (
          <p className={rowStyles.note}>{words(UNCHECKED_WORDS[unchecked])}</p>
        )}
        {assets.length > 0 ? <CoinAssets coin={coin} /> : null}
      </li>
    )
  },
  // What a press does depends on the coin alone, not on its group.
  (before, after) =>
    before.explained === after.explained &&
    JSON.stringify(before.coin) === JSON.stringify(after.coin),
)

/** What sits on a coin, inscriptions and Atomicals with the way to their screens, and the way to have each on a coin of its own. */
function CoinAssets({ coin }: { coin: CoinView }) {
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

/** "4a5e1e4b…a33b:0". */
function shortenOutpoint(outpoint: string): string {
  const [txid = '', vout = ''] = outpoint.split(':')
  return `${txid.slice(0, 8)}…${txid.slice(-4)}:${vout}`
}
