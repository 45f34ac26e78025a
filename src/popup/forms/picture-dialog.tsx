import { ImageUp } from 'lucide-react'
import { useRef } from 'react'
import type { Network } from '../../bitcoin/network.ts'
import { words } from '../platform/words.ts'
import { useTask } from '../state/use-task.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import textStyles from '../ui/styles/text.module.css'
import formStyles from './form.module.css'
import { type PaymentText, parsePaymentText } from './payment-text.ts'

type PictureDialogProps = {
  network: Network
  onRead: (text: PaymentText) => void
  onClose: () => void
}

/** A QR code from a picture: chosen, dropped or pasted. The picture never leaves this computer. */
export function PictureDialog({ network, onRead, onClose }: PictureDialogProps) {
  const chooser = useRef<HTMLInputElement>(null)
  const reading = useTask()
  const read = (file: Blob | null | undefined) => {
    if (file) void reading.run(async () => onRead(parsePaymentText(await readCode(file), network)))
  }
  return (
    <Dialog title={words('sendPicture')} onClose={onClose}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping and pasting only add to the button inside */}
      <div
        className={formStyles.drop}
        onDragOver={event => event.preventDefault()}
        onDrop={event => {
          event.preventDefault()
          read(event.dataTransfer.files[0])
        }}
        onPaste={event => read(event.clipboardData.files[0])}
      >
        <ImageUp size={32} strokeWidth={1.5} aria-hidden />
        <p className={textStyles.muted}>{words('sendPictureNote')}</p>
        <Button variant="secondary" busy={reading.busy} onClick={() => chooser.current?.click()}>
          {words(reading.busy ? 'sendPictureReading' : 'sendPictureChoose')}
        </Button>
        <input
          ref={chooser}
          type="file"
          accept="image/*"
          hidden
          aria-label={words('sendPictureChoose')}
          onChange={event => {
            read(event.currentTarget.files?.[0])
            // The same file again is another try.
            event.currentTarget.value = ''
          }}
        />
      </div>
      {reading.failure ? (
        <Notice tone="danger" live>
          {reading.failure}
        </Notice>
      ) : null}
    </Dialog>
  )
}

/** The decoder is loaded when the first picture comes. Throws an Error in words for a person. */
export async function readCode(file: Blob): Promise<string> {
  const { readQrPicture, UnreadablePictureError } = await import('./scan/read-qr.ts')
  try {
    return await readQrPicture(file)
  } catch (error) {
    if (!(error instanceof UnreadablePictureError)) throw error
    throw new Error(words(error.problem === 'no-code' ? 'sendPictureNoCode' : 'sendPictureBroken'))
  }
}
