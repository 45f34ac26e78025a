import encodeQR from 'qr'
import styles from './qr-code.module.css'

type QrCodeProps = {
  text: string
  label: string
  /** How much of it may be hidden: `low` is for screens, where nothing is. */
  ecc?: 'low' | 'medium'
}

/** A QR code, dark on white in every theme, with the four modules of margin that ISO 18004 asks for. */
export function QrCode({ text, label, ecc = 'medium' }: QrCodeProps) {
  const rows = encodeQR(text, 'raw', { ecc, border: 4 })
  const size = rows.length
  const path = rows
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  return (
    <svg
      className={styles.qrCode}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <path d={`M0 0h${size}v${size}H0z`} fill="#ffffff" />
      <path d={path} fill="#16110b" />
    </svg>
  )
}

/** Pixels a module: large enough for a print, and whole, so that no edge is blurred. */
const SCALE = 12

/** The QR code of a text as a PNG, with the margin that ISO 18004 asks for. */
export async function drawQrPicture(text: string): Promise<Blob> {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 })
  const side = rows.length * SCALE
  const canvas = new OffscreenCanvas(side, side)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser draws no pictures')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, side, side)
  context.fillStyle = '#000000'
  for (const [y, row] of rows.entries()) {
    for (const [x, dark] of row.entries()) {
      if (dark) context.fillRect(x * SCALE, y * SCALE, SCALE, SCALE)
    }
  }
  return canvas.convertToBlob({ type: 'image/png' })
}
