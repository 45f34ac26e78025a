import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Mutant, mutate } from './mutants.ts'
import { listRoom, ROOMS } from './rooms.ts'
import type { Answer, Question } from './test-process.ts'

/**
 * `npm run mutation`: changes the code of a room in one place after the other, and tells how many of the changes its unit tests
 * notice. `-- src/bitcoin/psbt` takes one room, `--sample 200` so many mutants of each, drawn by `--seed`.
 */

type Verdict = 'killed' | 'survived' | 'not covered'
type Judged = Mutant & { verdict: Verdict }

/** A mutant that takes longer has hung. */
const MOST_MS = 180_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
  },
})
const root = process.cwd()
const folders = positionals.length > 0 ? positionals : Object.keys(ROOMS)
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
  const processes = Array.from({ length: Number(values.jobs) }, () => startProcess(folder))
  try {
    const covered = await mapInTurn(processes, tests, async (process, test) => {
      const answer = await process.ask({ kind: 'cover', test })
      if (answer.kind !== 'covered') throw new Error(`${test}: ${JSON.stringify(answer)}`)
      return { test, ...answer }
    })
    covered.sort((a, b) => a.ms - b.ms)
    let done = 0
    return await mapInTurn(processes, chosen, async (process, mutant) => {
      const by = covered.filter(({ hits }) => (hits[mutant.id] ?? 0) > 0)
      const verdict = by.length === 0 ? 'not covered' : await judge(process, mutant, by)
      done += 1
      if (done % 50 === 0) console.error(`${folder}: ${done} of ${chosen.length}`)
      return { ...mutant, verdict }
    })
  } finally {
    for (const process of processes) process.stop()
  }
}

async function judge(
  process: TestProcess,
  { id }: Mutant,
  by: readonly { test: string; hits: Record<string, number> }[],
): Promise<Verdict> {
  const answer = await process.ask({
    kind: 'judge',
    mutant: id,
    tests: by.map(({ test }) => test),
    hitLimit: 100 * Math.max(...by.map(({ hits }) => hits[id] ?? 0)) + 1000,
  })
  if (answer.kind === 'failed') throw new Error(answer.reason)
  // One that hung was noticed.
  return answer.kind === 'judged' && !answer.isKilled ? 'survived' : 'killed'
}

type TestProcess = ReturnType<typeof startProcess>

/** Asks one question at a time; a process that hangs is ended and started anew, and its answer is `ready`. */
function startProcess(folder: string) {
  let child = start()
  let ready = receive(child)

  return {
    async ask(question: Question): Promise<Answer> {
      await ready
      const answered = receive(child)
      child.send(question)
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<null>(resolve => {
        timer = setTimeout(() => resolve(null), MOST_MS)
      })
      const answer = await Promise.race([answered, late])
      clearTimeout(timer)
      if (answer) return answer
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
