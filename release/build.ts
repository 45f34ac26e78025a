/**
 * `npm run build`: the packages of both browsers, side by side, each by a `vite build` of its own. What one says is shown when it
 * ends; fails where one of them does.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const VITE = join(ROOT, 'node_modules/vite/bin/vite.js')

const codes = await Promise.all(['chrome', 'firefox'].map(buildFor))
process.exitCode = codes.find(code => code !== 0) ?? 0

function buildFor(browser: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const args = [VITE, 'build', '--mode', browser]
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', text => {
        said += text
      })
    }
    child.once('error', reject)
    child.once('close', code => {
      process.stdout.write(said)
      resolve(code ?? 1)
    })
  })
}
