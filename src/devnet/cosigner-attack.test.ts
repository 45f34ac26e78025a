import { describe, expect, it } from 'vitest'
import { attack } from './testing/cosigner/attack.ts'
import { createTally } from './testing/cosigner/tally.ts'

const WORLDS = Number(process.env.SATCHEL_COSIGNERS ?? 8_000)
const SEED = Number(process.env.SATCHEL_COSIGNER_SEED ?? 1)

describe(`${WORLDS} worlds of what the wallet signed (seed ${SEED})`, () => {
  it(
    'keep every claim of its reviews',
    async () => {
      const tally = createTally()
      const findings = await attack({ worlds: WORLDS, seed: SEED, tally })
      console.info(JSON.stringify(tally.counts, null, 1))
      const seen = new Map<string, { n: number; seeds: Set<number>; detail: string }>()
      for (const { rule, seed, shape, detail } of findings) {
        const name = `${shape}: ${rule}`
        const one = seen.get(name) ?? { n: 0, seeds: new Set(), detail }
        one.n++
        one.seeds.add(seed)
        seen.set(name, one)
      }
      for (const [name, { n, seeds, detail }] of seen)
        console.info(name, n, [...seeds].slice(0, 6).join(), detail)
      expect(findings.length).toBe(0)
    },
    Math.max(120_000, 6 * WORLDS),
  )
})
