import { dustLimit } from '../bitcoin/dust.ts'
import {
  buildLedPayment,
  DustError,
  type Leading,
  type Payer,
  type Payment,
} from '../bitcoin/payment.ts'
import type { Utxo } from '../bitcoin/utxo.ts'
import { type AssetCoin, cutCoin } from './coin-cut.ts'
import type { InscriptionId } from './inscription-id.ts'

/** Sats that go along with an inscription that is cut out of a coin: above the dust limit of every kind of address. */
export const POSTAGE = 546n

/** A coin of more sats than this is cut, so that they do not all go along. */
export const LARGE_POSTAGE = 10_000n

export type TransferParams = {
  /** Each once, in the order of their receivers' outputs; clean ones have no place here. */
  coins: readonly AssetCoin[]
  /** Inscriptions that are to go; others on the same coins go along where they cannot be kept. */
  asked: ReadonlySet<InscriptionId>
  /** scriptPubKey of the receiver. */
  to: Uint8Array
  /** Clean coins that may pay the fee. */
  utxos: readonly Utxo[]
  /** Further clean coins that are all spent. */
  required?: readonly Utxo[]
  own: Payer
  /** sat/vB. */
  feeRate: number
  seed: string
}

/**
 * Moves inscriptions: coin i is input i, its receiver output i of the same sats, so that every sat stays where it is within
 * its output; clean coins pay the fee. A single large coin is cut instead, and its rest comes back. Throws UnplacedInscriptionError,
 * DustError, InsufficientFundsError, TransactionTooLargeError.
 */
export function buildTransfer(params: TransferParams): Payment {
  const { utxos, required = [], own, feeRate, seed } = params
  return buildLedPayment({ leading: leadTransfer(params), utxos, required, own, feeRate, seed })
}

function leadTransfer(params: TransferParams): Leading {
  const { coins, asked, to, utxos, own, feeRate } = params
  const [coin] = coins
  if (!coin) throw new Error('transfer: there is no coin')
  const isPlaced = coin.assets.every(asset => asset.kind === 'rune' || asset.offset !== null)
  if (coins.length > 1 || coin.amount <= LARGE_POSTAGE || !isPlaced) {
    const outputs = coins.map(({ amount }) => ({ scriptPubKey: to, amount }))
    return { inputs: coins, outputs: raiseSingle(outputs, dustLimit(to)) }
  }
  const cut = cutCoin({
    coin,
    leaving: asked,
    apart: false,
    least: POSTAGE,
    clean: utxos,
    own,
    feeRate,
  })
  return {
    inputs: cut.front ? [cut.front, coin] : [coin],
    outputs: cut.segments.map(({ sats, holds }) => ({
      scriptPubKey: holds?.leaves ? to : coin.scriptPubKey,
      amount: sats,
    })),
  }
}

/** A single output may take sats of the clean coins behind it; among several that would shift those of the next. Throws {@link DustError}. */
function raiseSingle(outputs: Leading['outputs'], limit: bigint): Leading['outputs'] {
  const small = outputs.find(({ amount }) => amount < limit)
  if (!small) return outputs
  if (outputs.length > 1) throw new DustError(small.amount, limit)
  return [{ ...small, amount: limit }]
}
