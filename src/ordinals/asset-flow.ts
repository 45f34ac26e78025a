import { MAX_SATS } from '../bitcoin/amount.ts'
import type { TransactionOutput } from '../bitcoin/transaction.ts'
import type { Asset, CoinAssets, InscriptionAsset, RuneAsset } from './asset.ts'
import { flowRunes } from './rune-flow.ts'
import { decipherRunestone } from './runestone.ts'
import { flowSats } from './sat-flow.ts'

/** What a transaction spends, as far as it is known. */
export type TracedInput = { amount: bigint | null; assets: CoinAssets }

export type AssetDestination =
  /** `offset` counts sats within the output; null for runes, and where the index has not told the sat. */
  | { kind: 'output'; output: number; offset: bigint | null }
  | { kind: 'fee' }
  /** On an OP_RETURN, or lost by what a runestone says; then in no output. */
  | { kind: 'burned'; output: number | null }
  /** Hangs on something that nobody has said: an amount before it, the sat that it sits on, or the id of a rune. */
  | { kind: 'untold' }

/** Something that sits on an input, of a rune the part of its amount that goes there, and where it lands. */
export type AssetMove = { asset: Asset; input: number; to: AssetDestination }

const OP_RETURN = 0x6a

/**
 * Where everything known to sit on the inputs of a transaction lands, input by input. What inputs of unknown content hold
 * comes on top of it and changes nothing: sats flow by amounts alone, and the more there is of a rune, the more each
 * output gets. Runes that several inputs hold are dealt first in, first out, which is nobody's rule, and as good as any.
 */
export function traceAssets({
  inputs,
  outputs,
}: {
  inputs: readonly TracedInput[]
  outputs: readonly TransactionOutput[]
}): { moves: AssetMove[] } {
  const held = inputs.flatMap(({ assets }, input) =>
    assets.known ? assets.assets.map(asset => ({ asset, input })) : [],
  )
  const inscriptions = held.flatMap(({ asset, input }) =>
    asset.kind === 'inscription' ? { asset, input } : [],
  )
  const runes = held.flatMap(({ asset, input }) => (asset.kind === 'rune' ? { asset, input } : []))
  const moves = [
    ...traceInscriptions(inscriptions, inputs, outputs),
    ...traceRunes(
      runes,
      outputs.map(({ scriptPubKey }) => scriptPubKey),
    ),
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
  // One whose sat nobody has told is where both ends of its coin are, if that is one place.
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
  return held.map((move, at) => ({ ...move, to: landings.get(at) ?? { kind: 'untold' } }))

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
  return first.kind === 'fee' ? first : { kind: 'untold' }
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
  const waiting = new Map<string, { amount: bigint; to: number | 'burnt' }[]>()
  for (const { rune, amount, to } of flows)
    waiting.set(rune, [...(waiting.get(rune) ?? []), { amount, to }])

  return held.flatMap(({ asset, input }): AssetMove[] => {
    // An edict may mean it: that takes its id.
    if (asset.rune === null && hasEdicts) return [{ asset, input, to: { kind: 'untold' } }]
    const queue = waiting.get(nameOf(asset)) ?? []
    const moves: AssetMove[] = []
    let left = asset.amount
    for (let next = queue[0]; next && left > 0n; next = queue[0]) {
      const amount = next.amount < left ? next.amount : left
      left -= amount
      next.amount -= amount
      if (next.amount === 0n) queue.shift()
      const to: AssetDestination =
        next.to === 'burnt'
          ? { kind: 'burned', output: null }
          : { kind: 'output', output: next.to, offset: null }
      moves.push({ asset: { ...asset, amount }, input, to })
    }
    return moves
  })
}

/** Ids have a colon, and no name begins with one. */
function nameOf({ rune, name }: RuneAsset): string {
  return rune ?? `:${name}`
}
