import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countFigure, type Figure } from './figure.ts'

/** Both packages, as `npm run build` makes them. */
export async function measureBuild(root: string): Promise<Figure[]> {
  return [
    countFigure(
      { name: 'build of both packages', unit: 's', aim: 5 },
      run('npm', ['run', 'build'], root),
    ),
  ]
}

/** What somebody waits for who has just cloned the repository: installing, then building and the tour to its end. */
export async function measureStart(root: string): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-start-'))
  try {
    run('git', ['clone', '--quiet', '--no-hardlinks', root, folder], root)
    const install = run('npm', ['ci'], folder)
    const start = run('npm', ['start', '--', '--tour'], folder)
    const note = 'of what is committed'
    return [
      countFigure({ name: 'npm ci in a new clone', unit: 's', note }, install),
      countFigure({ name: 'npm start in it, to the end of the tour', unit: 's', aim: 40 }, start),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs a command to its end; returns the seconds that it took. Throws with its last words where it fails. */
function run(command: string, args: readonly string[], cwd: string): number {
  const before = performance.now()
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed\n${stdout}${stderr}`)
  return (performance.now() - before) / 1000
}
