import type { AssetView } from '../../background/views/asset-views.ts'
import { keyOfAsset } from '../../ordinals/asset-key.ts'
import { words } from '../app/words.ts'
import { InscriptionPicture } from './pictures/inscription-picture.tsx'
import { LinkRow, PlainRow } from './row.tsx'
import textStyles from './styles/text.module.css'
import { nameAsset } from './text/asset-names.ts'

/** Something that sits on a coin, and the way to its screen; runes have none. */
export function AssetRow({ asset }: { asset: AssetView }) {
  const title = nameAsset(asset)
  if (asset.kind === 'rune') return <PlainRow title={title} />
  if (asset.kind === 'atomical' && asset.type === 'ft')
    return (
      <LinkRow
        to={`/atomicals/token/${asset.id}`}
        title={<span className={textStyles.breakable}>{title}</span>}
        note={words('assetArc20')}
      />
    )
  return (
    <LinkRow
      to={asset.kind === 'atomical' ? `/atomicals/${asset.id}` : `/inscriptions/${asset.id}`}
      icon={
        <InscriptionPicture
          id={keyOfAsset(asset)}
          size="small"
          name={asset.kind === 'atomical' ? asset.name : null}
        />
      }
      title={title}
    />
  )
}
