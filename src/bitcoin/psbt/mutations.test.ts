import { describe, expect, it } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import { fuzzPsbts } from '../testing/psbt-fuzzing.ts'

const { count: COUNT, seed: SEED } = campaign('damaged PSBTs')
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
