import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder that is there until the test has ended. */
export function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'chain-node-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
