import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Instrumenter } from '@stryker-mutator/instrumenter'

/** One change of the code: what stood there, what stands there instead, and where (the first line is 1). */
export type Mutant = {
  id: string
  path: string
  line: number
  mutator: string
  original: string
  replacement: string
}

export type MutatedCode = {
  /** By path: code that holds all of its mutants, of which the global `__stryker__.activeMutant` chooses one. */
  code: Map<string, string>
  mutants: Mutant[]
}

/** Texts are left as they are: what an error says is compared in few tests, and a changed word costs nobody a coin. */
const LEFT_ALONE = ['StringLiteral']

/** Stryker's mutants of these files, all in one copy of the code. The same files have the same mutants under the same ids. */
export async function mutate(root: string, paths: readonly string[]): Promise<MutatedCode> {
  const files = paths.map(path => ({
    name: join(root, path),
    content: readFileSync(join(root, path), 'utf8'),
    mutate: true,
  }))
  const { files: mutated, mutants } = await new Instrumenter(SILENT).instrument(files, {
    plugins: null,
    ignorers: [],
    excludedMutations: LEFT_ALONE,
  })
  const lines = new Map(files.map(({ name, content }) => [name, content.split('\n')]))
  return {
    code: new Map(mutated.map(({ name, content }) => [name, content])),
    mutants: mutants
      .filter(({ status }) => status !== 'Ignored')
      .map(({ id, fileName, mutatorName, replacement, location }) => ({
        id,
        path: fileName.slice(root.length + 1),
        line: location.start.line + 1,
        mutator: mutatorName,
        original: cut(lines.get(fileName) ?? [], location),
        replacement: replacement ?? '',
      })),
  }
}

type Position = { line: number; column: number }

/** The text between two places, lines and columns from 0. */
function cut(lines: readonly string[], { start, end }: { start: Position; end: Position }): string {
  const found = lines.slice(start.line, end.line + 1)
  const last = found.length - 1
  found[last] = found[last]?.slice(0, end.column) ?? ''
  found[0] = found[0]?.slice(start.column) ?? ''
  return found.join('\n')
}

const silent = () => {}
const SILENT = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
}
