import type { Certainty } from '../../bitcoin/psbt/binding.ts'
import type { TransactionOutput } from '../../bitcoin/transaction.ts'
import type { Asset, CoinAssets } from '../../ordinals/asset.ts'
import type { AssetDestination, AssetMove } from '../../ordinals/flow/asset-flow.ts'
import type { Contents } from '../../ordinals/flow/batch-flow.ts'
import { formatRuneAmount } from '../../ordinals/runes/rune-amount.ts'
import { decipherRunestone } from '../../ordinals/runes/runestone.ts'
import { nameOfSat, placeOfSat, rarityOf } from '../../ordinals/sats/rare-sats.ts'
import { failure } from '../../provider/errors.ts'
import type { InscriptionNumbers } from '../coins/coin-assets.ts'
import type { CoinDecision } from '../coins/coin-choices.ts'
import type { AssetMoveView, AssetView, RareSatView } from '../views/asset-views.ts'
import type { ReviewedInput, ReviewedOutput, Warning } from '../views/payment-views.ts'
import { warnOfUnchecked } from './payment-warnings.ts'

/** Where something goes, and how far that holds. */
export type ClaimedMove = AssetMove & { certainty: Certainty }

/** Moves of a transaction that nobody else has to sign: what is told is certain. */
export function asCertain(moves: readonly AssetMove[]): ClaimedMove[] {
  return moves.map(move => ({
    ...move,
    certainty: move.to.kind === 'unknown' ? 'unknown' : 'certain',
  }))
}

/** Where assets go, as it is shown: own ones first, else in the order given. `inputs` and `outputs` are the transaction's. */
export function describeMoves(
  moves: readonly ClaimedMove[],
  {
    inputs,
    outputs,
    numbers,
  }: {
    inputs: readonly Pick<ReviewedInput, 'own'>[]
    outputs: readonly Pick<ReviewedOutput, 'own' | 'address'>[]
    numbers: InscriptionNumbers
  },
): AssetMoveView[] {
  const views = moves.map(({ asset, input, to, certainty }): AssetMoveView => {
    const output = 'output' in to ? to.output : null
    const landing = output === null ? undefined : outputs[output]
    return {
      asset: describeAsset(asset, numbers),
      input,
      own: inputs[input]?.own ?? false,
      to: to.kind === 'output' ? (landing?.own ? 'own' : 'foreign') : to.kind,
      certainty,
      output,
      offset: readOffset(to),
      address: landing?.address ?? null,
    }
  })
  return views.toSorted((a, b) => Number(b.own) - Number(a.own))
}

/** The asset for our own pages; an inscription that `numbers` does not know has none. */
export function describeAsset(asset: Asset, numbers: InscriptionNumbers): AssetView {
  if (asset.kind === 'inscription')
    return { kind: 'inscription', id: asset.id, number: numbers.get(asset.id) ?? null }
  if (asset.kind === 'atomical') {
    const { kind, id, type, number, name } = asset
    return { kind, id, type, number, name, amount: String(asset.amount) }
  }
  const { name, amount, divisibility, symbol } = asset
  return { kind: 'rune', name, amount: formatRuneAmount(amount, divisibility), symbol }
}

/** The rare sats that an index knows a coin to hold. */
export function describeRareSats(assets: CoinAssets): RareSatView[] {
  if (!assets.known) return []
  return (assets.rareSats ?? []).map(({ sat, offset }) => {
    const rarity = rarityOf(sat)
    if (rarity === null) throw new Error(`The sat ${sat} is common`)
    const { height } = placeOfSat(sat)
    return { sat: String(sat), offset: String(offset), rarity, name: nameOfSat(sat), height }
  })
}

/** Says which own inputs are spent although it is not known what sits on them, or although the person locked them. */
export function warnOfCoins(
  inputs: readonly Pick<ReviewedInput, 'own' | 'outpoint'>[],
  contents: readonly Contents[],
  choices: ReadonlyMap<string, CoinDecision>,
): Warning[] {
  const locked = inputs.flatMap(({ own, outpoint }, index) =>
    own && choices.get(outpoint)?.choice === 'locked' ? index : [],
  )
  return [
    ...warnOfUnchecked(
      inputs.map(({ own }, index) => (own ? (contents[index]?.unknown ?? null) : null)),
    ),
    ...(locked.length > 0 ? [{ kind: 'locked-coins', inputs: locked } as const] : []),
  ]
}

/**
 * Throws PROTECTED_ASSET when one of these moves loses its asset: to the fee, to an output that nobody can spend, or by a
 * malformed runestone; and when it may, because the index has not told which sat of the coin it is.
 */
export function assertKept(
  field: string,
  outputs: readonly TransactionOutput[],
  { moves, amounts }: { moves: readonly AssetMove[]; amounts: readonly (bigint | null)[] },
): void {
  for (const { asset, input, to } of moves) {
    const lost =
      to.kind === 'fee' || to.kind === 'burned'
        ? LOST[to.kind]
        : asset.kind === 'inscription'
          ? asset.offset === null && mayLose(input, amounts, outputs)
            ? LOST.perhaps
            : null
          : asset.kind === 'rune' && to.kind === 'unknown' && burnsRunes(outputs)
            ? LOST.perhapsBurned
            : null
    if (lost === null) continue
    const what = WHAT[asset.kind] + (asset.kind === 'rune' ? asset.name : asset.id)
    throw failure(
      'PROTECTED_ASSET',
      `${field}: ${what}, which is on input ${input}, ${lost}. This wallet does that only with its expert switch.`,
      { data: { input } },
    )
  }
}

const WHAT = { inscription: 'Inscription ', atomical: 'Atomical ', rune: 'The rune ' }

const LOST = {
  fee: 'would be spent as a fee',
  burned: 'would be burned',
  perhapsBurned: 'might be burned: no index has told its id, and not all runes are kept',
  perhaps: 'might be lost: no index has told on which of its sats, and not all of them are kept',
}

/** Whether a runestone gives runes, of whatever id, to an output that nobody can spend. */
function burnsRunes(outputs: readonly TransactionOutput[]): boolean {
  const scripts = outputs.map(({ scriptPubKey }) => scriptPubKey)
  const runestone = decipherRunestone(scripts)
  if (runestone.kind !== 'runestone') return false
  const targets = [...runestone.edicts.map(({ output }) => output), runestone.pointer]
  return targets.some(output => output !== null && scripts[output]?.[0] === OP_RETURN)
}

/** Whether any sat of an input goes to the fee or to an output that nobody can spend. */
function mayLose(
  input: number,
  amounts: readonly (bigint | null)[],
  outputs: readonly TransactionOutput[],
): boolean {
  const start = amounts.slice(0, input).reduce<bigint>((sum, amount) => sum + (amount ?? 0n), 0n)
  const end = start + (amounts[input] ?? 0n)
  let before = 0n
  for (const { amount, scriptPubKey } of outputs) {
    const after = before + amount
    if (scriptPubKey[0] === OP_RETURN && before < end && after > start && amount > 0n) return true
    before = after
  }
  return end > before
}

const OP_RETURN = 0x6a

function readOffset(to: AssetDestination): string | null {
  return to.kind === 'output' && to.offset !== null ? String(to.offset) : null
}
