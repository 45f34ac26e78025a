import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import type { Asset, CoinAssets, UnknownReason } from '../../ordinals/asset.ts'
import { type AssetKey, atomicalOfKey, keyOfAsset } from '../../ordinals/asset-key.ts'
import type { RareSat } from '../../ordinals/sats/rare-sats.ts'
import type { AssetCoin } from '../../ordinals/transfers/coin-cut.ts'
import { failure, invalidParams, ProviderError } from '../../provider/errors.ts'
import type { PayingContext } from '../accounts/payment-context.ts'
import { takeCoins } from './coin-shortage.ts'
import type { Coin, CoinParts, Coins } from './coins.ts'

/** A coin that may be moved with all that sits on it, as the index says now. */
export type MovableCoin = AssetCoin & { outpoint: string; rareSats?: readonly RareSat[] }

/**
 * The coins that these inscriptions and Atomicals NFTs sit on, each once, in the order of the keys; the indexes are asked
 * anew. `field` names them in errors. Throws -32602 for what is not on the account's coins and for tokens, 4200 for
 * Atomicals where nobody tells of them, PROTECTED_ASSET, COINS_HELD, BackendUnavailableError.
 */
export async function locateAssets(
  context: PayingContext<CoinParts>,
  coins: Coins,
  keys: readonly AssetKey[],
  field: string,
): Promise<MovableCoin[]> {
  await assertToldOf(context, keys)
  const homes = new Map(
    coins.all.flatMap(coin => listMovable(coin.assets).map(asset => [keyOfAsset(asset), coin])),
  )
  const token = coins.all.flatMap(coin => listTokens(coin.assets)).find(key => keys.includes(key))
  if (token) throw invalidParams(field, token, 'no token: its units are sent by their amount')
  const missing = keys.filter(key => !homes.has(key))
  if (missing.length > 0) throw await explainMissing(context, coins, missing, field)
  const outpoints = new Set(keys.map(key => homes.get(key)?.outpoint ?? ''))
  const movable = await loadMovable(context, coins, [...outpoints])
  const placed = new Set(
    movable.flatMap(({ assets }) =>
      listMovable({ known: true, assets }).filter(isPlaced).map(keyOfAsset),
    ),
  )
  const unplaced = keys.filter(key => !placed.has(key))
  if (unplaced.length > 0) throw await explainUnplaced(context, unplaced)
  return movable
}

/** Atomicals can only be found where the person named a server that tells of them. */
async function assertToldOf(
  { wallet, network }: PayingContext<CoinParts>,
  keys: readonly AssetKey[],
): Promise<void> {
  const wanted = keys.some(key => atomicalOfKey(key) !== null)
  if (wanted && (await wallet.atomicals(network)) === null)
    throw new ProviderError(4200, 'No server that tells of Atomicals is set in this wallet.')
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
  context: PayingContext<CoinParts>,
  coins: Coins,
  outpoint: string,
): Promise<MovableCoin> {
  const [coin] = await loadMovable(context, coins, [outpoint])
  if (!coin) throw new Error(`No coin ${outpoint}`)
  const unplaced = coin.assets.filter(asset => !isPlaced(asset)).map(keyOfAsset)
  if (unplaced.length > 0) throw await explainUnplaced(context, unplaced)
  return coin
}

/**
 * These coins with all that sits on them, asked anew. Throws -32602, COINS_HELD, PROTECTED_ASSET where that is not known for
 * certain, BackendUnavailableError where nobody tells of Atomicals who should.
 */
export async function loadMovable(
  { wallet, network, account }: PayingContext<CoinParts>,
  coins: Coins,
  outpoints: readonly string[],
): Promise<MovableCoin[]> {
  const all = coins.all.map(coin => (carriesAssets(coin) ? { ...coin, held: null } : coin))
  const taken = takeCoins({ ...coins, all }, outpoints).map(coin => ({
    ...coin,
    height: coin.height ?? coin.toldHeight ?? null,
  }))
  const [fresh] = await Promise.all([
    wallet.coinAssets.recheck(wallet, network, account.id, taken),
    assertAtomicalsTold({ wallet, network }, taken),
  ])
  const renewed = taken.map(coin => ({
    ...coin,
    assets: fresh.get(formatOutpoint(coin)) ?? coin.assets,
  }))
  const { assets } = await wallet.coinAssets.complete(wallet, network, renewed)
  return renewed.map(coin => {
    const told = assets.get(coin.outpoint) ?? coin.assets
    if (!told.known) throw unknownContent(coin.outpoint, told.why)
    return { ...coin, assets: told.assets, ...(told.rareSats && { rareSats: told.rareSats }) }
  })
}

/**
 * Throws for a coin in a block of which the index of Atomicals does not tell. Elsewhere it is enough that one index names an
 * asset; before a coin is moved, both have to answer.
 */
async function assertAtomicalsTold(
  { wallet, network }: Pick<PayingContext<CoinParts>, 'wallet' | 'network'>,
  coins: readonly Coin[],
): Promise<void> {
  const placed = coins.filter(({ height }) => height !== null)
  const source = placed.length > 0 ? await wallet.atomicals(network) : null
  const told = await source?.fetchAtomicals(placed)
  for (const coin of placed) {
    const atomicals = told?.get(coin.outpoint)
    if (atomicals && !atomicals.known) throw unknownContent(coin.outpoint, atomicals.why)
  }
}

/** Whether the only reason to hold the coin is what sits on it. */
function carriesAssets({ held }: Coin): boolean {
  return held === 'inscribed' || held === 'atomical' || held === 'runic'
}

/** What is moved as a whole: inscriptions and Atomicals NFTs. */
function listMovable(assets: CoinAssets): Asset[] {
  if (!assets.known) return []
  return assets.assets.filter(
    asset => asset.kind === 'inscription' || (asset.kind === 'atomical' && asset.type === 'nft'),
  )
}

function listTokens(assets: CoinAssets): AssetKey[] {
  if (!assets.known) return []
  return assets.assets.flatMap(asset =>
    asset.kind === 'atomical' && asset.type === 'ft' ? keyOfAsset(asset) : [],
  )
}

/** An Atomical is on its whole coin. */
function isPlaced(asset: Asset): boolean {
  return asset.kind !== 'inscription' || asset.offset !== null
}

/**
 * The error for assets that were not found: they are not on the account's coins, or may be on those whose content is
 * unknown.
 */
async function explainMissing(
  { wallet, network }: PayingContext<CoinParts>,
  { all }: Coins,
  missing: readonly AssetKey[],
  field: string,
): Promise<ProviderError> {
  const unknown = all.flatMap(({ outpoint, assets }) =>
    assets.known ? [] : [{ outpoint, why: assets.why }],
  )
  const [first] = unknown
  if (!first)
    return invalidParams(
      field,
      missing[0],
      'ids of inscriptions or Atomicals on coins of this account',
    )
  const facts = await (await wallet.assets(network)).fetchInscriptions(
    missing.filter(key => atomicalOfKey(key) === null),
  )
  const told = [...facts.values()].map(({ satpoint }) => satpoint.outpoint)
  const home = unknown.find(({ outpoint }) => told.includes(outpoint))
  if (home) return unknownContent(home.outpoint, home.why)
  return failure(
    'PROTECTED_ASSET',
    `${nameKey(missing[0] ?? '')} is on no coin whose content is known; of ${unknown.length} of this account it is not (${first.why}).`,
    { data: { why: first.why } },
  )
}

/** Throws BackendUnavailableError where that is why. */
async function explainUnplaced(
  { wallet, network }: PayingContext<CoinParts>,
  keys: readonly AssetKey[],
): Promise<ProviderError> {
  const ids = keys.filter(key => atomicalOfKey(key) === null)
  await (await wallet.assets(network)).fetchInscriptions(ids)
  return failure(
    'PROTECTED_ASSET',
    `The index does not say that ${nameKey(keys[0] ?? '')} is on this coin any more. Nothing was moved.`,
  )
}

function nameKey(key: AssetKey): string {
  return atomicalOfKey(key) === null ? `Inscription ${key}` : `Atomical ${atomicalOfKey(key)}`
}

function unknownContent(outpoint: string, why: UnknownReason): ProviderError {
  return failure(
    'PROTECTED_ASSET',
    `It is not known what sits on coin ${outpoint} (${why}), so nothing is moved from it.`,
    { data: { outpoint, why } },
  )
}
