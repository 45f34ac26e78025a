import fc from 'fast-check'
import { isLong } from './campaigns.ts'

const { CI, SATCHEL_SEED } = process.env

/**
 * A short run, and any in CI, tries the same random cases each time, so that a failure is due to the change. A long one draws
 * others each time, and `SATCHEL_SEED` says which.
 */
if (SATCHEL_SEED || CI || !isLong) {
  fc.configureGlobal({ seed: Number(SATCHEL_SEED || 20_261_121) })
}
