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

function quote(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}
