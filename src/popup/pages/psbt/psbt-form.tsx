import { Camera, FileUp } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { toHex } from '../../../bitcoin/bytes.ts'
import { readCode } from '../../forms/picture-dialog.tsx'
import { readFile } from '../../forms/read-file.ts'
import { ScanCamera } from '../../forms/scan/scan-camera.tsx'
import { usePartReader } from '../../forms/scan/use-part-reader.ts'
import { isToolbarPopup, openInTab } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import fieldStyles from '../../ui/fields/field.module.css'
import { FormScreen } from '../../ui/form-screen.tsx'
import textStyles from '../../ui/styles/text.module.css'
import styles from './psbt.module.css'
import { LARGEST_FILE, readPsbtFile, readPsbtText } from './read-psbt.ts'

type PsbtFormProps = {
  title: string
  lead: ReactNode
  action: string
  onBack: () => void
  /** Gets hex; what it throws is shown. */
  onRead: (psbt: string) => Promise<void>
}

/** Takes a PSBT: as a text, a file that is chosen, dropped or pasted, or a picture of a QR code. */
export function PsbtForm({ title, lead, action, onBack, onRead }: PsbtFormProps) {
  const [text, setText] = useState('')
  const chooser = useRef<HTMLInputElement>(null)
  const task = useTask()
  const id = useId()
  const take = (read: () => Promise<string | null>) =>
    task.run(async () => {
      const psbt = await read()
      if (psbt === null) throw new Error(words('psbtFileNone'))
      await onRead(psbt)
    })
  const [isFilming, setFilming] = useState(false)
  const { progress, failure, add, reset } = usePartReader(async result => {
    const read = async () => (result.kind === 'psbt' ? toHex(result.bytes) : null)
    if (await take(read)) return
    // A reader reads once, and the camera would read the same again.
    setFilming(false)
    reset()
  })
  const film = async () => {
    // The toolbar popup closes when the browser asks about the camera.
    if (await isToolbarPopup()) await openInTab('/psbt')
    else setFilming(true)
  }
  /** A file, or pictures of as many codes as it takes, in any order. */
  const takeFiles = (files: readonly File[]) => {
    const [file] = files
    if (!file) return
    const pictures = files.filter(({ type }) => type.startsWith('image/'))
    if (pictures.length === 0) return void take(() => readFileOf(file))
    // What was read before is over; parts of a code may come in several goes.
    if (progress.result !== null) reset()
    void task.run(async () => {
      for (const picture of pictures) await add(await readCode(picture))
    })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping and pasting only add to the button inside
    <div
      className={styles.drop}
      onDragOver={event => event.preventDefault()}
      onDrop={event => {
        event.preventDefault()
        takeFiles([...event.dataTransfer.files])
      }}
      onPaste={event => {
        const files = [...event.clipboardData.files]
        if (files.length === 0) return
        event.preventDefault()
        takeFiles(files)
      }}
    >
      <FormScreen
        title={title}
        lead={lead}
        action={action}
        onBack={onBack}
        onSubmit={() => void take(async () => readPsbtText(text))}
        busy={task.busy}
        disabled={text.trim() === ''}
        failure={task.failure ?? failure}
      >
        {isFilming ? (
          <ScanCamera progress={progress} onCode={add} />
        ) : (
          <Button variant="secondary" onClick={() => void film()}>
            <Camera size={18} aria-hidden />
            {words('scanUseCamera')}
          </Button>
        )}
        <Button variant="secondary" busy={task.busy} onClick={() => chooser.current?.click()}>
          <FileUp size={18} aria-hidden />
          {words('psbtFileChoose')}
        </Button>
        <input
          ref={chooser}
          type="file"
          multiple
          accept=".psbt,.txt,text/plain,image/*,application/octet-stream"
          hidden
          aria-label={words('psbtFileChoose')}
          onChange={event => {
            takeFiles([...(event.currentTarget.files ?? [])])
            // The same file again is another try.
            event.currentTarget.value = ''
          }}
        />
        {!isFilming && progress.total !== null && progress.result === null ? (
          <p className={textStyles.muted} role="status">
            {words('scanParts', { seen: progress.seen, total: progress.total })}
          </p>
        ) : null}
        <div className={fieldStyles.field}>
          <label htmlFor={id}>{words('psbtFileText')}</label>
          <textarea
            id={id}
            className={fieldStyles.input}
            rows={5}
            value={text}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={event => setText(event.currentTarget.value)}
          />
        </div>
      </FormScreen>
    </div>
  )
}

async function readFileOf(file: File): Promise<string | null> {
  if (file.size > LARGEST_FILE) throw new Error(words('psbtFileLarge'))
  return readPsbtFile(await readFile(file, () => {}))
}
