import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import {
  type Difference,
  listDifferences,
  listEstimateFaults,
} from '../testing/differential/differential-comparison.ts'
import {
  compileDifferential,
  type Ruleset,
} from '../testing/differential/differential-contracts.ts'
import { EXPLANATIONS } from '../testing/differential/differential-explained.ts'
import { anvilMissing, startNodePair } from '../testing/differential/differential-nodes.ts'
import {
  type Field,
  prepareField,
  readStateRoots,
  runScenario,
} from '../testing/differential/differential-run.ts'
import { arbitraryScenario } from '../testing/differential/differential-scenarios.ts'

/** Of both rulesets together, from the seed with which each explanation has something to explain. */
const { count: SCENARIOS, seed: SEED } = campaign('scenarios beside Anvil')
/** As many as also the rare explanations need. */
const MANY = 5_000
/** Scenarios after which the whole state is compared. */
const STATE_INTERVAL = Math.ceil(SCENARIOS / 20)

const NEEDS_ANVIL = {
  skip: anvilMissing,
  meta: { skipReason: 'anvil is not installed: it is an optional dependency, for Linux on amd64' },
}

const found = new Map(EXPLANATIONS.map(({ name }) => [name, 0]))

describe('our node and anvil', NEEDS_ANVIL, () => {
  it.each(['berlin', 'prague'] as const)(
    'answer alike, by the rules of %s',
    async ruleset => {
      const compiled = compileDifferential(ruleset)
      let field: Field | null = null
      let runs = 0
      const close = async () => {
        await field?.pair.close()
        field = null
      }

      async function compareStates(): Promise<string[]> {
        if (!field) return []
        const { ours, theirs } = await readStateRoots(field.pair)
        return ours === theirs ? [] : [`state root: ours ${ours}, of anvil's accounts ${theirs}`]
      }

      async function compare(scenario: Parameters<typeof runScenario>[1]): Promise<string[]> {
        field ??= await prepareField(await startNodePair(ruleset), compiled)
        const { exchanges, checks } = await runScenario(field, scenario)
        const faults = [
          ...exchanges.flatMap(listDifferences),
          ...checks.flatMap(listEstimateFaults),
        ]
          .filter(difference => !explain(ruleset, difference))
          .map(describeDifference)
        if (++runs % STATE_INTERVAL === 0) faults.push(...(await compareStates()))
        return [...faults, ...field.pair.complaints()]
      }

      try {
        await fc.assert(
          fc.asyncProperty(arbitraryScenario(ruleset), async scenario => {
            const faults = await compare(scenario)
            // What went another way once would be another way ever after.
            if (faults.length > 0) await close()
            expect(faults).toEqual([])
          }),
          { numRuns: Math.ceil(SCENARIOS / 2), seed: SEED },
        )
        expect(runs).toBeGreaterThanOrEqual(SCENARIOS / 2)
        expect(await compareStates()).toEqual([])
      } finally {
        await close()
      }
    },
    120_000 + SCENARIOS * 1_000,
  )

  it('differ in nothing but what is explained, and all of that occurs', () => {
    console.table(Object.fromEntries(found))
    const wanted = EXPLANATIONS.filter(({ isRare }) => !isRare || SCENARIOS >= MANY)
    const idle = wanted.map(({ name }) => name).filter(name => found.get(name) === 0)
    expect(idle).toEqual([])
  })
})

function explain(ruleset: Ruleset, difference: Difference): boolean {
  const explanation = EXPLANATIONS.find(
    explanation => (explanation.ruleset ?? ruleset) === ruleset && explanation.matches(difference),
  )
  if (!explanation) return false
  found.set(explanation.name, (found.get(explanation.name) ?? 0) + 1)
  return true
}

function describeDifference({ exchange, path, ours, theirs }: Difference): string {
  return JSON.stringify({ ...exchange.request, path, ours, theirs })
}
