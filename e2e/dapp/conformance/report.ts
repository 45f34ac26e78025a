import type { Verdict } from './check.ts'
import type { CheckReport } from './run.ts'

export type Totals = { [verdict in Verdict]: number }

/** The whole of a run, as `window.conformanceReport` and as the file that is downloaded. */
export type Report = {
  specification: string
  /** Path on `window`. */
  wallet: string
  browser: string
  startedAt: string
  /** Null while it runs, and where it was stopped. */
  endedAt: string | null
  /** Where transactions were looked up; null where nowhere. */
  devnet: string | null
  /** What the specification asks for. */
  totals: Totals
  /** What pages use beside it: does not count. */
  beyond: Totals
  checks: CheckReport[]
}

export function startReport(wallet: string, devnet: string | null): Report {
  return {
    specification: 'Injected Wallet Provider API for Bitcoin',
    wallet,
    browser: navigator.userAgent,
    startedAt: new Date().toISOString(),
    endedAt: null,
    devnet,
    totals: countVerdicts([]),
    beyond: countVerdicts([]),
    checks: [],
  }
}

/** The report with one more check, or with one in place of its earlier run. */
export function addCheck(report: Report, check: CheckReport): Report {
  const others = report.checks.filter(({ id }) => id !== check.id)
  const checks = [...others, check]
  return {
    ...report,
    checks,
    totals: countVerdicts(checks.filter(({ beyond }) => !beyond)),
    beyond: countVerdicts(checks.filter(({ beyond }) => beyond)),
  }
}

export function countVerdicts(checks: readonly { verdict: Verdict }[]): Totals {
  const count = (verdict: Verdict) => checks.filter(check => check.verdict === verdict).length
  return { pass: count('pass'), fail: count('fail'), 'not applicable': count('not applicable') }
}

const keyOf = (wallet: string) => `conformance ${wallet}`

/** Kept for this tab, so that a page that was loaded again can go on. */
export function saveReport(report: Report): void {
  try {
    sessionStorage.setItem(keyOf(report.wallet), JSON.stringify(report))
  } catch {
    // Without storage a run cannot be resumed, and is none the worse.
  }
}

export function loadReport(wallet: string): Report | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(wallet)) ?? 'null') as Report | null
  } catch {
    return null
  }
}

export function downloadReport(report: Report): void {
  const text = JSON.stringify(report, null, 2)
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `conformance-${report.wallet.replaceAll(/[^a-z0-9]+/gi, '-')}.json`
  link.click()
  URL.revokeObjectURL(url)
}
