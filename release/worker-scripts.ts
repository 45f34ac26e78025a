import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Rolldown } from 'vite'

/** A file of the background as a bundler gives it in CommonJS; `imports` are names of others. */
export type ScriptChunk = Pick<Rolldown.OutputChunk, 'fileName' | 'code' | 'imports' | 'isEntry'>

/**
 * Sorts a module into what is there at the start, which is all that the entry imports, or into what comes `later`; the words of
 * notifications are apart, those of each language but English in a script of its own.
 */
export function nameScriptChunk(
  id: string,
  graph: Pick<Rolldown.ChunkingContext, 'getModuleInfo'>,
  entry: string,
): string {
  // Each is evaluated when it is asked for, alone.
  const [, folder] = /\/(\w+)\/messages\.json\?words=/.exec(id) ?? []
  if (folder === 'en') return 'words-en'
  if (folder !== undefined) return nameNoticeChunk(folder.replace('_', '-'))
  const found = new Set([entry])
  for (const one of found)
    for (const imported of graph.getModuleInfo(one)?.importedIds ?? []) found.add(imported)
  return found.has(id) ? 'start' : 'later'
}

/** What has the words of notifications in a language, by its tag. */
export function nameNoticeChunk(language: string): string {
  return `notice-${language}`
}

/**
 * The background as classic scripts: `start` evaluates `first`, then the entry and what it imports; `later` hands over the other
 * files, which the entry asks for with `import()`, and evaluates nothing. As one script, `start` has these too, and `later` is null.
 * `apart` has the text of each script of a language by its name, which a page can read as a module too.
 */
export function joinScripts(
  chunks: readonly ScriptChunk[],
  { first, inOne }: { first: string; inOne: boolean },
): { start: string; later: string | null; apart: ReadonlyMap<string, string> } {
  const entry = chunks.find(({ isEntry }) => isEntry)
  if (!entry) throw new Error('The background has no entry')
  const needed = new Set([entry.fileName])
  for (const name of needed) {
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? [])
      needed.add(imported)
  }
  const apart = chunks.filter(({ fileName }) => fileName.startsWith(nameNoticeChunk('')))
  const others = chunks.filter(chunk => !apart.includes(chunk))
  const isAtStart = ({ fileName }: ScriptChunk) => inOne || needed.has(fileName)
  const names = JSON.stringify(apart.map(({ fileName }) => `./${fileName}`))
  const loader = readFileSync(join(import.meta.dirname, 'worker-loader.js'), 'utf8')
    // No minifier reads it.
    .replace(/^ *(\/\/|\/\*\*).*\n| {2,}/gm, '')
  const atStart = formatChunks(others.filter(isAtStart), `./${entry.fileName}`)
  return {
    start: formatScript(first) + formatScript(`const APART=${names};\n${loader}\n${atStart}`),
    later: inOne ? null : formatScript(formatChunks(others.filter(chunk => !isAtStart(chunk)))),
    apart: new Map(apart.map(chunk => [chunk.fileName, formatScript(formatChunks([chunk]))])),
  }
}

function formatChunks(chunks: readonly ScriptChunk[], entry?: string): string {
  const added = `{${chunks.map(formatChunk).join(',')}}`
  return `addChunks(${added}${entry === undefined ? '' : `,${JSON.stringify(entry)}`});`
}

function formatChunk({ fileName, code }: ScriptChunk): string {
  return `${JSON.stringify(`./${fileName}`)}:(function(exports,require){${code}\n})`
}

/**
 * Strict, as modules are and a classic script is not by itself. ASCII alone, since a browser keeps a script with any other character
 * in two bytes each, and takes longer to read it.
 */
function formatScript(code: string): string {
  const ascii = code.replace(
    /[^\0-\x7f]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `(()=>{"use strict";${ascii}\n})();\n`
}
