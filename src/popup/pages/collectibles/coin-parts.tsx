import { Lock, Scissors, Split } from 'lucide-react'
import type { AssetView, InscriptionView } from '../../../background/views/asset-views.ts'
import { LARGE_POSTAGE } from '../../../ordinals/asset.ts'
import { keyOfAsset } from '../../../ordinals/asset-key.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { InscriptionPicture } from '../../ui/pictures/inscription-picture.tsx'
import { LinkRow, PlainRow, Rows } from '../../ui/row.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { useAmounts } from '../../ui/text/hidden-amounts.tsx'
import { showToast } from '../../ui/toast.tsx'

type CoinPartsProps = {
  /** Of an inscription or an Atomical. */
  coin: Pick<InscriptionView, 'outpoint' | 'sats' | 'companions' | 'held'>
  canSplit: boolean
  onChanged: () => void
}

/** The coin that it sits on: whether it can be moved, what else is on it, and how to get them apart. */
export function CoinParts({ coin, canSplit, onChanged }: CoinPartsProps) {
  const { outpoint, sats, companions, held } = coin
  const amounts = useAmounts()
  const shared = companions.some(({ kind }) => kind === 'inscription')
  const large = BigInt(sats) > LARGE_POSTAGE
  const split = `/inscriptions/split/${encodeURIComponent(outpoint)}`
  return (
    <>
      {held === 'locked' ? <Locked outpoint={outpoint} onChanged={onChanged} /> : null}
      {held === 'reserved' ? (
        <Notice tone="info" title={words('inscriptionReserved')}>
          {words('inscriptionReservedNote')}
        </Notice>
      ) : null}
      {companions.length === 0 ? null : (
        <section className={layoutStyles.stack}>
          <h2>{words('inscriptionCompanions')}</h2>
          <Rows label={words('inscriptionCompanions')}>
            {companions.map((companion, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a companion is its place
              <AssetRow key={index} asset={companion} />
            ))}
          </Rows>
        </section>
      )}
      {canSplit && held === null && (shared || large) ? (
        <Rows label={words('splitTitle')}>
          <LinkRow
            to={split}
            icon={shared ? <Split size={20} aria-hidden /> : <Scissors size={20} aria-hidden />}
            title={words(shared ? 'splitSeparate' : 'splitMoveOut')}
            note={words(shared ? 'splitSeparateNote' : 'splitMoveOutNote', {
              sats: amounts.sats(BigInt(sats)),
            })}
          />
        </Rows>
      ) : null}
    </>
  )
}

/** Something that sits on a coin, and the way to its screen; runes have none. */
function AssetRow({ asset }: { asset: AssetView }) {
  const title = useAmounts().asset(asset)
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

type ChoiceProps = { outpoint: string; onChanged: () => void }

function Locked({ outpoint, onChanged }: ChoiceProps) {
  const { busy, failure, choose } = useCoinChoice(outpoint, onChanged)
  return (
    <Notice
      tone={failure ? 'danger' : 'info'}
      title={words('inscriptionLocked')}
      live={!!failure}
      actions={
        <Button variant="quiet" busy={busy} onClick={() => void choose(null)}>
          {words('coinsUnlock')}
        </Button>
      }
    >
      <p>{failure ?? words('inscriptionLockedNote')}</p>
    </Notice>
  )
}

/** Keeps the coin where it is until the person says otherwise. */
export function LockButton({ outpoint, onChanged }: ChoiceProps) {
  const { busy, failure, choose } = useCoinChoice(outpoint, onChanged)
  return (
    <>
      <Button variant="quiet" start busy={busy} onClick={() => void choose('locked')}>
        <Lock size={16} aria-hidden />
        {words('inscriptionLock')}
      </Button>
      {failure ? (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      ) : null}
    </>
  )
}

function useCoinChoice(outpoint: string, onChanged: () => void) {
  const task = useTask()
  return {
    ...task,
    choose: (choice: 'locked' | null) =>
      task.run(async () => {
        await call('setCoinChoice', { outpoint, choice })
        showToast(words(choice === null ? 'coinsNowByRule' : 'coinsNowLocked'))
        onChanged()
      }),
  }
}
