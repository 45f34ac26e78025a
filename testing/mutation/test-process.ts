import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createVitest } from 'vitest/node'
import { mutate } from './mutants.ts'
import { listRoom } from './rooms.ts'

/**
 * A process of its own that runs a room's test files on its mutated code, as often as it is asked to: one message in, one out.
 * A process, since a mutant may not end.
 */
export type Question =
  | { kind: 'cover'; test: string }
  | { kind: 'judge'; mutant: string; tests: readonly string[]; hitLimit: number }

export type Answer =
  | { kind: 'ready' }
  /** How often the test file came by each mutant; milliseconds that it took. */
  | { kind: 'covered'; hits: Record<string, number>; ms: number }
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
    testTimeout: 20_000,
    hookTimeout: 20_000,
    setupFiles: [
      'testing/mutation/active-mutant.ts',
      'testing/random-seed.ts',
      'testing/native-pbkdf2.ts',
    ],
  },
  {
    define: { __SATCHEL_VERSION__: '"0.0.0"' },
    plugins: [{ name: 'mutants', enforce: 'pre', load: id => code.get(id) }],
  },
)
await vitest.init()
const project = vitest.getRootProject()

process.on('message', (question: Question) => {
  answer(question).then(send, (error: unknown) => send({ kind: 'failed', reason: String(error) }))
})
send({ kind: 'ready' })

async function answer(question: Question): Promise<Answer> {
  if (question.kind === 'judge') {
    const { mutant, tests, hitLimit } = question
    const { isGreen } = await run(tests, { active: mutant, hitLimit, coveragePath: null })
    return { kind: 'judged', isKilled: !isGreen }
  }
  const coveragePath = join(scratch, 'coverage.json')
  const started = performance.now()
  const { isGreen, reason } = await run([question.test], {
    active: null,
    hitLimit: 0,
    coveragePath,
  })
  if (!isGreen)
    return { kind: 'failed', reason: `${question.test} fails without a mutant: ${reason}` }
  const hits = JSON.parse(readFileSync(coveragePath, 'utf8'))
  return { kind: 'covered', hits, ms: performance.now() - started }
}

/** A run in which no test ended says nothing, and is an error. */
async function run(
  tests: readonly string[],
  mutant: { active: string | null; hitLimit: number; coveragePath: string | null },
): Promise<{ isGreen: boolean; reason: string }> {
  project.provide('mutant', mutant)
  const specifications = tests.map(path => project.createSpecification(join(root, path)))
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  const failed = testModules.filter(module => !module.ok())
  const ended = testModules.flatMap(module => [...module.children.allTests('passed')])
  const isGreen = failed.length === 0 && unhandledErrors.length === 0
  if (isGreen && ended.length === 0) throw new Error(`No test of ${tests.join(', ')} ran`)
  const errors = [
    ...unhandledErrors,
    ...failed.flatMap(module => [
      ...module.errors(),
      ...[...module.children.allTests('failed')].flatMap(test => test.result().errors ?? []),
    ]),
  ]
  return { isGreen, reason: String((errors[0] as { message?: string })?.message) }
}

function send(answered: Answer): void {
  process.send?.(answered)
}
