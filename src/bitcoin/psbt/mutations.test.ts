import { describe, expect, it } from 'vitest'
import { fuzzPsbts } from '../testing/psbt-fuzzing.ts'

/** A release takes a million. */
const COUNT = Number(process.env.SATCHEL_MUTATIONS ?? 50_000)
const SEED = Number(process.env.SATCHEL_MUTATION_SEED ?? 4)
const LIMIT_MS = 500

describe(`${COUNT} PSBTs that are wrong in some way (seed ${SEED})`, () => {
  it(
    `get no signature beyond what was shown, an error with a name, and at most ${LIMIT_MS} ms each`,
    () => {
      const result = fuzzPsbts({ count: COUNT, seed: SEED, limitMs: LIMIT_MS })
      console.info(JSON.stringify({ seed: SEED, ...result }))
      expect(result.seeds).toBeGreaterThanOrEqual(4 * 30)
      expect(result.slowestMs).toBeLessThan(LIMIT_MS)
      // If nearly all were refused, nothing would have been shown of signatures.
      expect(result.outcomes.signed).toBeGreaterThan(COUNT / 20)
    },
    Math.max(600_000, 30 * COUNT),
  )
})
