import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Coverage } from './active-mutant.ts'
import type { JournalEntry } from './mutant-runner.ts'
import { type Mutant, mutate } from './mutants.ts'
import { listRoom, ROOMS } from './rooms.ts'
import type { Answer, Question } from './test-process.ts'

/**
 * `npm run mutation`: changes the code of a room in one place after the other, and tells how many of the changes its unit tests
 * notice. `-- src/bitcoin/psbt` takes one room, `--sample 200` so many mutants of each, drawn by `--seed`.
 */

type Verdict = 'killed' | 'survived' | 'not covered'
type Judged = Mutant & { verdict: Verdict }

/** Nothing that a test does without a mutant takes so much longer than its whole file: a mutant has hung. */
function limitMs(ms: number): number {
  return 30_000 + 15 * ms
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
  },
})
const root = process.cwd()
const folders = positionals.length > 0 ? positionals : ROOMS
const results: { folder: string; judged: Judged[] }[] = []
for (const folder of folders) {
  const judged = await judgeRoom(folder)
  results.push({ folder, judged })
  write(folder, judged)
  console.log(describe(folder, judged))
}
if (results.length > 1)
  console.log(
    describe(
      'all',
      results.flatMap(({ judged }) => judged),
    ),
  )

async function judgeRoom(folder: string): Promise<Judged[]> {
  const { sources, tests } = listRoom(root, folder)
  const { mutants } = await mutate(root, sources)
  const chosen = values.sample ? draw(mutants, Number(values.sample)) : mutants
  const scratch = mkdtempSync(join(tmpdir(), 'satchel-mutation-'))
  const processes = Array.from({ length: Number(values.jobs) }, () => startProcess(folder))
  try {
    const covered = await mapInTurn(processes, tests, async (process, test) => {
      const answer = await process.ask({ kind: 'cover', test }, () => Date.now())
      if (answer.kind !== 'covered') throw new Error(`${test}: ${JSON.stringify(answer)}`)
      return { test, ...answer }
    })
    covered.sort((a, b) => a.ms - b.ms)

    const killed = new Set<string>()
    const unsure = new Map<string, Set<CoveredTest>>()
    const addUnsure = (id: string, of: CoveredTest) =>
      unsure.set(id, (unsure.get(id) ?? new Set()).add(of))
    for (const of of covered)
      for (const { id } of chosen) if (of.coverage.static[id]) addUnsure(id, of)

    await mapInTurn(processes, covered, async (process, of) => {
      const left = chosen.filter(({ id }) => !killed.has(id))
      const found = await tryMutants(process, of, left, join(scratch, `${tests.indexOf(of.test)}`))
      for (const id of found.killed) killed.add(id)
      for (const id of found.unsure) addUnsure(id, of)
      console.error(`${of.test}: ${killed.size} of ${chosen.length} noticed so far`)
    })

    const alone = chosen.filter(({ id }) => !killed.has(id) && unsure.has(id))
    console.error(`${folder}: ${alone.length} of ${chosen.length} need runs of their own`)
    await mapInTurn(processes, alone, async (process, { id }) => {
      const by = covered.filter(of => unsure.get(id)?.has(of))
      if (await isKilledAlone(process, id, by)) killed.add(id)
    })
    const isCovered = ({ id }: Mutant) => covered.some(of => countHits(of, id) > 0)
    return chosen.map(mutant => ({
      ...mutant,
      verdict: killed.has(mutant.id) ? 'killed' : isCovered(mutant) ? 'survived' : 'not covered',
    }))
  } finally {
    for (const process of processes) process.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}

type CoveredTest = { test: string; coverage: Coverage; ms: number }

function countHits({ coverage }: CoveredTest, id: string): number {
  const counts = [coverage.static, ...Object.values(coverage.perTest)].map(hits => hits[id] ?? 0)
  return counts.reduce((sum, count) => sum + count, 0)
}

function limitHits(hits: number): number {
  return 100 * hits + 1000
}

/** What the tests of one file notice of these mutants. A mutant that hangs was noticed, and the others are tried in a new process. */
async function tryMutants(
  process: TestProcess,
  of: CoveredTest,
  mutants: readonly Mutant[],
  journalPath: string,
): Promise<{ killed: Set<string>; unsure: Set<string> }> {
  const killed = new Set<string>()
  const unsure = new Set<string>()
  for (;;) {
    const left = mutants.filter(({ id }) => !killed.has(id))
    const ofTest = Object.fromEntries(
      Object.entries(of.coverage.perTest).map(([test, hits]) => [
        test,
        left
          .filter(({ id }) => hits[id])
          .map(({ id }) => ({ id, hitLimit: limitHits(hits[id] ?? 0) })),
      ]),
    )
    if (Object.values(ofTest).every(tries => tries.length === 0)) return { killed, unsure }
    writeFileSync(journalPath, '')
    const answer = await process.ask(
      {
        kind: 'try',
        test: of.test,
        tries: { ofTest, msOfTest: of.coverage.msOfTest, journalPath },
      },
      () => statSync(journalPath).mtimeMs,
      limitMs(of.ms),
    )
    if (answer.kind === 'failed') throw new Error(answer.reason)
    const entries = readFileSync(journalPath, 'utf8')
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line) as JournalEntry)
    for (const { id, event } of entries) {
      if (event === 'killed') killed.add(id)
      if (event === 'unsure') unsure.add(id)
    }
    if (answer.kind === 'tried') return { killed, unsure }
    const hung = entries.findLast(({ event }) => event === 'started')
    if (!hung) throw new Error(`${of.test} hangs before its first test`)
    killed.add(hung.id)
  }
}

async function isKilledAlone(
  process: TestProcess,
  mutant: string,
  by: readonly CoveredTest[],
): Promise<boolean> {
  const tests = by.map(({ test }) => test)
  const hitLimit = limitHits(Math.max(...by.map(of => countHits(of, mutant))))
  const started = Date.now()
  const most = by.reduce((sum, { ms }) => sum + limitMs(ms), 0)
  const answer = await process.ask({ kind: 'judge', mutant, tests, hitLimit }, () => started, most)
  if (answer.kind === 'failed') throw new Error(answer.reason)
  // One that hung was noticed.
  return answer.kind !== 'judged' || answer.isKilled
}

type TestProcess = ReturnType<typeof startProcess>

/** Asks one question at a time; a process that hangs is ended and started anew, and its answer is `ready`. */
function startProcess(folder: string) {
  let child = start()
  let ready = receive(child)

  return {
    /** It hangs if `mostMs` have passed since it last gave a sign of life. */
    async ask(
      question: Question,
      seenAt: () => number,
      mostMs = Number.POSITIVE_INFINITY,
    ): Promise<Answer> {
      await ready
      const answered = receive(child)
      child.send(question)
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<null>(resolve => {
        timer = setInterval(() => {
          if (Date.now() - seenAt() > mostMs) resolve(null)
        }, 1000)
      })
      const answer = await Promise.race([answered, late])
      clearInterval(timer)
      if (answer) return answer
      // Its end is no failure.
      answered.catch(() => {})
      child.kill('SIGKILL')
      child = start()
      ready = receive(child)
      return { kind: 'ready' }
    },
    stop: () => child.kill(),
  }

  function start(): ChildProcess {
    return fork(join(import.meta.dirname, 'test-process.ts'), [folder], { silent: true })
  }
}

function receive(child: ChildProcess): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const fail = (code: number | null) => reject(new Error(`A test process ended with ${code}`))
    child.once('exit', fail)
    child.once('message', message => {
      child.off('exit', fail)
      resolve(message as Answer)
    })
  })
}

/** The results of all items in their order, each worked on by whichever worker is free. */
async function mapInTurn<Worker, Item, Result>(
  workers: readonly Worker[],
  items: readonly Item[],
  work: (worker: Worker, item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  await Promise.all(
    workers.map(async worker => {
      for (const [at, item] of queue) results[at] = await work(worker, item)
    }),
  )
  return results
}

/** So many of them, the same for the same seed, in their order. */
function draw(mutants: readonly Mutant[], count: number): Mutant[] {
  let state = Number(values.seed) >>> 0
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state
  }
  return mutants
    .map((mutant, at) => ({ mutant, at, rank: next() }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, count)
    .sort((a, b) => a.at - b.at)
    .map(({ mutant }) => mutant)
}

function describe(name: string, judged: readonly Judged[]): string {
  const count = (verdict: Verdict) => judged.filter(mutant => mutant.verdict === verdict).length
  const killed = count('killed')
  const score = ((100 * killed) / judged.length).toFixed(1)
  return `${name}: ${score} % of ${judged.length} mutants noticed (${count('survived')} not, ${count('not covered')} in code that its tests never run)`
}

function write(folder: string, judged: readonly Judged[]): void {
  const lines = judged
    .filter(({ verdict }) => verdict !== 'killed')
    .map(
      ({ path, line, mutator, verdict, original, replacement }) =>
        `${path}:${line} ${mutator}, ${verdict}\n  - ${shorten(original)}\n  + ${shorten(replacement)}\n`,
    )
  mkdirSync('artifacts/mutation', { recursive: true })
  writeFileSync(`artifacts/mutation/${folder.replaceAll('/', '-')}.txt`, lines.join(''))
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 160 ? `${line.slice(0, 160)}…` : line
}
