/** First and last code points of the blocks that Electrum takes for Chinese, Japanese and Korean (`CJK_INTERVALS` of its mnemonic.py). */
const BLOCKS: readonly (readonly [number, number])[] = [
  [0x1100, 0x11ff],
  [0x2e80, 0x2fdf],
  [0x2ff0, 0x2fff],
  [0x3040, 0x31ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4ff],
  [0xa960, 0xa97f],
  [0xac00, 0xd7ff],
  [0xf900, 0xfaff],
  [0xff00, 0xffef],
  [0x16f00, 0x16f9f],
  [0x1b000, 0x1b0ff],
  [0x20000, 0x2a6df],
  [0x2a700, 0x2b81f],
  [0x2f800, 0x2fa1d],
  [0xe0100, 0xe01ef],
]

export function isOfCjk(letter: string | undefined): boolean {
  const point = letter?.codePointAt(0) ?? 0
  return BLOCKS.some(([first, last]) => point >= first && point <= last)
}
