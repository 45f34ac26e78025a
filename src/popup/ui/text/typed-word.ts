/** Whether a person has typed `word`, in lower case itself, in whatever case and composition their keyboard gives, in that language. */
export function isTypedWord(typed: string, word: string, language: string): boolean {
  return typed.trim().normalize('NFC').toLocaleLowerCase(language) === word.normalize('NFC')
}
