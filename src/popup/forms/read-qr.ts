import decodeQR from 'qr/decode.js'

/** More pixels than a code needs, and as many as can be looked through in a moment. */
const LARGEST_SIDE = 1600

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

/** The text of the QR code in a picture; throws {@link UnreadablePictureError}. Nothing leaves this page. */
export async function readQrPicture(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file).catch(() => {
    throw new UnreadablePictureError('not-a-picture')
  })
  const longest = Math.max(picture.width, picture.height)
  const scale = longest > LARGEST_SIDE ? LARGEST_SIDE / longest : Math.ceil(SMALLEST_SIDE / longest)
  const width = Math.max(1, Math.round(picture.width * scale))
  const height = Math.max(1, Math.round(picture.height * scale))
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (!context) throw new UnreadablePictureError('not-a-picture')
  context.imageSmoothingEnabled = scale < 1
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
