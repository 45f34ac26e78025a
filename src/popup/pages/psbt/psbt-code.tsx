import { toBase64 } from '../../../bitcoin/bytes.ts'
import { words } from '../../platform/words.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QrCode } from '../../ui/pictures/qr-code.tsx'
import styles from './psbt.module.css'
import { fitsCode } from './read-psbt.ts'

/** The PSBT as a QR code of its base64: the only place that shows one, so codes of several parts belong here. */
export function PsbtCodeDialog({ bytes, onClose }: { bytes: Uint8Array; onClose: () => void }) {
  const text = toBase64(bytes)
  return (
    <Dialog title={words('psbtFileCode')} onClose={onClose}>
      {fitsCode(text) ? (
        <div className={styles.code}>
          <QrCode text={text} label={words('psbtFileCodeLabel')} />
        </div>
      ) : (
        <Notice tone="info">{words('psbtFileCodeLarge')}</Notice>
      )}
    </Dialog>
  )
}
