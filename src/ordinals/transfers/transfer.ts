// transfers: builds transactions that move assets, with clean coins for the fee. It promises that each asset lands
// where it was asked to and nowhere else, by tracing the built transaction with `flow/` before it is handed out.
// It never signs.

import { equalBytes } from '../../bitcoin/bytes.ts'
import { dustLimit } from '../../bitcoin/dust.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import {
  type AnyPayer,
  buildLedPayment,
  DustError,
  type Leading,
  type Payment,
  scriptOfPayer,
} from '../../bitcoin/payments/payment.ts'
import type { TransactionOutput } from '../../bitcoin/transaction.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import { type Asset, LARGE_POSTAGE } from '../asset.ts'
import { type AssetKey, keyOfAsset } from '../asset-key.ts'
import type { AtomicalId } from '../atomical-id.ts'
import { type AssetMove, traceAssets } from '../flow/asset-flow.ts'
import { type AssetCoin, cutCoin } from './coin-cut.ts'

/** Sats that go along with an inscription that is cut out of a coin: above the dust limit of every kind of address. */
export const POSTAGE = 546n

/** Units of a token would be coloured onto other outputs than the one that is meant for them. */
export class MixedTokensError extends Error {
  override name = 'MixedTokensError'
  readonly id: AtomicalId
  constructor(id: AtomicalId) {
    super(`Units of Atomical ${id} would not stay with the coin that they are on`)
    this.id = id
  }
}

/** Runes all go to the first output, which is another receiver's than that of the coin they are on. */
export class StrayRunesError extends Error {
  override name = 'StrayRunesError'
  readonly rune: string
  constructor(rune: string) {
    super(`Runes ${rune} would not go where the coin goes that they are on`)
    this.rune = rune
  }
}

/** Two things that are to go to different receivers are on one coin, which is not cut for that. */
export class SharedCoinError extends Error {
  override name = 'SharedCoinError'
  readonly keys: readonly [AssetKey, AssetKey]
  constructor(keys: readonly [AssetKey, AssetKey]) {
    super(`${keys.join(' and ')} share a coin and cannot go to different receivers`)
    this.keys = keys
  }
}

export type TransferParams<P extends AnyPayer = AnyPayer> = {
  /** Each once, in the order of their receivers' outputs as far as that is free; clean ones have no place here. */
  coins: readonly AssetCoin[]
  /**
   * Inscriptions and Atomicals NFTs that are to go, and the scriptPubKey of the receiver of each; others on the same coins go
   * along where they cannot be kept.
   */
  asked: ReadonlyMap<AssetKey, Uint8Array>
  /** Clean coins that may pay the fee. */
  utxos: readonly Utxo[]
  /** Further clean coins that are all spent. */
  required?: readonly Utxo[]
  own: P
  /** sat/vB. */
  feeRate: number
  seed: string
}

/**
 * Moves inscriptions and Atomicals NFTs: coin i is input i, its receiver's output i has the same sats, so that every sat stays
 * where it is within its output, and the NFTs of the first inputs go to the first outputs: coins that hold any come before the
 * others. Clean coins pay the fee. A single large coin is cut instead, and its rest comes back, unless it holds an Atomical:
 * those do not follow sats. Throws {@link MixedTokensError}, {@link StrayRunesError}, {@link SharedCoinError}, DustError,
 * InsufficientFundsError, TransactionTooLargeError.
 */
export function buildTransfer<P extends AnyPayer>(
  params: TransferParams<P>,
): Payment<P['addressType']> {
  const { utxos, required = [], own, feeRate, seed } = params
  const coins = params.coins.toSorted((a, b) => rankOf(a) - rankOf(b))
  assertAmong(
    params.asked,
    coins.flatMap(({ assets }) => assets),
  )
  const isCut = isCuttable(coins)
  const leading = isCut ? leadCut(params, coins) : leadWhole(params, coins)
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

function leadWhole({ asked }: TransferParams, coins: readonly AssetCoin[]): Leading {
  const outputs = coins.map(coin => ({
    scriptPubKey: receiverOf(coin, asked),
    amount: coin.amount,
  }))
  return { inputs: coins, outputs: raiseSingle(outputs) }
}

/** Who gets a coin, whole or what is cut out of it. */
function receiverOf({ assets }: AssetCoin, asked: TransferParams['asked']): Uint8Array {
  const wanted = assets.flatMap(asset => {
    const key = keyOfAsset(asset)
    const to = asked.get(key)
    return to ? [{ key, to }] : []
  })
  const [first] = wanted
  if (!first) throw new Error('transfer: a coin holds nothing that is asked for')
  const other = wanted.find(({ to }) => !equalBytes(to, first.to))
  if (other) throw new SharedCoinError([first.key, other.key])
  return first.to
}

function leadCut({ asked, utxos, feeRate }: TransferParams, [coin]: readonly AssetCoin[]): Leading {
  if (!coin) throw new Error('transfer: there is no coin')
  const to = receiverOf(coin, asked)
  const cut = cutCoin({
    coin,
    leaving: new Set(asked.keys()),
    apart: false,
    least: POSTAGE,
    clean: utxos,
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

/**
 * Tokens of several coins shift each other: they stay with theirs if each lands on the output of its own, with change and
 * without. Runes stay with theirs if the first output is of the same receiver.
 */
function assertUnmixed(
  coins: readonly AssetCoin[],
  outputs: readonly TransactionOutput[],
  own: AnyPayer,
): void {
  const change = {
    scriptPubKey: scriptOfPayer(own),
    amount: POSTAGE,
  }
  for (const all of [outputs, [...outputs, change]]) {
    for (const { asset, input, to } of traceCoins(coins, coins, all)) {
      const isToken = asset.kind === 'atomical' && asset.type === 'ft'
      if (isToken && !(to.kind === 'output' && to.output === input))
        throw new MixedTokensError(asset.id)
      const isRight = to.kind === 'output' && isSameScript(all[to.output], all[input])
      if (asset.kind === 'rune' && !isRight) throw new StrayRunesError(asset.name)
    }
  }
}

/** Whatever was built, nothing lands but where it was meant to. */
function assertLanded(
  payment: Pick<Payment, 'inputs' | 'outputs' | 'leading'>,
  coins: readonly AssetCoin[],
  { asked }: TransferParams,
  isCut: boolean,
): void {
  const { inputs, outputs, leading } = payment
  const moves = traceCoins(inputs, coins, outputs)
  const isMeant = ({ asset, input, to }: AssetMove): boolean => {
    if (to.kind !== 'output' || to.output >= leading.outputs) return false
    const receiver = asked.get(keyOfAsset(asset))
    const landing = outputs[to.output]
    if (receiver && !(landing && equalBytes(landing.scriptPubKey, receiver))) return false
    // What goes along goes to the same receiver, too.
    const isAtHome =
      asset.kind === 'rune' ? isSameScript(landing, outputs[input]) : to.output === input
    return isCut || isAtHome
  }
  const stray = moves.find(move => !isMeant(move))
  if (stray) throw new Error(`transfer: ${keyOfAsset(stray.asset)} would not land where it should`)
  assertAmong(
    asked,
    moves.map(({ asset }) => asset),
  )
}

function assertAmong(asked: TransferParams['asked'], assets: readonly Asset[]): void {
  const keys = new Set(assets.map(keyOfAsset))
  const missing = [...asked.keys()].find(key => !keys.has(key))
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

function isSameScript(a: TransactionOutput | undefined, b: TransactionOutput | undefined): boolean {
  return !!a && !!b && equalBytes(a.scriptPubKey, b.scriptPubKey)
}

/** A single output may take sats of the clean coins behind it; among several that would shift those of the next. Throws {@link DustError}. */
function raiseSingle(outputs: Leading['outputs']): Leading['outputs'] {
  const small = outputs.find(({ scriptPubKey, amount }) => amount < dustLimit(scriptPubKey))
  if (!small) return outputs
  const limit = dustLimit(small.scriptPubKey)
  if (outputs.length > 1) throw new DustError(small.amount, limit)
  return [{ ...small, amount: limit }]
}
