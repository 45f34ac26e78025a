import { toHex } from '../bytes.ts'
import { createMutator, type MutatedPsbt } from './psbt-mutations.ts'
import { findUncovered, indexCoins, processPsbt } from './psbt-pipeline.ts'
import { createRandom } from './signable-psbts.ts'

/**
 * `outcomes`: the name of the error that refused a PSBT, `signed`, or `left alone`, and how often; `slowestMs` by the clock,
 * or of the processor where the clock says that it was too slow.
 */
export type FuzzingResult = {
  seeds: number
  outcomes: Readonly<Record<string, number>>
  slowestMs: number
  perSecond: number
}

/**
 * Takes so many mutated PSBTs through all that the wallet does with one; the same ones for the same seed. What takes longer
 * than `limitMs` is taken three times again, since memory may have been tidied up in between. Throws, with the case, on an
 * error that has no name, and on a signature beyond what the review covers.
 */
export function fuzzPsbts({
  count,
  seed,
  limitMs,
}: {
  count: number
  seed: number
  limitMs: number
}): FuzzingResult {
  const { seeds, coins, mutate } = createMutator(createRandom(seed))
  const truth = indexCoins(coins)
  for (const sample of seeds) validate({ ...sample, expert: true })

  const outcomes: Record<string, number> = {}
  let slowestMs = 0
  const began = performance.now()
  for (let i = 0; i < count; i++) {
    const mutated = mutate()
    const first = validate(mutated)
    outcomes[first.outcome] = (outcomes[first.outcome] ?? 0) + 1
    let { ms } = first
    for (let again = 0; again < 3 && ms >= limitMs; again++)
      ms = Math.min(
        ms,
        measureProcessor(() => processPsbt(mutated)),
      )
    slowestMs = Math.max(slowestMs, ms)
  }
  const perSecond = (1000 * count) / (performance.now() - began)
  return { seeds: seeds.length, outcomes, slowestMs, perSecond }

  function validate(mutated: MutatedPsbt): { outcome: string; ms: number } {
    const start = performance.now()
    try {
      const processed = processPsbt(mutated)
      const ms = performance.now() - start
      if (typeof processed === 'string') return { outcome: processed, ms }
      const problems = findUncovered(processed, mutated, truth)
      if (problems.length > 0) throw new Error(problems.join('; '))
      return { outcome: processed.plan.length > 0 ? 'signed' : 'left alone', ms }
    } catch (cause) {
      throw new Error(`${cause} (${describeCase(mutated)})`, { cause })
    }
  }
}

/** Milliseconds without those that others had the processor for. */
function measureProcessor(work: () => unknown): number {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

function describeCase({ account, orders, expert, previous, bytes }: MutatedPsbt): string {
  const fetched = [...previous].map(([txid, raw]) => `${txid} ${toHex(raw)}`).join(', ')
  return `${account.accountId}, expert ${expert}, ${JSON.stringify(orders)}, [${fetched}], ${toHex(bytes)}`
}
