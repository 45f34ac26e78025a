import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import type {
  InscriptionChoice,
  InscriptionDetail,
  SpamReason,
} from '../../../background/views/asset-views.ts'
import { call } from '../../platform/rpc.ts'
import { countWords, type PluralKey, type WordKey, words } from '../../platform/words.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import dialogStyles from '../../ui/dialog.module.css'
import { Dialog } from '../../ui/dialog.tsx'
import { ChoiceGroup } from '../../ui/fields/choice.tsx'
import { Notice } from '../../ui/notice.tsx'
import { showToast } from '../../ui/toast.tsx'

type VisibilityProps = { inscription: InscriptionDetail; onChanged: () => void }

type HiddenNoticeProps = VisibilityProps & {
  /** Draws what may be spam; null where it is drawn. */
  onReveal: (() => void) | null
}

/** Says that it is in no gallery and why, and shows it again. */
export function HiddenNotice({ inscription, onReveal, onChanged }: HiddenNoticeProps) {
  const { id, parents, sorting } = inscription
  const { busy, failure, sort } = useSorting(onChanged)
  if (sorting.group === 'shown') return null
  if (sorting.group === 'spam')
    return (
      <Notice
        tone={failure ? 'danger' : 'caution'}
        title={words('spamTitle')}
        live={!!failure}
        actions={
          <>
            <Button variant="quiet" busy={busy} onClick={() => void sort([id], 'kept', 'spamKept')}>
              {words('spamKeep')}
            </Button>
            {onReveal ? (
              <Button variant="quiet" onClick={onReveal}>
                {words('spamShowPicture')}
              </Button>
            ) : null}
          </>
        }
      >
        <p>{failure ?? words(SPAM_WORDS[sorting.why])}</p>
        {failure ? null : <p>{words('spamAdvice')}</p>}
      </Notice>
    )
  const isOfCollection = sorting.why === 'collection'
  return (
    <Notice
      tone={failure ? 'danger' : 'info'}
      title={words('hiddenTitle')}
      live={!!failure}
      actions={
        <>
          <Button
            variant="quiet"
            busy={busy}
            onClick={() => void sort([id], 'kept', 'hiddenShownNow')}
          >
            {words('hiddenShow')}
          </Button>
          {isOfCollection ? (
            <Button
              variant="quiet"
              busy={busy}
              onClick={() => void sort(parents, null, 'hiddenShownNow', true)}
            >
              {words('hiddenShowCollection')}
            </Button>
          ) : null}
        </>
      }
    >
      <p>{failure ?? words(isOfCollection ? 'hiddenWithCollection' : 'hiddenByYou')}</p>
    </Notice>
  )
}

const SPAM_WORDS: { [why in SpamReason]: WordKey } = {
  code: 'spamCode',
  'many-recipients': 'spamManyRecipients',
  'same-content': 'spamSameContent',
}

/** Hides it, or all children of its parents, after a word on what that does. */
export function HideButton({ inscription, onChanged }: VisibilityProps) {
  const [asking, setAsking] = useState(false)
  if (inscription.sorting.group === 'hidden') return null
  return (
    <>
      <Button variant="quiet" start onClick={() => setAsking(true)}>
        <EyeOff size={16} aria-hidden />
        {words('hiddenHide')}
      </Button>
      {asking ? (
        <HideDialog
          ids={[inscription.id]}
          parents={inscription.parents}
          onClose={() => setAsking(false)}
          onDone={() => {
            setAsking(false)
            onChanged()
          }}
        />
      ) : null}
    </>
  )
}

type HideDialogProps = {
  ids: readonly string[]
  parents: readonly string[]
  onClose: () => void
  onDone: () => void
}

/** What hiding does and does not, and whether it is of the whole collection. */
export function HideDialog({ ids, parents, onClose, onDone }: HideDialogProps) {
  const [scope, setScope] = useState<'ids' | 'collection'>('ids')
  const { busy, failure, sort } = useSorting(onDone)
  const isCollection = scope === 'collection'
  return (
    <Dialog title={countWords('hiddenHideTitle', ids.length)} onClose={onClose}>
      <p>{countWords('hiddenHideNote', ids.length)}</p>
      {parents.length > 0 ? (
        <ChoiceGroup
          label={words('hiddenScope')}
          value={scope}
          options={[
            { value: 'ids', name: words('hiddenScopeOne') },
            {
              value: 'collection',
              name: words('hiddenScopeCollection'),
              note: words('hiddenScopeCollectionNote'),
            },
          ]}
          onChoose={setScope}
        />
      ) : null}
      {failure ? (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      ) : null}
      <div className={dialogStyles.answers}>
        <Button variant="secondary" onClick={onClose}>
          {words('commonCancel')}
        </Button>
        <Button
          variant="primary"
          busy={busy}
          onClick={() =>
            void sort(isCollection ? parents : ids, 'hidden', 'hiddenNow', isCollection)
          }
        >
          {words('hiddenHide')}
        </Button>
      </div>
    </Dialog>
  )
}

type ShowButtonProps = {
  ids: readonly string[]
  name: PluralKey
  /** What is said once it is done. */
  done: WordKey
  onDone: () => void
}

/** Puts chosen ones back into the gallery. */
export function ShowButton({ ids, name, done, onDone }: ShowButtonProps) {
  const { busy, failure, sort } = useSorting(onDone)
  return (
    <>
      {failure ? (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      ) : null}
      <Button
        variant="primary"
        busy={busy}
        disabled={ids.length === 0}
        onClick={() => void sort(ids, 'kept', done)}
      >
        <Eye size={18} aria-hidden />
        {ids.length === 0 ? words('inscriptionsChooseAny') : countWords(name, ids.length)}
      </Button>
    </>
  )
}

function useSorting(onDone: () => void) {
  const task = useTask()
  return {
    ...task,
    /** `done` is said afterwards. */
    sort: (
      ids: readonly string[],
      choice: InscriptionChoice | null,
      done: WordKey,
      children = false,
    ) =>
      task.run(async () => {
        await call('sortInscriptions', { ids: [...ids], children, choice })
        showToast(words(done))
        onDone()
      }),
  }
}
