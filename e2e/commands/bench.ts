/**
 * `npm run bench`: what the extension costs, beside what we want it to cost and the best of four peer wallets
 * measured in the same way. Prints a table and writes `artifacts/bench.json`; nothing here fails because it is slow.
 * `npm run bench -- page calls` takes those sections alone; without `build` it measures `dist/` as it is.
 * `npm run bench -- peers --dir FOLDER` measures other unpacked extensions beside our own build, in no other section.
 */
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Figure } from '../bench/figure.ts'
import { measurePeers } from '../bench/peer-figures.ts'
import { describeMachine, formatTable, writeReport } from '../bench/report.ts'
import { SECTIONS } from '../bench/sections.ts'
import { provision } from './provision.ts'

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
const REPORT = join(ROOT, 'artifacts/bench.json')

const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { dir: { type: 'string' } },
})
/** What is measured only when it is named. */
const NAMED: typeof SECTIONS = { peers: () => measurePeers(values.dir ?? null) }
const unknown = asked.find(name => !Object.hasOwn({ ...SECTIONS, ...NAMED }, name))
if (unknown !== undefined) {
  console.error(
    `No section ${unknown}; there are ${Object.keys({ ...SECTIONS, ...NAMED }).join(', ')}`,
  )
  process.exit(1)
}
try {
  await measure(asked.length > 0 ? asked : Object.keys(SECTIONS))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
process.exit()

async function measure(names: readonly string[]): Promise<void> {
  provision()
  const sections: { section: string; machine: string; figures: Figure[] }[] = []
  for (const section of names) {
    const before = describeMachine()
    console.log(`${section}: ${before}`)
    const figures = (await (SECTIONS[section] ?? NAMED[section])?.(ROOT)) ?? []
    sections.push({ section, machine: before, figures })
    for (const line of formatTable(figures)) console.log(`  ${line}`)
    console.log()
  }
  const machine = describeMachine()
  if (names.length > 1) {
    console.log('All figures (median where there are quartiles)')
    for (const line of formatTable(sections.flatMap(({ figures }) => figures))) console.log(line)
    console.log(machine)
  }
  writeReport(REPORT, { takenAt: new Date().toISOString(), machine, sections })
}
