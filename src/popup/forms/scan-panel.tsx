import { Camera, FileUp, ImageUp } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { toUtf8 } from '../../bitcoin/bytes.ts'
import type { ReadResult } from '../../bitcoin/qr/part-reader.ts'
import { MAX_MESSAGE_BYTES } from '../../bitcoin/qr/qr-error.ts'
import { isToolbarPopup, openInTab } from '../platform/rpc.ts'
import { words } from '../platform/words.ts'
import { useTask } from '../state/use-task.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import fieldStyles from '../ui/fields/field.module.css'
import { Notice } from '../ui/notice.tsx'
import textStyles from '../ui/styles/text.module.css'
import formStyles from './form.module.css'
import { readCode } from './picture-dialog.tsx'
import styles from './scan.module.css'
import { ScanCamera } from './scan-camera.tsx'
import { usePartReader } from './use-part-reader.ts'

type ScanPanelProps = {
  /** Called once, with all that was read. */
  onRead: (result: ReadResult) => void
}

/**
 * Takes a PSBT, a transaction, public keys or a text: from the camera, pictures of QR codes, a file, or pasted. In the toolbar
 * popup the camera opens the same screen in a tab. Nothing that is read leaves this computer.
 */
export function ScanPanel({ onRead }: ScanPanelProps) {
  const { progress, failure, add, addFile } = usePartReader(onRead)
  const [isFilming, setFilming] = useState(false)
  const [text, setText] = useState('')
  const chooser = useRef<HTMLInputElement>(null)
  const reading = useTask()

  const film = async () => {
    if (await isToolbarPopup()) await openInTab(location.hash.replace(/^#/, ''))
    else setFilming(true)
  }
  const read = (files: Iterable<File>) =>
    void reading.run(async () => {
      for (const file of files) {
        if (file.type.startsWith('image/')) await add(await readCode(file))
        else if (file.size > 2 * MAX_MESSAGE_BYTES) throw new Error(words('scanTooLarge'))
        else await addFile(new Uint8Array(await file.arrayBuffer()))
      }
    })
  const drop = (event: DragEvent) => {
    event.preventDefault()
    read(event.dataTransfer.files)
  }

  return (
    <div className={styles.scanPanel}>
      {isFilming ? (
        <ScanCamera progress={progress} onCode={add} />
      ) : (
        <Button variant="secondary" onClick={() => void film()}>
          <Camera size={20} aria-hidden /> {words('scanUseCamera')}
        </Button>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping only adds to the button inside */}
      <div className={formStyles.drop} onDragOver={event => event.preventDefault()} onDrop={drop}>
        <div className={styles.icons}>
          <FileUp size={28} strokeWidth={1.5} aria-hidden />
          <ImageUp size={28} strokeWidth={1.5} aria-hidden />
        </div>
        <p className={textStyles.muted}>{words('scanFileNote')}</p>
        <Button variant="secondary" busy={reading.busy} onClick={() => chooser.current?.click()}>
          {words('scanChoose')}
        </Button>
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          aria-label={words('scanChoose')}
          onChange={event => {
            read([...(event.currentTarget.files ?? [])])
            // The same file again is another try.
            event.currentTarget.value = ''
          }}
        />
      </div>
      <textarea
        className={classNames(fieldStyles.input, formStyles.addressInput)}
        aria-label={words('scanPaste')}
        placeholder={words('scanPaste')}
        value={text}
        rows={3}
        spellCheck={false}
        onChange={event => setText(event.currentTarget.value)}
      />
      <Button
        variant="secondary"
        disabled={text.trim() === ''}
        onClick={() => void reading.run(() => addFile(toUtf8(text)))}
      >
        {words('scanReadText')}
      </Button>
      {!isFilming && progress.total !== null && progress.result === null ? (
        <p className={textStyles.muted} role="status">
          {words('scanParts', { seen: progress.seen, total: progress.total })}
        </p>
      ) : null}
      {(failure ?? reading.failure) ? (
        <Notice tone="danger" live>
          {failure ?? reading.failure}
        </Notice>
      ) : null}
    </div>
  )
}
