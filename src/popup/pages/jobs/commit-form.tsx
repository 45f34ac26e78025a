import { FileUp, X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type {
  CommitRefundDraft,
  CommitRefundView,
  InscribeItem,
} from '../../../background/views/inscribe-views.ts'
import { toHex } from '../../../bitcoin/bytes.ts'
import formStyles from '../../forms/form.module.css'
import { contentTypeOf, pack, readFile } from '../../forms/read-file.ts'
import { addSpace } from '../../platform/join-words.ts'
import { goBack } from '../../platform/route.ts'
import { openInTab } from '../../platform/rpc.ts'
import { type WordKey, words } from '../../platform/words.ts'
import { Fold } from '../../review/fold.tsx'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import fieldStyles from '../../ui/fields/field.module.css'
import { TextField } from '../../ui/fields/field.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ActionRow, Link, Rows } from '../../ui/row.tsx'
import { formatSize } from '../../ui/text/size-text.ts'
import { parseCommitForm } from './commit-draft.ts'

type CommitFormProps = {
  /** What the last look found; null before. */
  seen: CommitRefundView | null
  /** What was asked then; null before. */
  draft: CommitRefundDraft | null
  onLook: (draft: CommitRefundDraft) => Promise<void>
}

/** A file as it is and, where that is smaller, compressed: either may have been inscribed. */
type ReadFile = { key: string; name: string; size: number; items: InscribeItem[] }

const NOT_FOUND: { [state in Exclude<CommitRefundView['state'], 'found' | 'job'>]: WordKey } = {
  'no-transaction': 'commitRefundNoTransaction',
  'no-match': 'commitRefundNoMatch',
  spent: 'commitRefundSpent',
}

/** Asks for all that the phrase does not tell: which transaction, and what it was to inscribe. */
export function CommitForm({ seen, draft, onLook }: CommitFormProps) {
  const [txid, setTxid] = useState(draft?.txid ?? '')
  const [text, setText] = useState(textOf(draft))
  const [files, setFiles] = useState<ReadFile[]>(filesOf(draft))
  const [hashes, setHashes] = useState(draft?.leafHashes.join('\n') ?? '')
  const [parent, setParent] = useState(draft?.parent ?? '')
  const [metadata, setMetadata] = useState(draft?.metadata ?? '')
  const [rune, setRune] = useState(draft?.rune ?? '')
  const chooser = useRef<HTMLInputElement>(null)
  const looking = useTask()
  const reading = useTask()
  const id = useId()
  // The file dialog takes the focus, and with it the toolbar popup.
  const needsTab = document.documentElement.dataset.surface === 'popup'
  const add = (chosen: readonly File[]) =>
    reading.run(async () => {
      const read = await Promise.all(chosen.map(readCandidates))
      setFiles(before => [...before, ...read])
    })
  const [tried, setTried] = useState(false)
  const items = files.flatMap(file => file.items)
  const { errors, isEmpty, ...read } = parseCommitForm({
    ...{ txid, text, items, hashes, parent, metadata, rune },
  })
  const shown = tried ? errors : null
  const look = () => {
    setTried(true)
    const isRight = Object.values(errors).every(error => error === null)
    if (isRight) void looking.run(() => onLook(read.draft))
  }
  return (
    <FormScreen
      title={words('commitRefund')}
      lead={words('commitRefundLead')}
      action={words(looking.busy ? 'commitRefundLooking' : 'commitRefundLook')}
      busy={looking.busy}
      disabled={isEmpty}
      // The last fields may be folded away.
      failure={
        looking.failure ??
        reading.failure ??
        (shown && (shown.rune ?? shown.parent ?? shown.metadata ?? shown.hashes))
      }
      onBack={goBack}
      onSubmit={look}
    >
      {looking.busy ? null : <NotFound seen={seen} />}
      <TextField
        label={words('commitRefundTxid')}
        note={words('commitRefundTxidNote')}
        value={txid}
        error={shown?.txid ?? null}
        onChange={event => setTxid(event.currentTarget.value)}
      />
      <div className={fieldStyles.field}>
        <label htmlFor={id}>{words('commitRefundText')}</label>
        <textarea
          id={id}
          className={fieldStyles.input}
          rows={3}
          value={text}
          autoComplete="off"
          spellCheck={false}
          aria-describedby={`${id}-note`}
          onChange={event => setText(event.currentTarget.value)}
        />
        <p id={`${id}-note`} className={fieldStyles.note}>
          {words('commitRefundTextNote')}
        </p>
      </div>
      {files.length === 0 ? null : (
        <Rows label={words('inscribeFormFiles')}>
          {files.map(({ key, name, size }) => (
            <ActionRow
              key={key}
              icon={<X size={18} aria-hidden />}
              title={name}
              note={`${formatSize(size)} · ${words('inscribeFormRemove', { name })}`}
              onPress={() => setFiles(files.filter(file => file.key !== key))}
            />
          ))}
        </Rows>
      )}
      <Button
        variant="secondary"
        busy={reading.busy}
        onClick={() => (needsTab ? void openInTab('/inscribe/recover') : chooser.current?.click())}
      >
        <FileUp size={18} aria-hidden />
        {words(needsTab ? 'commitRefundFilesTab' : 'commitRefundFiles')}
      </Button>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label={words('commitRefundFiles')}
        onChange={event => {
          void add([...(event.currentTarget.files ?? [])])
          // The same file again is another try.
          event.currentTarget.value = ''
        }}
      />
      <Fold summary={words('commitRefundMore')}>
        <div className={formStyles.moreFields}>
          <TextField
            label={words('commitRefundRune')}
            note={words('commitRefundRuneNote')}
            value={rune}
            error={shown?.rune ?? null}
            onChange={event => setRune(event.currentTarget.value.toUpperCase())}
          />
          <TextField
            label={words('inscribeFormParent')}
            note={words('commitRefundParentNote')}
            value={parent}
            error={shown?.parent ?? null}
            onChange={event => setParent(event.currentTarget.value)}
          />
          <TextField
            label={words('inscribeFormMetadata')}
            note={words('commitRefundMetadataNote')}
            value={metadata}
            error={shown?.metadata ?? null}
            onChange={event => setMetadata(event.currentTarget.value)}
          />
          <TextField
            label={words('commitRefundHash')}
            note={words('commitRefundHashNote')}
            value={hashes}
            error={shown?.hashes ?? null}
            onChange={event => setHashes(event.currentTarget.value)}
          />
        </div>
      </Fold>
    </FormScreen>
  )
}

function NotFound({ seen }: { seen: CommitRefundView | null }) {
  if (seen === null || seen.state === 'found') return null
  if (seen.state === 'job') {
    return (
      <Notice tone="info" live>
        {addSpace(words('commitRefundJob'))}
        <Link to={`/inscribe/jobs/${seen.jobId}`}>{words('commitRefundToJob')}</Link>
      </Notice>
    )
  }
  return (
    <Notice tone={seen.state === 'spent' ? 'info' : 'caution'} live>
      {words(NOT_FOUND[seen.state])}
    </Notice>
  )
}

async function readCandidates(file: File): Promise<ReadFile> {
  const bytes = await readFile(file, () => {})
  const contentType = contentTypeOf(file, bytes)
  const packed = await pack(bytes)
  const { name, size } = file
  return {
    ...{ key: crypto.randomUUID(), name, size },
    items: [
      { kind: 'file', contentType, encoding: null, hex: toHex(bytes) },
      ...(packed
        ? [{ kind: 'file', contentType, encoding: 'gzip', hex: toHex(packed) } as const]
        : []),
    ],
  }
}

function textOf(draft: CommitRefundDraft | null): string {
  const [first] = draft?.items ?? []
  return first?.kind === 'text' ? first.text : ''
}

/** The files of a draft that is looked at again; their names are gone. */
function filesOf(draft: CommitRefundDraft | null): ReadFile[] {
  return (draft?.items ?? []).flatMap((item, at): ReadFile[] =>
    item.kind === 'file'
      ? [{ key: String(at), name: item.contentType, size: item.hex.length / 2, items: [item] }]
      : [],
  )
}
