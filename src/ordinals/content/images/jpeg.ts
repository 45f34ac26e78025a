import { assertSound, describeSurface, type Surface, viewOf } from './surface.ts'

const [SOF0, DHT, RST0, EOI, SOS, DNL, DHP] = [0xc0, 0xc4, 0xd0, 0xd9, 0xda, 0xdc, 0xde]
/** DHT, JPG and DAC stand among the markers of frames. */
const NO_FRAMES = [DHT, 0xc8, 0xcc]
/** Each goes over all pixels again; encoders write some ten. */
const MAX_SCANS = 100

/** JPEG of one frame whose height its header says. */
export function measureJpeg(bytes: Uint8Array): Surface {
  const view = viewOf(bytes)
  let at = 2
  let scans = 0
  let size: { width: number; height: number } | null = null
  for (;;) {
    assertSound(view.getUint8(at) === 0xff, 'jpeg: no marker')
    while (view.getUint8(at) === 0xff) at++
    const marker = view.getUint8(at++)
    if (marker === EOI) break
    const isFrame = marker >= SOF0 && marker < RST0 && !NO_FRAMES.includes(marker)
    assertSound(marker >= SOF0 && marker !== DNL && marker !== DHP, 'jpeg: an unknown marker')
    assertSound(marker < RST0 || marker > EOI, 'jpeg: a marker out of place')
    if (isFrame) {
      assertSound(size === null, 'jpeg: two frames')
      size = { height: view.getUint16(at + 3), width: view.getUint16(at + 5) }
    }
    const length = view.getUint16(at)
    assertSound(length >= 2, 'jpeg: a segment too short')
    at += length
    if (marker !== SOS) continue
    assertSound(size !== null && ++scans <= MAX_SCANS, 'jpeg: too many scans')
    at = skipScan(bytes, at)
  }
  assertSound(size !== null && scans > 0, 'jpeg: no picture')
  return describeSurface(size.width, size.height, at)
}

/** To the next marker: within a scan only stuffed zeros and restarts follow 0xff. */
function skipScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && (next < RST0 || next > RST0 + 7)) return at
  }
  throw new RangeError('jpeg: cut off')
}
