import decodeQR from 'qr/decode.js'
import { pictureDecoder } from '../../ui/pictures/decoder-frame.ts'

/** More pixels than a code needs, and as many as can be looked through in a moment. */
const LARGEST_SIDE = 1600

/** Bytes: beyond what a camera writes. */
const LARGEST_FILE = 64_000_000

/** A code must have some pixels a module to be found: small pictures are enlarged. */
const SMALLEST_SIDE = 400

/** A picture file in which no code was found, or that is no picture. */
export class UnreadablePictureError extends Error {
  override name = 'UnreadablePictureError'
  readonly problem: 'not-a-picture' | 'no-code'
  constructor(problem: UnreadablePictureError['problem']) {
    super(`picture: ${problem}`)
    this.problem = problem
  }
}

/** The text of the QR code in a picture; throws {@link UnreadablePictureError}. Nothing leaves this computer. */
export async function readQrPicture(file: Blob): Promise<string> {
  const picture = await decode(file).catch(() => {
    throw new UnreadablePictureError('not-a-picture')
  })
  const scale = Math.ceil(SMALLEST_SIDE / Math.max(picture.width, picture.height))
  const width = picture.width * scale
  const height = picture.height * scale
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (!context) throw new UnreadablePictureError('not-a-picture')
  context.imageSmoothingEnabled = false
  // What is transparent counts as paper.
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, width, height)
  context.drawImage(picture, 0, 0, width, height)
  picture.close()
  try {
    const limits = { effort: Number.POSITIVE_INFINITY, timeLimit: 3000 }
    return decodeQR(context.getImageData(0, 0, width, height), limits)
  } catch {
    throw new UnreadablePictureError('no-code')
  }
}

/** Not in this page: whoever sent the person a code may have made the picture to harm. */
async function decode(file: Blob): Promise<ImageBitmap> {
  if (file.size > LARGEST_FILE) throw new RangeError(`A picture of ${file.size} bytes`)
  const bytes = new Uint8Array(await file.arrayBuffer())
  return (await pictureDecoder.decode(bytes, { side: LARGEST_SIDE })).bitmap
}
