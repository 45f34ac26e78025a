import { createHash } from 'node:crypto'

/** A picture that a page of the wallet shows: its size, and the SHA-256 of its pixels as red, green, blue and opacity. */
export type DrawnPicture = { label: string | null; width: number; height: number; pixels: string }

/** Runs in a page of the wallet: the pictures of strangers that are drawn on it, in their order. */
export async function readPictures(): Promise<DrawnPicture[]> {
  const canvases = document.querySelectorAll<HTMLCanvasElement>(
    '.inscription-picture__picture > canvas',
  )
  return Promise.all(
    Array.from(canvases, async canvas => {
      const { width, height } = canvas
      const rgba = canvas.getContext('2d')?.getImageData(0, 0, width, height).data
      const hash = await crypto.subtle.digest('SHA-256', rgba ?? new Uint8Array())
      const pixels = Array.from(new Uint8Array(hash), byte => byte.toString(16).padStart(2, '0'))
      return { label: canvas.getAttribute('aria-label'), width, height, pixels: pixels.join('') }
    }),
  )
}

/** How a page shows opaque rows of three bytes a pixel. */
export function describeRows(rows: readonly Uint8Array[]): Omit<DrawnPicture, 'label'> {
  const hash = createHash('sha256')
  for (const row of rows)
    for (let at = 0; at < row.length; at += 3)
      hash.update(Uint8Array.of(...row.subarray(at, at + 3), 255))
  return { width: (rows[0]?.length ?? 0) / 3, height: rows.length, pixels: hash.digest('hex') }
}
