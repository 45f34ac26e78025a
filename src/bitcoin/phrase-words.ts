/** The words of a typed phrase: NFKD, lower case (BIP-39), without the space around them. */
export function splitWords(text: string): string[] {
  return text.normalize('NFKD').toLowerCase().split(/\s+/).filter(Boolean)
}

/** A typed phrase with another word at a place, from 0; as it was where that place has no word. */
export function replaceWord(text: string, place: number, word: string): string {
  return splitWords(text)
    .map((other, at) => (at === place ? word : other))
    .join(' ')
}
