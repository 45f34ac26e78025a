import type { AssetView } from '../../../background/views/asset-views.ts'
import type { CoinView } from '../../../background/views/payment-views.ts'
import { LARGE_POSTAGE } from '../../../ordinals/asset.ts'

/** Whether it can be undone that inscriptions share a coin, or that one holds back more sats than it needs. */
export function canSeparate({
  assets,
  sats,
  held,
}: Pick<CoinView, 'assets' | 'sats' | 'held'>): boolean {
  return (
    held !== 'reserved' &&
    assets.some(isInscription) &&
    !assets.some(({ kind }) => kind === 'atomical') &&
    (assets.length > 1 || BigInt(sats) > LARGE_POSTAGE)
  )
}

function isInscription(asset: AssetView): asset is AssetView & { kind: 'inscription' } {
  return asset.kind === 'inscription'
}
