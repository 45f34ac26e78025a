import type { Network } from '../bitcoin/network.ts'
import type { AssetSource } from '../chain/asset-source.ts'
import type { AtomicalsSource } from '../chain/atomicals-source.ts'
import type { Brc20Source } from '../chain/brc20-source.ts'
import type { WholeChain } from '../chain/open/open-chain.ts'
import type { Accounts } from './accounts/accounts.ts'
import type { Contacts } from './accounts/contacts.ts'
import type { Activity } from './activity/activity.ts'
import type { Brc20Tickers } from './brc20/brc20-tickers.ts'
import type { CoinAssetStore } from './coins/coin-assets.ts'
import type { CoinChoices } from './coins/coin-choices.ts'
import type { InscriptionListings } from './collectibles/inscription-listings.ts'
import type { InscriptionProofs } from './collectibles/inscription-proofs.ts'
import type { InscribePlans } from './inscribing/inscribe-plans.ts'
import type { Jobs } from './inscribing/jobs.ts'
import type { Signer } from './keys/signer.ts'
import type { Vault } from './keys/vault.ts'
import type { Plans } from './payments/plans.ts'
import type { Mutex } from './primitives/mutex.ts'
import type { OpenSignatures } from './psbts/open-signatures.ts'
import type { Approvals } from './requests/approvals.ts'
import type { OkxAliasStore } from './requests/okx-alias.ts'
import type { Requests } from './requests/requests.ts'
import type { Sites } from './requests/sites.ts'
import type { ShownTransactions } from './sending/shown-transactions.ts'
import type { PriceStore } from './settings/prices.ts'
import type { Servers } from './settings/servers.ts'
import type { SettingsStore } from './settings/settings.ts'

/** Everything that methods work with; put together in background.ts and, with other storage and approvers, in tests. */
export type Wallet = {
  vault: Vault
  signer: Signer
  accounts: Accounts
  sites: Sites
  settings: SettingsStore
  /** Where the wallet answers in the place of OKX Wallet. */
  okxAlias: OkxAliasStore
  requests: Requests
  approvals: Approvals
  activity: Activity
  contacts: Contacts
  coinChoices: CoinChoices
  coinAssets: CoinAssetStore
  inscriptionProofs: InscriptionProofs
  inscriptionListings: InscriptionListings
  plans: Plans
  inscribePlans: InscribePlans
  /** Inscribing under way. */
  jobs: Jobs
  brc20Tickers: Brc20Tickers
  shownTransactions: ShownTransactions
  openSignatures: OpenSignatures
  servers: Servers
  prices: PriceStore
  chain(network: Network): Promise<WholeChain>
  /** The index of what sits on coins; of Atomicals too, where the person named an index of them. */
  assets(network: Network): Promise<AssetSource>
  /** The index of BRC-20; null where the person named none. */
  brc20(network: Network): Promise<Brc20Source | null>
  /** The index of Atomicals; null where the person named none. */
  atomicals(network: Network): Promise<AtomicalsSource | null>
  now(): number
  /** Choosing coins and storing the choice is one step: nobody else chooses in between. */
  planInTurn: Mutex
  /** To be called after account, network, lock or grants changed: pages hear of it, and requests that no longer stand end. */
  announce(): void
}
