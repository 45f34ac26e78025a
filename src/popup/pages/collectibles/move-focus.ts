import type { KeyboardEvent } from 'react'

const STEPS: { [key: string]: number } = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -3, ArrowDown: 3 }

/** The arrow keys go from tile to tile, of which three stand in a row. */
export function moveFocus(event: KeyboardEvent<HTMLDivElement>) {
  const step = STEPS[event.key]
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return
  const tiles = [...event.currentTarget.querySelectorAll<HTMLElement>('li > a, li > button')]
  const at = tiles.findIndex(tile => tile.matches(':focus'))
  const next = tiles[at + step]
  if (at === -1 || !next) return
  event.preventDefault()
  next.focus()
}
