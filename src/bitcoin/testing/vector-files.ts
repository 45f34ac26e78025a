import { existsSync, readFileSync } from 'node:fs'

/** Published vectors, kept beside the repository. */
const FOLDER = new URL('../../../../shared/vectors/', import.meta.url)

/** For `describe.skipIf`: the vectors are not on this machine. */
export const vectorsMissing = !existsSync(FOLDER)

/** The text of a vector file; empty when the vectors are missing, so that skipped suites can still be collected. */
export function readVectors(name: string): string {
  return vectorsMissing ? '' : readFileSync(new URL(name, FOLDER), 'utf8')
}

/** The JSON of a vector file; null when the vectors are missing. */
export function readJsonVectors(name: string): unknown {
  return vectorsMissing ? null : JSON.parse(readVectors(name))
}
