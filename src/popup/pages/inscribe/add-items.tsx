import { Copy, File, type LucideIcon, Plus, Type } from 'lucide-react'
import { useRef } from 'react'
import { MAX_ITEMS } from '../../../provider/inscribe-params.ts'
import { openInTab } from '../../platform/rpc.ts'
import { type WordKey, words } from '../../platform/words.ts'
import { ActionRow, Rows } from '../../ui/row.tsx'
import { formatSize } from '../../ui/text/size-text.ts'
import type { ItemForm } from './inscribe-form.ts'
import { MOST_BYTES } from './parse-inscribe-form.ts'

type AddItemsProps = {
  /** How many there are. */
  count: number
  onAdd: (item: ItemForm) => void
  onFiles: (files: readonly File[]) => void
}

const KINDS: { kind: ItemForm['kind']; Icon: LucideIcon; title: WordKey; note: WordKey }[] = [
  { kind: 'text', Icon: Type, title: 'inscribeFormText', note: 'inscribeFormTextNote' },
  { kind: 'file', Icon: File, title: 'inscribeFormFiles', note: 'inscribeFormFilesNote' },
  { kind: 'delegate', Icon: Copy, title: 'inscribeFormDelegate', note: 'inscribeFormDelegateNote' },
]

/** What can be inscribed: explained at first, then ways to add more. */
export function AddItems({ count, onAdd, onFiles }: AddItemsProps) {
  const chooser = useRef<HTMLInputElement>(null)
  // The file dialog takes the focus, and with it the toolbar popup.
  const needsTab = document.documentElement.dataset.surface === 'popup'
  const press = (kind: ItemForm['kind']) => {
    const key = crypto.randomUUID()
    if (kind === 'text') onAdd({ key, kind, text: '' })
    else if (kind === 'delegate') onAdd({ key, kind, id: '' })
    else if (needsTab) void openInTab('/inscribe')
    else chooser.current?.click()
  }
  if (count >= MAX_ITEMS) return <p className="muted">{words('inscribeFormFull')}</p>
  return (
    <>
      {count === 0 ? (
        <Rows label={words('inscribeTitle')}>
          {KINDS.map(({ kind, Icon, title, note }) => (
            <ActionRow
              key={kind}
              icon={<Icon size={20} aria-hidden />}
              title={words(title)}
              note={words(kind === 'file' && needsTab ? 'inscribeFormFilesNoteTab' : note, {
                most: formatSize(MOST_BYTES),
              })}
              onPress={() => press(kind)}
            />
          ))}
        </Rows>
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would stand as a field
        <div className="add-items" role="group" aria-label={words('inscribeFormAdd')}>
          {KINDS.map(({ kind, title }) => (
            <button key={kind} type="button" className="add-item" onClick={() => press(kind)}>
              <Plus size={16} aria-hidden />
              {words(title)}
            </button>
          ))}
        </div>
      )}
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label={words('inscribeFormFiles')}
        data-testid="inscribe-files"
        onChange={event => {
          onFiles([...(event.currentTarget.files ?? [])])
          // The same file again is another try.
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}
