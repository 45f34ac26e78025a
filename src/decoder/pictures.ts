/** How each raster format begins, in hex. Nothing else is ever given to a decoder: no SVG, no video. */
const FORMATS: [type: string, head: RegExp][] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^474946383[79]61/],
  ['image/webp', /^52494646.{8}57454250/],
  ['image/avif', /^.{8}6674797061766966/],
  ['image/bmp', /^424d/],
]

/** The format of an encoded picture by its first bytes; null for none of those that are decoded. */
export function sniffType(bytes: Uint8Array): string | null {
  const head = Array.from(bytes.subarray(0, 12), toHex).join('')
  return FORMATS.find(([, pattern]) => pattern.test(head))?.[0] ?? null
}

function toHex(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}

/** The picture, upright as its EXIF data say, at most `side` pixels wide and high; its first frame if it moves. */
export async function fitPicture(picture: Blob | VideoFrame, side: number): Promise<ImageBitmap> {
  const whole = await createImageBitmap(picture)
  const scale = Math.min(1, side / Math.max(whole.width, whole.height))
  const size = (length: number) => Math.max(1, Math.round(length * scale))
  // Drawn also where it fits: Chromium forgets which way is up when it hands a bitmap to another process.
  const canvas = new OffscreenCanvas(size(whole.width), size(whole.height))
  const context = canvas.getContext('2d')
  if (!context) throw new Error('No room to draw in')
  context.imageSmoothingQuality = 'medium'
  context.drawImage(whole, 0, 0, canvas.width, canvas.height)
  whole.close()
  return canvas.transferToImageBitmap()
}

/** Further frames of a moving picture, in the size of its first; null for a still one, and where the browser has no `ImageDecoder`. */
export async function openMovement(
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
  { width, height }: { width: number; height: number },
) {
  if (!('ImageDecoder' in globalThis)) return null
  let decoder = await startDecoder(bytes, type)
  const track = decoder.tracks.selectedTrack
  if (!track || track.frameCount < 2) {
    decoder.close()
    return null
  }
  const { frameCount, repetitionCount } = track
  const decode = async (frameIndex: number) => {
    const { image } = await decoder.decode({ frameIndex })
    if (image.codedWidth > 0) return image
    // Firefox keeps the frames that it has handed out, and hands out one again that has been closed.
    decoder.close()
    decoder = await startDecoder(bytes, type)
    return (await decoder.decode({ frameIndex })).image
  }
  const first = await decode(0)
  const duration = toMilliseconds(first)
  first.close()
  let shown = 0
  return {
    /** Of the first frame, in milliseconds. */
    duration,
    async next() {
      shown += 1
      const last = frameCount * (repetitionCount + 1) - 1
      if (shown > last) return null
      const image = await decode(shown % frameCount)
      const duration = shown === last ? null : toMilliseconds(image)
      try {
        return { bitmap: await fitPicture(image, Math.max(width, height)), duration }
      } finally {
        image.close()
      }
    },
    close: () => decoder.close(),
  }
}

async function startDecoder(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<ImageDecoder> {
  // It may take the bytes away.
  const decoder = new ImageDecoder({ data: bytes.slice(), type })
  await decoder.tracks.ready
  await decoder.completed
  return decoder
}

function toMilliseconds({ duration }: VideoFrame): number {
  return (duration ?? 0) / 1000
}
