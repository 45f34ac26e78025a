/**
 * `npm run bench`: what the extension costs, beside what we want it to cost and the best of four peer wallets
 * measured in the same way. Prints a table and writes `artifacts/bench.json`; nothing here fails because it is slow.
 * `npm run bench -- page calls` takes those sections alone; without `build` it measures `dist/` as it is.
 * `npm run bench -- peers --dir FOLDER` measures other unpacked extensions beside our own build, in no other section.
 */
import { spawnSync } from 'node:child_process'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { measureCalls } from '../bench/call-figures.ts'
import { measureChainNode } from '../bench/chain-node-figures.ts'
import { measureDistance } from '../bench/distance-figures.ts'
import { countFigure, type Figure } from '../bench/figure.ts'
import { measureFloods } from '../bench/flood-figures.ts'
import { measureGrowth } from '../bench/growth-figures.ts'
import { measureImport } from '../bench/import-figures.ts'
import { measureInscribing } from '../bench/inscribing-figures.ts'
import { measureOrdinals } from '../bench/ordinals-figures.ts'
import { measurePageCost } from '../bench/page-figures.ts'
import { measurePeers } from '../bench/peer-figures.ts'
import { measurePsbts } from '../bench/psbt-figures.ts'
import { describeMachine, formatTable, writeReport } from '../bench/report.ts'
import { measureRunes } from '../bench/rune-figures.ts'
import { measureScreens } from '../bench/screen-figures.ts'
import { measureStart } from '../bench/start-figures.ts'
import { measureTabs } from '../bench/tab-figures.ts'
import { measureUse } from '../bench/use-figures.ts'
import { measureWallet } from '../bench/wallet-figures.ts'
import { provision } from './provision.ts'

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
const REPORT = join(ROOT, 'artifacts/bench.json')

const SECTIONS: { [name: string]: () => Promise<Figure[]> } = {
  build: measureBuild,
  page: measurePageCost,
  calls: () => measureCalls('chromium'),
  tabs: measureTabs,
  use: measureUse,
  import: measureImport,
  floods: measureFloods,
  screens: measureScreens,
  wallet: measureWallet,
  psbts: measurePsbts,
  ordinals: measureOrdinals,
  runes: measureRunes,
  inscribing: measureInscribing,
  distance: measureDistance,
  growth: measureGrowth,
  'chain-node': measureChainNode,
  firefox: () => measureCalls('firefox'),
  start: () => measureStart(ROOT),
}

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
    const figures = (await (SECTIONS[section] ?? NAMED[section])?.()) ?? []
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

/** Both packages, as `npm run build` makes them; the sections after it measure these. */
async function measureBuild(): Promise<Figure[]> {
  const start = performance.now()
  const { status, stderr } = spawnSync('npm', ['run', 'build'], { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm run build failed\n${stderr}`)
  const seconds = (performance.now() - start) / 1000
  return [countFigure({ name: 'build of both packages', unit: 's' }, seconds)]
}
