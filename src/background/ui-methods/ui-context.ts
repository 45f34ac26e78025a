import type { Network } from '../../bitcoin/network.ts'
import { unauthorized } from '../../provider/errors.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Contacts } from '../accounts/contacts.ts'
import type { Activity } from '../activity/activity.ts'
import type { Brc20Tickers } from '../brc20/brc20-tickers.ts'
import type { CoinAssetStore } from '../coins/coin-assets.ts'
import type { CoinChoices } from '../coins/coin-choices.ts'
import type { CoinParts } from '../coins/coins.ts'
import type { InscriptionProofs } from '../collectibles/inscription-proofs.ts'
import type { InscriptionListings } from '../collectibles/inscriptions.ts'
import type { InscribePlans } from '../inscribing/inscribe-plans.ts'
import type { Jobs } from '../inscribing/jobs.ts'
import type { Signer } from '../keys/signer.ts'
import type { Vault } from '../keys/vault.ts'
import type { Plans } from '../payments/plans.ts'
import type { Clock } from '../primitives/clock.ts'
import type { Mutex } from '../primitives/mutex.ts'
import type { OpenSignatures } from '../psbts/open-signatures.ts'
import type { Approvals } from '../requests/approvals.ts'
import type { OkxAliasStore } from '../requests/okx-alias.ts'
import type { Announcer } from '../requests/pages.ts'
import type { Requests } from '../requests/requests.ts'
import type { Sites } from '../requests/sites.ts'
import type { PriceStore } from '../settings/prices.ts'
import type { Servers, Sources } from '../settings/servers.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { AccountView } from '../views/account-views.ts'
import type { UiMethodName, UiMethods } from '../views/ui-methods.ts'

/** The parts of the wallet that methods of our own pages use, by name. */
export type Wallet = Sources &
  Clock &
  Announcer &
  Pick<CoinParts, 'listReserved'> & {
    vault: Vault
    signer: Signer
    accounts: Accounts
    contacts: Contacts
    settings: SettingsStore
    servers: Servers
    prices: PriceStore
    sites: Sites
    okxAlias: OkxAliasStore
    requests: Requests
    approvals: Approvals
    activity: Activity
    coinChoices: CoinChoices
    coinAssets: CoinAssetStore
    inscriptionProofs: InscriptionProofs
    inscriptionListings: InscriptionListings
    openSignatures: OpenSignatures
    plans: Plans
    inscribePlans: InscribePlans
    jobs: Jobs
    brc20Tickers: Brc20Tickers
    planInTurn: Mutex
  }

/** What a method of our own pages works with; `Parts` are the parts of the wallet that it uses. */
export type UiContext<Parts = Wallet> = {
  wallet: Parts
  /** `n` bytes from crypto.getRandomValues. */
  random(n: number): Uint8Array
}

/** Parts of the wallet by their names. */
export type WalletParts<Name extends keyof Wallet> = Pick<Wallet, Name>

/** The parts of the wallet that a function of another room takes as its first argument. */
export type PartsOf<F extends (wallet: never, ...rest: never[]) => unknown> = Parameters<F>[0]

/** The handler of one method: parameters come as our page sent them, unchecked. */
export type UiMethod<M extends UiMethodName, Parts = Wallet> = (
  context: UiContext<Parts>,
  params: Parameters<UiMethods[M]>[0],
) => Promise<ReturnType<UiMethods[M]>>

/** Some of the methods, for a file that holds those of one noun. */
export type UiMethodsOf<Parts> = { [M in UiMethodName]?: UiMethod<M, Parts> }

/** All of the methods. */
export type UiMethodTable = { [M in UiMethodName]: UiMethod<M> }

/** The network and the account in use. Throws 4100 while the wallet is locked. */
export async function loadSelected({
  accounts,
}: WalletParts<'accounts'>): Promise<{ network: Network; account: AccountView }> {
  const network = await accounts.network()
  const account = await accounts.selected(network)
  if (!account) throw unauthorized('The wallet is locked.')
  return { network, account }
}
