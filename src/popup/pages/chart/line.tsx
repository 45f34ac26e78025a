import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import styles from './chart.module.css'
import { findNearest, moveBy, placePoints, type WorthPoint } from './chart-figures.ts'

type LineProps = {
  /** What the line is of, read out. */
  label: string
  points: readonly WorthPoint[]
  /** What is said of a point; null where no amount may be read off the line. */
  describe: ((point: WorthPoint) => string) | null
  /** Which point is read: by a key, or under the pointer; null for none. */
  onRead: (point: WorthPoint | null) => void
}

/** A line whose points are read with the arrow keys, as the values of a slider, or under pointer and finger. */
export function Line({ label, points, describe, onRead }: LineProps) {
  const [index, setIndex] = useState<number | null>(null)
  const places = placePoints(points)
  const path = places.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x} ${y}`).join('')
  const picture = (
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      <path className={styles.area} d={`${path}L100 100L0 100Z`} />
      <path className={styles.line} d={path} />
    </svg>
  )
  if (describe === null) {
    return (
      <div className={styles.plot} role="img" aria-label={label}>
        {picture}
      </div>
    )
  }
  const read = (next: number | null) => {
    setIndex(next)
    onRead(next === null ? null : (points[next] ?? null))
  }
  const last = points.length - 1
  const current = index === null ? null : places[index]
  const point = points[index ?? last]
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moveBy(event.key, index ?? last, points.length)
    if (next === null) return
    event.preventDefault()
    read(next)
  }
  const onPointer = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    if (width > 0) read(findNearest(places, (clientX - left) / width))
  }
  return (
    <div
      className={styles.plot}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={index ?? last}
      aria-valuetext={point ? describe(point) : ''}
      onKeyDown={onKeyDown}
      onPointerDown={onPointer}
      onPointerMove={onPointer}
      onPointerLeave={() => read(null)}
      onBlur={() => read(null)}
    >
      {picture}
      {current ? (
        <>
          <span className={styles.hair} style={{ left: `${current.x}%` }} />
          <span className={styles.dot} style={{ left: `${current.x}%`, top: `${current.y}%` }} />
        </>
      ) : null}
    </div>
  )
}
