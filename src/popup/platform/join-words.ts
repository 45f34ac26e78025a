import { currentLanguage, isolate } from './words.ts'

// Chinese and Japanese have full-width punctuation, which is followed by no space.
export const isFullWidth = () => /^(zh|ja)/.test(currentLanguage())

/** Sentences one after the other; what has no end, as a title, comes by way of `endSentence`. Empty ones are left out. */
export function joinSentences(sentences: readonly string[]): string {
  return sentences.reduce((told, next) => (told && next ? addSpace(told) + next : told + next))
}

/** With the space that is between a sentence and what follows on the line. */
export function addSpace(sentence: string): string {
  return /[。！？：]$/.test(sentence) ? sentence : `${sentence} `
}

/** "A, B, C": after a colon, or where more follow. */
export function joinList(items: readonly string[]): string {
  return items.map(isolate).join(isFullWidth() ? '、' : isolate('') ? '، ' : ', ')
}

/** "A, B, and C": as part of a sentence. */
export function joinNames(names: readonly string[]): string {
  return new Intl.ListFormat(currentLanguage()).format(names.map(isolate))
}
