/**
 * The way to a device and back: what it is to sign, what its screen should show, and what it signed. The background compares
 * what comes back with what went out; these parts only carry it.
 */

import { CircleCheck, Download, FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import type { DeviceTask, SignOnDeviceReview } from '../../../background/views/device-views.ts'
import { fromHex, toBase64 } from '../../../bitcoin/bytes.ts'
import { saveFile } from '../../platform/save-file.ts'
import { words } from '../../platform/words.ts'
import { Recipients } from '../../review/recipients.tsx'
import { AmountFact } from '../../review/transaction-facts.tsx'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { PasteField } from '../../ui/fields/paste-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import factsStyles from '../../ui/styles/facts.module.css'
import layoutStyles from '../../ui/styles/layout.module.css'
import pillStyles from '../../ui/styles/pill.module.css'
import textStyles from '../../ui/styles/text.module.css'
import formStyles from '../form.module.css'
import { readReturnedFile, readReturnedText, UnreadableReturnError } from './returned-file.ts'
import styles from './sign-on-device.module.css'

type SignOnDeviceProps = {
  review: SignOnDeviceReview
  /** What has come back, in hex, by task; null for what has not. */
  returned: readonly (string | null)[]
  onReturned: (returned: readonly (string | null)[]) => void
}

/** What has come back for no task yet. */
export function nothingReturned({ tasks }: SignOnDeviceReview): (string | null)[] {
  return tasks.map(() => null)
}

/** What is sent to the background once all is there; undefined before. */
export function joinReturned(returned: readonly (string | null)[]): string | undefined {
  return returned.every(each => each !== null) ? JSON.stringify(returned) : undefined
}

/** What goes to the device, transaction by transaction, and what comes back. */
export function SignOnDevice({ review, returned, onReturned }: SignOnDeviceProps) {
  const { tasks, fingerprint } = review
  const open = returned.indexOf(null)
  const [chosen, setChosen] = useState(0)
  const at = Math.min(chosen, tasks.length - 1)
  const task = tasks[at]
  if (!task) return null
  const put = (hex: string | null) => {
    const next = returned.map((each, index) => (index === at ? hex : each))
    onReturned(next)
    const following = next.indexOf(null)
    if (hex !== null && following >= 0) setChosen(following)
  }
  return (
    <>
      <p className={textStyles.muted}>
        {words('deviceLead')} <span className={textStyles.mono}>{fingerprint}</span>
      </p>
      {tasks.length > 1 ? (
        <nav className={styles.tasks} aria-label={words('deviceTransactions')}>
          {tasks.map((_, index) => (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: a transaction is its place
              key={index}
              type="button"
              className={pillStyles.pill}
              aria-current={index === at ? 'step' : undefined}
              onClick={() => setChosen(index)}
            >
              {words('deviceTransaction', { at: index + 1, total: tasks.length })}
              {returned[index] === null ? null : <CircleCheck size={14} aria-hidden />}
            </button>
          ))}
        </nav>
      ) : null}
      <Shown task={task} />
      <HandOver key={`out ${at}`} task={task} name={`satchel-${fingerprint}-${at + 1}`} />
      <BringBack key={`in ${at} ${open}`} hex={returned[at] ?? null} onReturned={put} />
    </>
  )
}

/** What the device's own screen should say. */
function Shown({ task }: { task: DeviceTask }) {
  return (
    <section className={layoutStyles.stack}>
      <h2>{words('deviceCompare')}</h2>
      {task.pays.length === 0 ? (
        <p className={textStyles.note}>{words('devicePaysNobody')}</p>
      ) : (
        <Recipients recipients={task.pays.map(pay => ({ ...pay, name: null }))} />
      )}
      {task.fee === null ? null : (
        <dl className={factsStyles.facts}>
          <AmountFact name={words('reviewFee')} sats={BigInt(task.fee)} />
        </dl>
      )}
    </section>
  )
}

function HandOver({ task, name }: { task: DeviceTask; name: string }) {
  const bytes = fromHex(task.psbt)
  return (
    <section className={layoutStyles.stack}>
      <h2>{words('deviceHandOver')}</h2>
      <div className={layoutStyles.pair}>
        <Button
          variant="secondary"
          onClick={() => saveFile(`${name}.psbt`, new Blob([new Uint8Array(bytes)]))}
        >
          <Download size={18} aria-hidden />
          {words('deviceSave')}
        </Button>
        <CopyButton text={toBase64(bytes)} label={words('deviceCopy')} variant="secondary" />
      </div>
    </section>
  )
}

function BringBack({
  hex,
  onReturned,
}: {
  hex: string | null
  onReturned: (hex: string | null) => void
}) {
  const chooser = useRef<HTMLInputElement>(null)
  const [pasted, setPasted] = useState('')
  const reading = useTask()
  const take = (read: () => Promise<string>) =>
    void reading.run(async () => onReturned(await explained(read)))
  const takeFile = (file: File | null | undefined) => {
    if (file) take(() => readReturnedFile(file))
  }
  if (hex !== null)
    return (
      <section className={layoutStyles.stack}>
        <h2>{words('deviceBringBack')}</h2>
        <div className={styles.there} role="status">
          <CircleCheck size={20} aria-hidden />
          <span>{words('deviceThere')}</span>
          <Button variant="quiet" onClick={() => onReturned(null)}>
            {words('deviceReplace')}
          </Button>
        </div>
      </section>
    )
  return (
    <section className={layoutStyles.stack}>
      <h2>{words('deviceBringBack')}</h2>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping only adds to the button inside */}
      <div
        className={formStyles.drop}
        onDragOver={event => event.preventDefault()}
        onDrop={event => {
          event.preventDefault()
          takeFile(event.dataTransfer.files[0])
        }}
      >
        <Button
          variant="secondary"
          busy={reading.busy}
          data-testid="returned-file"
          onClick={() => chooser.current?.click()}
        >
          <FileUp size={18} aria-hidden />
          {words('deviceChoose')}
        </Button>
        <input
          ref={chooser}
          type="file"
          hidden
          aria-label={words('deviceChoose')}
          onChange={event => {
            takeFile(event.currentTarget.files?.[0])
            // The same file again is another try.
            event.currentTarget.value = ''
          }}
        />
        <PasteField label={words('devicePaste')} rows={2} value={pasted} onChange={setPasted} />
        {pasted.trim() === '' ? null : (
          <Button variant="secondary" onClick={() => take(async () => readReturnedText(pasted))}>
            {words('deviceUsePasted')}
          </Button>
        )}
      </div>
      {reading.failure ? (
        <Notice tone="danger" live>
          {reading.failure}
        </Notice>
      ) : null}
    </section>
  )
}

/** An error in words for a person. */
async function explained(read: () => Promise<string>): Promise<string> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof UnreadableReturnError)) throw error
    throw new Error(words('deviceErrorMalformed'))
  }
}
