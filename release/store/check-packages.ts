import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { findChromium } from '../../e2e/commands/provision.ts'
import { listPackageFaults } from './chrome-package.ts'
import { listLintFaults, runLinter } from './lint.ts'
import { packWithChromium } from './pack-extension.ts'

/** Holds the packages in a folder against what each store checks. Throws with all that is wrong. */
export function checkPackages(folder: string): void {
  const [chrome, firefox] = ['chrome', 'firefox'].map(name => join(folder, `satchel-${name}.zip`))
  if (chrome === undefined || firefox === undefined) return
  const zip = readFileSync(chrome)
  const faults = [
    ...listPackageFaults(unzipSync(zip), zip.length),
    ...listLintFaults(runLinter(firefox)),
  ]
  if (faults.length > 0) throw new Error(faults.join('\n'))
  const chromium = findChromium()
  if (chromium === null)
    process.stdout.write('Chromium is not there: the package was not packed.\n')
  else packWithChromium(chromium, chrome)
}

if (process.argv[1] === import.meta.filename) {
  checkPackages(join(import.meta.dirname, '../../dist'))
  process.stdout.write('Both packages in dist/ pass what the stores check.\n')
}
