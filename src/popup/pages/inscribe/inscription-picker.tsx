import { Images } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { InscriptionPage } from '../../../background/views/asset-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { subjectOf } from '../../state/use-overview.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Notice } from '../../ui/notice.tsx'
import { InscriptionPicture } from '../../ui/pictures/inscription-picture.tsx'
import tileStyles from '../../ui/pictures/tile.module.css'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { nameNumber } from '../../ui/text/asset-names.ts'
import styles from './inscribe.module.css'

const PAGE_SIZE = 60

type InscriptionPickerProps = {
  state: WalletState
  onChoose: (id: string) => void
  onClose: () => void
}

/** One of the account's own inscriptions. */
export function InscriptionPicker({ state, onChoose, onClose }: InscriptionPickerProps) {
  const [known, setKnown] = useState<Pick<InscriptionPage, 'total' | 'inscriptions'> | null>(null)
  const loading = useTask()
  const load = () =>
    void loading.run(async () => {
      const offset = known?.inscriptions.length ?? 0
      const page = await call('getInscriptions', { offset, limit: PAGE_SIZE })
      setKnown({
        total: page.total,
        inscriptions: [...(known?.inscriptions ?? []), ...page.inscriptions],
      })
    })
  const first = useRef(load)
  const subject = subjectOf(state)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another account has others
  useEffect(() => first.current(), [subject])
  return (
    <Dialog title={words('inscribePickTitle')} onClose={onClose}>
      {known === null && loading.failure === null ? <SkeletonRows count={3} /> : null}
      {known?.inscriptions.length === 0 ? (
        <Empty icon={<Images size={20} aria-hidden />} title={words('inscribePickEmpty')} />
      ) : null}
      {known && known.inscriptions.length > 0 ? (
        <ul className={classNames(tileStyles.mosaic, styles.pick)}>
          {known.inscriptions.map(inscription => (
            <li key={inscription.id}>
              <button
                type="button"
                className={tileStyles.tile}
                onClick={() => onChoose(inscription.id)}
              >
                <InscriptionPicture id={inscription.id} size="tile" kind={inscription.kind} />
                <span>{nameNumber(inscription)}</span>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      {loading.failure ? (
        <Notice tone="caution" title={words('inscriptionsUnknown')} live>
          {loading.failure}
        </Notice>
      ) : null}
      {loading.failure !== null || (known && known.inscriptions.length < known.total) ? (
        <Button variant="secondary" busy={loading.busy} onClick={load}>
          {words(loading.failure === null ? 'inscribePickMore' : 'commonTryAgain')}
        </Button>
      ) : null}
    </Dialog>
  )
}
