import type { ReactNode } from 'react'
import type { AssetMoveView } from '../../background/views/asset-views.ts'
import { endSentence } from '../platform/end-sentence.ts'
import { joinSentences } from '../platform/join-words.ts'
import { richWords, type WordKey, words } from '../platform/words.ts'
import { shortenAddress } from '../ui/text/address-text.tsx'
import { countAssets, listAssets, nameAsset } from '../ui/text/asset-names.ts'
import { formatSats } from '../ui/text/btc-digits.ts'
import { groupMoves, type Outcome, outcomeOf } from './asset-outcomes.ts'
import { WholeText } from './whole-text.tsx'

/** Moves of assets by what becomes of them; outcomes without any are absent. */
export type MovesByOutcome = { [outcome in Outcome]?: readonly AssetMoveView[] }

/** The same as `groupMoves`, by name of the outcome. */
export function groupByOutcome(moves: readonly AssetMoveView[]): MovesByOutcome {
  return Object.fromEntries(groupMoves(moves).map(({ outcome, moves }) => [outcome, moves]))
}

/** What leaves the person: to a known recipient, or to one that others choose. */
export function givenOf({ leaves = [], open = [] }: MovesByOutcome): readonly AssetMoveView[] {
  return [...open, ...leaves]
}

/** Names in a title; with `briefly` only a single one goes by its name. */
export function NameMoved(props: { moves: readonly AssetMoveView[]; briefly?: boolean }) {
  const assets = props.moves.map(({ asset }) => asset)
  return <WholeText text={props.briefly ? countAssets(assets) : listAssets(assets)} />
}

const SENTENCES = [
  ['lost', 'assetsLose'],
  ['unknown', 'assetsMayLose'],
  ['given', 'assetsGive'],
  ['comes', 'assetsGet'],
] as const

/** A title preceded by what happens to assets, what is lost for good first. */
export function tellAssetsFirst(moves: readonly AssetMoveView[], effect: ReactNode): ReactNode {
  const byOutcome = groupByOutcome(moves)
  const groups = { ...byOutcome, given: givenOf(byOutcome) }
  const briefly = SENTENCES.filter(([group]) => (groups[group] ?? []).length > 0).length > 1
  return SENTENCES.toReversed().reduce<ReactNode>((rest, [group, key]) => {
    const members = groups[group] ?? []
    if (members.length === 0) return rest
    const first = richWords(key, { what: <NameMoved moves={members} briefly={briefly} /> })
    return richWords('assetsFirst', { first, rest })
  }, effect)
}

/** A title followed by what may come but is not certain to; that never counts as received. */
export function tellPromisedLast(moves: readonly AssetMoveView[], effect: ReactNode): ReactNode {
  const { promised = [] } = groupByOutcome(moves)
  if (promised.length === 0) return effect
  return richWords('assetsPromisedLast', { effect, what: <NameMoved moves={promised} /> })
}

/** A title with everything that happens to assets. */
export function tellAssets(moves: readonly AssetMoveView[], effect: ReactNode): ReactNode {
  return tellPromisedLast(moves, tellAssetsFirst(moves, effect))
}

const WHERE: { [outcome in Exclude<Outcome, 'lost'>]: WordKey } = {
  unknown: 'assetWhereUnknown',
  open: 'assetWhereOpen',
  leaves: 'assetWhereTo',
  promised: 'assetWherePromised',
  comes: 'assetWhereYou',
  stays: 'assetWhereStays',
  passes: 'assetWherePasses',
}

/** Where it goes, without its name: "to bc1p0x…5jj0". */
export function describeWhere(move: AssetMoveView, name: string | null = null): string {
  const to =
    name ?? (move.address === null ? words('assetNoAddress') : shortenAddress(move.address))
  const outcome = outcomeOf(move)
  if (outcome === 'open' && ['own', 'foreign'].includes(move.to))
    return words('assetWhereOpenProposed', { to })
  if (outcome === 'open' || outcome === 'unknown') return words(WHERE[outcome])
  if (move.to === 'fee') return words('assetWhereFee')
  if (move.to === 'burned') return words('assetWhereBurned')
  return outcome === 'lost' ? '' : words(WHERE[outcome], { to })
}

/** The exact sat: "Sat 0 of output #1"; null where it lands on none that is known. */
export function describeSat(move: AssetMoveView): string | null {
  const { output, offset } = move
  if (output === null || outcomeOf(move) === 'unknown') return null
  const place = words('psbtPlace', { index: output })
  return offset === null
    ? words('assetOutput', { output: place })
    : words('assetSat', { sat: formatSats(BigInt(offset)), output: place })
}

/** Asset and destination as a sentence. */
export function tellMove(move: AssetMoveView): string {
  const sat = describeSat(move)
  const sentence = words('assetTold', { asset: nameAsset(move.asset), where: describeWhere(move) })
  return sat === null ? sentence : joinSentences([sentence, endSentence(sat)])
}
