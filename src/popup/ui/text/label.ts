/** Characters of the longest note that the wallet keeps. */
export const LONGEST_LABEL = 140

/** A note as the wallet stores it: one line, without control characters, at most 140 characters. */
export function cleanLabel(text: string): string {
  const marks = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu
  const plain = text.replace(marks, ' ').normalize('NFC').trim()
  return [...plain].slice(0, LONGEST_LABEL).join('').trim()
}
