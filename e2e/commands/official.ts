/**
 * `npm run chain-node:official -- <folder>`: runs the official tests of Ethereum in a folder (a checkout of ethereum/tests, the
 * fixtures of execution-spec-tests, or a part of one) through the chain node's own code, and prints what of each kind passed,
 * failed and was skipped, with the reasons. Exit code 1 where a test failed.
 * `--only TEXT` takes files whose path holds the text; `--sample N` draws N of the files, always the same ones.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  KINDS,
  listCases,
  type OfficialKind,
  type OfficialResult,
  runCase,
} from '../../src/chain-node/testing/official/official-file.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, sample: { type: 'string' } },
})
const [folder] = positionals
if (folder === undefined || positionals.length > 1) {
  console.error('npm run chain-node:official -- <folder> [--only TEXT] [--sample N]')
  process.exit(2)
}
process.exitCode = (await runFolder(resolve(folder))) ? 0 : 1

/** Whether all passed. */
async function runFolder(root: string): Promise<boolean> {
  const files = drawFiles(listFiles(root), values.sample)
  const counts = new Map(
    KINDS.map(kind => [kind, { passed: 0, failed: 0, skipped: new Map<string, number>() }]),
  )
  let failed = 0
  for (const [index, file] of files.entries()) {
    const path = relative(root, file) || file
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${index + 1}/${files.length} ${path}`)
    for (const test of readCases(file)) {
      const result = await runCase(test)
      count(result)
      if (result.faults.length === 0) continue
      failed += 1
      if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
      console.log(`failed: ${path}: ${result.name}: ${result.faults.join('; ')}`)
    }
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  console.log(`${files.length} files`)
  for (const [kind, { passed, failed, skipped }] of counts) report(kind, passed, failed, skipped)
  if (files.length === 0) console.error(`${root} has no JSON files that are asked for`)
  return failed === 0 && files.length > 0

  function count({ kind, faults, skipped }: OfficialResult): void {
    const entry = counts.get(kind)
    if (entry === undefined) return
    if (skipped !== null) entry.skipped.set(skipped, (entry.skipped.get(skipped) ?? 0) + 1)
    else if (faults.length > 0) entry.failed += 1
    else entry.passed += 1
  }
}

function report(
  kind: OfficialKind,
  passed: number,
  failed: number,
  skipped: ReadonlyMap<string, number>,
): void {
  const left = [...skipped.values()].reduce((sum, count) => sum + count, 0)
  if (passed + failed + left === 0) return
  console.log(`${kind}: ${passed} passed, ${failed} failed, ${left} skipped`)
  for (const [reason, count] of skipped) console.log(`  ${count} skipped: ${reason}`)
}

function* readCases(file: string) {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    yield { kind: 'other' as const, name: file, run: 'is not JSON' }
    return
  }
  yield* listCases(file, json)
}

function listFiles(root: string): string[] {
  if (statSync(root).isFile()) return [root]
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith('.json'))
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => values.only === undefined || path.includes(values.only))
    .sort()
}

/** Those whose paths have the lowest hashes: the same ones of the same files. */
function drawFiles(files: readonly string[], sample: string | undefined): readonly string[] {
  if (sample === undefined) return files
  const hash = (path: string) => createHash('sha256').update(path).digest('hex')
  return files
    .map(path => ({ path, hash: hash(path) }))
    .sort((a, b) => (a.hash < b.hash ? -1 : 1))
    .slice(0, Number(sample))
    .map(({ path }) => path)
    .sort()
}
