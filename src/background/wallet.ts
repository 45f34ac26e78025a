import type { Network } from '../bitcoin/network.ts'
import type { ChainSource, FeeSource } from '../chain/chain-source.ts'
import type { Accounts } from './accounts.ts'
import type { Activity } from './activity.ts'
import type { Approvals } from './approvals.ts'
import type { Mutex } from './mutex.ts'
import type { Requests } from './requests.ts'
import type { Servers } from './servers.ts'
import type { Signer } from './signer.ts'
import type { Sites } from './sites.ts'
import type { Vault } from './vault.ts'

/** Everything that methods work with; put together in background.ts and, with other storage and approvers, in tests. */
export type Wallet = {
  vault: Vault
  signer: Signer
  accounts: Accounts
  sites: Sites
  requests: Requests
  approvals: Approvals
  activity: Activity
  servers: Servers
  chain(network: Network): Promise<ChainSource & FeeSource>
  now(): number
  /** Choosing coins and storing the choice is one step: nobody else chooses in between. */
  planInTurn: Mutex
  /** To be called after account, network, lock or grants changed: pages hear of it, and requests that no longer stand end. */
  announce(): void
}
