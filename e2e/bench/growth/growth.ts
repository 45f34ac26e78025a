/** How long something takes, or how much it is, at some sizes. */
export type Curve = {
  name: string
  /** What is counted on the horizontal axis. */
  of: string
  unit: 'ms' | 'kB'
  points: readonly { size: number; value: number }[]
}

const COLOURS = [
  '#d97706',
  '#2563eb',
  '#059669',
  '#dc2626',
  '#7c3aed',
  '#0891b2',
  '#64748b',
  '#be185d',
]
/** Points that say what the largest sizes alone do. */
const LAST = 3
const [WIDTH, HEIGHT] = [760, 440]
const PLOT = { left: 60, right: 560, top: 20, bottom: 390 }

/** So many sizes from the least to the most, the same factor apart, as whole numbers. */
export function spreadSizes(least: number, most: number, count = 10): number[] {
  const step = (most / least) ** (1 / (count - 1))
  return Array.from({ length: count }, (_, at) => Math.round(least * step ** at))
}

/**
 * The power of the size that the value grows with, by least squares of the logarithms over the last points, of which the upper half
 * counts unless said: there what any size costs matters least. 1 is linear, 0 is constant.
 */
export function exponentOf(
  { points }: Pick<Curve, 'points'>,
  count = Math.ceil(points.length / 2),
): number {
  const logs = points
    .slice(-count)
    .map(({ size, value }) => [Math.log(size), Math.log(value)] as const)
  const mean = (pick: 0 | 1) => logs.reduce((sum, log) => sum + log[pick], 0) / logs.length
  const [x, y] = [mean(0), mean(1)]
  const covariance = logs.reduce((sum, log) => sum + (log[0] - x) * (log[1] - y), 0)
  const variance = logs.reduce((sum, log) => sum + (log[0] - x) ** 2, 0)
  return covariance / variance
}

/** The curves as a table in Markdown: sizes, values and the exponents of each. */
export function formatCurves(curves: readonly Curve[]): string {
  const rows = curves.map(curve => {
    const points = curve.points.map(
      ({ size, value }) => `${size.toLocaleString('en')}: ${formatValue(value)}`,
    )
    const exponents = [exponentOf(curve), exponentOf(curve, LAST)].map(one => one.toFixed(2))
    return `| ${curve.name}, ${curve.unit} over ${curve.of} | ${points.join(', ')} | ${exponents.join(' | ')} |`
  })
  const head = [
    '| what | at sizes | exponent of the upper half | of the last three |',
    '|---|---|---|---|',
  ]
  return [...head, ...rows, ''].join('\n')
}

/** A picture of the curves, both axes logarithmic. */
export function drawCurves(curves: readonly Curve[]): string {
  const points = curves.flatMap(curve => curve.points)
  const x = scale(
    points.map(({ size }) => size),
    PLOT.left,
    PLOT.right,
  )
  const y = scale(
    points.map(({ value }) => value),
    PLOT.bottom,
    PLOT.top,
  )
  const grid = [
    ...x.decades.map(({ at, label }) => [
      `<path d="M${at} ${PLOT.top}V${PLOT.bottom}" stroke="#d4d4d8"/>`,
      `<text x="${at}" y="${PLOT.bottom + 18}" text-anchor="middle">${label}</text>`,
    ]),
    ...y.decades.map(({ at, label }) => [
      `<path d="M${PLOT.left} ${at}H${PLOT.right}" stroke="#d4d4d8"/>`,
      `<text x="${PLOT.left - 8}" y="${at + 4}" text-anchor="end">${label}</text>`,
    ]),
  ].flat()
  const lines = curves.flatMap((curve, at) => {
    const colour = COLOURS[at % COLOURS.length]
    const path = curve.points.map(({ size, value }) => `${x.place(size)} ${y.place(value)}`)
    const beside = PLOT.top + 14 + 38 * at
    return [
      `<path d="M${path.join('L')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...curve.points.map(
        ({ size, value }) =>
          `<circle cx="${x.place(size)}" cy="${y.place(value)}" r="3" fill="${colour}"/>`,
      ),
      `<path d="M${PLOT.right + 14} ${beside - 4}h18" stroke="${colour}" stroke-width="3"/>`,
      `<text x="${PLOT.right + 38}" y="${beside}">${curve.name}</text>`,
      `<text x="${PLOT.right + 38}" y="${beside + 15}" fill="#71717a">${curve.unit} over ${curve.of}</text>`,
    ]
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#18181b">`,
    '<title>How costs grow</title>',
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    ...grid,
    ...lines,
    '</svg>',
    '',
  ].join('\n')
}

/** Places on a logarithmic axis between two ends, which whole powers of ten mark. */
function scale(values: readonly number[], from: number, to: number) {
  const least = Math.floor(Math.log10(Math.min(...values)))
  const most = Math.ceil(Math.log10(Math.max(...values)))
  const place = (value: number) =>
    Math.round((from + ((Math.log10(value) - least) / (most - least)) * (to - from)) * 10) / 10
  const decades = Array.from({ length: most - least + 1 }, (_, at) => {
    const value = 10 ** (least + at)
    return { at: place(value), label: value.toLocaleString('en') }
  })
  return { place, decades }
}

function formatValue(value: number): string {
  return value < 10 ? value.toFixed(2) : Math.round(value).toLocaleString('en')
}
