import type { Network } from '../../bitcoin/network.ts'
import type { CoinParts } from '../coins/coins.ts'
import type { ContentParts } from '../collectibles/inscription-content.ts'
import type { Jobs } from '../inscribing/jobs.ts'
import type { Sources } from '../settings/servers.ts'
import type { AccountView } from '../views/account-views.ts'
import type { Brc20Tickers } from './brc20-tickers.ts'

/** The parts of the wallet that tell what an account has of BRC-20. */
export type Brc20Parts = CoinParts &
  ContentParts &
  Pick<Sources, 'brc20'> & {
    brc20Tickers: Brc20Tickers
    jobs: Pick<Jobs, 'list' | 'loadBytes'>
  }

/** Whose tokens it is about. */
export type Brc20Context = { wallet: Brc20Parts; network: Network; account: AccountView }
