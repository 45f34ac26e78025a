/**
 * A number as a person typed or pasted it, in the digits 0 to 9: keyboards and their input methods have digits, points and commas
 * of their own. Blanks and marks that nobody sees are left out; what is no number stays none.
 */
export function plainNumber(typed: string): string {
  return typed
    .replace(/[\s\p{Cf}]/gu, '')
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/[．。٫]/g, '.')
    .replace(/[，、،٬]/g, ',')
}

/** Each script has its digits one after the other, from zero on. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1
  return String(before % 10)
}
