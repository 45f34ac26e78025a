import { type CSSProperties, type RefObject, useEffect, useRef } from 'react'

const ROWS = 10

/** Rows per block: what comes into sight is laid out a block at a time, and one of 50 takes longer than a frame. */
export function cutRows<Row>(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / ROWS) }, (_, at) =>
    rows.slice(at * ROWS, (at + 1) * ROWS),
  )
}

/** For the style sheet, which knows how high a row is. */
export function rowCount(rows: number): CSSProperties {
  return { '--rows': rows } as CSSProperties
}

/**
 * When the details beside a list are closed, the focus goes back to where they were opened. `open` is the path of what is open;
 * null for nothing.
 */
export function useFocusAfter(open: string | null, list: RefObject<HTMLElement | null>): void {
  const before = useRef(open)
  useEffect(() => {
    const closed = before.current
    before.current = open
    if (open !== null || closed === null) return
    list.current?.querySelector<HTMLElement>(`a[href="#${closed}"]`)?.focus()
  }, [open, list])
}
