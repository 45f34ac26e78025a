import encodeQR from 'qr'

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
