import { formatOutpoint } from '../bitcoin/outpoint.ts'
import type { Asset, CoinAssets, UnknownReason } from '../ordinals/asset.ts'
import type { AssetCoin } from '../ordinals/coin-cut.ts'
import type { InscriptionId } from '../ordinals/inscription-id.ts'
import { failure, invalidParams, type ProviderError } from '../provider/errors.ts'
import { takeCoins } from './coin-shortage.ts'
import type { Coin, Coins } from './coins.ts'
import type { PaymentContext } from './payment-context.ts'

/** A coin that may be moved with all that sits on it, as the index says now. */
export type MovableCoin = AssetCoin & { outpoint: string }

/**
 * The coins that these inscriptions sit on, each once, in the order of the inscriptions; the index is asked anew. `field`
 * names the ids in errors. Throws -32602 for what is not on the account's coins, PROTECTED_ASSET, COINS_HELD,
 * BackendUnavailableError.
 */
export async function locateInscriptions(
  context: PaymentContext,
  coins: Coins,
  ids: readonly InscriptionId[],
  field: string,
): Promise<MovableCoin[]> {
  const homes = new Map(
    coins.all.flatMap(coin => listInscriptions(coin.assets).map(({ id }) => [id, coin] as const)),
  )
  const missing = ids.filter(id => !homes.has(id))
  if (missing.length > 0) throw await explainMissing(context, coins, missing, field)
  const outpoints = new Set(ids.map(id => homes.get(id)?.outpoint ?? ''))
  const movable = await loadMovable(context, coins, [...outpoints])
  const placed = new Map(
    movable.flatMap(({ assets }) =>
      listInscriptions({ known: true, assets }).map(({ id, offset }) => [id, offset] as const),
    ),
  )
  const unplaced = ids.filter(id => (placed.get(id) ?? null) === null)
  if (unplaced.length > 0) throw await explainUnplaced(context, unplaced)
  return movable
}

/** The account's coins with what is now known of these. */
export function renewCoins(coins: Coins, movable: readonly MovableCoin[]): Coins {
  const renewed = new Map(movable.map(({ outpoint, assets }) => [outpoint, assets]))
  return {
    ...coins,
    all: coins.all.map(coin => {
      const assets = renewed.get(coin.outpoint)
      return assets ? { ...coin, assets: { known: true, assets } } : coin
    }),
  }
}

/** One of the account's coins with every inscription's sat; the index is asked anew. Throws as above. */
export async function locateCoin(
  context: PaymentContext,
  coins: Coins,
  outpoint: string,
): Promise<MovableCoin> {
  const [coin] = await loadMovable(context, coins, [outpoint])
  if (!coin) throw new Error(`No coin ${outpoint}`)
  const unplaced = listInscriptions({ known: true, assets: coin.assets })
    .filter(({ offset }) => offset === null)
    .map(({ id }) => id)
  if (unplaced.length > 0) throw await explainUnplaced(context, unplaced)
  return coin
}

async function loadMovable(
  { wallet, network, account }: PaymentContext,
  coins: Coins,
  outpoints: readonly string[],
): Promise<MovableCoin[]> {
  const all = coins.all.map(coin => (carriesAssets(coin) ? { ...coin, held: null } : coin))
  const taken = takeCoins({ ...coins, all }, outpoints)
  const fresh = await wallet.coinAssets.recheck(wallet, network, account.id, taken)
  const renewed = taken.map(coin => ({
    ...coin,
    assets: fresh.get(formatOutpoint(coin)) ?? coin.assets,
  }))
  const { assets } = await wallet.coinAssets.offsetsOf(wallet, network, renewed)
  return renewed.map(coin => {
    const told = assets.get(coin.outpoint) ?? coin.assets
    if (!told.known) throw unknownContent(coin.outpoint, told.why)
    return { ...coin, assets: told.assets }
  })
}

/** Held for nothing but its assets. */
function carriesAssets({ held }: Coin): boolean {
  return held === 'inscribed' || held === 'runic'
}

function listInscriptions(assets: CoinAssets) {
  const isInscription = (asset: Asset) => asset.kind === 'inscription'
  return assets.known ? assets.assets.filter(isInscription) : []
}

/** Either they are nowhere on the account's coins, or on ones of which the wallet does not know enough to move anything. */
async function explainMissing(
  { wallet, network }: PaymentContext,
  { all }: Coins,
  missing: readonly InscriptionId[],
  field: string,
): Promise<ProviderError> {
  const unknown = all.flatMap(({ outpoint, assets }) =>
    assets.known ? [] : [{ outpoint, why: assets.why }],
  )
  const [first] = unknown
  if (!first)
    return invalidParams(field, missing[0], 'ids of inscriptions on coins of this account')
  const facts = await (await wallet.assets(network)).fetchInscriptions(missing)
  const told = [...facts.values()].map(({ satpoint }) => satpoint.outpoint)
  const home = unknown.find(({ outpoint }) => told.includes(outpoint))
  if (home) return unknownContent(home.outpoint, home.why)
  return failure(
    'PROTECTED_ASSET',
    `Inscription ${missing[0]} is on no coin whose content is known; of ${unknown.length} of this account it is not (${first.why}).`,
    { data: { why: first.why } },
  )
}

/** Throws BackendUnavailableError where that is why. */
async function explainUnplaced(
  { wallet, network }: PaymentContext,
  ids: readonly InscriptionId[],
): Promise<ProviderError> {
  await (await wallet.assets(network)).fetchInscriptions(ids)
  return failure(
    'PROTECTED_ASSET',
    `The index does not say that inscription ${ids[0]} is on this coin any more. Nothing was moved.`,
  )
}

function unknownContent(outpoint: string, why: UnknownReason): ProviderError {
  return failure(
    'PROTECTED_ASSET',
    `It is not known what sits on coin ${outpoint} (${why}), so nothing is moved from it.`,
    { data: { outpoint, why } },
  )
}
