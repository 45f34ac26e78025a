import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { dirname } from 'node:path'
import type { Figure } from './figure.ts'

/** Cores and the load of the last minute: times taken beside other work are longer. */
export function describeMachine(): string {
  const cores = cpus()
  const load = loadavg()[0] ?? 0
  return `${cores.length} cores, ${cores[0]?.model.trim() ?? 'unknown'}; load ${load.toFixed(1)}; Node ${process.versions.node}`
}

/** The figures as lines of equal columns. */
export function formatTable(figures: readonly Figure[]): string[] {
  const rows = [
    ['figure', 'measured', 'aim', 'best peer', '[quartiles] p95', ''],
    ...figures.map(figure => [
      figure.name,
      `${formatNumber(figure.value)} ${figure.unit}`,
      figure.aim === null ? '' : formatNumber(figure.aim),
      figure.peer === null ? '' : formatNumber(figure.peer),
      formatSpread(figure),
      figure.note,
    ]),
  ]
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map(row => row[column]?.length ?? 0)),
  )
  return rows.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** Writes the figures, and under what they were taken, as JSON. */
export function writeReport(path: string, report: { [key: string]: unknown }): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`)
}

function formatSpread({ spread }: Figure): string {
  if (!spread) return ''
  const [q1, q3, p95] = [spread.q1, spread.q3, spread.p95].map(formatNumber)
  return `[${q1} – ${q3}] ${p95}, n=${spread.n}`
}

function formatNumber(value: number): string {
  if (Number.isInteger(value)) return String(value)
  return value.toFixed(Math.abs(value) < 10 ? 2 : 1)
}
