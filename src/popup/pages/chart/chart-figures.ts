import type { ChartPoint } from '../../../background/views/price-chart-views.ts'

/** A point of a line: a worth in the currency at a time. */
export type WorthPoint = { at: number; worth: number }

/** `balance` is what the account held, at the price of the time; `bitcoin` is one bitcoin. */
export type Subject = 'balance' | 'bitcoin'

/** The line of what was chosen, without the times at which the balance is not known. */
export function listWorth(points: readonly ChartPoint[], subject: Subject): WorthPoint[] {
  return points.flatMap(({ at, perBitcoin, sats }) => {
    if (subject === 'bitcoin') return [{ at, worth: perBitcoin }]
    return sats === null ? [] : [{ at, worth: (Number(sats) / 1e8) * perBitcoin }]
  })
}

/** From the first point to the last; `percent` is null where there was nothing at first. */
export function measureChange(points: readonly WorthPoint[]): {
  by: number
  percent: number | null
} {
  const first = points[0]?.worth ?? 0
  const last = points.at(-1)?.worth ?? 0
  return { by: last - first, percent: first > 0 ? ((last - first) / first) * 100 : null }
}

/** Where the points are in a square of 100 by 100, the latest at the right and the highest at the top; a level line is in the middle. */
export function placePoints(points: readonly WorthPoint[]): { x: number; y: number }[] {
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0]
  const worths = points.map(({ worth }) => worth)
  const [least, most] = [Math.min(...worths), Math.max(...worths)]
  return points.map(({ at, worth }) => ({
    x: last > first ? ((at - first) / (last - first)) * 100 : 50,
    y: most > least ? ((most - worth) / (most - least)) * 100 : 50,
  }))
}

/** The point that is nearest to a place from 0 (left) to 1 (right). */
export function findNearest(places: readonly { x: number }[], share: number): number {
  const distances = places.map(({ x }) => Math.abs(x - share * 100))
  return distances.indexOf(Math.min(...distances))
}

/** Where a key leads from the point at `index`; null for a key that leads nowhere. */
export function moveBy(key: string, index: number, count: number): number | null {
  const far = Math.max(1, Math.round(count / 10))
  const targets: { [key: string]: number } = {
    ...{ ArrowRight: index + 1, ArrowUp: index + 1, ArrowLeft: index - 1, ArrowDown: index - 1 },
    ...{ PageUp: index + far, PageDown: index - far, Home: 0, End: count - 1 },
  }
  const target = targets[key]
  return target === undefined ? null : Math.min(Math.max(target, 0), count - 1)
}
