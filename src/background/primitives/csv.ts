/** What a spreadsheet takes for a formula at the start of a cell, in its wide forms too. */
const FORMULA_START = /^[=+\-@\t\r＝＋－＠]/

/** Lines of cells as CSV by RFC 4180. */
export function formatCsv(lines: readonly (readonly string[])[]): string {
  return lines.map(cells => `${cells.map(quote).join(',')}\r\n`).join('')
}

/** An apostrophe makes a spreadsheet read the cell as text: for what may come from others. */
export function disarm(text: string | null): string {
  return text !== null && FORMULA_START.test(text) ? `'${text}` : (text ?? '')
}

/** An account's name as a cell; `unnamed` is what one without is called, with `{number}` for its number. */
export function nameCell(name: string | { number: number } | null, unnamed: string): string {
  return disarm(
    name && typeof name === 'object' ? unnamed.replace('{number}', `${name.number}`) : name,
  )
}

function quote(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}
