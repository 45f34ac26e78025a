import { useState } from 'react'
import type { CoinView } from '../../../background/views/payment-views.ts'
import { addSpace, joinNames, joinSentences } from '../../platform/join-words.ts'
import { countWords, words } from '../../platform/words.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Check } from '../../ui/fields/choice.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Link } from '../../ui/row.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { listAssets, UNCHECKED_WORDS } from '../../ui/text/asset-names.ts'
import { nameCoin } from '../../ui/text/btc-digits.ts'
import assetMovesStyles from '../asset-moves.module.css'
import { AssetRow } from '../asset-moves.tsx'
import consentsStyles from '../consents.module.css'
import { canSeparate } from './can-separate.ts'
import { RareSats } from './rare-sats.tsx'

/** What the dialog has to know of a coin. */
export type UnlockedCoin = Pick<
  CoinView,
  'outpoint' | 'sats' | 'held' | 'assets' | 'rareSats' | 'unchecked'
>

type UnlockCoinProps = { coin: UnlockedCoin; onUnlock: () => void; onClose: () => void }

/** Before a coin may be spent that carries something, or may: what would be lost, and the better way where there is one. */
export function UnlockCoinDialog({ coin, onUnlock, onClose }: UnlockCoinProps) {
  const { assets, unchecked, outpoint, held, rareSats } = coin
  const loses = assets.length > 0 || rareSats.length > 0
  /** What was accepted, in words: more may be found on the coin while this is read. */
  const [accepted, setAccepted] = useState<string | null>(null)
  const lost = [
    ...(assets.length > 0 ? [listAssets(assets)] : []),
    ...(rareSats.length > 0 ? [countWords('raritySats', rareSats.length)] : []),
  ]
  // What nobody has looked for may sit there besides.
  const isUnknown = unchecked !== null && assets.length === 0
  const consent = isUnknown
    ? words('coinsAllowConsentUnknown')
    : loses
      ? words('coinsAllowConsent', { what: joinNames(lost) })
      : null
  return (
    <Dialog
      title={words('coinsAllowTitle', { amount: nameCoin(BigInt(coin.sats)) })}
      onClose={onClose}
    >
      {loses ? (
        <Notice tone="danger" title={words('coinsAllowLoses')}>
          {words('coinsAllowLosesNote')}
        </Notice>
      ) : (
        <Notice
          tone={unchecked === 'contradicted' ? 'danger' : 'caution'}
          title={words(held === 'dust' ? 'coinsAllowDust' : 'coinsAllowUnknown')}
        >
          {joinSentences([
            unchecked === null ? '' : words(UNCHECKED_WORDS[unchecked]),
            words(held === 'dust' ? 'coinsDustWhy' : 'coinsAllowUnknownNote'),
          ])}
        </Notice>
      )}
      {assets.length > 0 ? (
        <ul className={assetMovesStyles.list}>
          {assets.map((asset, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an asset is its place
            <AssetRow key={index} asset={asset} notes={[]} />
          ))}
        </ul>
      ) : null}
      {rareSats.length > 0 ? <RareSats sats={rareSats} /> : null}
      {canSeparate(coin) ? (
        <p>
          {addSpace(words('coinsSeparateInstead'))}
          <Link to={`/inscriptions/split/${outpoint}`}>{words('coinsSeparate')}</Link>
        </p>
      ) : null}
      <p className={classNames(textStyles.mono, textStyles.note, textStyles.breakable)}>
        {outpoint}
      </p>
      {consent === null ? null : (
        <div className={consentsStyles.consent}>
          <Check
            checked={accepted === consent}
            onCheck={on => setAccepted(on ? consent : null)}
            testId="confirm-unlock"
          >
            {consent}
          </Check>
        </div>
      )}
      <div className={layoutStyles.pair}>
        <Button variant="secondary" onClick={onClose}>
          {words('coinsKeep')}
        </Button>
        <Button
          variant="primary"
          disabled={consent !== null && accepted !== consent}
          onClick={onUnlock}
        >
          {words('coinsAllow')}
        </Button>
      </div>
    </Dialog>
  )
}
