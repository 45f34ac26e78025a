import { words } from '../../platform/words.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { AnimatedQr } from '../../ui/pictures/animated-qr.tsx'

/** The PSBT as QR codes: one where that is enough, else one after the other. */
export function PsbtCodeDialog({ bytes, onClose }: { bytes: Uint8Array; onClose: () => void }) {
  return (
    <Dialog title={words('psbtFileCode')} onClose={onClose}>
      <AnimatedQr psbt={bytes} label={words('psbtFileCodeLabel')} />
    </Dialog>
  )
}
