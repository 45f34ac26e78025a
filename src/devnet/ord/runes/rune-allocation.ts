import { ETCHED_HERE, type RuneId } from '../../../ordinals/rune-id.ts'
import type { Runestone } from '../../../ordinals/runes/runestone.ts'
import { classifyScript } from '../../chain/script.ts'

/** Amounts by rune, in its smallest unit. */
export type Holdings = Map<RuneId, bigint>

/**
 * Deals runes to a transaction's outputs as ord's `index_runes` does; `received` is by output. `unallocated` is used up: what
 * the inputs hold, what was minted, and the premine. `etched` is what {@link ETCHED_HERE} stands for.
 */
export function allocateRunes(
  runestone: Runestone,
  unallocated: Holdings,
  scripts: readonly Uint8Array[],
  etched: RuneId | null,
): { received: Holdings[]; burned: Holdings } {
  const received = scripts.map((): Holdings => new Map())
  const burned: Holdings = new Map()
  const spendable = [...scripts.keys()].filter(
    vout => classifyScript(scripts[vout] ?? new Uint8Array()) !== 'op_return',
  )

  function allocate(rune: RuneId, amount: bigint, vout: number): void {
    const balance = unallocated.get(rune) ?? 0n
    const given = amount < balance ? amount : balance
    unallocated.set(rune, balance - given)
    const output = received[vout]
    if (output) addTo(output, rune, given)
  }

  for (const { rune: named, amount, output } of runestone.kind === 'runestone'
    ? runestone.edicts
    : []) {
    const rune = named === ETCHED_HERE ? etched : named
    const balance = rune === null ? undefined : unallocated.get(rune)
    if (rune === null || balance === undefined) continue
    if (output < scripts.length) {
      allocate(rune, amount || balance, output)
      continue
    }
    const share = balance / BigInt(spendable.length || 1)
    const extra = balance % BigInt(spendable.length || 1)
    for (const [i, vout] of spendable.entries()) {
      allocate(rune, amount || share + (BigInt(i) < extra ? 1n : 0n), vout)
    }
  }

  const pointer = runestone.kind === 'runestone' ? runestone.pointer : null
  const home = runestone.kind === 'cenotaph' ? undefined : (pointer ?? spendable[0])
  for (const [rune, balance] of unallocated) {
    addTo(home === undefined ? burned : (received[home] ?? burned), rune, balance)
  }
  for (const [vout, holdings] of received.entries()) {
    if (spendable.includes(vout)) continue
    for (const [rune, amount] of holdings) addTo(burned, rune, amount)
    holdings.clear()
  }
  return { received, burned }
}

export function addTo(holdings: Holdings, rune: RuneId, amount: bigint): void {
  if (amount > 0n) holdings.set(rune, (holdings.get(rune) ?? 0n) + amount)
}
