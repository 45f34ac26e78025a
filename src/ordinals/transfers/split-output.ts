import { buildLedPayment, type Payer, type Payment } from '../../bitcoin/payments/payment.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import type { InscriptionId } from '../inscription-id.ts'
import { type AssetCoin, costOfOutput, countParcels, cutCoin, isRunic } from './coin-cut.ts'

/** A coin that no cut makes better: its inscriptions lie too close together, or it holds little beyond its postage. */
export class NothingToSplitError extends Error {
  override name = 'NothingToSplitError'
}

/**
 * Gives every inscribed sat of a coin an output of its own with `postage` sats at least, and returns what is left over.
 * Sats too close together stay in one output; two at the ends of a small coin are parted with clean coins around it.
 * Throws {@link NothingToSplitError}, UnplacedInscriptionError, DustError, InsufficientFundsError.
 */
export function buildSplit(params: {
  coin: AssetCoin
  /** Sats; at least the dust limit of the coin's address. */
  postage: bigint
  /** Clean coins that may pay the fee. */
  utxos: readonly Utxo[]
  required?: readonly Utxo[]
  own: Payer
  /** sat/vB. */
  feeRate: number
  seed: string
}): Payment {
  const { coin, postage, utxos, required = [], own, feeRate, seed } = params
  const terms = { leaving: new Set<InscriptionId>(), apart: true, least: postage, clean: utxos }
  const cut = cutCoin({ coin, ...terms, feeRate })
  const { front, segments } = cut
  const kept = segments.reduce((sum, { sats, holds }) => (holds ? sum + sats : sum), 0n)
  const worth = postage + costOfOutput(coin.scriptPubKey, feeRate)
  const count = countParcels(cut)
  const freesRunes = isRunic(coin) && segments[0]?.holds === null
  if (count === 0 || (count === 1 && !freesRunes && coin.amount - kept < worth))
    throw new NothingToSplitError('No cut makes this coin better')
  return buildLedPayment({
    leading: {
      inputs: front ? [front, coin] : [coin],
      outputs: segments.map(({ sats }) => ({ scriptPubKey: coin.scriptPubKey, amount: sats })),
    },
    utxos,
    required,
    own,
    feeRate,
    seed,
  })
}
