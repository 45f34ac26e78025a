/** One measured figure; times are milliseconds unless the unit says otherwise. */
export type Figure = {
  name: string
  unit: string
  /** What we want it to be; null where the number only informs. */
  aim: number | null
  /** Best of four peer wallets measured the same way; null where none was. */
  peer: number | null
  /** Median where there are samples. */
  value: number
  spread: Spread | null
  note: string
}

export type Spread = { n: number; q1: number; median: number; q3: number; p95: number }

type Labels = {
  name: string
  unit: string
  aim?: number | null
  peer?: number
  note?: string
}

/** A figure that is one number, such as a size or a count. */
export function countFigure(labels: Labels, value: number): Figure {
  const { name, unit, aim = null, peer = null, note = '' } = labels
  return { name, unit, aim, peer, value, spread: null, note }
}

/** A figure of repeated measurements. */
export function sampleFigure(labels: Labels, samples: readonly number[]): Figure {
  const spread = describeSamples(samples)
  return { ...countFigure(labels, spread.median), spread }
}

/** Quantiles by linear interpolation; throws a RangeError for no samples. */
export function describeSamples(samples: readonly number[]): Spread {
  if (samples.length === 0) throw new RangeError('There are no samples to describe')
  const sorted = samples.toSorted((a, b) => a - b)
  const at = (share: number): number => {
    const position = (sorted.length - 1) * share
    const below = sorted[Math.floor(position)] ?? 0
    const above = sorted[Math.ceil(position)] ?? below
    return below + (above - below) * (position - Math.floor(position))
  }
  return { n: sorted.length, q1: at(0.25), median: at(0.5), q3: at(0.75), p95: at(0.95) }
}
