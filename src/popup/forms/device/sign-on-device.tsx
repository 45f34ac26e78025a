/**
 * The way to a device and back: what it is to sign, what its screen should show, and what it signed. The background compares
 * what comes back with what went out; these parts only carry it.
 */

import { CircleCheck, Download } from 'lucide-react'
import { useState } from 'react'
import type { DeviceTask, SignOnDeviceReview } from '../../../background/views/device-views.ts'
import { fromHex, toBase64, toHex } from '../../../bitcoin/bytes.ts'
import type { ReadResult } from '../../../bitcoin/qr/part-reader.ts'
import { saveFile } from '../../platform/save-file.ts'
import { words } from '../../platform/words.ts'
import { Recipients } from '../../review/recipients.tsx'
import { AmountFact } from '../../review/transaction-facts.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AnimatedQr } from '../../ui/pictures/animated-qr.tsx'
import factsStyles from '../../ui/styles/facts.module.css'
import layoutStyles from '../../ui/styles/layout.module.css'
import pillStyles from '../../ui/styles/pill.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { VisibleText } from '../../ui/text/visible-text.tsx'
import { ScanPanel } from '../scan/scan-panel.tsx'
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
      <HandOver key={`out ${at}`} psbt={task.psbt} name={`satchel-${fingerprint}-${at + 1}`} />
      <BringBack key={`in ${at} ${open}`} hex={returned[at] ?? null} onReturned={put} />
    </>
  )
}

type ShownProps = { task: Pick<DeviceTask, 'pays' | 'fee' | 'message'>; title?: string }

/** What the device's own screen should say. */
export function Shown({ task, title = words('deviceCompare') }: ShownProps) {
  return (
    <section className={layoutStyles.stack}>
      <h2>{title}</h2>
      {task.message !== undefined ? (
        <>
          <p className={textStyles.note}>{words('deviceMessage')}</p>
          <p className={styles.message}>
            <VisibleText text={task.message} />
          </p>
        </>
      ) : task.pays.length === 0 ? (
        <p className={textStyles.note}>{words('devicePaysNobody')}</p>
      ) : (
        <Recipients recipients={task.pays.map(pay => ({ ...pay, name: null }))} />
      )}
      {task.fee === null || task.message !== undefined ? null : (
        <dl className={factsStyles.facts}>
          <AmountFact name={words('reviewFee')} sats={BigInt(task.fee)} />
        </dl>
      )}
    </section>
  )
}

/** A PSBT (hex) as codes, as a file and as text. */
export function HandOver({ psbt, name }: { psbt: string; name: string }) {
  const bytes = fromHex(psbt)
  return (
    <section className={layoutStyles.stack}>
      <h2>{words('deviceHandOver')}</h2>
      <AnimatedQr psbt={bytes} label={words('deviceCodes')} />
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

type BringBackProps = { hex: string | null; onReturned: (hex: string | null) => void }

function BringBack({ hex, onReturned }: BringBackProps) {
  const [tries, setTries] = useState(0)
  const [failure, setFailure] = useState<string | null>(null)
  const take = (result: ReadResult) => {
    // A panel reads once.
    setTries(tries + 1)
    const isSigned = result.kind === 'psbt' || result.kind === 'transaction'
    setFailure(isSigned ? null : words('deviceErrorMalformed'))
    if (isSigned) onReturned(toHex(result.bytes))
  }
  return (
    <section className={layoutStyles.stack}>
      <h2>{words('deviceBringBack')}</h2>
      {hex === null ? (
        <ScanPanel key={tries} onRead={take} />
      ) : (
        <div className={styles.there}>
          <CircleCheck size={20} aria-hidden />
          <span role="status">{words('deviceThere')}</span>
          <Button variant="quiet" onClick={() => onReturned(null)}>
            {words('deviceReplace')}
          </Button>
        </div>
      )}
      {failure ? (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      ) : null}
    </section>
  )
}
