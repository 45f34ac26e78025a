// flow: where a transaction moves the assets of its inputs: ordinals first in, first out, runes by the runestone,
// Atomicals by their own rules. It promises a destination only where every possible content of the unknown inputs
// leads to the same one; else the destination is unknown. `src/devnet` implements the same rules on its own, and
// tests compare the two.

import { MAX_SATS } from '../../bitcoin/amount.ts'
import type { TransactionOutput } from '../../bitcoin/transaction.ts'
import type { Asset, AtomicalAsset, CoinAssets, InscriptionAsset, RuneAsset } from '../asset.ts'
import type { AtomicalOperation } from '../atomicals/atomical-envelope.ts'
import { decipherRunestone } from '../runes/runestone.ts'
import { type AtomicalMove, flowAtomicals, isUnspendable } from './atomical-flow.ts'
import { flowRunes } from './rune-flow.ts'
import { flowSats } from './sat-flow.ts'

/** What a transaction spends, as far as it is known. */
export type TracedInput = {
  amount: bigint | null
  assets: CoinAssets
  /** Whether there may be more on it than `assets`; there may be where they are not known. */
  mayHoldMore?: boolean
}

/** What a transaction's witnesses say to Atomicals; `unknown` while an input that may carry an operation is not signed. */
export type TracedOperation = AtomicalOperation | null | 'unknown'

export type AssetDestination =
  /** `offset` counts sats within the output; null for runes and Atomicals, and where the index has not placed it. */
  | { kind: 'output'; output: number; offset: bigint | null }
  | { kind: 'fee' }
  /** On an OP_RETURN, or lost by the rules of runes or Atomicals; then in no output. */
  | { kind: 'burned'; output: number | null }
  /**
   * Depends on what is not known: an amount of an input before it, the sat that it sits on, the id of a rune, or the
   * Atomicals on other inputs.
   */
  | { kind: 'unknown' }

/** Something that sits on an input, of a rune or token the part of its amount that goes there, and where it lands. */
export type AssetMove = { asset: Asset; input: number; to: AssetDestination }

const OP_RETURN = 0x6a

/**
 * Where everything known to sit on the inputs of a transaction lands, input by input. What inputs of unknown content hold
 * comes in addition and changes nothing for inscriptions and runes: sats move by amounts alone, and more of a rune only adds
 * to what an output gets. An Atomical can displace another one: where an input of unknown content may do so, the
 * destination is unknown. Units of a rune or token from several inputs are assigned first in, first out; no protocol says
 * which input's units go where.
 */
export function traceAssets({
  inputs,
  outputs,
  operation = null,
}: {
  inputs: readonly TracedInput[]
  outputs: readonly TransactionOutput[]
  operation?: TracedOperation
}): { moves: AssetMove[] } {
  const held = inputs.flatMap(({ assets }, input) =>
    assets.known ? assets.assets.map(asset => ({ asset, input })) : [],
  )
  const inscriptions = held.flatMap(({ asset, input }) =>
    asset.kind === 'inscription' ? { asset, input } : [],
  )
  const runes = held.flatMap(({ asset, input }) => (asset.kind === 'rune' ? { asset, input } : []))
  const atomicals = held.flatMap(({ asset, input }) =>
    asset.kind === 'atomical' ? { asset, input } : [],
  )
  const moves = [
    ...traceInscriptions(inscriptions, inputs, outputs),
    ...traceRunes(
      runes,
      outputs.map(({ scriptPubKey }) => scriptPubKey),
    ),
    ...traceAtomicals(atomicals, inputs, outputs, operation),
  ]
  return { moves: moves.toSorted((a, b) => a.input - b.input) }
}

type Held<A extends Asset> = { asset: A; input: number }

function traceInscriptions(
  held: readonly Held<InscriptionAsset>[],
  inputs: readonly TracedInput[],
  outputs: readonly TransactionOutput[],
): AssetMove[] {
  const firstUnknown = inputs.findIndex(({ amount }) => amount === null)
  const reach = firstUnknown < 0 ? inputs.length : firstUnknown
  // One without an offset goes where both ends of its coin go, if that is the same output.
  const sats = held.flatMap((move, at) => {
    const { offset } = move.asset
    const amount = inputs[move.input]?.amount ?? null
    if (move.input > reach || (amount === null && offset === null)) return []
    const end = amount ?? MAX_SATS
    const places = offset === null ? [0n, end - 1n] : [offset]
    if (places.some(place => place < 0n || place >= end)) return []
    return places.map(place => ({ at, input: move.input, offset: place }))
  })
  const landings = new Map<number, AssetDestination>()
  for (const { asset, to } of flowSats({
    inputs: inputs.map(({ amount }) => amount ?? MAX_SATS),
    outputs: outputs.map(({ amount }) => amount),
    assets: sats,
  })) {
    const landing = toDestination(to)
    const other = landings.get(asset.at)
    landings.set(asset.at, other ? mergeEnds(other, landing) : landing)
  }
  const paid = outputs.reduce((sum, { amount }) => sum + amount, 0n)
  let before = 0n
  const starts = inputs.map(({ amount }) => {
    const start = before
    before += amount ?? 0n
    return start
  })
  return held.map((move, at) => ({ ...move, to: landings.get(at) ?? placeOf(move) }))

  /** After an input of unknown amount. A sat that lies past all outputs even if that amount is zero is in the fee. */
  function placeOf({ asset, input }: Held<InscriptionAsset>): AssetDestination {
    const least = (starts[input] ?? 0n) + (asset.offset ?? 0n)
    return least >= paid ? { kind: 'fee' } : { kind: 'unknown' }
  }

  function toDestination(to: ReturnType<typeof flowSats>[number]['to']): AssetDestination {
    if (to === 'fee') return { kind: 'fee' }
    if (outputs[to.output]?.scriptPubKey[0] === OP_RETURN)
      return { kind: 'burned', output: to.output }
    return { kind: 'output', ...to }
  }
}

function mergeEnds(first: AssetDestination, last: AssetDestination): AssetDestination {
  if (first.kind === 'output' && last.kind === 'output' && first.output === last.output)
    return { ...first, offset: first.offset === last.offset ? first.offset : null }
  if (first.kind === 'burned' && last.kind === 'burned' && first.output === last.output)
    return first
  return first.kind === 'fee' ? first : { kind: 'unknown' }
}

function traceRunes(
  held: readonly Held<RuneAsset>[],
  scriptPubKeys: readonly Uint8Array[],
): AssetMove[] {
  if (held.length === 0) return []
  const runestone = decipherRunestone(scriptPubKeys)
  const hasEdicts = runestone.kind === 'runestone' && runestone.edicts.length > 0
  const flows = flowRunes({
    balances: held.map(({ asset }) => ({ rune: nameOf(asset), amount: asset.amount })),
    scriptPubKeys,
  })
  const parts = flows.map(({ rune, amount, to }): Part => {
    if (to === 'burnt') return { of: rune, amount, to: { kind: 'burned', output: null } }
    return { of: rune, amount, to: { kind: 'output', output: to, offset: null } }
  })
  // A rune without a known id cannot be followed where there are edicts, which name runes by id.
  const [vague, told] = [
    held.filter(({ asset }) => asset.rune === null && hasEdicts),
    held.filter(({ asset }) => asset.rune !== null || !hasEdicts),
  ]
  return [
    ...vague.map(move => ({ ...move, to: { kind: 'unknown' } as const })),
    ...dealOut(told, parts, nameOf),
  ]
}

function traceAtomicals(
  held: readonly Held<AtomicalAsset>[],
  inputs: readonly TracedInput[],
  outputs: readonly TransactionOutput[],
  operation: TracedOperation,
): AssetMove[] {
  if (held.length === 0) return []
  if (operation === 'unknown') return held.map(move => ({ ...move, to: { kind: 'unknown' } }))
  const open = [...inputs.entries()].flatMap(([input, { assets, mayHoldMore }]) =>
    !assets.known || mayHoldMore ? input : [],
  )
  const flows = flowAtomicals({
    holdings: held.map(({ asset: { id, type, amount }, input }) => ({ input, id, type, amount })),
    outputs,
    operation,
    open: new Set(open),
  })
  const parts = flows.map(({ id, amount, to }) => ({ of: id, amount, to: toDestination(to) }))
  return dealOut(held, parts, ({ id }) => id)

  function toDestination(to: AtomicalMove['to']): AssetDestination {
    if (to === 'unknown') return { kind: 'unknown' }
    if (to === 'burnt') return { kind: 'burned', output: null }
    const isLost = isUnspendable(outputs[to]?.scriptPubKey ?? new Uint8Array())
    return isLost ? { kind: 'burned', output: to } : { kind: 'output', output: to, offset: null }
  }
}

/** So many units of something, and where they go. */
type Part = { of: string; amount: bigint; to: AssetDestination }

/** The parts as moves of the holdings, first in, first out; what goes beyond all holdings of a thing is its last one's. */
function dealOut<A extends RuneAsset | AtomicalAsset>(
  held: readonly Held<A>[],
  parts: readonly Part[],
  nameOf: (asset: A) => string,
): AssetMove[] {
  const waiting = new Map<string, Part[]>()
  for (const part of parts) {
    const queue = waiting.get(part.of)
    if (queue) queue.push({ ...part })
    else waiting.set(part.of, [{ ...part }])
  }
  const lastHolders = new Map(held.map(({ asset }, at) => [nameOf(asset), at]))
  return held.flatMap(({ asset, input }, at): AssetMove[] => {
    const name = nameOf(asset)
    const queue = waiting.get(name) ?? []
    const takesAll = lastHolders.get(name) === at
    const moves: AssetMove[] = []
    let left = asset.amount
    for (let next = queue[0]; next && (left > 0n || takesAll); next = queue[0]) {
      const amount = next.amount < left || takesAll ? next.amount : left
      left -= amount
      next.amount -= amount
      if (next.amount === 0n) queue.shift()
      if (amount > 0n) moves.push({ asset: { ...asset, amount }, input, to: next.to })
    }
    return moves
  })
}

/** Ids have a colon, and no name begins with one. */
function nameOf({ rune, name }: RuneAsset): string {
  return rune ?? `:${name}`
}
