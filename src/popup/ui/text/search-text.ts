/** Whether a name or an address has what is searched for, in whatever case and with or without accents, of any language. */
export function hasText(text: string, search: string): boolean {
  return fold(text).includes(fold(search.trim()))
}

/** Turkish has an i without a dot, whose capital is I, and one whose capital is İ. */
function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i')
}
