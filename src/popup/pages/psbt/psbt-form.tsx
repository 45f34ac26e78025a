import { Camera, FileUp } from 'lucide-react'
import { useId, useRef, useState } from 'react'
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
import styles from './psbt.module.css'
import { LARGEST_FILE, readPsbtFile, readPsbtText } from './read-psbt.ts'

type PsbtFormProps = {
  title: string
  lead: string
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
    void task.run(async () => {
      const psbt = await read()
      if (psbt === null) throw new Error(words('psbtFileNone'))
      await onRead(psbt)
    })
  const { progress, failure, add } = usePartReader(result =>
    take(async () => (result.kind === 'psbt' ? toHex(result.bytes) : null)),
  )
  const [isFilming, setFilming] = useState(false)
  const film = async () => {
    // The toolbar popup closes when the browser asks about the camera.
    if (await isToolbarPopup()) await openInTab('/psbt')
    else setFilming(true)
  }
  const takeFile = (file: File | undefined) => {
    if (file) take(() => readAny(file))
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping and pasting only add to the button inside
    <div
      className={styles.drop}
      onDragOver={event => event.preventDefault()}
      onDrop={event => {
        event.preventDefault()
        takeFile(event.dataTransfer.files[0])
      }}
      onPaste={event => {
        const [file] = event.clipboardData.files
        if (!file) return
        event.preventDefault()
        takeFile(file)
      }}
    >
      <FormScreen
        title={title}
        lead={lead}
        action={action}
        onBack={onBack}
        onSubmit={() => take(async () => readPsbtText(text))}
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
          accept=".psbt,.txt,text/plain,image/*,application/octet-stream"
          hidden
          aria-label={words('psbtFileChoose')}
          onChange={event => {
            takeFile(event.currentTarget.files?.[0])
            // The same file again is another try.
            event.currentTarget.value = ''
          }}
        />
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

/** What a file holds: a PSBT, or the picture of a code that is one. */
async function readAny(file: File): Promise<string | null> {
  if (file.type.startsWith('image/')) return readPsbtText(await readCode(file))
  if (file.size > LARGEST_FILE) throw new Error(words('psbtFileLarge'))
  return readPsbtFile(await readFile(file, () => {}))
}
