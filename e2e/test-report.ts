import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node'

declare module 'vitest' {
  interface TaskMeta {
    /** Why a test or suite is skipped where it is: `it(name, { skip: …, meta: { skipReason: '…' } }, …)`. */
    skipReason?: string
    /** How often a browser driver tried again what hung; on a file, a suite or a test. */
    driverRetries?: number
  }
}

/** A skipped test with its file, and why it was skipped. */
export type Skipped = { name: string; reason: string }

/** A test file with all the time that it took, in milliseconds. */
export type FileTime = { file: string; duration: number }

/** Tests that both browsers could run, but for reasons that hold for all of them: by project and name. */
const CHROMIUM_ALONE = {
  projects: ['e2e', 'e2e-rest'],
  name: /\bfirefox\b/,
  reason: 'run in Chromium alone: the same code in both browsers, or a means that Firefox lacks',
}

/** Prints after a run what was skipped and why, the slowest files, and how often the browser drivers tried again. */
export class TestReport implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // With `-t`, what has another name counts as skipped too.
    const isSelected = this.#vitest?.getGlobalTestNamePattern() !== undefined
    const lines = [
      ...(isSelected ? [] : describeSkipped(modules.flatMap(listSkipped))),
      ...describeSlowest(modules.map(timeOf)),
      `Retries of the browser drivers: ${modules.reduce((sum, each) => sum + retriesOf(each), 0)}`,
    ]
    this.#vitest?.logger.log(`${lines.join('\n')}\n`)
  }
}

/** The skipped tests below their reasons. */
export function describeSkipped(skipped: readonly Skipped[]): string[] {
  const reasons = [...new Set(skipped.map(({ reason }) => reason))]
  return [
    `Skipped tests: ${skipped.length}`,
    ...reasons.flatMap(reason => {
      const names = skipped.filter(test => test.reason === reason).map(({ name }) => name)
      return [`  ${names.length}: ${reason}`, ...names.map(name => `    ${name}`)]
    }),
  ]
}

/** The ten slowest files, the slowest first. */
export function describeSlowest(files: readonly FileTime[]): string[] {
  const slowest = files.toSorted((a, b) => b.duration - a.duration).slice(0, 10)
  return [
    'Slowest files:',
    ...slowest.map(
      ({ file, duration }) => `  ${(duration / 1000).toFixed(1).padStart(6)} s  ${file}`,
    ),
  ]
}

function listSkipped(module: TestModule): Skipped[] {
  return [...module.children.allTests('skipped')].map(test => ({
    name: `${module.relativeModuleId} > ${test.fullName}`,
    reason: explainSkip(test),
  }))
}

function explainSkip(test: TestCase): string {
  const result = test.result()
  const parents = parentsOf(test)
  const given =
    (result.state === 'skipped' ? result.note : undefined) ??
    [test, ...parents].map(task => task.meta().skipReason).find(reason => reason !== undefined)
  if (given !== undefined) return given
  if (parents.some(parent => parent.errors().length > 0)) return 'its suite failed before it'
  const { projects, name, reason } = CHROMIUM_ALONE
  const isAlone = projects.includes(test.project.name) && name.test(test.fullName)
  return isAlone ? reason : 'no reason given'
}

function parentsOf({ parent }: TestCase | TestSuite): (TestSuite | TestModule)[] {
  return parent.type === 'module' ? [parent] : [parent, ...parentsOf(parent)]
}

function timeOf(module: TestModule): FileTime {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
    module.diagnostic()
  const around = environmentSetupDuration + prepareDuration + collectDuration + setupDuration
  return { file: module.relativeModuleId, duration: around + duration }
}

function retriesOf(module: TestModule): number {
  const { children } = module
  const tasks = [module, ...children.allSuites(), ...children.allTests()]
  return tasks.reduce((sum, task) => sum + (task.meta().driverRetries ?? 0), 0)
}
