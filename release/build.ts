/**
 * `npm run build`: the packages of both browsers, side by side, each by a `vite build` of its own. What one says is shown when it
 * ends; fails where one of them does. Ended by a signal, it ends them.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const VITE = join(ROOT, 'node_modules/vite/bin/vite.js')

const builds = new Set<ChildProcess>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    for (const build of builds) build.kill(signal)
    process.exitCode = 1
  })
}
const codes = await Promise.all(['chrome', 'firefox'].map(buildFor))
if (codes.some(code => code !== 0)) process.exitCode = 1

function buildFor(browser: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const args = [VITE, 'build', '--mode', browser]
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
    builds.add(child)
    const said: (() => boolean)[] = []
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ] as const) {
      from.on('data', (text: Buffer) => said.push(() => to.write(text)))
    }
    child.once('error', reject)
    child.once('close', code => {
      builds.delete(child)
      for (const say of said) say()
      resolve(code ?? 1)
    })
  })
}
