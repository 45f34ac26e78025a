import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createVitest } from 'vitest/node'
import type { Coverage, MutantContext } from './active-mutant.ts'
import { mutate } from './mutants.ts'
import { listRoom } from './rooms.ts'

/**
 * A process of its own that runs a room's test files on its mutated code, as often as it is asked to: one message in, one out.
 * A process, since a mutant may not end.
 */
export type Question =
  | { kind: 'cover'; test: string }
  /** Every test of a file with every mutant that it covers; what becomes of each is a line of the journal. */
  | { kind: 'try'; test: string; tries: NonNullable<MutantContext['tries']> }
  /** Whole files with one mutant, their imports too. */
  | { kind: 'judge'; mutant: string; tests: readonly string[]; hitLimit: number }

export type Answer =
  | { kind: 'ready' }
  /** What the test file came by; milliseconds that it took. */
  | { kind: 'covered'; coverage: Coverage; ms: number }
  | { kind: 'tried' }
  | { kind: 'judged'; isKilled: boolean }
  | { kind: 'failed'; reason: string }

const [folder = ''] = process.argv.slice(2)
const root = process.cwd()
const room = listRoom(root, folder)
const { code } = await mutate(root, room.sources)
const scratch = mkdtempSync(join(tmpdir(), 'satchel-mutation-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))

const vitest = await createVitest(
  'test',
  {
    config: false,
    root,
    watch: false,
    reporters: [{}],
    include: room.tests,
    pool: 'threads',
    isolate: true,
    maxWorkers: 1,
    bail: 1,
    silent: true,
    runner: './testing/mutation/mutant-runner.ts',
    // Of a busy machine; the runner has a limit of its own for each mutant.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ['testing/random-seed.ts', 'testing/mutation/active-mutant.ts'],
  },
  {
    define: { __SATCHEL_VERSION__: '"0.0.0"' },
    plugins: [{ name: 'mutants', enforce: 'pre', load: id => code.get(id) }],
  },
)
await vitest.init()
const project = vitest.getRootProject()

const NO_MUTANT: MutantContext = { active: null, hitLimit: 0, coveragePath: null, tries: null }

process.on('message', (question: Question) => {
  answer(question).then(send, (error: unknown) => send({ kind: 'failed', reason: String(error) }))
})
send({ kind: 'ready' })

async function answer(question: Question): Promise<Answer> {
  if (question.kind === 'judge') {
    const { mutant, tests, hitLimit } = question
    const { isGreen, hasRun } = await run(tests, { ...NO_MUTANT, active: mutant, hitLimit })
    if (isGreen && !hasRun) return failed(`No test of ${tests.join(', ')} ran`)
    return { kind: 'judged', isKilled: !isGreen }
  }
  if (question.kind === 'try') {
    await run([question.test], { ...NO_MUTANT, tries: question.tries })
    return { kind: 'tried' }
  }
  const coveragePath = join(scratch, 'coverage.json')
  const started = performance.now()
  const { isGreen, hasRun, reason } = await run([question.test], { ...NO_MUTANT, coveragePath })
  if (!isGreen) return failed(`${question.test} fails without a mutant: ${reason}`)
  if (!hasRun) return failed(`No test of ${question.test} ran`)
  const coverage = JSON.parse(readFileSync(coveragePath, 'utf8'))
  return { kind: 'covered', coverage, ms: performance.now() - started }
}

function failed(reason: string): Answer {
  return { kind: 'failed', reason }
}

async function run(
  tests: readonly string[],
  mutant: MutantContext,
): Promise<{ isGreen: boolean; hasRun: boolean; reason: string }> {
  project.provide('mutant', mutant)
  const specifications = tests.map(path => project.createSpecification(join(root, path)))
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  const failed = testModules.filter(module => !module.ok())
  const ended = testModules.flatMap(module => [...module.children.allTests('passed')])
  const isGreen = failed.length === 0 && unhandledErrors.length === 0
  const errors = [
    ...unhandledErrors,
    ...failed.flatMap(module => [
      ...module.errors(),
      ...[...module.children.allTests('failed')].flatMap(test => test.result().errors ?? []),
    ]),
  ]
  const hasRun = ended.length > 0
  return { isGreen, hasRun, reason: String((errors[0] as { message?: string })?.message) }
}

function send(answered: Answer): void {
  process.send?.(answered)
}
