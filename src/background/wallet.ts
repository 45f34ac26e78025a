import type { Network } from '../bitcoin/network.ts'
import type { AssetSource } from '../chain/asset-source.ts'
import type { AtomicalsSource } from '../chain/atomicals-source.ts'
import type { Brc20Source } from '../chain/brc20-source.ts'
import type { WholeChain } from '../chain/open-chain.ts'
import type { Accounts } from './accounts.ts'
import type { Activity } from './activity.ts'
import type { Approvals } from './approvals.ts'
import type { Brc20Tickers } from './brc20-tickers.ts'
import type { CoinAssetStore } from './coin-asset-store.ts'
import type { CoinChoices } from './coin-choices.ts'
import type { Contacts } from './contacts.ts'
import type { InscribePlans } from './inscribe-plans.ts'
import type { InscriptionListings } from './inscription-listings.ts'
import type { InscriptionProofs } from './inscription-proofs.ts'
import type { Jobs } from './jobs.ts'
import type { Mutex } from './mutex.ts'
import type { OkxAliasStore } from './okx-alias.ts'
import type { OpenSignatures } from './open-signatures.ts'
import type { Plans } from './plans.ts'
import type { PriceStore } from './prices.ts'
import type { Requests } from './requests.ts'
import type { Servers } from './servers.ts'
import type { SettingsStore } from './settings.ts'
import type { ShownTransactions } from './shown-transactions.ts'
import type { Signer } from './signer.ts'
import type { Sites } from './sites.ts'
import type { Vault } from './vault.ts'

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
