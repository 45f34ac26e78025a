import { scriptPubKeyOf } from '../bitcoin/address.ts'
import { equalBytes } from '../bitcoin/bytes.ts'
import { dustLimit } from '../bitcoin/dust.ts'
import { formatOutpoint } from '../bitcoin/outpoint.ts'
import {
  buildLedPayment,
  DustError,
  type Leading,
  type Payer,
  type Payment,
} from '../bitcoin/payment.ts'
import type { TransactionOutput } from '../bitcoin/transaction.ts'
import type { Utxo } from '../bitcoin/utxo.ts'
import type { Asset } from './asset.ts'
import { type AssetMove, traceAssets } from './asset-flow.ts'
import { type AssetKey, keyOfAsset } from './asset-key.ts'
import type { AtomicalId } from './atomical-id.ts'
import { type AssetCoin, cutCoin } from './coin-cut.ts'

/** Sats that go along with an inscription that is cut out of a coin: above the dust limit of every kind of address. */
export const POSTAGE = 546n

/** A coin of more sats than this is cut, so that they do not all go along. */
export const LARGE_POSTAGE = 10_000n

/** Units of a token would be coloured onto other outputs than the one that is meant for them. */
export class MixedTokensError extends Error {
  override name = 'MixedTokensError'
  readonly id: AtomicalId
  constructor(id: AtomicalId) {
    super(`Units of Atomical ${id} would not stay with the coin that they are on`)
    this.id = id
  }
}

export type TransferParams = {
  /** Each once, in the order of their receivers' outputs as far as that is free; clean ones have no place here. */
  coins: readonly AssetCoin[]
  /** Inscriptions and Atomicals NFTs that are to go; others on the same coins go along where they cannot be kept. */
  asked: ReadonlySet<AssetKey>
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
 * Moves inscriptions and Atomicals NFTs: coin i is input i, its receiver output i of the same sats, so that every sat stays
 * where it is within its output, and the NFTs of the first inputs go to the first outputs: coins that hold any come before the
 * others. Clean coins pay the fee. A single large coin is cut instead, and its rest comes back, unless it holds an Atomical:
 * those do not follow sats. Throws {@link MixedTokensError}, DustError, InsufficientFundsError, TransactionTooLargeError.
 */
export function buildTransfer(params: TransferParams): Payment {
  const { utxos, required = [], own, feeRate, seed } = params
  const coins = params.coins.toSorted((a, b) => rankOf(a) - rankOf(b))
  const isCut = isCuttable(coins)
  const leading = isCut ? leadCut(params, coins) : leadWhole(coins, params.to)
  if (!isCut) assertUnmixed(coins, leading.outputs, own)
  const payment = buildLedPayment({ leading, utxos, required, own, feeRate, seed })
  assertLanded(payment, coins, params, isCut)
  return payment
}

/** The k-th input that holds NFTs of Atomicals goes to output k, and units are coloured from output 0 on. */
function rankOf({ assets }: AssetCoin): number {
  const holds = (type: 'nft' | 'ft') =>
    assets.some(asset => asset.kind === 'atomical' && asset.type === type)
  return (holds('nft') ? 0 : 2) + (holds('ft') ? 0 : 1)
}

function isCuttable(coins: readonly AssetCoin[]): boolean {
  const [coin] = coins
  if (!coin) throw new Error('transfer: there is no coin')
  const mayBeCut = (asset: Asset) =>
    asset.kind === 'rune' || (asset.kind === 'inscription' && asset.offset !== null)
  return coins.length === 1 && coin.amount > LARGE_POSTAGE && coin.assets.every(mayBeCut)
}

function leadWhole(coins: readonly AssetCoin[], to: Uint8Array): Leading {
  const outputs = coins.map(({ amount }) => ({ scriptPubKey: to, amount }))
  return { inputs: coins, outputs: raiseSingle(outputs, dustLimit(to)) }
}

function leadCut(
  { asked, to, utxos, own, feeRate }: TransferParams,
  [coin]: readonly AssetCoin[],
): Leading {
  if (!coin) throw new Error('transfer: there is no coin')
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

/** Tokens of several coins shift each other: they stay with theirs if each lands on the output of its own, with change and without. */
function assertUnmixed(
  coins: readonly AssetCoin[],
  outputs: readonly TransactionOutput[],
  own: Payer,
): void {
  const change = {
    scriptPubKey: scriptPubKeyOf(own.publicKey, own.addressType),
    amount: POSTAGE,
  }
  for (const all of [outputs, [...outputs, change]]) {
    for (const { asset, input, to } of traceCoins(coins, coins, all)) {
      const isToken = asset.kind === 'atomical' && asset.type === 'ft'
      if (isToken && !(to.kind === 'output' && to.output === input))
        throw new MixedTokensError(asset.id)
    }
  }
}

/** Whatever was built, nothing lands but where it was meant to. */
function assertLanded(
  payment: Payment,
  coins: readonly AssetCoin[],
  { asked, to: receiver }: TransferParams,
  isCut: boolean,
): void {
  const moves = traceCoins(payment.inputs, coins, payment.outputs)
  const isMeant = ({ asset, input, to }: AssetMove): boolean => {
    if (to.kind !== 'output' || to.output >= payment.leading.outputs) return false
    if (!isCut) return asset.kind === 'rune' || to.output === input
    const script = payment.outputs[to.output]?.scriptPubKey
    return !asked.has(keyOfAsset(asset)) || (!!script && equalBytes(script, receiver))
  }
  const stray = moves.find(move => !isMeant(move))
  if (stray) throw new Error(`transfer: ${keyOfAsset(stray.asset)} would not land where it should`)
  const moved = new Set(moves.map(({ asset }) => keyOfAsset(asset)))
  const missing = [...asked].find(key => !moved.has(key))
  if (missing) throw new Error(`transfer: ${missing} is on none of the coins`)
}

/** Where what is on these coins lands; nothing is on the other inputs. */
function traceCoins(
  inputs: readonly Utxo[],
  coins: readonly AssetCoin[],
  outputs: readonly TransactionOutput[],
): AssetMove[] {
  const held = new Map(coins.map(coin => [formatOutpoint(coin), coin.assets]))
  return traceAssets({
    inputs: inputs.map(input => ({
      amount: input.amount,
      assets: { known: true, assets: held.get(formatOutpoint(input)) ?? [] },
    })),
    outputs,
  }).moves
}

/** A single output may take sats of the clean coins behind it; among several that would shift those of the next. Throws {@link DustError}. */
function raiseSingle(outputs: Leading['outputs'], limit: bigint): Leading['outputs'] {
  const small = outputs.find(({ amount }) => amount < limit)
  if (!small) return outputs
  if (outputs.length > 1) throw new DustError(small.amount, limit)
  return [{ ...small, amount: limit }]
}
