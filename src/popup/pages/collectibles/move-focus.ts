import type { KeyboardEvent } from 'react'

/** By tiles, and by rows of them. */
const STEPS: { [key: string]: [tiles: number, rows: number] } = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** The arrow keys go from tile to tile, of which as many stand in a row as there is room for. */
export function moveFocus(event: KeyboardEvent<HTMLDivElement>) {
  const step = STEPS[event.key]
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return
  const tiles = [...event.currentTarget.querySelectorAll<HTMLElement>('li > a, li > button')]
  const at = tiles.findIndex(tile => tile.matches(':focus'))
  const list = tiles[at]?.closest('ul')
  if (!list) return
  const { gridTemplateColumns, direction } = getComputedStyle(list)
  const columns = gridTemplateColumns.split(' ').length
  // A row that runs to the left has its next tile on the left.
  const sideways = direction === 'rtl' ? -step[0] : step[0]
  const next = tiles[at + sideways + step[1] * columns]
  if (!next) return
  event.preventDefault()
  next.focus()
}
