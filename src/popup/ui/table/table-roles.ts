/**
 * The roles of a table's parts, for boxes: the parts of a real table cannot be left undrawn while they are out of sight, and
 * lose their meaning where the style sheet lays them out as a grid.
 */
export const ROW_GROUP = { role: 'rowgroup' } as const
export const ROW = { role: 'row' } as const
export const CELL = { role: 'cell' } as const
export const COLUMN_HEADER = { role: 'columnheader' } as const

/** The role of the whole, with the name that it is read out by. */
export function tableNamed(name: string) {
  return { role: 'table', 'aria-label': name } as const
}
