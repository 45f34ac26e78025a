import { FileUp } from 'lucide-react'
import { useRef } from 'react'
import { readFile } from '../../forms/read-file.ts'
import { type WordKey, words } from '../../platform/words.ts'
import { Button } from '../../ui/button.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { VisibleText } from '../../ui/text/visible-text.tsx'
import styles from './backup.module.css'

type FileChooserProps = {
  /** As an input of files has it. */
  accept: string
  /** Of the file that was chosen. */
  name: string | null
  busy: boolean
  onFile: (file: File) => void
}

/** A button that chooses a file, which can be dropped on it too. */
export function FileChooser({ accept, name, busy, onFile }: FileChooserProps) {
  const chooser = useRef<HTMLInputElement>(null)
  const take = (file: File | undefined) => {
    if (file && !busy) onFile(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping only adds to the button inside
    <div
      className={styles.chooser}
      onDragOver={event => event.preventDefault()}
      onDrop={event => {
        event.preventDefault()
        take(event.dataTransfer.files[0])
      }}
    >
      <Button variant="secondary" busy={busy} onClick={() => chooser.current?.click()}>
        <FileUp size={18} aria-hidden />
        {words(name === null ? 'backupFileChoose' : 'backupFileChooseOther')}
      </Button>
      {name === null ? null : (
        <p className={textStyles.breakable} aria-live="polite">
          <VisibleText text={name} />
        </p>
      )}
      <input
        ref={chooser}
        type="file"
        accept={accept}
        hidden
        aria-label={words('backupFileChoose')}
        onChange={event => {
          take(event.currentTarget.files?.[0])
          // The same file again is another try.
          event.currentTarget.value = ''
        }}
      />
    </div>
  )
}

/** The text of a file of at most so many bytes, in UTF-8. Throws in the person's language. */
export async function readTextFile(file: File, most: number, unreadable: WordKey): Promise<string> {
  if (file.size > most) throw new Error(words('backupErrorLarge'))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file, () => {}))
  } catch {
    throw new Error(words(unreadable))
  }
}
