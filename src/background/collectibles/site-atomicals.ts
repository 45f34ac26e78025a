import { addressOfScript } from '../../bitcoin/address.ts'
import type { Network } from '../../bitcoin/network.ts'
import { keyOfAtomical } from '../../ordinals/asset-key.ts'
import type { SiteInscription } from '../../provider/inscription-params.ts'
import { type CoinParts, loadCoins } from '../coins/coins.ts'
import { mapConcurrently } from '../primitives/concurrency.ts'
import type { AccountView } from '../views/account-views.ts'
import { fetchMintFile } from './atomical-mint.ts'
import { type HeldAtomical, listHeld } from './atomicals.ts'

const CONCURRENCY = 4

/**
 * A part of an account's Atomicals NFTs as pages get them beside inscriptions, `-Atomicals` behind their ids. Their content is
 * the first file of their mint. Throws BackendUnavailableError.
 */
export async function listSiteAtomicals(
  wallet: CoinParts,
  account: AccountView,
  network: Network,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; list: SiteInscription[] }> {
  if ((await wallet.atomicals(network)) === null) return { total: 0, list: [] }
  const { all } = await loadCoins(wallet, account, network)
  const nfts = listHeld(all).filter(({ asset }) => asset.type === 'nft')
  const page = nfts.slice(offset, offset + limit)
  const described = await mapConcurrently(page, CONCURRENCY, one =>
    describe(wallet, network, account, one),
  )
  const list = described.flatMap(one => one ?? [])
  return { total: nfts.length, list }
}

/** Null for one of which the index, that had it a moment ago, knows nothing more. */
async function describe(
  wallet: CoinParts,
  network: Network,
  account: AccountView,
  { coin, asset: { id } }: HeldAtomical,
): Promise<SiteInscription | null> {
  const source = await wallet.atomicals(network)
  const facts = (await source?.fetchFacts([id]))?.get(id)
  if (!facts) return null
  const { txid } = facts.reveal
  const [{ at }, file] = await Promise.all([
    (await wallet.chain(network)).fetchTransactionRecord(txid),
    fetchMintFile(wallet, network, id, txid),
  ])
  return {
    inscriptionId: keyOfAtomical(id),
    inscriptionNumber: facts.number,
    address: addressOfScript(coin.scriptPubKey, network) ?? account.address,
    outputValue: Number(coin.amount),
    contentLength: file?.bytes.length ?? 0,
    contentType: file?.contentType ?? '',
    timestamp: Math.floor((at ?? 0) / 1000),
    offset: 0,
    output: coin.outpoint,
    genesisTransaction: txid,
    location: `${coin.outpoint}:0`,
  }
}
