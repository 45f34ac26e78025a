import { isFullWidth } from './join-words.ts'

// Apart from `join-words.ts`, as the first screen joins nothing but whole sentences.

/** With a full stop, unless it has an end: a title or a fact, before a sentence follows. */
export function endSentence(sentence: string): string {
  return /[.!?…:؟。！？：]$/.test(sentence) ? sentence : sentence + (isFullWidth() ? '。' : '.')
}
