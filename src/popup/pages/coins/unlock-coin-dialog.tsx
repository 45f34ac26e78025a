import { useState } from 'react'
import type { CoinView } from '../../../background/views/payment-views.ts'
import { words } from '../../platform/words.ts'
import assetMovesStyles from '../../review/asset-moves.module.css'
import { AssetRow } from '../../review/asset-moves.tsx'
import consentsStyles from '../../review/consents.module.css'
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
import { canSeparate } from './coin-groups.ts'

type UnlockCoinProps = { coin: CoinView; onUnlock: () => void; onClose: () => void }

/** Before a coin may be spent that carries something, or may: what would be lost, and the better way where there is one. */
export function UnlockCoinDialog({ coin, onUnlock, onClose }: UnlockCoinProps) {
  const { assets, unchecked, outpoint } = coin
  const [accepted, setAccepted] = useState(false)
  const consent =
    assets.length > 0
      ? words('coinsAllowConsent', { what: listAssets(assets) })
      : unchecked !== null
        ? words('coinsAllowConsentUnknown')
        : null
  return (
    <Dialog
      title={words('coinsAllowTitle', { amount: nameCoin(BigInt(coin.sats)) })}
      onClose={onClose}
    >
      {assets.length > 0 ? (
        <Notice tone="danger" title={words('coinsAllowLoses')}>
          {words('coinsAllowLosesNote')}
        </Notice>
      ) : (
        <Notice
          tone={unchecked === 'contradicted' ? 'danger' : 'caution'}
          title={words('coinsAllowUnknown')}
        >
          {unchecked === null ? '' : `${words(UNCHECKED_WORDS[unchecked])} `}
          {words('coinsAllowUnknownNote')}
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
      {canSeparate(coin) ? (
        <p>
          {words('coinsSeparateInstead')}{' '}
          <Link to={`/inscriptions/split/${outpoint}`}>{words('coinsSeparate')}</Link>
        </p>
      ) : null}
      <p className={classNames(textStyles.mono, textStyles.note, textStyles.breakable)}>
        {outpoint}
      </p>
      {consent === null ? null : (
        <div className={consentsStyles.consent}>
          <Check checked={accepted} onCheck={setAccepted} testId="confirm-unlock">
            {consent}
          </Check>
        </div>
      )}
      <div className={layoutStyles.pair}>
        <Button variant="secondary" onClick={onClose}>
          {words('coinsKeep')}
        </Button>
        <Button variant="primary" disabled={consent !== null && !accepted} onClick={onUnlock}>
          {words('coinsAllow')}
        </Button>
      </div>
    </Dialog>
  )
}
