import type { Check, Verdict } from './check.ts'
import { type CallRecord, createKit, type Evidence, type Kit, type Setting } from './kit.ts'
import { type Answer, Failed, NotApplicable } from './outcome.ts'

export type CheckReport = Pick<
  Check,
  'id' | 'operation' | 'name' | 'section' | 'words' | 'beyond'
> & {
  verdict: Verdict
  /** What was seen, or why it failed or says nothing. */
  seen: string
  ms: number
  asked: Answer[]
  calls: CallRecord[]
  evidence: Evidence[]
}

export type RunOptions = Omit<Setting, 'report'> & {
  started(check: Check): void
  ended(report: CheckReport): void
  isStopped(): boolean
}

/** Runs checks one after the other. */
export async function runChecks(checks: readonly Check[], options: RunOptions): Promise<void> {
  let asked: Answer[] = []
  let calls: CallRecord[] = []
  let evidence: Evidence[] = []
  const kit = createKit({
    ...options,
    report: {
      call: record => calls.push(record),
      asked: answer => asked.push(answer),
      evidence: fact => evidence.push(fact),
    },
  })
  for (const check of checks) {
    if (options.isStopped()) return
    asked = []
    calls = []
    evidence = []
    options.started(check)
    const at = performance.now()
    const outcome = await runCheck(check, kit)
    const ms = Math.round(performance.now() - at)
    const { id, operation, name, section, words, beyond } = check
    const facts = { id, operation, name, section, words, beyond }
    options.ended({ ...facts, ...outcome, ms, asked, calls, evidence })
  }
}

async function runCheck(check: Check, kit: Kit): Promise<{ verdict: Verdict; seen: string }> {
  try {
    await prepare(check, kit)
    return { verdict: 'pass', seen: await check.run(kit) }
  } catch (error) {
    const seen = error instanceof Error ? error.message : String(error)
    if (error instanceof NotApplicable) return { verdict: 'not applicable', seen }
    // What else is thrown comes from what the wallet gave, such as an id that no transaction has.
    return { verdict: 'fail', seen: error instanceof Failed ? seen : `while it was read: ${seen}` }
  }
}

async function prepare({ needs }: Check, kit: Kit): Promise<void> {
  if (needs.includes('devnet')) void kit.chain
  if (needs.includes('unconnected')) await kit.leave()
  if (needs.includes('connected')) await kit.account()
  if (needs.includes('devnet')) await kit.material.stock()
}
