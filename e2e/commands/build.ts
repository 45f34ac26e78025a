import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Pseudo } from '../../release/words/pseudo-words.ts'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..')
const SOURCES = ['src', 'public', 'manifest.json', 'vite.config.ts', 'package-lock.json']
const BUILDS = ['dist/chrome/manifest.json', 'dist/firefox/manifest.json']

/** Runs `npm run build`, shown, when a build is absent or older than a source; throws if it fails. */
export function buildIfStale(): void {
  const built = Math.min(...BUILDS.map(path => changedAt(join(ROOT, path))))
  const changed = Math.max(...SOURCES.map(path => changedAt(join(ROOT, path))))
  if (built > changed) return
  console.log('Building the extension …')
  const { status } = spawnSync('npm', ['run', 'build'], { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) throw new Error('npm run build failed')
}

/** Builds the extension for Chromium with its words in disguise, and gives its folder. */
export function buildPseudo(pseudo: Pseudo): string {
  const env = { ...process.env, SATCHEL_WORDS: pseudo }
  const { status } = spawnSync('npx', ['vite', 'build'], {
    ...{ cwd: ROOT, stdio: 'inherit', env },
  })
  if (status !== 0) throw new Error('vite build failed')
  return join(ROOT, 'artifacts/pseudo', pseudo, 'chrome')
}

/** Latest change of a file, or of any file in a folder, in milliseconds since 1970; 0 when absent. */
function changedAt(path: string): number {
  if (!existsSync(path)) return 0
  const { mtimeMs } = statSync(path)
  if (!statSync(path).isDirectory()) return mtimeMs
  return Math.max(0, ...readdirSync(path).map(name => changedAt(join(path, name))))
}
