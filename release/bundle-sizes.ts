import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { LATER_SCRIPT } from './manifest.ts'

/**
 * Bytes of JavaScript: in every page, in all of the worker, and in what a service worker reads at its start, both without lockdown,
 * all raw; of the first screen with its words in English and lockdown, and of those words in the language that needs most, gzipped
 * at level 9.
 */
export type BundleSizes = {
  page: number
  worker: number
  workerStart: number
  firstScreen: number
  firstWords: number
}

/** What a build may have. Whoever adds more raises a number here, and in `e2e/bench/README.md`. */
export const MOST_BYTES: BundleSizes = {
  page: 16_000,
  worker: 995_200,
  workerStart: 100_700,
  firstScreen: 142_200,
  firstWords: 12_000,
}

const LOCKDOWN = 'lockdown.js'

/** @param folder - an unpacked extension as the build has written it */
export function measureBundle(folder: string): BundleSizes {
  const read = (path: string) => readFileSync(join(folder, path))
  const manifest = JSON.parse(read('manifest.json').toString())
  const { service_worker, scripts = [service_worker, LATER_SCRIPT] } = manifest.background
  const lockdown = read(LOCKDOWN).length
  const pageScripts: string[] = manifest.content_scripts.flatMap(({ js }: { js: string[] }) => js)
  const screen: string = manifest.action.default_popup
  const named = [
    ...read(screen)
      .toString()
      .matchAll(/<script[^>]*\ssrc="\/([^"]+)"/g),
  ]
  const first = listLoaded(
    folder,
    named.map(([, path = '']) => path),
  )
  const words = readdirSync(join(folder, 'assets'))
    .filter(name => /^words-\w+-first-/.test(name))
    .map(name => join('assets', name))
  const isEnglish = (path: string) => path.includes('words-en-')
  const raw = (paths: readonly string[]) => sum(paths.map(path => read(path).length))
  const gzip = (path: string) => gzipSync(read(path), { level: 9 }).length
  return {
    page: raw(pageScripts),
    // The same text as in its own file comes first.
    worker: raw(scripts) - lockdown,
    // A page has all of it at once.
    workerStart: service_worker ? raw([service_worker]) - lockdown : 0,
    firstScreen: sum([...first, ...words.filter(isEnglish)].map(gzip)),
    firstWords: Math.max(...words.map(gzip)),
  }
}

/** Throws, with the name and both numbers, where a build has more than it may. */
export function assertBundleSizes(sizes: BundleSizes, most: BundleSizes = MOST_BYTES): void {
  for (const [name, size] of Object.entries(sizes)) {
    const limit = most[name as keyof BundleSizes]
    if (size <= limit) continue
    throw new Error(`JavaScript of ${name}: ${size} bytes, expected at most ${limit}`)
  }
}

/** These files and all that they import at their start, each once. */
function listLoaded(folder: string, paths: readonly string[]): string[] {
  const found = new Set(paths)
  for (const path of found) {
    const code = readFileSync(join(folder, path), 'utf8')
    for (const [, imported = ''] of code.matchAll(/\b(?:from|import)\s*["'](\.[^"']+)["']/g)) {
      found.add(join(dirname(path), imported))
    }
  }
  return [...found]
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
