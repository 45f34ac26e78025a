import type { Network } from '../../bitcoin/network.ts'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import type { AtomicalId } from '../../ordinals/atomical-id.ts'
import { invalidParams } from '../../provider/errors.ts'
import { explorerUrlOf } from '../activity/explorer.ts'
import { type CoinParts, loadCoins } from '../coins/coins.ts'
import type { Servers, Sources } from '../settings/servers.ts'
import type { AccountView } from '../views/account-views.ts'
import type { AtomicalDetail } from '../views/asset-views.ts'
import { isMintedBy } from './atomical-mint.ts'
import { describeAtomical, listHeld } from './atomicals.ts'

/** An Atomicals NFT of an account, its mint held against the chain. Throws -32602 for one that is not there, BackendUnavailableError. */
export async function fetchAtomicalDetail(
  wallet: CoinParts & { servers: Pick<Servers, 'urls'> },
  account: AccountView,
  network: Network,
  id: AtomicalId,
): Promise<AtomicalDetail> {
  const { all } = await loadCoins(wallet, account, network)
  const held = listHeld(all).find(({ asset }) => asset.type === 'nft' && asset.id === id)
  if (!held) throw invalidParams('id', id, 'an Atomical of this account')
  const facts = await fetchFacts(wallet, network, id)
  const { chain } = await wallet.servers.urls(network)
  return {
    ...describeAtomical(held),
    address: account.address,
    subtype: facts?.subtype ?? null,
    mint: facts && {
      ...facts.reveal,
      explorerUrl: explorerUrlOf(chain, network, facts.reveal.txid),
    },
    isMinted: facts ? await isMintedBy(wallet, network, id, facts.reveal.txid) : null,
  }
}

/** Null where nobody answers. */
async function fetchFacts(wallet: Pick<Sources, 'atomicals'>, network: Network, id: AtomicalId) {
  try {
    const source = await wallet.atomicals(network)
    return (await source?.fetchFacts([id]))?.get(id) ?? null
  } catch (error) {
    if (error instanceof BackendUnavailableError) return null
    throw error
  }
}
