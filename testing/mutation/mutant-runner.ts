import { appendFileSync } from 'node:fs'
import {
  inject,
  type RunnerTask,
  type RunnerTestCase,
  type RunnerTestSuite,
  TestRunner,
} from 'vitest'
import type { MutantTry, Namespace } from './active-mutant.ts'

// Tests replace these.
const { setTimeout: setRealTimeout, clearTimeout: clearRealTimeout } = globalThis

/** A line of the journal. One that is `unsure` must be judged by a run of its own. */
export type JournalEntry = { id: string; event: 'started' | 'killed' | 'unsure' }

/**
 * Runs each test once for every mutant in code that it runs, in one process that imports that code once, and once more without a
 * mutant if any of them was killed: a test that fails then, because something was left behind, tells nothing about them.
 * Quick tests come first: what one of them kills, no slow one has to try.
 */
export default class MutantRunner extends TestRunner {
  #left: MutantTry[] = []
  #killedHere: string[] = []
  readonly #killed = new Set<string>()

  override async onBeforeRunSuite(suite: RunnerTestSuite): Promise<void> {
    await super.onBeforeRunSuite(suite)
    const { tries } = inject('mutant')
    if (!tries) return
    const msOf = (task: RunnerTask): number =>
      'tasks' in task
        ? task.tasks.reduce((sum, each) => sum + msOf(each), 0)
        : (tries.msOfTest[task.id] ?? 0)
    suite.tasks.sort((a, b) => msOf(a) - msOf(b))
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    const { tries } = inject('mutant')
    if (tries) {
      this.#left = (tries.ofTest[test.id] ?? []).filter(({ id }) => !this.#killed.has(id))
      this.#killedHere = []
      if (this.#left.length === 0) test.mode = 'skip'
      test.repeats = this.#left.length
    }
    await super.onBeforeRunTask(test)
  }

  override onBeforeTryTask(test: RunnerTestCase, options?: { repeats: number }): void {
    super.onBeforeTryTask(test)
    const namespace = getNamespace()
    namespace.currentTestId = test.id
    const mutant = this.#left[options?.repeats ?? 0]
    if (!mutant) return
    this.#write(mutant.id, 'started')
    Object.assign(namespace, {
      activeMutant: mutant.id,
      hitCount: 0,
      hitLimit: mutant.hitLimit,
    })
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const { tries } = inject('mutant')
    const isLast = getNamespace().activeMutant === undefined
    if (tries && isLast && this.#killedHere.length === 0) return
    const run = TestRunner.getTestFn(test)()
    await (tries ? waitFor(run, 10_000 + 10 * (tries.msOfTest[test.id] ?? 0)) : run)
  }

  onAfterRetryTask(test: RunnerTestCase, { repeats }: { repeats: number }): void {
    const namespace = getNamespace()
    const hits = namespace.hitCount ?? 0
    namespace.currentTestId = undefined
    namespace.activeMutant = undefined
    const { result } = test
    if (!inject('mutant').tries || !result) return
    const hasFailed = result.state === 'fail'
    const mutant = this.#left[repeats]
    if (!mutant) {
      for (const id of this.#killedHere) this.#write(id, hasFailed ? 'unsure' : 'killed')
      if (!hasFailed) for (const id of this.#killedHere) this.#killed.add(id)
      // One that failed would end the run before the tests after it have tried their mutants.
      result.state = 'pass'
      delete result.errors
      return
    }
    if (hasFailed) this.#killedHere.push(mutant.id)
    // What an earlier run has left in memory was used instead.
    else if (hits === 0) this.#write(mutant.id, 'unsure')
    result.state = 'run'
    delete result.errors
  }

  override onAfterRunTask(test: RunnerTestCase): void {
    super.onAfterRunTask(test)
    const namespace = getNamespace()
    namespace.msOfTest ??= {}
    namespace.msOfTest[test.id] = test.result?.duration ?? 0
  }

  #write(id: string, event: JournalEntry['event']): void {
    const path = inject('mutant').tries?.journalPath
    if (path) appendFileSync(path, `${JSON.stringify({ id, event } satisfies JournalEntry)}\n`)
  }
}

/** A mutant with which a test takes much longer than without has hung. */
async function waitFor(run: unknown, mostMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setRealTimeout(() => reject(new Error(`It took more than ${mostMs} ms`)), mostMs)
  })
  try {
    await Promise.race([run, late])
  } finally {
    clearRealTimeout(timer)
  }
}

function getNamespace(): Namespace {
  return (globalThis as unknown as { __stryker__: Namespace }).__stryker__
}
