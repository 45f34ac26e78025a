import { splitBbqr } from './bbqr.ts'
import { encodeCbor } from './cbor.ts'
import { MAX_FRAGMENTS } from './fountain.ts'
import { QrCodeError } from './qr-error.ts'
import { createUrEncoder, formatUr } from './ur.ts'

/** `ur` is `crypto-psbt`, which all devices with a camera read; `bbqr` is Coldcard's. */
export type FrameFormat = 'ur' | 'bbqr'

/** How much a code holds: the denser, the fewer codes, and the better a camera must be. */
export type FrameDensity = 'small' | 'medium' | 'large'

/** Bytes of a fragment of a uniform resource, and letters of a code of BBQr that is as large. */
const SIZES: { [density in FrameDensity]: { fragment: number; letters: number } } = {
  small: { fragment: 80, letters: 250 },
  medium: { fragment: 200, letters: 490 },
  large: { fragment: 400, letters: 890 },
}

/** The texts of codes to be shown one after the other, all in letters that QR codes hold densely. */
export type PsbtFrames = {
  /** How many make the whole; 1 is a code that stands still. */
  readonly count: number
  /** From 0 without end: after the first `count` ones, uniform resources go on with mixed parts, BBQr begins anew. */
  readonly frame: (index: number) => string
}

/** Frames of a PSBT; throws {@link QrCodeError} `too-large` when that would be more than readers take. */
export function createPsbtFrames(
  psbt: Uint8Array,
  { format, density }: { format: FrameFormat; density: FrameDensity },
): PsbtFrames {
  const size = SIZES[density]
  return format === 'ur'
    ? createUrFrames(psbt, size.fragment)
    : createBbqrFrames(psbt, size.letters)
}

function createUrFrames(psbt: Uint8Array, fragment: number): PsbtFrames {
  const ur = { type: 'crypto-psbt', cbor: encodeCbor(psbt) }
  if (ur.cbor.length <= fragment) {
    const text = formatUr(ur).toUpperCase()
    return { count: 1, frame: () => text }
  }
  if (ur.cbor.length > fragment * MAX_FRAGMENTS) throw tooLarge(psbt)
  const { count, text } = createUrEncoder(ur, fragment)
  return { count, frame: index => text(index + 1).toUpperCase() }
}

function createBbqrFrames(psbt: Uint8Array, letters: number): PsbtFrames {
  // 1,295 codes, of which each five bytes need eight letters.
  if (psbt.length > 1_295 * Math.floor((letters - 8) / 8) * 5) throw tooLarge(psbt)
  const texts = splitBbqr(psbt, 'P', letters)
  return { count: texts.length, frame: index => texts[index % texts.length] ?? '' }
}

function tooLarge(psbt: Uint8Array): QrCodeError {
  return new QrCodeError('too-large', `PSBT: ${psbt.length} bytes need denser codes`)
}
