import { encodePng } from './png.ts'

/** Ground, figure, mark: in red, green and blue. */
const PALETTES: readonly (readonly (readonly [number, number, number])[])[] = [
  [
    [0xf4, 0xd9, 0xb8],
    [0x3d, 0x2b, 0x56],
    [0xc2, 0x57, 0x1a],
  ],
  [
    [0xcf, 0xe3, 0xd8],
    [0x1f, 0x4d, 0x46],
    [0xd9, 0x8e, 0x2b],
  ],
  [
    [0xdf, 0xd3, 0xee],
    [0x4a, 0x2c, 0x7a],
    [0x2f, 0x7f, 0x79],
  ],
  [
    [0xf2, 0xcf, 0xcb],
    [0x5a, 0x1f, 0x33],
    [0x2c, 0x66, 0xa8],
  ],
]

/** Cells of a side, the empty ones around the figure, and pixels of a cell's side. */
const CELLS = 12
const MARGIN = 2
const SCALE = 20

/** A small picture of mirrored blocks as PNG, the same for the same number. */
export function drawPixelArt(seed: number): Buffer {
  const palette = PALETTES[seed % PALETTES.length] ?? []
  let state = seed + 17
  const draw = () => {
    // A linear congruential generator: the low bits repeat soon, so the high ones choose.
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    const dice = (state >>> 16) % 10
    return dice < 4 ? 0 : dice < 8 ? 1 : 2
  }
  const inside = Array.from({ length: CELLS - 2 * MARGIN }, () => {
    const half = Array.from({ length: CELLS / 2 - MARGIN }, draw)
    return [0, 0, ...half, ...half.toReversed(), 0, 0]
  })
  const empty = Array<number>(CELLS).fill(0)
  const cells = [empty, empty, ...inside, empty, empty]
  const rows = cells.map(row =>
    Uint8Array.from(
      row.flatMap(ink => Array.from({ length: SCALE }, () => palette[ink] ?? []).flat()),
    ),
  )
  return encodePng(
    'rgb',
    rows.flatMap(row => Array<Uint8Array>(SCALE).fill(row)),
  )
}
