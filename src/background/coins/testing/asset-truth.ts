import type { Outpoint } from '../../../bitcoin/outpoint.ts'

/** What really sits on a coin: `sat` counts within it; null for a rune, which has none. */
export type Holding = { key: string; sat: bigint | null }

/** Where a transaction puts something: an output, or nowhere. */
export type Landing = { input: number; key: string; output: number | null; isBurned: boolean }

type Spent = Outpoint & { amount: bigint }
type Made = { amount: bigint; isReturn: boolean }

/** A ledger of what really sits on coins, by a walk of its own: payments have no runestone, so runes go to their first output that can be spent. */
export function createAssetTruth() {
  const holdings = new Map<string, Holding[]>()
  return {
    on: (outpoint: string): readonly Holding[] => holdings.get(outpoint) ?? [],
    put(outpoint: string, held: Holding[]): void {
      holdings.set(outpoint, [...(holdings.get(outpoint) ?? []), ...held])
    },
    /** Where a transaction puts what sits on its inputs. */
    follow(
      inputs: readonly Spent[],
      outputs: readonly Made[],
    ): (Landing & { sat: bigint | null })[] {
      let before = 0n
      return inputs.flatMap(({ txid, vout, amount }, input) => {
        const start = before
        before += amount
        return (holdings.get(`${txid}:${vout}`) ?? []).map(({ key, sat }) => {
          const place = sat === null ? runeHome(outputs) : placeOf(start + sat, outputs)
          const output = place?.output ?? null
          const isBurned = output !== null && outputs[output]?.isReturn === true
          return { input, key, output, isBurned, sat: place?.sat ?? null }
        })
      })
    },
  }
}

function runeHome(outputs: readonly Made[]): { output: number; sat: null } | null {
  const output = outputs.findIndex(({ isReturn }) => !isReturn)
  return output < 0 ? null : { output, sat: null }
}

function placeOf(sat: bigint, outputs: readonly Made[]): { output: number; sat: bigint } | null {
  let left = sat
  for (const [output, { amount }] of outputs.entries()) {
    if (left < amount) return { output, sat: left }
    left -= amount
  }
  return null
}
